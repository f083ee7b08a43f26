import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '#contract/terms.ts'
import { aLedger, aSale, byOwner, type Ledger, ledgerServices } from '../../../test/support/ledger.ts'
import { type Random, randomFrom, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { keepBookingsOut } from '../access/hold-accounts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { voidSale } from './change-sale.ts'
import { correctSale } from './correct-sale.ts'
import { recordSale } from './record-sale.ts'
import { applyRefund } from './refund-sale.ts'

// Sales under caps of one partner, with corrections, refunds and voids in any order, against a plain model of caps. The
// seed of a failure is in its message; SEED and RUNS try others.

const db = await freshDatabase()
const services = ledgerServices(db)

const halfUp = (a: number, n: number, d: number) => (d === 0 ? 0 : Math.floor((2 * a * n + d) / (2 * d)))

type ModelSale = {
  name: string
  customer: number
  month: string
  net: number
  lost: number
  void: boolean
  /** The most that it ever planned, and what the caps left of that. */
  most: number
  allowed: number
}
type Caps = { customer: number | null; month: number | null }

const RATES = [0.5, 0.1]
const planOf = (net: number) => RATES.map((rate) => halfUp(net, rate * 10, 10))

/** Returns the kept amount of each layer. */
function keptBy({ net, lost, void: gone, allowed }: ModelSale) {
  if (gone || net === 0) return [0, 0]
  const [planned, above] = planOf(net) as [number, number]
  const earned = Math.min(planned, allowed)
  return [earned, earned < planned ? halfUp(above, earned, planned) : above].map(
    (one) => one - halfUp(one, Math.min(lost, net), net),
  )
}

function allow(sale: ModelSale, all: ModelSale[], caps: Caps) {
  const [planned] = planOf(sale.net) as [number, number]
  if (sale.net === 0 || planned <= sale.most) return
  const used = (same: (other: ModelSale) => boolean) =>
    all.filter((other) => other !== sale && same(other)).reduce((sum, other) => sum + keptBy(other)[0]!, 0)
  const rooms = [
    caps.customer === null ? Infinity : caps.customer - used((other) => other.customer === sale.customer),
    caps.month === null ? Infinity : caps.month - used((other) => other.month === sale.month),
  ]
  sale.most = planned
  sale.allowed = Math.max(sale.allowed, Math.min(planned, Math.max(0, Math.min(...rooms))))
}

const anyNet = (random: Random) => random.pick([0, 1, 2, 7, random.between(1, 60), random.between(10, 400)])

async function live(seed: number) {
  const random = randomFrom(seed)
  const caps: Caps = random.pick([
    { customer: random.between(1, 120), month: null },
    { customer: null, month: random.between(1, 200) },
    { customer: random.between(1, 120), month: random.between(1, 200) },
  ])
  const ledger = await aLedger(services, {
    ...{ rates: ['0'], partners: [{}, { parent: 0 }], leads: [{ partner: 1 }, { partner: 1 }] },
  })
  await save(ledger, caps)
  const { account } = ledger
  const sales: ModelSale[] = []
  const ids = new Map<ModelSale, string>()
  const steps: string[] = []
  const refunded = new Map<ModelSale, { id: string; amount: number }[]>()
  for (let at = 0; at < 14; at++) {
    const open = sales.filter((sale) => !sale.void)
    const sale = open.length > 0 && random.chance(60) ? random.pick(open) : undefined
    await transaction(db, async (tx) => {
      if (!sale) {
        const name = `sale-${sales.length}`
        const [customer, month, net] = [random.below(2), random.pick(['2026-03', '2026-04']), anyNet(random)]
        const made = { name, customer, month, net, lost: 0, void: false, most: 0, allowed: 0 }
        steps.push(`${name} of ${customer} in ${month}: ${net}`)
        const amounts = { amount: net, taxAmount: 0, grossAmount: net }
        const base = aSale(ledger, { ...amounts, leadId: ledger.leadIds[customer]! })
        const saleDate = `${month}-1${random.below(9)}`
        ids.set(made, (await recordSale(tx, { ...base, ...amounts, externalId: name, saleDate })).id)
        sales.push(made)
        allow(made, sales, caps)
        return
      }
      const id = ids.get(sale)!
      const refunds = refunded.get(sale) ?? []
      refunded.set(sale, refunds)
      const kind = random.pick(['corrected', 'refunded', 'refunded', 'failed', 'void'] as const)
      if (kind === 'corrected') {
        const net = Math.max(anyNet(random), sale.lost)
        steps.push(`${sale.name} becomes ${net}`)
        const told = { amount: net, taxAmount: 0, grossAmount: net, currency: 'usd' }
        await correctSale(tx, system, account, id, { told, source: 'the shop' })
        sale.net = net
        allow(sale, sales, caps)
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
      } else if (kind === 'void') {
        steps.push(`${sale.name} is void`)
        await voidSale(tx, byOwner(ledger), account, id, 'a mistake')
        sale.void = true
      }
      function refund(externalId: string, amount: number, status: 'succeeded' | 'failed') {
        const report = { kind: 'refund', externalId, amount, status, reason: null, at: new Date() } as const
        return applyRefund(tx, system, account, id, report)
      }
    })
    const expected = new Map(sales.map((one) => [one.name, keptBy(one)] as const))
    assert.deepEqual(await keptOf(ledger), expected, JSON.stringify({ seed, caps, steps }))
  }
}

const save = ({ account }: Ledger, caps: Caps) =>
  transaction(db, async (tx) => {
    await keepBookingsOut(tx, account.id)
    const otherwise = { layerRates: RATES.map((rate) => rate * 100) }
    const terms: Terms = { rules: [], otherwise, maxPerCustomer: caps.customer, maxPerMonth: caps.month }
    await saveTerms(tx, system, account.id, { kind: 'account', id: account.id }, { terms, appliesTo: 'all-sales' })
  })

/** Returns each layer's net amount of each sale, by the ledger. */
async function keptOf({ account }: Ledger) {
  const rows = await db.many<{ name: string; layers: number[] }>`
    select s.external_id as name, array(select coalesce(sum(e.amount), 0)::bigint
      from generate_series(0, 1) as l (layer) left join commission_entries e
        on e.account_id = s.account_id and e.sale_id = s.id and e.layer = l.layer
      group by l.layer order by l.layer) as layers
    from sales s where s.account_id = ${account.id} order by length(s.external_id), s.external_id`
  return new Map(rows.map(({ name, layers }) => [name, layers.map(Number)]))
}

test('caps leave what a plain model computes after each event', async () => {
  for (const seed of seeds(12)) await live(seed)
  assert.deepEqual(await verifyLedger(db), [])
})

test('fifty sales at once with ten left of a cap earn ten', async () => {
  const ledger = await aLedger(services, { rates: ['0'], partners: [{}], leads: Array(50).fill({ partner: 0 }) })
  await save(ledger, { customer: null, month: 10 })
  await Promise.all(
    ledger.leadIds.map((leadId) =>
      recordSale(db, { ...aSale(ledger, { amount: 8, grossAmount: 8, leadId }), saleDate: '2026-05-05' }),
    ),
  )
  const earned = await db.value<number>`
    select sum(amount) from commission_entries where account_id = ${ledger.account.id}`
  assert.equal(Number(earned), 10)
})
