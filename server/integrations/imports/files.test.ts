import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Encoding, isZip } from '#contract/file-text.ts'
import type { Import, ImportPreview, MappedColumn } from '#contract/imports.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { someCases } from '../../../test/support/model-test.ts'
import { readFile } from '../../../web/ui/read-file.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'

type Values = Record<string, unknown> & { noteLines?: string[]; shareOfRow?: number; settled?: boolean }
type Expected = {
  row: number
  becomes: 'created' | 'same' | 'skipped' | 'refused'
  values?: Values
  field?: string
  says?: string
  names?: string[]
  warning?: { names: string[] }
  alsoRight?: string
}
type Case = {
  kind: 'partners' | 'leads' | 'sales' | 'payouts'
  accountCurrency: string
  format?: string
  before?: string[]
  choose?: Record<string, string | { constant: string }>
  rows?: Expected[]
  file?: { state: 'refused' | 'failed'; names?: string[] }
  after?: Record<string, unknown> & { due?: Record<string, number>; dueByEmail?: Record<string, number> }
  warnings?: { names: string[] }[]
  then?: { push: Record<string, unknown>; due: Record<string, number> }[]
}

const folder = new URL('../../../test/fixtures/files/', import.meta.url)
const { files, given } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as {
  files: Record<string, Case>
  given: { partners: Record<string, string>[] }
}

const app = await startApp({ clock: turnableClock('2026-11-28T12:00:00Z') })

type Content = { csv: string } | { file: string; encoding?: string }
type Sent = Content & { kind: string; format?: string; mapping?: MappedColumn[] }

async function imported(account: TestAccount, body: Sent & { dryRun: boolean }): Promise<Import> {
  const { token } = account
  const { id } = expectOk(await app.api('POST', `/accounts/${account.id}/imports`, { token, body })).body
  let done: Import
  do {
    await processImport(app.services, { importId: id })
    done = expectOk(await app.api('GET', `/imports/${id}`, { token })).body
  } while (['waiting', 'running'].includes(done.state))
  return done
}

/** Returns what is sent of a file: a text as the browser reads it, or a workbook as it is. */
function contentOf(name: string, encoding?: Encoding): Content {
  const bytes = readFileSync(new URL(name, folder))
  return isZip(bytes) ? { file: bytes.toString('base64') } : { csv: readFile(name, bytes, encoding).csv }
}

/** Previews a file and returns what is sent for it: the mapping as it is suggested, with what the person chooses. */
async function toSend(account: TestAccount, name: string): Promise<Sent> {
  const { kind, format, choose = {} } = files[name]!
  const { encoding, ...columns } = choose
  const content = contentOf(name, encoding as Encoding | undefined)
  const { body } = expectOk(
    await app.api('POST', `/accounts/${account.id}/imports/preview`, {
      token: account.token,
      body: { kind, ...content },
    }),
  ) as { body: ImportPreview }
  if (format) assert.equal(body.format, format)
  const chosen = Object.entries(columns).map(([field, to]) => ({
    field,
    ...(typeof to === 'string'
      ? { column: to, transform: 'none' as const, default: null }
      : { column: null, transform: 'constant' as const, default: to.constant }),
  }))
  const mapping = [...body.mapping.filter(({ field }) => !(field in columns)), ...chosen]
  return { kind, ...content, format: body.format, mapping }
}

const outline = ({ state, created, skipped, failed, errors, skips, warnings }: Import) => ({
  ...{ state, created, skipped, failed, errors, skips },
  warnings: warnings.filter(({ message }) => !message.startsWith('The balance')),
})

async function run(account: TestAccount, name: string): Promise<Import> {
  const sent = await toSend(account, name)
  const dry = await imported(account, { ...sent, dryRun: true })
  const done = await imported(account, { ...sent, dryRun: false })
  assert.deepEqual(outline(done), outline(dry), 'the dry run says the same')
  return done
}

/** Returns what each row made, by its number. */
async function madeBy(account: TestAccount, { id }: Import) {
  const rows = await app.services.db.many<{ row: number; made: { type: string; id: string; partnerId?: string }[] }>`
    select row, made from import_rows where account_id = ${account.id} and import_id = ${id} and outcome = 'created'`
  return new Map(rows.map(({ row, made }) => [row, made]))
}

type Names = Map<string, string>
const call = async ({ token }: TestAccount, path: string) => expectOk(await app.api('GET', path, { token })).body

async function valuesOf(account: TestAccount, emails: Names, kind: Case['kind'], made: { type: string; id: string }[]) {
  const { id } = made[0]!
  if (kind === 'partners') {
    const partner = await call(account, `/partners/${id}`)
    return { ...partner, parentEmail: emails.get(partner.parentPartnerId) ?? null }
  }
  const one = await call(account, `/${kind}/${id}`)
  const partnerEmail = emails.get(one.partnerId) ?? null
  if (kind === 'leads') return { ...one, partnerEmail }
  if (kind === 'payouts') return { ...one, partnerEmail, externalId: one.externalReference }
  const lead = one.leadId ? await call(account, `/leads/${one.leadId}`) : null
  const { items } = await call(account, `/sales/${id}/commissions`)
  const own = items.filter((entry: { partnerId: string }) => entry.partnerId === one.partnerId)
  const commission = own.reduce((sum: number, entry: { amount: number }) => sum + entry.amount, 0)
  return {
    ...{ ...one, partnerEmail, commission, email: one.payerEmail, leadExternalId: lead?.externalId ?? null },
    settled: made.some(({ type }) => type === 'adjustment'),
  }
}

const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value)
const without = (message: string) => message.replaceAll('’', "'").replace(/\.$/, '')
const holdsAll = (message: string, names: string[] = []) => {
  for (const name of names) assert.ok(message.includes(name), `${message}: must name ${name}`)
}

async function emailsOf(account: TestAccount): Promise<Names> {
  const { items } = await call(account, `/accounts/${account.id}/partners?limit=100`)
  return new Map(items.map(({ id, email }: { id: string; email: string }) => [id, email]))
}

async function expectDue(account: TestAccount, due: Record<string, number>, by: 'referralCode' | 'email') {
  const { items } = await call(account, `/accounts/${account.id}/partners?limit=100`)
  for (const [name, amount] of Object.entries(due)) {
    const partner = items.find((one: Record<string, string>) => one[by] === name)
    assert.equal((await call(account, `/partners/${partner.id}/balance`)).due, amount, `due to ${name}`)
  }
}

async function expectRow(
  { row, becomes, values = {}, field, says, names, warning, alsoRight }: Expected,
  done: Import,
  made: Map<number, { type: string; id: string; partnerId?: string }[]>,
  show: (made: { type: string; id: string }[]) => Promise<Record<string, unknown>>,
) {
  const error = done.errors.find((one) => one.row === row)
  const skip = done.skips.find((one) => one.row === row)
  const how = error ? 'refused' : skip ? 'skipped' : made.has(row) ? 'created' : 'nothing'
  const wanted = becomes === 'same' ? 'skipped' : becomes
  const detail = `row ${row}: ${error?.message ?? skip?.message}`
  if (how !== wanted && alsoRight?.startsWith(how)) return
  assert.equal(how, wanted, detail)
  const message = error?.message ?? skip?.message ?? ''
  if (field) assert.equal(error?.field, field, detail)
  if (says) assert.equal(without(message), without(says))
  holdsAll(message, names)
  const warned = done.warnings.filter((one) => one.row === row).map((one) => one.message)
  if (warning) holdsAll(warned.join(' '), warning.names)
  if (wanted !== 'created') return
  const { noteLines, shareOfRow, ...others } = values
  const [its] = made.get(row)!
  if (shareOfRow) return assert.deepEqual([its!.type, its!.id], ['share', made.get(shareOfRow)![0]!.id])
  const shown = await show(made.get(row)!)
  for (const [name, value] of Object.entries(others))
    assert.deepEqual(sorted(shown[name]), sorted(value), `row ${row}, ${name}`)
  if (noteLines) assert.deepEqual(String(shown.note).split(/\r\n|\n|\r/), noteLines)
}

for (const [name, one] of someCases(Object.entries(files), 21)) {
  test(`${name} is imported as it is meant`, async () => {
    const account = await anAccount(app, {
      ...{ defaultCurrency: one.accountCurrency, payoutDelay: 0 },
      defaultCommissionSettings: { layerRates: [20] },
    })
    const { token } = account
    for (const partner of given.partners) await aPartner(app, account, partner)
    for (const earlier of one.before ?? []) await run(account, earlier)
    if (one.file?.state === 'refused') {
      const body = { kind: one.kind, ...contentOf(name), dryRun: false }
      const reply = await app.api('POST', `/accounts/${account.id}/imports`, { token, body })
      assert.ok(reply.status >= 400)
      return holdsAll(reply.body.error.message, one.file.names)
    }
    const known = await count(account, one.kind)
    const done = await run(account, name)
    if (one.file) {
      assert.equal(done.state, 'failed')
      holdsAll(done.reason!, one.file.names)
      return assert.equal(await count(account, one.kind), known)
    }
    const [emails, made] = [await emailsOf(account), await madeBy(account, done)]
    const show = (made: { type: string; id: string }[]) => valuesOf(account, emails, one.kind, made)
    for (const row of one.rows!) await expectRow(row, done, made, show)
    // another outcome is right, too, and gives other sums
    if (
      one.rows!.some(({ row, alsoRight }) => alsoRight === 'refused' && done.errors.some((error) => error.row === row))
    )
      return
    const { due, dueByEmail, unattributed } = one.after!
    const expected = one.after![one.kind] as number | undefined
    const isBefore = one.before?.some((earlier) => files[earlier]!.kind === one.kind)
    if (expected !== undefined) assert.equal((await count(account, one.kind)) - (isBefore ? 0 : known), expected)
    if (unattributed !== undefined) {
      const { items } = await call(account, `/accounts/${account.id}/sales?limit=100`)
      assert.equal(items.filter((sale: { partnerId: string | null }) => !sale.partnerId).length, unattributed)
    }
    await expectDue(account, due ?? {}, 'referralCode')
    await expectDue(account, dueByEmail ?? {}, 'email')
    for (const { names } of one.warnings ?? [])
      assert.ok(done.warnings.some(({ message }) => names.every((each) => message.includes(each))))
    for (const { push, due } of one.then ?? []) {
      const before = await count(account, 'sales')
      const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token })).body
      expectOk(await app.api('POST', '/push/sales', { token: apiKey, body: push }))
      assert.equal(await count(account, 'sales'), before)
      await expectDue(account, due, 'referralCode')
    }
  })
}

test('the ledger agrees after all of them', async () => {
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

async function count(account: TestAccount, kind: Case['kind']): Promise<number> {
  return (await call(account, `/accounts/${account.id}/${kind}?limit=100`)).items.length
}
