import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '#contract/terms.ts'
import { aLedger, aSale, type Ledger, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { deferCounts } from '../stats/count.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { voidSale } from './change-sale.ts'
import { correctSale } from './correct-sale.ts'
import { recordSale, recordSales } from './record-sale.ts'
import { applyRefund } from './refund-sale.ts'
import { restoreSale } from './restore-sale.ts'

// Sales under caps of one partner, with corrections, refunds, voids and restorations in any order, against a plain model of caps. In
// some lives a customer's first payment earns more, so that sales move others under the caps, and in some of the
// transactions several are recorded before any is counted. The seed of a failure is in its message; SEED and RUNS try
// others.

const db = await freshDatabase()
const services = ledgerServices(db)

const halfUp = (a: number, n: number, d: number) => (d === 0 ? 0 : Math.floor((2 * a * n + d) / (2 * d)))

type ModelSale = {
  name: string
  customer: number
  day: string
  net: number
  /** It is the customer's first, which earns more in this life. */
  first: boolean
  lost: number
  void: boolean
  /** The most that it ever planned, and what the caps left of that. */
  most: number
  allowed: number
}
type Caps = { customer: number | null; month: number | null; year?: number | null }

const RATES = [0.5, 0.1]
const FIRST_RATES = [0.8, 0.1]
const planOf = ({ net, first }: ModelSale) =>
  (first ? FIRST_RATES : RATES).map((rate) => halfUp(net, rate * 10, 10)) as [number, number]
const monthOf = ({ day }: ModelSale) => day.slice(0, 7)
const yearOf = ({ day }: ModelSale) => day.slice(0, 4)

/** Returns the kept amount of each layer. */
function plannedKept(sale: ModelSale) {
  const { net, lost, void: gone, allowed } = sale
  if (gone || net === 0) return [0, 0]
  const [planned, above] = planOf(sale)
  const earned = Math.min(planned, allowed)
  return [earned, earned < planned ? halfUp(above, earned, planned) : above].map(
    (one) => one - halfUp(one, Math.min(lost, net), net),
  )
}

function allow(sale: ModelSale, all: ModelSale[], caps: Caps) {
  const [planned] = planOf(sale)
  if (sale.net === 0 || planned <= sale.most) return
  const used = (same: (other: ModelSale) => boolean) =>
    all.filter((other) => other !== sale && same(other)).reduce((sum, other) => sum + plannedKept(other)[0]!, 0)
  const rooms = [
    caps.customer === null ? Infinity : caps.customer - used((other) => other.customer === sale.customer),
    caps.month === null ? Infinity : caps.month - used((other) => monthOf(other) === monthOf(sale)),
    caps.year == null ? Infinity : caps.year - used((other) => yearOf(other) === yearOf(sale)),
  ]
  sale.most = planned
  sale.allowed = Math.max(sale.allowed, Math.min(planned, Math.max(0, Math.min(...rooms))))
}

/**
 * Finds the first sales of the customers again, and gives those that moved their part of the cap, `last` after the
 * others.
 */
function place(all: ModelSale[], caps: Caps, last?: ModelSale) {
  const moved = all.filter((sale) => {
    const own = all.filter((other) => other.customer === sale.customer && !other.void)
    const was = sale.first
    sale.first = !sale.void && own.every((other) => other === sale || isBefore(sale, other))
    return sale.first !== was && sale !== last && !sale.void
  })
  for (const sale of last ? [...moved, last] : moved) allow(sale, all, caps)
}

const isBefore = (a: ModelSale, b: ModelSale) => (a.day === b.day ? a.name < b.name : a.day < b.day)

const anyNet = (random: Random) => random.pick([0, 1, 2, 7, random.between(1, 60), random.between(10, 400)])

async function live(seed: number) {
  const random = randomFrom(seed)
  const caps: Caps = random.pick([
    { customer: random.between(1, 120), month: null },
    { customer: null, month: random.between(1, 200) },
    { customer: random.between(1, 120), month: random.between(1, 200) },
    { customer: null, month: null, year: random.between(1, 300) },
    { customer: null, month: random.between(1, 200), year: random.between(1, 300) },
    { customer: random.between(1, 120), month: null, year: random.between(1, 300) },
  ])
  const firstEarnsMore = random.chance(50)
  const anyAmount = () => (firstEarnsMore ? anyNet(random) + 1 : anyNet(random))
  const ledger = await aLedger(services, {
    ...{ rates: ['0'], partners: [{}, { parent: 0 }], leads: [{ partner: 1 }, { partner: 1 }] },
  })
  await save(ledger, caps, firstEarnsMore)
  const { account } = ledger
  const sales: ModelSale[] = []
  const ids = new Map<ModelSale, string>()
  const steps: string[] = []
  const refunded = new Map<ModelSale, { id: string; amount: number }[]>()
  for (let at = 0; at < 14; at++) {
    const sale = sales.length > 0 && random.chance(60) ? random.pick(sales) : undefined
    async function sell(tx: Transaction) {
      const name = `sale-${sales.length}`
      const [customer, month, net] = [random.below(2), random.pick(['2025-12', '2026-03', '2026-04']), anyAmount()]
      const day = `${month}-1${random.below(9)}`
      const made = { name, customer, day, net, first: false, lost: 0, void: false, most: 0, allowed: 0 }
      steps.push(`${name} of ${customer} on ${day}: ${net}`)
      const amounts = { amount: net, taxAmount: 0, grossAmount: net }
      const base = aSale(ledger, { ...amounts, leadId: ledger.leadIds[customer]! })
      ids.set(made, (await recordSale(tx, { ...base, ...amounts, externalId: name, saleDate: day })).id)
      sales.push(made)
      if (firstEarnsMore) place(sales, caps, made)
      else allow(made, sales, caps)
    }
    await transaction(db, async (tx) => {
      if (!sale) {
        const several = async () => {
          for (let more = random.between(1, 3); more > 0; more--) await sell(tx)
        }
        return random.chance(30) ? deferCounts(tx, several, async () => {}) : sell(tx)
      }
      const id = ids.get(sale)!
      const refunds = refunded.get(sale) ?? []
      refunded.set(sale, refunds)
      const kind = random.pick(['corrected', 'refunded', 'refunded', 'failed', 'void'] as const)
      if (kind === 'corrected') {
        const net = Math.max(anyAmount(), sale.lost)
        steps.push(`${sale.name} becomes ${net}`)
        const reported = { amount: net, taxAmount: 0, grossAmount: net, currency: 'usd' }
        await correctSale(tx, system, account, id, { reported, source: 'the shop' })
        sale.net = net
        // a void sale takes its part once it is restored
        if (!sale.void) allow(sale, sales, caps)
      } else if (kind === 'refunded' && sale.net > sale.lost) {
        const amount = random.pick([sale.net - sale.lost, random.between(1, sale.net - sale.lost)])
        const externalId = `refund-${steps.length}`
        steps.push(`${sale.name} loses ${amount}`)
        await refund(externalId, amount, 'succeeded')
        refunds.push({ id: externalId, amount })
        sale.lost += amount
      } else if (kind === 'failed' && refunds.length > 0) {
        const failed = refunds.splice(random.below(refunds.length), 1)[0]!
        steps.push(`${sale.name} gets ${failed.amount} back`)
        await refund(failed.id, failed.amount, 'failed')
        sale.lost -= failed.amount
      } else if (kind === 'void' && sale.void) {
        steps.push(`${sale.name} is restored`)
        await restoreSale(tx, ownerAuthor(ledger), account, id, 'no mistake')
        sale.void = false
        if (firstEarnsMore) place(sales, caps)
        allow(sale, sales, caps)
      } else if (kind === 'void') {
        steps.push(`${sale.name} is void`)
        await voidSale(tx, ownerAuthor(ledger), account, id, 'a mistake')
        sale.void = true
        if (firstEarnsMore) place(sales, caps)
      }
      function refund(externalId: string, amount: number, status: 'succeeded' | 'failed') {
        const report = { kind: 'refund', externalId, amount, status, reason: null, at: new Date() } as const
        return applyRefund(tx, system, account, id, report)
      }
    })
    const expected = new Map(sales.map((one) => [one.name, plannedKept(one)] as const))
    assert.deepEqual(await readLedger(ledger), expected, JSON.stringify({ seed, caps, steps }))
  }
}

const percents = (rates: number[]) => ({ layerRates: rates.map((rate) => rate * 100) })

const save = ({ account }: Ledger, caps: Caps, firstEarnsMore: boolean) =>
  transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    const first = { name: null, on: 'sale', when: { firstPayments: 1 }, ...percents(FIRST_RATES) } as const
    const rules = firstEarnsMore ? [first] : []
    const { customer: maxPerCustomer, month: maxPerMonth, year: maxPerYear } = caps
    const terms: Terms = { rules, otherwise: percents(RATES), maxPerCustomer, maxPerMonth, maxPerYear }
    await saveTerms(tx, system, account.id, { kind: 'account', id: account.id }, { terms, appliesTo: 'all-sales' })
  })

/** Returns each layer's net amount of each sale, by the ledger. */
async function readLedger({ account }: Ledger) {
  const rows = await db.many<{ name: string; layers: number[] }>`
    select s.external_id as name, array(select coalesce(sum(e.amount), 0)::bigint
      from generate_series(0, 1) as l (layer) left join commission_entries e
        on e.account_id = s.account_id and e.sale_id = s.id and e.layer = l.layer
      group by l.layer order by l.layer) as layers
    from sales s where s.account_id = ${account.id} order by length(s.external_id), s.external_id`
  return new Map(rows.map(({ name, layers }) => [name, layers.map(Number)]))
}

test('caps leave what a plain model computes after each event', async () => {
  for (const seed of listSeeds(4)) await live(seed)
  assert.deepEqual(await verifyLedger(db), [])
})

test('fifty sales at once with ten left of a cap earn ten', async () => {
  const ledger = await aLedger(services, { rates: ['0'], partners: [{}], leads: Array(50).fill({ partner: 0 }) })
  await save(ledger, { customer: null, month: 10 }, false)
  await Promise.all(
    ledger.leadIds.map((leadId) =>
      recordSale(db, { ...aSale(ledger, { amount: 8, grossAmount: 8, leadId }), saleDate: '2026-05-05' }),
    ),
  )
  const earned = await db.value<number>`
    select sum(amount) from commission_entries where account_id = ${ledger.account.id}`
  assert.equal(Number(earned), 10)
})

test('a commission given with a sale of the same list uses up none of a cap', async () => {
  for (const caps of [
    { customer: 100, month: null },
    { customer: null, month: 100 },
  ]) {
    const ledger = await aLedger(services, { rates: ['0'], partners: [{}], leads: [{ partner: 0 }] })
    await save(ledger, caps, false)
    await transaction(db, (tx) =>
      recordSales(tx, [
        { ...aSale(ledger, { amount: 200 }), externalId: 'given', provider: 'import', givenCommission: 90 },
        { ...aSale(ledger, { amount: 100 }), externalId: 'planned' },
      ]),
    )
    assert.deepEqual((await readLedger(ledger)).get('planned'), [50, 0])
    assert.deepEqual((await readLedger(ledger)).get('given'), [90, 0])
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a first cap per month counts what servers of the release before left out', async () => {
  const ledger = await aLedger(services, { rates: ['50'], partners: [{}], leads: [{ partner: 0 }, { partner: 0 }] })
  const [before, after] = ledger.leadIds
  const sell = (leadId: string) =>
    recordSale(db, { ...aSale(ledger, { amount: 20, grossAmount: 20, leadId }), saleDate: '2026-05-05' })
  await sell(before!)
  await db.run`update month_stats set earned = 0 where account_id = ${ledger.account.id}`
  assert.deepEqual(await verifyLedger(db), [])
  await save(ledger, { customer: null, month: 12 }, false)
  await sell(after!)
  const earned = await db.value<number>`
    select sum(amount) from commission_entries where account_id = ${ledger.account.id}`
  assert.equal(Number(earned), 12)
  assert.deepEqual(await verifyLedger(db), [])
})
