import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { isOrderNumber, isSamePayment, lockPayments, OWN_WAYS } from './known-sales.ts'
import { moveToSubscription } from './places.ts'
import type { RefundReport } from './refund-sale.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** A provider's payment with all its names there. Only its refunds may be reported; it may then be unknown. */
type ProviderPayment = {
  shopId: string
  names: string[]
  isReported: boolean
  payment: {
    amount: number
    grossAmount: number
    currency: string
    email: string | null
    subscriptionId: string | null
  } | null
}

/** Fields of the sale that its credit and the recurring limit need. */
type Adopted = {
  id: string
  leadId: string | null
  partnerId: string | null
  saleDate: string
  subscriptionId: string | null
  isCredited: boolean
}

/**
 * Finds and adopts the sale that a provider's payment already is: one from another source with one of its names, its
 * currency and amount. If only its refunds are reported, a name that the provider generated is enough; so is an order
 * number, unless it is of another payment or may be another shop's. The sale belongs to the provider's shop from now on.
 * Payments in test mode are never adopted.
 */
export async function adoptSale(
  tx: Transaction,
  account: AccountFacts,
  { shopId, names, isReported, payment }: ProviderPayment,
): Promise<Adopted | undefined> {
  const { amount = null, grossAmount = null, currency = null, email = null } = payment ?? {}
  const subscriptionId = (isReported && payment?.subscriptionId) || null
  const isOne = isReported
    ? isSamePayment
    : sql`s.status <> 'void' and (not ${isOrderNumber} or ${payment ? isSamePayment : isOnlyShop})`
  await lockPayments(
    tx,
    names.map((externalId) => ({ accountId: account.id, externalId })),
  )
  const found = await tx.maybe<{ id: string; subscriptionId: string | null }>`
    select s.id, s.subscription_id
    from (
        select n.external_id, ${currency}::text as currency, ${amount}::bigint as amount,
          ${grossAmount}::bigint as gross_amount, ${email}::text as email
        from unnest(${names}::text[]) as n (external_id)) i
      -- 'offset 0': one index search for each name, however small the table was when the plan was made
      cross join lateral (
        select * from sales where account_id = ${account.id} and external_id = i.external_id offset 0) s
      join provider_shops h on h.account_id = s.account_id and h.id = ${shopId}
    where s.provider = any(${OWN_WAYS}::text[]) and s.told_by_shop_id is null and h.livemode
      and ${isOne}
    order by s.created_at, s.id limit 1`
  if (!found) return undefined
  await lockSubscriptions(tx, [
    { accountId: account.id, subscriptionId },
    { accountId: account.id, subscriptionId: found.subscriptionId },
  ])
  const sale = await tx.one<Adopted>`
    update sales set told_by_shop_id = ${shopId} where account_id = ${account.id} and id = ${found.id}
    returning id, lead_id, partner_id, sale_date, subscription_id, credit is not null as is_credited`
  const its = subscriptionId ?? found.subscriptionId
  if (its) await moveToSubscription(tx, account, sale, its)
  return sale
}

/** Whether no other shop of the account counts payments as `h` does. */
const isOnlyShop = sql`not exists (
  select from provider_shops o where o.account_id = h.account_id and o.id <> h.id and o.livemode)`

/**
 * Matches a provider's refund, even a pending one, which already counts, with one that an adopted sale has, except those
 * in `except`; returns whether it found one.
 */
export const matchRefund = async (
  tx: Transaction,
  accountId: string,
  saleId: string,
  { kind, externalId, amount, status }: RefundReport,
  except: string[],
): Promise<boolean> =>
  kind === 'refund' &&
  (status === 'succeeded' || status === 'pending') &&
  (await tx.run`
    update refunds set external_id = ${externalId}
    where account_id = ${accountId} and id = (
      select r.id from refunds r
      where r.account_id = ${accountId} and r.sale_id = ${saleId} and r.kind = 'refund' and r.amount = ${amount}
        and r.status = 'succeeded' and (r.external_id is null or r.external_id <> all (${except}::text[]))
      order by r.at, r.id limit 1)`) > 0
