import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '#contract/terms.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
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
// transactions several are recorded before any is counted.

const db = await freshDatabase()
const services = ledgerServices(db)

const halfUp = (a: number, n: number, d: number) => (d === 0 ? 0 : Math.floor((2 * a * n + d) / (2 * d)))

type Refund = { externalId: string; amount: number }
type ModelSale = {
  id: string
  name: string
  customer: number
  day: string
  net: number
  /** It is the customer's first, which earns more in this life. */
  first: boolean
  lost: number
  refunds: Refund[]
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

async function begin(seed: number) {
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
  const ledger = await aLedger(services, {
    ...{ rates: ['0'], partners: [{}, { parent: 0 }], leads: [{ partner: 1 }, { partner: 1 }] },
  })
  await save(ledger, caps, firstEarnsMore)
  return { ledger, caps, firstEarnsMore, sales: [] as ModelSale[], refunds: 0 }
}
type World = Awaited<ReturnType<typeof begin>>

const anyAmount = ({ firstEarnsMore }: World, { pick, between }: Random) =>
  pick([0, 1, 2, 7, between(1, 60), between(10, 400)]) + Number(firstEarnsMore)

async function sell(tx: Transaction, world: World, random: Random) {
  const { ledger, caps, firstEarnsMore, sales } = world
  const name = `sale-${sales.length}`
  const [customer, net] = [random.below(2), anyAmount(world, random)]
  const day = `${random.pick(['2025-12', '2026-03', '2026-04'])}-1${random.below(9)}`
  const amounts = { amount: net, taxAmount: 0, grossAmount: net }
  const base = aSale(ledger, { ...amounts, leadId: ledger.leadIds[customer]! })
  const { id } = await recordSale(tx, { ...base, ...amounts, externalId: name, saleDate: day })
  const facts = { first: false, lost: 0, void: false, most: 0, allowed: 0 }
  const made: ModelSale = { id, name, customer, day, net, refunds: [], ...facts }
  sales.push(made)
  if (firstEarnsMore) place(sales, caps, made)
  else allow(made, sales, caps)
}

const report = (refund: Refund, status: 'succeeded' | 'failed') =>
  ({ kind: 'refund', ...refund, status, reason: null, at: new Date() }) as const

const onSale =
  (take: (tx: Transaction, world: World, sale: ModelSale, random: Random) => Promise<unknown>) =>
  async (world: World, random: Random) => {
    const sale = random.pick(world.sales)
    if (sale) await transaction(db, (tx) => take(tx, world, sale, random))
  }

const steps = freeSteps<World>({
  sell: (world, random) =>
    transaction(db, async (tx) => {
      const several = async () => {
        for (let more = random.between(1, 3); more > 0; more--) await sell(tx, world, random)
      }
      await (random.chance(30) ? deferCounts(tx, several, async () => {}) : sell(tx, world, random))
    }),
  correct: onSale(async (tx, world, sale, random) => {
    const net = Math.max(anyAmount(world, random), sale.lost)
    const reported = { amount: net, taxAmount: 0, grossAmount: net, currency: 'usd' }
    await correctSale(tx, system, world.ledger.account, sale.id, { reported, source: 'the shop' })
    sale.net = net
    // a void sale takes its part once it is restored
    if (!sale.void) allow(sale, world.sales, world.caps)
  }),
  refund: onSale(async (tx, world, sale, { pick, between }) => {
    if (sale.net <= sale.lost) return
    const amount = pick([sale.net - sale.lost, between(1, sale.net - sale.lost)])
    const refund = { externalId: `refund-${world.refunds++}`, amount }
    await applyRefund(tx, system, world.ledger.account, sale.id, report(refund, 'succeeded'))
    sale.refunds.push(refund)
    sale.lost += amount
  }),
  failRefund: onSale(async (tx, world, sale, { below }) => {
    const [failed] = sale.refunds.splice(below(sale.refunds.length), 1)
    if (!failed) return
    await applyRefund(tx, system, world.ledger.account, sale.id, report(failed, 'failed'))
    sale.lost -= failed.amount
  }),
  voidOrRestore: onSale(async (tx, { ledger, caps, firstEarnsMore, sales }, sale) => {
    await (sale.void ? restoreSale : voidSale)(tx, ownerAuthor(ledger), ledger.account, sale.id, 'a mistake')
    sale.void = !sale.void
    if (firstEarnsMore) place(sales, caps)
    if (!sale.void) allow(sale, sales, caps)
  }),
})

async function check({ ledger, sales }: World) {
  assert.deepEqual(await readLedger(ledger), new Map(sales.map((one) => [one.name, plannedKept(one)])))
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

const weights = { sell: 10, correct: 3, refund: 6, failRefund: 3, voidOrRestore: 3 }

test('caps leave what a plain model computes after each event', async () => {
  for (const seed of listSeeds(2)) await playHistory({ begin, steps, weights, length: 12, check }, seed)
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
