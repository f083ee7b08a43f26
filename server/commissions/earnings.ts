import { proportion } from '#contract/money.ts'
import type { Transaction } from '../database/pool.ts'

/** A sale that may earn: everything that decides who gets what. */
export type EarningSale = {
  id: string
  accountId: string
  partnerId: string
  blueprintId: string | null
  /** Net, in the account's currency; the base of every rate. */
  accountAmount: number
  saleDate: string
  subscriptionId: string | null
}

/** What one partner earns in one layer. */
export type Earning = { partnerId: string; layer: number; ratePpm: number; baseAmount: number; amount: number }

const PPM = 1_000_000

/**
 * Splits a sale by rates: half up per layer, never more than the base in sum (the deeper layer gets what is left).
 * `line[n]` is the n-th ancestor of the referrer; one who may not earn gets nothing, and nothing moves up.
 */
export function split(
  baseAmount: number,
  ratesPpm: number[],
  line: { partnerId: string; earns: boolean }[],
): Earning[] {
  let left = baseAmount
  const earnings: Earning[] = []
  ratesPpm.forEach((ratePpm, layer) => {
    const partner = line[layer]
    if (!partner?.earns) return
    const amount = Math.min(proportion(baseAmount, ratePpm, PPM), left)
    if (amount === 0) return
    left -= amount
    earnings.push({ partnerId: partner.partnerId, layer, ratePpm, baseAmount, amount })
  })
  return earnings
}

type LinePartner = {
  referrerId: string
  partnerId: string
  layer: number
  state: string
  layerRatesPpm: number[] | null
}

/** Layer 10 is nobody's: rates have ten at most. */
const DEEPEST = 9

const linesAbove = (tx: Transaction, partnerIds: string[]) => tx.many<LinePartner>`
  with recursive line as (
    select id as referrer_id, id, parent_partner_id, state, layer_rates_ppm, 0 as layer
    from partners where id = any(${partnerIds}::uuid[])
    union all
    select line.referrer_id, p.id, p.parent_partner_id, p.state, p.layer_rates_ppm, line.layer + 1
    from line join partners p on p.id = line.parent_partner_id
    where line.layer < ${DEEPEST}
  )
  select referrer_id, id as partner_id, layer, state, layer_rates_ppm from line order by referrer_id, layer`

type Defaults = { accountId: string; layerRatesPpm: number[]; recurringMonths: number | null }

const defaultsOf = (tx: Transaction, accountIds: string[]) => tx.many<Defaults>`
  select id as account_id, layer_rates_ppm, recurring_months from accounts where id = any(${accountIds}::uuid[])`

const blueprintRates = (tx: Transaction, blueprintIds: string[]) => tx.many<{ id: string; layerRatesPpm: number[] }>`
  select id, layer_rates_ppm from link_blueprints
  where id = any(${blueprintIds}::uuid[]) and layer_rates_ppm is not null`

/** Of these sales, those after the months for which a subscription earns. */
const pastRecurringLimit = (tx: Transaction, sales: EarningSale[]) => tx.many<{ id: string }>`
  select s.id
  from unnest(${sales.map((sale) => sale.id)}::uuid[], ${sales.map((sale) => sale.accountId)}::uuid[],
      ${sales.map((sale) => sale.subscriptionId)}::text[], ${sales.map((sale) => sale.saleDate)}::date[])
      as s (id, account_id, subscription_id, sale_date)
    join accounts a on a.id = s.account_id
  where s.sale_date > (
    select min(first.sale_date) + make_interval(months => a.recurring_months) from sales first
    where first.account_id = s.account_id and first.subscription_id = s.subscription_id)`

const unique = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

/**
 * What these sales earn whom, at the rates of this moment: the referring partner's own, else the blueprint's, else the
 * account's (product.md, section 3). Reads only; keyed by sale.
 */
export async function planEarnings(tx: Transaction, sales: EarningSale[]): Promise<Map<string, Earning[]>> {
  const plans = new Map<string, Earning[]>()
  if (sales.length === 0) return plans
  const defaults = new Map(
    (await defaultsOf(tx, unique(sales.map((sale) => sale.accountId)))).map((row) => [row.accountId, row]),
  )
  const lines = Map.groupBy(await linesAbove(tx, unique(sales.map((sale) => sale.partnerId))), (row) => row.referrerId)
  const blueprintIds = unique(sales.map((sale) => sale.blueprintId))
  const ofBlueprint = new Map(
    blueprintIds.length ? (await blueprintRates(tx, blueprintIds)).map((row) => [row.id, row.layerRatesPpm]) : [],
  )
  const limited = sales.filter((sale) => sale.subscriptionId && defaults.get(sale.accountId)?.recurringMonths)
  const ended = new Set(limited.length ? (await pastRecurringLimit(tx, limited)).map((row) => row.id) : [])
  for (const sale of sales) {
    if (ended.has(sale.id)) continue
    const line = lines.get(sale.partnerId) ?? []
    const rates =
      line[0]?.layerRatesPpm ??
      (sale.blueprintId && ofBlueprint.get(sale.blueprintId)) ??
      defaults.get(sale.accountId)?.layerRatesPpm ??
      []
    // who referred keeps the credit for an earlier lead; an ancestor who is suspended or archived does not earn
    const earners = line.map(({ partnerId, layer, state }) => ({ partnerId, earns: layer === 0 || state === 'active' }))
    plans.set(sale.id, split(sale.accountAmount, rates || [], earners))
  }
  return plans
}
