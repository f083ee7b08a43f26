import type { SaleProvider } from '#contract/sales.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { wrongField } from '../../platform/refusal.ts'
import { keyOfOrder } from './imported-keys.ts'

/** A payment as its shop names it. */
export type NamedPayment = {
  accountId: string
  provider: string
  /** Null of what the account has one of. */
  shopId?: string | null | undefined
  externalId: string | null
}

/** The names that a shop gives are told apart by it: unique are the external ids, of customers and subscriptions too. */
export const shopOf = (sale: Sql) =>
  sql`coalesce(${sale}.told_by_shop_id::text, ${sale}.shop_id::text, ${sale}.provider)`

/** The sale that a shop told by an id, of `i` with its payment; a webhook's also where it was not kept which one it was. */
export const ownSale = sql`(
  select id, account_id from sales
  where account_id = i.account_id and external_id = i.external_id and provider = i.provider
    and (shop_id is null or shop_id = i.shop_id)
  order by shop_id nulls last limit 1)`

/** How sales come that no provider tells of. */
export const OWN_WAYS = ['api', 'incoming-webhook', 'import', 'manual'] satisfies SaleProvider[]

/** The things of providers by whose ids a payment may be called; `name`: what else it is called. */
export const PAYMENT_NAMES = [
  ...['charge', 'invoice', 'session', 'payment', 'order', 'transaction', 'orders', 'subscription-invoices', 'name'],
]

/** The sales that the external id of `i` names: it is theirs, or one of those that their provider has for the payment. */
const called = sql`array(
  select o.id from sales o where o.account_id = i.account_id and o.external_id = i.external_id
  union all
  select p.sale_id from provider_shops h
    join provider_payments p on p.account_id = h.account_id and p.shop_id = h.id
  where h.account_id = i.account_id and p.payment_key = i.external_id
  union all
  select p.sale_id from provider_shops h
    join provider_objects t on t.account_id = h.account_id and t.shop_id = h.id
    join provider_payments p on p.account_id = t.account_id and p.shop_id = t.shop_id and p.payment_key = t.payment_key
  where h.account_id = i.account_id and t.kind = any(${PAYMENT_NAMES}::text[]) and t.object_id = i.external_id)`

/**
 * Whether sale `s`, of one name with payment `i`, is that payment. Different amounts, or different payers of one number,
 * are orders of two shops; what providers make up is unique.
 */
export const isSamePayment = sql`s.currency = i.currency and (s.amount = i.amount or s.gross_amount = i.gross_amount)
  and s.status <> 'void' and not (i.external_id ~ '^\\D?\\d{1,12}$' and s.payer_email <> i.email)`

/**
 * The sale that a payment is which another shop has told. Two webhooks are two shops; payments in test mode are no sale's.
 */
export const saleElsewhere = sql`(
  select s.id, s.account_id from sales s
  where s.account_id = i.account_id and s.id = any(${called}) and ${isSamePayment}
    and (s.provider, i.provider) <> ('incoming-webhook', 'incoming-webhook')
    and not exists (
      select from provider_shops h where h.account_id = s.account_id and h.id = s.shop_id and not h.livemode)
  order by s.created_at, s.id limit 1)`

/**
 * The sale that a payment `i` is: its account, provider, shop, external id, currency, net and gross amount and the payer's
 * e-mail.
 */
export const knownSale = sql`coalesce((select id from ${ownSale} o), (select id from ${saleElsewhere} e))`

/** Serializes all that report these payments, by whatever way; taken before any person is locked. */
export const lockPayments = (tx: Transaction, payments: Pick<NamedPayment, 'accountId' | 'externalId'>[]) =>
  lockKeys(
    tx,
    payments.flatMap(({ accountId, externalId }) => (externalId === null ? [] : `payment ${accountId} ${externalId}`)),
  )

type Told = Pick<NamedPayment, 'provider' | 'externalId'> & { currency: string; amount: number; grossAmount: number }

/** The sale that a payment is already; nobody else tells of it until the transaction ends. */
export async function findKnownSale(tx: Transaction, accountId: string, payment: Told): Promise<string | null> {
  const { provider, externalId, currency, amount, grossAmount } = payment
  if (externalId === null) return null
  await lockPayments(tx, [{ accountId, externalId }])
  const { id } = await tx.one<{ id: string | null }>`
    select ${knownSale} as id
    from (select ${accountId}::uuid as account_id, ${provider}::text as provider, null::uuid as shop_id,
      ${externalId}::text as external_id, ${currency}::text as currency, ${amount}::bigint as amount,
      ${grossAmount}::bigint as gross_amount, null::text as email) i`
  return id
}

type CalledSale = {
  id: string
  provider: SaleProvider
  leadId: string | null
  subscriptionId: string | null
  place: number
}

/** The sales that these names are of, the first name's first. A file also names them by their order. */
export const salesCalled = (tx: Transaction, accountId: string, names: string[], isFile = false) => tx.many<CalledSale>`
  select s.id, s.provider, s.lead_id, s.subscription_id, i.place
  from (
      select ${accountId}::uuid as account_id, n.*
      from unnest(${names}::text[], ${isFile ? names.map(keyOfOrder) : []}::text[]) with ordinality
        as n (external_id, order_key, place)) i
    join sales s on s.account_id = ${accountId} and not s.is_test and s.id = any(${called} || array(
      select k.sale_id from imported_sales k where k.account_id = i.account_id and k.key = i.order_key))
  order by i.place, s.external_id is distinct from i.external_id, s.created_at, s.id`

/**
 * The sale that what corrects it names: one that came by these ways, the first before others, else by another of ours, else
 * of a provider's. Null where none is called so. Refuses: one of several systems with one number.
 */
export async function saleCalled(
  tx: Transaction,
  accountId: string,
  names: string[],
  from: SaleProvider[],
): Promise<string | null> {
  const found = await salesCalled(tx, accountId, names, from.includes('import'))
  const [sale, ...others] =
    [...from.map((way) => [way]), OWN_WAYS]
      .map((ways) => found.filter(({ provider }) => ways.includes(provider)))
      .find((some) => some.length > 0) ?? found
  if (!sale) return null
  // of the sales of files the one that has the name goes before those of an order
  const isOwn = sale.provider === 'import' && from.includes('import')
  if (!isOwn && others.some(({ place }) => place === sale.place))
    throw wrongField('saleExternalId', 'several_pushed_sales')
  return sale.id
}
