import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aLedger, aSale, atTime, byOwner, type Ledger, ledgerServices, ownClock } from '../../../test/support/ledger.ts'
import { follows, type Start, type Step } from '../../../test/support/ledger-course.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/by.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { attributeSale } from './attribute-sale.ts'
import { voidSale } from './change-sale.ts'
import { keepRate } from './exchange-rates.ts'
import { recordSale } from './record-sale.ts'
import { applyRefund, type RefundReport } from './refund-sale.ts'
import { bookAllWaiting } from './waiting-sales.ts'

// LEDGER_SEED and LEDGER_RUNS try others than the usual ones; a failure prints its seed and the shortest course to it.
const SEED = Number(process.env.LEDGER_SEED ?? 20_260_302)
const RUNS = Number(process.env.LEDGER_RUNS ?? 1_000)
/** Courses of events side by side, each in an account of its own. */
const LANES = 4

const percent = (ppm: number) => `${Math.floor(ppm / 10_000)}.${String(ppm % 10_000).padStart(4, '0')}`

/** Rates whose sum is at most a hundred percent, with up to four decimals. */
const anyRates = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 5 }).map((wanted) => {
  let left = 1_000_000
  return wanted.map((ppm) => {
    const given = Math.min(ppm, left)
    left -= given
    return percent(given)
  })
})
const rates = fc.oneof(
  anyRates,
  fc.constantFrom<string[]>(
    ['10', '5', '2.5'],
    ['7.5', '2.5', '0.0001'],
    ['33.3333', '33.3333', '33.3334'],
    ['50', '50'],
    ['30', '30', '30', '10'],
    ['0', '12.5', '0', '7.25'],
    ['99.9999', '0.0001'],
    ['100'],
    ['20'],
  ),
)

const start: fc.Arbitrary<Start> = fc.integer({ min: 1, max: 5 }).chain((partners) =>
  fc.record({
    currency: fc.constantFrom('usd', 'usd', 'jpy'),
    foreign: fc.constantFrom('eur', 'kwd'),
    zone: fc.nat(2),
    payoutDelay: fc.constantFrom(0, 0, 0, 7, 30),
    selfReferralPolicy: fc.constantFrom('hold', 'hold', 'allow', 'flag', 'refuse'),
    recurringMonths: fc.constantFrom(null, 1),
    rates,
    blueprintRates: fc.option(rates, { nil: null }),
    partners: fc.tuple(
      ...Array.from({ length: partners }, (_, index) =>
        fc.record({
          // mostly one long chain
          parent:
            index === 0
              ? fc.constant(null)
              : fc.oneof({ arbitrary: fc.constant(index - 1), weight: 4 }, fc.option(fc.nat(index - 1), { nil: null })),
          active: fc.nat(5).map((roll) => roll > 0),
          rates: fc.option(rates, { nil: null, freq: 2 }),
        }),
      ),
    ),
    leads: fc.array(
      fc.record({
        partner: fc.oneof(
          { arbitrary: fc.constant(partners - 1), weight: 3 },
          fc.option(fc.nat(partners - 1), { nil: null, freq: 3 }),
        ),
        blueprint: fc.boolean(),
        emailOf: fc.option(fc.nat(partners - 1), { nil: null, freq: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
)

const sale = fc.nat(5)
const partner = fc.nat(4)
const lead = fc.nat(2)
/** Twelfths of what was paid: thirds, halves, all of it, and more than there is. */
const part = fc.constantFrom(1, 3, 4, 4, 6, 8, 12, 12, 18)
const amount = fc.oneof(
  fc.integer({ min: 1, max: 99 }),
  fc.integer({ min: 1, max: 99_999 }),
  fc.constantFrom(0, 33_33, 1_000_000_000_000),
)

const steps: [weight: number, step: fc.Arbitrary<Step>][] = [
  [
    6,
    fc.record({
      do: fc.constant('sell' as const),
      lead: fc.option(lead, { nil: null, freq: 5 }),
      via: fc.constantFrom('manual', 'api', 'stripe', 'stripe'),
      net: amount,
      tax: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_999 })),
      foreign: fc.nat(3).map((roll) => roll === 0),
      subscription: fc.option(fc.nat(1), { nil: null }),
      ago: fc.constantFrom(0, 1, 10, 40, 40),
      key: fc.nat(30),
    }),
  ],
  [
    6,
    fc.record({
      do: fc.constant('report' as const),
      sale,
      kind: fc.constant('refund' as const),
      id: fc.nat(2),
      part,
      status: fc.constantFrom('pending', 'pending', 'succeeded', 'succeeded', 'failed', 'canceled'),
    }),
  ],
  [
    4,
    fc.record({
      do: fc.constant('report' as const),
      sale,
      kind: fc.constant('dispute' as const),
      id: fc.nat(1),
      part,
      status: fc.constantFrom('pending', 'pending', 'succeeded', 'failed', 'canceled'),
    }),
  ],
  [2, fc.record({ do: fc.constant('refund' as const), sale, part: fc.option(part, { nil: null }) })],
  [1, fc.record({ do: fc.constantFrom('void' as const, 'release' as const), sale })],
  [
    1,
    fc.record({
      do: fc.constant('adjust' as const),
      partner,
      amount: fc.integer({ min: -5_000, max: 5_000 }).filter((value) => value !== 0),
    }),
  ],
  [3, fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 1, 7, 7, 31) })],
  [
    1,
    fc.record({
      do: fc.constant('rate' as const),
      ago: fc.constantFrom(0, 1, 8, 12, 41),
      rate: fc.constantFrom('0.9137', '3.25', '151.235', '0.0066', '1'),
    }),
  ],
  [1, fc.record({ do: fc.constant('attribute' as const), sale, lead })],
  [1, fc.record({ do: fc.constant('reassign' as const), lead, partner })],
  [1, fc.record({ do: fc.constant('change-rates' as const), partner, rates: fc.option(rates, { nil: null }) })],
  [1, fc.record({ do: fc.constant('suspend' as const), partner })],
  [1, fc.record({ do: fc.constant('gather' as const) })],
  [5, fc.record({ do: fc.constant('approve' as const), payout: fc.nat(4), leaves: fc.boolean() })],
  [2, fc.record({ do: fc.constantFrom('mark-paid' as const, 'cancel' as const), payout: fc.nat(4) })],
  [
    4,
    fc.record({
      do: fc.constant('transfer' as const),
      payout: fc.nat(4),
      state: fc.constantFrom('moving', 'moving', 'sent', 'sent', 'bounced', 'over'),
    }),
  ],
]
const one = fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const [[, sell]] = steps as [[number, fc.Arbitrary<Step>]]
const course = fc
  .tuple(fc.array(sell, { minLength: 1, maxLength: 3 }), fc.array(one, { minLength: 3, maxLength: 16, size: 'max' }))
  .map(([first, then]) => [...first, ...then])

test(`${RUNS} random histories agree with a second, simpler model`, async () => {
  const db = await freshDatabase({ clock: ownClock, max: LANES })
  const services = ledgerServices(db)
  const seen = new Map<string, number>()
  const note = (outcome: string) => seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  const lane = (_: unknown, index: number) =>
    fc.assert(
      fc.asyncProperty(start, course, (begun, events) => follows(services, begun, events, note)),
      { seed: SEED + index, numRuns: Math.ceil(RUNS / LANES) },
    )
  await Promise.all(Array.from({ length: LANES }, lane))
  assert.deepEqual(await verifyLedger(db), [])
  if (RUNS >= 1_000) for (const outcome of everything) assert.ok(seen.get(outcome), `nothing came to: ${outcome}`)
})

/** What a thousand histories must have gone through to prove anything. */
const everything = [
  ...['sell done', 'sell known', 'report done', 'refund done', 'refund invalid_state', 'refund validation_failed'],
  ...['void done', 'void invalid_state', 'release done', 'release invalid_state', 'adjust done', 'rate done'],
  ...['attribute done', 'attribute invalid_state', 'attribute validation_failed', 'reassign done', 'pass done'],
  ...['approve done', 'approve not_found', 'approve payout_blocked', 'mark-paid done', 'cancel done', 'transfer done'],
]

type Happening = (tx: Transaction, ledger: Ledger, saleId: string) => Promise<unknown>

const told =
  (kind: 'refund' | 'dispute', externalId: string, amount: number, status: RefundReport['status']): Happening =>
  (tx, { account }, saleId) => {
    const report = { kind, externalId, amount, status, reason: null, at: new Date('2026-03-03T12:00:00Z') }
    return applyRefund(tx, system, account, saleId, report)
  }
const attributed: Happening = (tx, ledger, saleId) => {
  const attribution = { leadId: ledger.leadIds[0]!, reason: 'theirs' }
  return attributeSale(tx, byOwner(ledger), ledger.account, saleId, attribution)
}
const rated: Happening = async (tx, ledger) => {
  await keepRate(tx, byOwner(ledger), ledger.account, { currency: 'eur', date: '2026-03-01', rate: 1.0837 })
  await bookAllWaiting(tx, { accountId: ledger.account.id, currency: 'eur', by: byOwner(ledger) })
}
const voided: Happening = (tx, ledger, saleId) => voidSale(tx, byOwner(ledger), ledger.account, saleId, 'a mistake')

const third = 13_22
const all = 39_66

const sets: [what: string, start: 'sold' | 'unattributed' | 'foreign', happenings: Happening[]][] = [
  [
    'a refund that fails in the end, beside another',
    'sold',
    [
      ...[told('refund', 'a', third, 'pending'), told('refund', 'a', third, 'succeeded')],
      ...[told('refund', 'a', third, 'failed'), told('refund', 'b', third, 'succeeded')],
    ],
  ],
  [
    'two refunds and a lost dispute over the rest',
    'sold',
    [
      ...[told('refund', 'a', third, 'succeeded'), told('refund', 'b', 7, 'succeeded')],
      ...[told('dispute', 'd', all, 'pending'), told('dispute', 'd', all, 'succeeded')],
    ],
  ],
  [
    'a dispute that is won over a full refund, and a refund that never came',
    'sold',
    [
      ...[told('refund', 'a', all, 'succeeded'), told('dispute', 'd', all, 'pending')],
      ...[told('dispute', 'd', all, 'failed'), told('refund', 'b', 1, 'canceled'), told('refund', 'b', 1, 'pending')],
    ],
  ],
  [
    'an attribution among refunds, one of which fails, and a lost dispute',
    'unattributed',
    [
      ...[attributed, told('refund', 'a', third, 'succeeded'), told('refund', 'a', third, 'failed')],
      ...[told('refund', 'b', 3_33, 'succeeded'), told('dispute', 'd', third, 'succeeded')],
    ],
  ],
  [
    'an exchange rate among refunds and an open dispute',
    'foreign',
    [
      ...[rated, told('refund', 'a', third, 'pending'), told('refund', 'b', 1, 'succeeded')],
      told('dispute', 'd', third, 'pending'),
    ],
  ],
  [
    'a sale that is void, whatever else is told of it',
    'sold',
    [
      ...[voided, told('refund', 'a', third, 'succeeded'), told('refund', 'a', third, 'failed')],
      told('dispute', 'd', third, 'succeeded'),
    ],
  ],
]

const orders = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, place) => orders(list.toSpliced(place, 1)).map((rest) => [first, ...rest]))

test('the same refunds and disputes, in every order, come to the same', async () => {
  const db = await freshDatabase({ clock: ownClock, max: LANES })
  const services = ledgerServices(db)
  const digestAfter = (start: string, happenings: Happening[]) =>
    atTime({ now: Date.parse('2026-03-05T12:00:00Z') }, async () => {
      const ledger = await aLedger(services, {
        rates: ['7.5', '2.5', '0.0001', '33.3333'],
        partners: [{}, { parent: 0 }, { parent: 1 }, { parent: 2 }],
        leads: [{ partner: 3 }],
      })
      const leadId = start === 'unattributed' ? null : ledger.leadIds[0]!
      const currency = start === 'foreign' ? 'eur' : 'usd'
      const sale = aSale(ledger, { amount: 33_33, taxAmount: 6_33, currency, leadId })
      const { id } = await recordSale(db, sale)
      for (const happening of happenings) await transaction(db, (tx) => happening(tx, ledger, id))
      return digest(ledger, id)
    })
  for (const [what, start, happenings] of sets) {
    const digests = new Map<string, number>()
    const waiting = orders(happenings)
    const lane = async () => {
      for (let order = waiting.pop(); order; order = waiting.pop()) {
        const found = JSON.stringify(await digestAfter(start, order))
        digests.set(found, (digests.get(found) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    assert.equal(digests.size, 1, `${what}: ${[...digests.keys()].join('\n')}`)
  }
  assert.deepEqual(await verifyLedger(db), [])
})

/** All that a sale comes to, without ids and days. */
async function digest({ db, account, partnerIds }: Ledger, saleId: string) {
  const sale = await db.one`
    select status, refunded_amount, disputed, account_amount,
      (select sum(account_amount - restored_amount)::bigint from refunds where sale_id = s.id) as revenue_lost
    from sales s where id = ${saleId}`
  const layers = await db.many`
    select layer, sum(amount)::bigint as left from commission_entries where sale_id = ${saleId} group by layer order by layer`
  const figures = await db.many`
    select array_position(${partnerIds}::uuid[], partner_id) as partner, sales, revenue, share
    from total_stats where account_id = ${account.id} and (sales, revenue, share) <> (0, 0, 0) order by 1 nulls first`
  return { sale, layers, figures }
}
