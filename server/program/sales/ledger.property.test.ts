import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  aLedger,
  aSale,
  atTime,
  type Ledger,
  ledgerServices,
  ownClock,
  ownerAuthor,
} from '../../../test/support/ledger.ts'
import { runSteps } from '../../../test/support/ledger-commands.ts'
import { anyStart, arbitraryCommands } from '../../../test/support/ledger-runs.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { attributeSale } from './attribute-sale.ts'
import { voidSale } from './change-sale.ts'
import { saveExchangeRate } from './exchange-rates.ts'
import { recordSale } from './record-sale.ts'
import { applyRefund, type RefundReport } from './refund-sale.ts'
import { bookAllWaiting } from './waiting-sales.ts'

// A failure prints its seed and the shortest sequence to it. `npm run test:fuzz -- --model ledger` runs others.
const SEED = 20_260_302
const RUNS = numberOfRuns(8)
/** With fewer runs, some outcomes never occur, and not every order is tried. */
const ENOUGH = 560
/** Concurrent histories, each in its own account. */
const LANES = 4

test('random histories agree with a second, simpler model', async () => {
  const db = await freshDatabase({ clock: ownClock, max: LANES })
  const services = ledgerServices(db)
  const seen = new Map<string, number>()
  const note = (outcome: string) => seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  const lane = (_: unknown, index: number) =>
    fc.assert(
      fc.asyncProperty(anyStart, arbitraryCommands, (begun, events) => runSteps(services, begun, events, note)),
      { seed: SEED + index, numRuns: Math.ceil(RUNS / LANES) },
    )
  await Promise.all(Array.from({ length: LANES }, lane))
  assert.deepEqual(await verifyLedger(db), [])
  if (RUNS >= ENOUGH) for (const outcome of everything) assert.ok(seen.get(outcome), `nothing came to: ${outcome}`)
})

/** Outcomes that the histories must include to prove anything. */
const everything = [
  ...['sell done', 'sell known', 'report done', 'refund done', 'refund invalid_state', 'refund validation_failed'],
  ...['void done', 'void invalid_state', 'release done', 'release invalid_state', 'adjust done', 'rate done'],
  ...['attribute done', 'attribute invalid_state', 'attribute validation_failed', 'reassign done', 'pass done'],
  ...['approve done', 'approve not_found', 'approve payout_blocked', 'mark-paid done', 'cancel done', 'transfer done'],
]

type Happening = (tx: Transaction, ledger: Ledger, saleId: string) => Promise<unknown>

const reports =
  (kind: 'refund' | 'dispute', externalId: string, amount: number, status: RefundReport['status']): Happening =>
  (tx, { account }, saleId) => {
    const report = { kind, externalId, amount, status, reason: null, at: new Date('2026-03-03T12:00:00Z') }
    return applyRefund(tx, system, account, saleId, report)
  }
const attributed: Happening = (tx, ledger, saleId) => {
  const attribution = { leadId: ledger.leadIds[0]!, reason: 'theirs' }
  return attributeSale(tx, ownerAuthor(ledger), ledger.account, saleId, attribution)
}
const rated: Happening = async (tx, ledger) => {
  await saveExchangeRate(tx, ownerAuthor(ledger), ledger.account, { currency: 'eur', date: '2026-03-01', rate: 1.0837 })
  await bookAllWaiting(tx, { accountId: ledger.account.id, currency: 'eur', by: ownerAuthor(ledger) })
}
const voided: Happening = (tx, ledger, saleId) => voidSale(tx, ownerAuthor(ledger), ledger.account, saleId, 'a mistake')

const third = 13_22
const all = 39_66

const sets: [what: string, start: 'sold' | 'unattributed' | 'foreign', happenings: Happening[]][] = [
  [
    'a refund that fails in the end, beside another',
    'sold',
    [
      ...[reports('refund', 'a', third, 'pending'), reports('refund', 'a', third, 'succeeded')],
      ...[reports('refund', 'a', third, 'failed'), reports('refund', 'b', third, 'succeeded')],
    ],
  ],
  [
    'two refunds and a lost dispute over the rest',
    'sold',
    [
      ...[reports('refund', 'a', third, 'succeeded'), reports('refund', 'b', 7, 'succeeded')],
      ...[reports('dispute', 'd', all, 'pending'), reports('dispute', 'd', all, 'succeeded')],
    ],
  ],
  [
    'a dispute that is won over a full refund, and a refund that never came',
    'sold',
    [
      ...[reports('refund', 'a', all, 'succeeded'), reports('dispute', 'd', all, 'pending')],
      ...[
        reports('dispute', 'd', all, 'failed'),
        reports('refund', 'b', 1, 'canceled'),
        reports('refund', 'b', 1, 'pending'),
      ],
    ],
  ],
  [
    'an attribution among refunds, one of which fails, and a lost dispute',
    'unattributed',
    [
      ...[attributed, reports('refund', 'a', third, 'succeeded'), reports('refund', 'a', third, 'failed')],
      ...[reports('refund', 'b', 3_33, 'succeeded'), reports('dispute', 'd', third, 'succeeded')],
    ],
  ],
  [
    'an exchange rate among refunds and an open dispute',
    'foreign',
    [
      ...[rated, reports('refund', 'a', third, 'pending'), reports('refund', 'b', 1, 'succeeded')],
      reports('dispute', 'd', third, 'pending'),
    ],
  ],
  [
    'a sale that is void, whatever else is told of it',
    'sold',
    [
      ...[voided, reports('refund', 'a', third, 'succeeded'), reports('refund', 'a', third, 'failed')],
      reports('dispute', 'd', third, 'succeeded'),
    ],
  ],
]

const orders = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, place) => orders(list.toSpliced(place, 1)).map((rest) => [first, ...rest]))

test('the same refunds and disputes have the same result in every order', async () => {
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
    const waiting = orders(happenings).filter((_, place) => RUNS >= ENOUGH || place % 8 === 0)
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

/** Returns all results of a sale, without ids and dates. */
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
