import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms, TermsRule } from '#contract/terms.ts'
import { aLedger, aSale, type Ledger, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { type ModelRule, type ModelSale, remainingByLayer } from '../../../test/support/rules-model.ts'
import { system } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { voidSale } from './change-sale.ts'
import { correctSale } from './correct-sale.ts'
import { recordSale } from './record-sale.ts'
import { applyRefund } from './refund-sale.ts'
import { restoreSale } from './restore-sale.ts'

// One customer's payments, with everything that is reported about them, in two orders: both end in what a plain model
// computes from all facts at once. The seed of a failure is in its message; SEED and RUNS try others.

const db = await freshDatabase()
const services = ledgerServices(db)
const PRODUCTS = ['pro', 'starter', 'shirt']
const LAYERS = 3

async function live(seed: number) {
  const random = randomFrom(seed)
  const rules = Array.from({ length: random.between(1, 4) }, () => anyRule(random))
  const otherwise = anyPay(random)
  const sales = Array.from({ length: random.between(1, 6) }, (_, at) => anySale(random, at))
  const events = sales.flatMap((sale) => eventsOf(random, sale))
  const expected = remainingByLayer(rules, otherwise, sales, LAYERS)
  for (const order of [events, inOtherOrder(random, events)]) {
    const ledger = await aLedger(services, {
      ...{ rates: ['0'], partners: [{}, { parent: 0 }, { parent: 1 }], leads: [{ partner: 2 }] },
    })
    await save(ledger, termsOf(rules, otherwise))
    for (const event of order) await transaction(db, (tx) => happen(tx, ledger, event))
    const context = JSON.stringify({
      seed,
      rules,
      otherwise,
      sales,
      order: order.map(({ kind, sale }) => `${kind} ${sale.name}`),
    })
    assert.deepEqual(await readLedger(ledger), expected, context)
  }
}

const anyPay = (random: Random): ModelRule =>
  random.chance(50)
    ? { rates: [random.pick([0, 10, 33.3333, 50]), random.pick([5, 0]), random.pick([2.5, 30])] }
    : { amounts: [random.below(40), random.pick([1, 500, 0]), random.below(3)] }

function anyRule(random: Random): ModelRule {
  const conditions: ModelRule[] = [
    { products: random.shuffled(PRODUCTS).slice(0, random.between(1, 2)) },
    { code: random.pick(['used', 'not-used'] as const) },
    { payments: random.between(1, 3) },
    { months: random.between(1, 2) },
    { from: random.below(60), ...(random.chance(50) && { to: random.between(60, 200) }) },
    { countries: [random.pick(['US', 'DE'])] },
  ]
  const chosen = random.shuffled(conditions).slice(0, random.between(1, 2))
  return Object.assign({}, ...chosen, anyPay(random))
}

function anySale(random: Random, at: number): ModelSale {
  const net = random.pick([0, 1, 2, 3, random.below(150), random.between(100, 99_999)])
  const gross = net + random.pick([0, 1, Math.round(net / 5)])
  const ids = Array.from({ length: random.below(5) }, (_, place) => String(place + 1))
  const lines = ids.map((id) => ({
    ...{ id, product: random.pick([...PRODUCTS, null]), amount: random.pick([-5, 0, 1, 2, random.below(500)]) },
  }))
  const refunds = Array.from({ length: gross > 0 ? random.below(3) : 0 }, () => {
    const amount = random.pick([gross, random.between(1, gross), 1])
    const named = lines.length > 0 && random.chance(60) ? [random.pick([...ids, 'unknown'])] : []
    return { amount, lines: named.map((id) => ({ id, amount: random.between(1, amount) })), counts: random.chance(80) }
  })
  return {
    name: `sale-${at}`,
    date: `2026-0${random.between(1, 4)}-${random.pick(['01', '15', '28'])}`,
    ...{ net, gross, lines, refunds },
    country: random.pick(['US', 'DE', null]),
    code: random.chance(40),
    void: random.chance(15),
  }
}

/** A sale is recorded, perhaps with less than is known later; then the rest is reported. */
type Event = { sale: ModelSale } & (
  | { kind: 'recorded'; known: 'all' | 'amounts' }
  | { kind: 'told' | 'void' | 'mistaken void' | 'restored' }
  | { kind: 'refunded'; refund: ModelSale['refunds'][number]; at: number }
  | { kind: 'failed'; refund: ModelSale['refunds'][number]; at: number }
)

function eventsOf(random: Random, sale: ModelSale): Event[] {
  const known = random.pick(['all', 'amounts'] as const)
  return [
    { sale, kind: 'recorded', known },
    ...(known === 'amounts' ? [{ sale, kind: 'told' as const }] : []),
    ...sale.refunds.flatMap((refund, at): Event[] => [
      { sale, kind: 'refunded', refund, at },
      ...(refund.counts ? [] : [{ sale, kind: 'failed' as const, refund, at }]),
    ]),
    ...(random.chance(25)
      ? [
          { sale, kind: 'mistaken void' as const },
          { sale, kind: 'restored' as const },
        ]
      : []),
    ...(sale.void ? [{ sale, kind: 'void' as const }] : []),
  ]
}

/** Mixes the events of the sales; those of a sale after its recording, failures after their refunds, a restoration after its void, a lasting void last. */
function inOtherOrder(random: Random, events: Event[]) {
  const rank = { recorded: 0, told: 1, 'mistaken void': 1, refunded: 1, failed: 2, restored: 2, void: 3 }
  const places = new Map(random.shuffled(events).map((event, at) => [event, at]))
  const key = (event: Event) => places.get(event)! + rank[event.kind] * events.length * (random.chance(70) ? 1 : 0)
  const keyed = events.map((event) => ({ event, at: key(event) })).sort((a, b) => a.at - b.at)
  const left = keyed.map(({ event }) => event)
  const result: Event[] = []
  while (left.length > 0) {
    const next = left.findIndex((event) =>
      left.every((other) => other.sale !== event.sale || !mustPrecede(other, event)),
    )
    result.push(...left.splice(next, 1))
  }
  return result
}

function mustPrecede(first: Event, then: Event) {
  if (first === then) return false
  if (first.kind === 'recorded') return true
  if (then.kind === 'void') return true
  if (first.kind === 'mistaken void') return then.kind === 'restored'
  return first.kind === 'refunded' && then.kind === 'failed' && first.at === then.at
}

const wordsOf: Record<keyof ModelRule, (value: never) => Partial<TermsRule['when']>> = {
  products: (products: string[]) => ({ products }),
  code: (promotionCode: 'used' | 'not-used') => ({ promotionCode }),
  payments: (firstPayments: number) => ({ firstPayments }),
  months: (firstMonths: number) => ({ firstMonths }),
  from: (amountFrom: number) => ({ amountFrom }),
  to: (amountTo: number) => ({ amountTo }),
  countries: (countries: string[]) => ({ countries }),
  rates: () => ({}),
  amounts: () => ({}),
}

function termsOf(rules: ModelRule[], otherwise: ModelRule): Terms {
  const pay = ({ rates, amounts }: ModelRule) => (rates ? { layerRates: rates } : { layerAmounts: amounts! })
  const when = (rule: ModelRule): TermsRule['when'] =>
    Object.assign({}, ...Object.entries(rule).map(([key, value]) => wordsOf[key as keyof ModelRule](value as never)))
  return {
    rules: rules.map((rule, at) => ({ name: `Rule ${at + 1}`, on: 'sale', when: when(rule), ...pay(rule) })),
    otherwise: pay(otherwise),
    ...{ maxPerCustomer: null, maxPerMonth: null },
  }
}

const save = ({ account }: Ledger, terms: Terms) =>
  transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    await saveTerms(tx, system, account.id, { kind: 'account', id: account.id }, { terms, appliesTo: 'all-sales' })
  })

const linesOf = ({ lines }: ModelSale) =>
  lines.map(({ id, product, amount }) => ({
    ...{ id, amount, productId: product, priceId: null, sku: null, name: product, quantity: null },
  }))

const ids = new WeakMap<Ledger, Map<ModelSale, string>>()

async function happen(tx: Transaction, ledger: Ledger, event: Event) {
  const { account } = ledger
  const { sale } = event
  const known = ids.get(ledger) ?? new Map<ModelSale, string>()
  ids.set(ledger, known)
  const id = known.get(sale)!
  const amounts = { amount: sale.net, taxAmount: sale.gross - sale.net, grossAmount: sale.gross, currency: 'usd' }
  const facts = { lines: linesOf(sale), country: sale.country }
  switch (event.kind) {
    case 'recorded': {
      const base = aSale(ledger, { ...amounts, leadId: ledger.leadIds[0]! })
      const { lines, country } = event.known === 'all' ? facts : { lines: null, country: null }
      const recorded = { ...base, ...amounts, lines, country, externalId: sale.name, saleDate: sale.date }
      known.set(sale, (await recordSale(tx, { ...recorded, partnerCode: sale.code })).id)
      return
    }
    case 'told':
      await correctSale(tx, system, account, id, { reported: { ...amounts, ...facts }, source: 'the shop' })
      return
    case 'restored':
      await restoreSale(tx, ownerAuthor(ledger), account, id, 'no mistake')
      return
    case 'mistaken void':
    case 'void':
      await voidSale(tx, ownerAuthor(ledger), account, id, 'a mistake')
      return
    default: {
      const status = event.kind === 'failed' ? 'failed' : 'succeeded'
      const { amount, lines } = event.refund
      const report = {
        kind: 'refund',
        externalId: `refund-${event.at}`,
        amount,
        status,
        reason: null,
        at: new Date(),
      } as const
      await applyRefund(tx, system, account, id, { ...report, lines })
    }
  }
}

/** Returns each layer's net amount of each sale, by the ledger. */
async function readLedger({ account }: Ledger) {
  const rows = await db.many<{ name: string; layer: number; amount: number }>`
    select s.external_id as name, l.layer, coalesce((select sum(e.amount) from commission_entries e
      where e.account_id = s.account_id and e.sale_id = s.id and e.layer = l.layer), 0)::bigint as amount
    from sales s cross join generate_series(0, ${LAYERS - 1}) as l (layer)
    where s.account_id = ${account.id} order by s.external_id, l.layer`
  const bySale = Map.groupBy(rows, ({ name }) => name)
  return new Map([...bySale].map(([name, layers]) => [name, layers.map(({ amount }) => amount)]))
}

test('rules pay what a plain model computes, whatever the order of events', async () => {
  for (const seed of listSeeds(2)) await live(seed)
  assert.deepEqual(await verifyLedger(db), [])
})
