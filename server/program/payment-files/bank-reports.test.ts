import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { expectOk, startApp } from '../../../test/support/app.ts'
import { aPayout, getPayout } from '../../../test/support/payouts.ts'
import { aEuroAccount, aEuroPayee, switchSepaOn } from '../../../test/support/sepa.ts'
import { type FileToPack, packZip } from '../../platform/zip.ts'
import { verifyLedger } from '../stats/verify.ts'

// Reports in the shapes that banks hand out; test/fixtures/banks/README.md says how a case runs.

type Words = { says?: string; names?: string[]; about?: string }
type Row = Words & { reference: string; was: string | null; becomes: string | null; optional?: boolean; note?: Words }
type Step = {
  file?: string
  pack?: string[]
  rows?: Row[]
  applied?: number
  refused?: { status: number; says: string }
}
type Case = {
  payouts: { reference: string; amount: number; name: string; iban: string }[]
  steps: Step[]
  after: Record<string, string>
  paidOn?: Record<string, string>
  history?: Record<string, string>
  attention?: string[]
}

const folder = new URL('../../../test/fixtures/banks/', import.meta.url)
const read = (name: string) => readFile(new URL(name, folder), 'utf8')
const { given, cases } = JSON.parse(await read('expected.json')) as {
  given: { debtor: { name: string; iban: string } }
  cases: Record<string, Case>
}

const app = await startApp({ config: { rateLimitFactor: 1000 } })

/** Words are compared without their kind of apostrophe and a last full stop. */
const plain = (words: string) => words.replaceAll('’', "'").replace(/\.$/, '')

async function zipOf(texts: string[]): Promise<string> {
  const files = texts.map((text, at): FileToPack => ({ name: `${at}.xml`, pieces: () => [Buffer.from(text)] }))
  const packed: Buffer[] = []
  await packZip(files, async (stream) => {
    for await (const piece of stream) packed.push(piece as Buffer)
  })
  return Buffer.concat(packed).toString('base64')
}

for (const [name, { payouts, steps, after, paidOn, history, attention }] of Object.entries(cases))
  test(`bank report: ${name}`, async () => {
    const account = await aEuroAccount(app, { timeZone: 'UTC' })
    const { token } = account
    const at = `/accounts/${account.id}`
    const address = { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' }
    await switchSepaOn(app, account, { ...given.debtor, address })
    const today = app.clock.now().toISOString().slice(0, 10)
    const values: Record<string, string> = { DAY: today, YYMMDD: today.slice(2).replaceAll('-', '') }
    Object.assign(values, { YYYY: today.slice(0, 4), MM: today.slice(5, 7), DD: today.slice(8), MMDD: today.slice(5) })
    values.MMDD = values.MMDD!.replace('-', '')
    const filled = (text: string) =>
      text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? assert.fail(key))

    const ids: Record<string, string> = {}
    for (const { reference, amount, name: holder, iban } of payouts) {
      const payee = await aEuroPayee(app, account, { name: holder, iban })
      const { id, statementNumber } = await aPayout(app, account, payee, amount)
      ids[reference] = id
      values[reference] = `PO-${statementNumber}`
    }
    const send = (body: object) => app.api('POST', `${at}/payment-files`, { token, body: { method: 'sepa', ...body } })
    const { payouts: shown } = expectOk(await send({ all: true, preview: true })).body
    values.MSGID = values.PMTINFID = expectOk(await send({ all: true, shown })).body.messageId

    for (const { file, pack, rows, applied, refused } of steps) {
      const texts = await Promise.all((pack ?? [file!]).map(async (one) => filled(await read(one))))
      const body = pack ? { zip: await zipOf(texts) } : { file: texts[0]! }
      const upload = (dryRun: boolean) => app.api('POST', `${at}/payouts/results`, { token, body: { ...body, dryRun } })
      if (refused) {
        for (const dryRun of [true, false]) {
          const answer = await upload(dryRun)
          assert.equal(answer.status, refused.status)
          assert.equal(plain(Object.values(answer.body.error.fields)[0] as string), plain(refused.says))
        }
        continue
      }
      const dry = expectOk(await upload(true)).body
      const first = expectOk(await upload(false)).body
      const second = expectOk(await upload(false)).body
      assert.deepEqual(dry, { ...first, applied: 0 })
      assert.equal(first.applied, applied, JSON.stringify(first.rows))
      assert.equal(second.applied, 0, JSON.stringify(second.rows))
      const wrong = (answer: { rows: { error: unknown }[] }) => answer.rows.filter(({ error }) => error).length
      assert.equal(wrong(second), wrong(first), JSON.stringify(second.rows))
      if (rows) compare(first.rows, rows, filled, values)
    }

    for (const [reference, status] of Object.entries(after))
      assert.equal((await getPayout(app, account, ids[reference]!)).status, status, reference)
    for (const [reference, day] of Object.entries(paidOn ?? {}))
      assert.equal((await getPayout(app, account, ids[reference]!)).paidAt!.slice(0, 10), filled(day))
    for (const [reference, words] of Object.entries(history ?? {})) {
      const { nameCheck } = await getPayout(app, account, ids[reference]!)
      assert.equal(plain(nameCheck!.message), plain(words))
    }
    if (attention) {
      const { items } = expectOk(await app.api('GET', `${at}/payouts?attention=check-name`, { token })).body
      assert.deepEqual(items.map(({ id }: { id: string }) => id).sort(), attention.map((one) => ids[one]).sort())
    }
    assert.deepEqual(await verifyLedger(app.services.db), [])
  })

type ReportedRow = {
  reference: string
  was: string | null
  becomes: string | null
  error: { message: string } | null
  note?: string | null
}

/** Compares the rows of an upload, in any order, with those expected. */
function compare(
  expected: ReportedRow[],
  rows: Row[],
  filled: (text: string) => string,
  values: Record<string, string>,
) {
  const left = [...expected]
  for (const { reference, was, becomes, optional, note, ...words } of rows) {
    const name = values[reference] ?? filled(reference)
    const place = left.findIndex((one) => one.reference === name && one.was === was && one.becomes === becomes)
    if (place < 0 && optional) continue
    assert.ok(place >= 0, `${reference} ${was} ${becomes}: ${JSON.stringify(expected)}`)
    const [row] = left.splice(place, 1)
    check(row!.error?.message, words)
    const wasPaid = row!.error === null && row!.note?.startsWith('Already marked as paid on ')
    if (wasPaid) assert.deepEqual([was, becomes], ['paid', 'paid'], row!.note!)
    else check(row!.note ?? undefined, note ?? {})
  }
  assert.deepEqual(left, [])
}

function check(given: string | undefined, { says, names, about }: Words) {
  const isExpected = says !== undefined || names !== undefined || about !== undefined
  assert.equal(given !== undefined, isExpected, given)
  if (says) assert.equal(plain(given!), plain(says))
  for (const one of names ?? []) assert.ok(given!.includes(one), given)
}
