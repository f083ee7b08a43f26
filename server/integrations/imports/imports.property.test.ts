import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Import } from '#contract/imports.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'

// A failure prints its seed and the shortest course to it.
const SEED = 20_261_121
const RUNS = numberOfRuns(2)

const app = await startApp({ clock: turnableClock('2026-03-10T12:00:00Z') })

type Line = {
  id: string
  /** `a` and `b` exist, `x` does not. */
  partner: 'a' | 'b' | 'x' | ''
  customer: string
  amount: number | 'lots'
  commission: number | null
  status: 'paid' | 'pending' | 'Refunded' | 'wat' | ''
  date: string
}

const anyLine: fc.Arbitrary<Line> = fc.record({
  id: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }).map(String) },
    { weight: 1, arbitrary: fc.constant('') },
  ),
  partner: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('a' as const, 'b' as const) },
    { weight: 2, arbitrary: fc.constantFrom('x' as const, '' as const) },
  ),
  customer: fc.constantFrom('', 'one', 'two', 'three', 'four'),
  amount: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 2_000_000_00 }) },
    { weight: 1, arbitrary: fc.constant('lots' as const) },
  ),
  commission: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1_000_000_00 })),
  status: fc.constantFrom('', 'paid', 'pending', 'pending', 'paid', 'Refunded', 'wat'),
  date: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('2025-01-31', '2025-12-24', '2024-02-29') },
    { weight: 1, arbitrary: fc.constant('2026-12-01') },
  ),
})

type Step = {
  lines: Line[]
  delimiter: string
  quotes: boolean
  newline: string
  settlePaid: boolean
  workers: number
  undo: boolean
}
const anyStep: fc.Arbitrary<Step> = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 60 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quotes: fc.boolean(),
  newline: fc.constantFrom('\n', '\r\n'),
  settlePaid: fc.boolean(),
  workers: fc.integer({ min: 1, max: 3 }),
  undo: fc.boolean(),
})

const money = (amount: number | 'lots') => (amount === 'lots' ? amount : (amount / 100).toFixed(2))

/** Returns the customer's address, a different one without a partner, so that its owner is never ambiguous. */
const addressOf = ({ customer, partner }: Line) => customer && `${customer}@${partner ? 'bought' : 'found'}.example`

function fileOf({ lines, delimiter, quotes, newline }: Step, emails: Record<string, string>) {
  const quoted = (cell: string) => (quotes || cell.includes(delimiter) ? `"${cell}"` : cell)
  const rows = lines.map((line) => [
    ...[line.id, line.partner && emails[line.partner]!, addressOf(line), money(line.amount)],
    ...[line.commission === null ? '' : money(line.commission), line.status, line.date],
  ])
  const header = ['Order ID', 'Affiliate Email', 'Customer Email', 'Total', 'Commission', 'Commission Status', 'Date']
  return [header, ...rows].map((cells) => cells.map(quoted).join(delimiter)).join(newline)
}

type Sale = {
  id: string
  row: string
  line: Line
  partner: 'a' | 'b' | null
  amount: number
  given: number | null
  earned: number
  settled: boolean
}

type Share = { of: Sale; partner: 'a' | 'b'; earned: number; settled: boolean }

/** Tells whether two lines of one ID are about different sales. */
const isOther = (one: Line, other: Line, isAmountEachOwn = false) =>
  (!isAmountEachOwn && one.amount !== other.amount) ||
  one.date !== other.date ||
  Boolean(addressOf(one) && addressOf(other) && addressOf(one) !== addressOf(other))

/** Returns the expected result of a file, by a simple model. */
function expected(step: Step, there: Sale[], shares: Share[]) {
  const heads = new Map<string, Line>()
  const times = new Map<string, number>()
  const made: Sale[] = []
  const shared: Share[] = []
  let skipped = 0
  let failed = 0
  // those that name a partner come first
  for (const line of [...step.lines.filter((one) => one.partner), ...step.lines.filter((one) => !one.partner)]) {
    const { id, partner, amount, commission, status } = line
    if (amount === 'lots' || status === 'wat') {
      failed++
      continue
    }
    const facts = JSON.stringify([id, partner, line.customer, amount, line.date])
    const nth = times.get(facts) ?? 0
    times.set(facts, nth + 1)
    const row = id ? '' : `${facts} ${nth}`
    if (status === 'Refunded') {
      skipped++
      continue
    }
    const settled = step.settlePaid && status === 'paid'
    const head = id ? heads.get(id) : undefined
    if (head) {
      const isAnothers = Boolean(partner && head.partner && partner !== head.partner)
      const isAlone = head.commission === head.amount && commission === amount && commission !== 0
      if (isOther(head, line, isAnothers && isAlone)) failed++
      else if (!isAnothers) skipped++
      else if (!commission) failed++
      else {
        const sale = [...there, ...made].find((one) => one.id === id)
        const soFar = [...shares, ...shared].filter(({ of }) => of === sale)
        const left = sale ? sale.amount - (sale.given ?? 0) - soFar.reduce((sum, { earned }) => sum + earned, 0) : 0
        if (partner === 'x' || !sale || sale.partner !== head.partner) failed++
        else if (soFar.some((share) => share.partner === partner)) skipped++
        else if (sale.given === null || sale.amount === 0 || commission > left) failed++
        else shared.push({ of: sale, partner: partner as 'a' | 'b', earned: commission, settled })
      }
      continue
    }
    const known = there.find((sale) => (id ? sale.id === id : sale.row === row))
    if (known && id && isOther(known.line, line)) failed++
    else if (known) skipped++
    else if (partner === 'x' || (commission ?? 0) > amount || line.date > '2026-03-10') failed++
    else {
      const earned = partner ? (commission ?? Math.floor((2 * amount * 20 + 100) / 200)) : 0
      const own = partner === 'a' || partner === 'b' ? partner : null
      made.push({ id, row, line, partner: own, amount, given: commission, earned, settled })
    }
    const isTaken = made.at(-1)?.line === line || (known && !(id && isOther(known.line, line)))
    if (id && isTaken) heads.set(id, line)
  }
  return { made, shared, skipped, failed }
}

async function follow(account: TestAccount, steps: Step[]) {
  const { token } = account
  const a = await aPartner(app, account, { referralCode: 'aaa' })
  const b = await aPartner(app, account, { referralCode: 'bbb' })
  const emails = { a: a.email, b: b.email, x: 'nobody@partners.example' }
  const read = async (id: string): Promise<Import> => expectOk(await app.api('GET', `/imports/${id}`, { token })).body
  let there: Sale[] = []
  let shares: Share[] = []
  // each file is imported twice
  for (const step of steps.flatMap((one) => [one, { ...one, undo: false }])) {
    const { made, shared, skipped, failed } = expected(step, there, shares)
    const body = { kind: 'sales', csv: fileOf(step, emails), dryRun: false, settlePaid: step.settlePaid }
    const { id } = expectOk(await app.api('POST', `/accounts/${account.id}/imports`, { token, body })).body
    await Promise.all(Array.from({ length: step.workers }, () => processImport(app.services, { importId: id })))
    const done = await read(id)
    assert.deepEqual(
      [done.state, done.created, done.skipped, done.failed],
      ['done', made.length + shared.length, skipped, failed],
      JSON.stringify(done.errors),
    )
    if (step.undo && made.length + shared.length > 0) {
      expectOk(await app.api('POST', `/imports/${id}/undo`, { token }))
      await Promise.all(Array.from({ length: step.workers }, () => processImport(app.services, { importId: id })))
      assert.equal((await read(id)).state, 'undone')
    } else {
      there = [...there, ...made]
      shares = [...shares, ...shared]
    }
    for (const [name, partner] of Object.entries({ a, b })) {
      const owed = [...there, ...shares].filter((one) => one.partner === name && !one.settled)
      const balance = expectOk(await app.api('GET', `/partners/${partner.id}/balance`, { token })).body
      const sum = owed.reduce((total, { earned }) => total + earned, 0)
      assert.deepEqual([balance.due, balance.held, balance.onHold, balance.paid], [sum, 0, 0, 0])
    }
  }
}

test('random sequences of sales files end as a simple model predicts, and the ledger is consistent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 4 }), async (steps) => {
      const account = await anAccount(app, {
        defaultCommissionSettings: { layerRates: [20] },
        selfReferralPolicy: 'allow',
      })
      await follow(account, steps)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
