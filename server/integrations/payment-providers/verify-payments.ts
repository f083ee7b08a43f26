import { isPaidElsewhere } from '#contract/paid-elsewhere.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Difference } from '../../program/stats/verify.ts'
import type { ProviderObject, ProviderPayment } from './provider.ts'
import type { Applied } from './queries.ts'
import { findAdapter } from './registry.ts'

/** A payment, its sale, and the provider's facts. `sale`: null if the payment's account has no such sale. */
type Row = {
  shopId: string
  key: string
  provider: string
  accountId: string
  applied: Applied
  sale:
    | ({
        id: string
        accountId: string
        provider: string
        externalId: string | null
        currency: string
        /** It first came from another source, with its own name and tax. */
        isAdopted: boolean
        subscriptionId: string | null
      } & Amounts)
    | null
  objects: (Omit<ProviderObject, 'at'> & { at: string })[]
  refunds: { name: string; amount: number }[]
}
type Amounts = { amount: number; taxAmount: number; grossAmount: number }

const CHECK = 'a sale is what its provider told of the payment'
const SUBSCRIPTION = 'a sale is of the subscription that its provider told'
const FORGOTTEN = 'a sale of a provider is a payment that it told'
const REFUNDS = 'the refunds of a sale are those its provider told of'
const AT_ONCE = 500
const SHOWN = 100

/**
 * Reads every provider payment again from its stored facts and compares it with its sale and refunds. Returns the
 * differences (a hundred at most) and the number of payments.
 */
export async function verifyPayments(db: Queryable): Promise<{ differences: Difference[]; compared: number }> {
  const differences: Difference[] = []
  let compared = 0
  for (let rows = await readAfter(db); rows.length > 0; rows = await readAfter(db, rows.at(-1))) {
    differences.push(...rows.flatMap(differencesOf))
    compared += rows.length
  }
  differences.push(...(await forgotten(db)))
  return { differences: differences.slice(0, SHOWN), compared }
}

const forgotten = async (db: Queryable): Promise<Difference[]> => {
  const rows = await db.many<{ subject: string; actual: string }>`
    select s.id::text as subject, 'no payment of ' || h.provider as actual
    from sales s join provider_shops h on h.account_id = s.account_id and h.id = s.shop_id
    where not exists (select from provider_payments p where p.account_id = s.account_id and p.sale_id = s.id) limit ${SHOWN}`
  return rows.map((row) => ({ check: FORGOTTEN, expected: 'a payment', ...row }))
}

const readAfter = (db: Queryable, last?: Pick<Row, 'shopId' | 'key'>) => db.many<Row>`
  select p.shop_id, p.payment_key as key, h.provider, h.account_id, p.applied,
    case when s.id is not null then jsonb_build_object('id', s.id, 'accountId', s.account_id, 'provider', s.provider, 'externalId', s.external_id,
      'currency', s.currency, 'isAdopted', s.told_by_shop_id is not null, 'subscriptionId', s.subscription_id, 'amount', s.amount, 'taxAmount', s.tax_amount, 'grossAmount', s.gross_amount) end as sale,
    (select coalesce(jsonb_agg(jsonb_build_object('kind', o.kind, 'id', o.object_id, 'group', o.group_key, 'rank', o.rank,
        'at', o.at, 'data', o.data)), '[]')
      from provider_objects o
      where o.account_id = p.account_id and o.shop_id = p.shop_id and o.payment_key = any(p.payment_key || array(
        select group_key from provider_objects g
        where g.account_id = p.account_id and g.shop_id = p.shop_id and g.payment_key = p.payment_key and g.group_key is not null))) as objects,
    (select coalesce(jsonb_agg(jsonb_build_object('name', r.kind || ' ' || r.external_id, 'amount', r.amount)), '[]')
      from refunds r where r.account_id = p.account_id and r.sale_id = s.id and r.external_id is not null) as refunds
  from provider_payments p join provider_shops h on h.id = p.shop_id
    left join sales s on s.account_id = p.account_id and s.id = p.sale_id
  where ${last ? sql`(p.shop_id, p.payment_key) > (${last.shopId}::uuid, ${last.key})` : sql`true`}
  order by p.shop_id, p.payment_key limit ${AT_ONCE}`

function differencesOf({ key, provider, accountId, applied, sale, objects, refunds }: Row): Difference[] {
  if (!sale) return [{ check: CHECK, subject: key, expected: 'a sale', actual: 'none' }]
  const adapter = findAdapter(provider)
  const facts = objects.map((object) => ({ ...object, at: new Date(object.at) }))
  const payment = adapter?.toPayment(key, facts)
  const found: Difference[] = []
  const words = sale.isAdopted ? wholeOf : wordsOf
  const expected = payment ? words({ ...payment, accountId, provider }) : 'no payment'
  const actual = words({ ...sale, externalId: sale.externalId ?? 'none' })
  // a sale keeps its amounts if the payment's currency changed, or if only its refunds were reported
  const comparable = payment ? payment.currency === sale.currency : !sale.isAdopted
  if (comparable && expected !== actual) found.push({ check: CHECK, subject: sale.id, expected, actual })
  // a sale booked before its subscription was reported has none
  const of = payment?.subscriptionId ?? null
  const isKept = sale.subscriptionId === null || of === sale.subscriptionId || (of === null && sale.isAdopted)
  if (!isKept)
    found.push({ check: SUBSCRIPTION, subject: sale.id, expected: of ?? 'none', actual: sale.subscriptionId! })
  const own = new Set(Object.keys(applied))
  const now = payment?.refunds ?? adapter?.toRefunds(key, facts, sale.currency) ?? []
  const reported = reportedRefunds(applied, now, sale.currency)
  const kept = refunds
    .filter(({ name }) => !(sale.isAdopted || isPaidElsewhere(sale)) || own.has(name))
    .map(({ name, amount }) => `${name}: ${amount}`)
  if (reported.sort().join(', ') !== kept.sort().join(', '))
    found.push({
      check: REFUNDS,
      subject: sale.id,
      expected: reported.join(', ') || 'none',
      actual: kept.join(', ') || 'none',
    })
  return found
}

/**
 * Returns the applied refunds and disputes as the provider reports them now; removed ones, and those in another
 * currency, as applied.
 */
function reportedRefunds(applied: Applied, refunds: ProviderPayment['refunds'], currency: string) {
  const now = new Map(refunds.map((refund) => [`${refund.kind} ${refund.externalId}`, refund]))
  return Object.entries(applied).map(([name, { amount, status }]) => {
    const refund = now.get(name)
    const isGone = status === 'failed' || status === 'canceled'
    return `${name}: ${!isGone && refund?.currency === currency ? refund.amount : amount}`
  })
}

type Compared = Amounts & Pick<ProviderPayment, 'externalId' | 'currency'> & { accountId: string; provider: string }
const wholeOf = ({ accountId, grossAmount, currency }: Compared) => `${grossAmount} gross ${currency} of ${accountId}`
const wordsOf = ({ accountId, provider, externalId, amount, taxAmount, grossAmount, currency }: Compared) =>
  `${provider} ${externalId} of ${accountId}: ${amount} net, ${taxAmount} tax, ${grossAmount} gross ${currency}`
