import { type Author, system, toActor } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { rawSql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { placesCount } from '../terms/in-force.ts'
import { hasPlace } from '../terms/planned-sales.ts'
import { bookEarned } from './book-earned.ts'
import { saleShopSql } from './known-sales.ts'
import { readLocked, type SaleState, type SettledSale, saveStates, settleSale } from './sale-state.ts'
import { type SubscriptionKey, toSubscriptionKeys } from './subscriptions.ts'

/**
 * Two rules depend on a payment's place among others. The recurring limit: a payment of a subscription earns while its
 * date is at most the account's number of months after the first one's; the months are those set when the payment was
 * credited. Rules of terms: the first payments or months of a customer, whose sales are in the order of their dates.
 * Both count the sales that are credited to a partner: not void, above zero, not refused by a fraud rule. A refunded
 * payment counts; it was credited.
 * Earnings therefore depend on which payments there are, never on the order of their arrival. A payment that comes or
 * goes moves others, which are corrected by the terms stored when they were credited, each in entries of its own.
 */
type Place = { past?: boolean; customerPlace?: number; customerSince?: string }
type Moved = Place & { id: string; accountId: string; subscriptionId: string | null; leadId: string | null }

const typeOf = { subscription_id: 'text[]', lead_id: 'uuid[]' } as const

/** The sales `s` with one of these values in a column, each found by its key. */
function salesBy<Key extends { accountId: string }>(
  column: keyof typeof typeOf,
  keys: Key[],
  pick: (key: Key) => string,
) {
  const accountIds = keys.map(({ accountId }) => accountId)
  return sql`unnest(${accountIds}::uuid[], ${keys.map(pick)}::${rawSql(typeOf[column])}) as u (account_id, value)
    cross join lateral (
      select * from sales where account_id = ${eachAccount(accountIds, sql`u.account_id`)} and ${rawSql(column)} = u.value) s`
}

/** An added or removed payment, and its author. */
type Cause = {
  id: string
  accountId: string
  leadId: string | null
  subscriptionId?: string | null
  saleDate: string
  by: Author
  /** Its commission is already booked, so it is moved like the others. */
  isBooked?: boolean
  /** Whether its account has terms that depend on a place; undefined if unknown. */
  placesCount?: boolean
  /** Values of a credited sale that is not written yet. */
  coming?: { shop: string; externalId: string | null; recurringMonths: number | null; asksForPlace: boolean }
}

/** The sales among these that are not yet written, beside the stored ones. */
function comingOf(causes: Cause[]) {
  const all = causes.flatMap(({ coming, ...cause }) => (coming ? [{ ...cause, ...coming }] : []))
  const column = <K extends keyof (typeof all)[number]>(key: K) => all.map((sale) => sale[key])
  return sql`unnest(${column('id')}::uuid[], ${column('accountId')}::uuid[], ${column('leadId')}::uuid[],
    ${all.map(({ subscriptionId = null }) => subscriptionId)}::text[], ${column('shop')}::text[],
    ${column('externalId')}::text[], ${column('saleDate')}::date[], ${column('recurringMonths')}::integer[],
    ${column('asksForPlace')}::boolean[])
    as c (id, account_id, lead_id, subscription_id, shop, external_id, sale_date, recurring_months, asks_for_place)`
}

/**
 * The day of a subscription's first payment that counts. The rows of a file name no shop: they are payments of the
 * customer's subscription with the same id.
 */
const firstDay = sql`least(min(sale_date) filter (where counts) over of_shop,
  case when shop = 'import' then min(sale_date) filter (where counts) over of_customer
    else min(sale_date) filter (where counts and shop = 'import') over of_customer end)`

/** Finds payments of these subscriptions, whichever shop uses one of these ids, on the wrong side of their limit. */
const pastLimit = (tx: Transaction, subscriptions: SubscriptionKey[], causes: Cause[]) => tx.many<Moved>`
  with payments as (
    select s.id, s.account_id, s.lead_id, s.subscription_id, ${saleShopSql(sql`s`)} as shop, s.sale_date,
      s.recurring_months, s.account_amount > 0 as counts, s.past_limit
    from ${salesBy('subscription_id', subscriptions, ({ subscriptionId }) => subscriptionId)}
    where s.credit is not null and s.credited and s.status <> 'void' and s.account_amount is not null
    union all
    select id, account_id, lead_id, subscription_id, shop, sale_date, recurring_months, true, null
    from ${comingOf(causes)} where subscription_id is not null
  ), dated as (
    select *, ${firstDay} as first_day from payments
    window of_shop as (partition by account_id, subscription_id, shop),
      of_customer as (partition by account_id, subscription_id, lead_id)
  ), placed as (
    select *, coalesce(sale_date > first_day + make_interval(months => recurring_months), false) as past from dated
  )
  select id, account_id, lead_id, subscription_id, past from placed
  where recurring_months is not null and past_limit is distinct from past
  order by id`

type Customer = { accountId: string; leadId: string }

/** Finds sales of these customers whose terms depend on their place, and which have another one stored. */
const misplaced = (tx: Transaction, customers: Customer[], causes: Cause[]) => tx.many<Moved>`
  with payments as (
    select s.id, s.account_id, s.lead_id, s.subscription_id, s.external_id, s.sale_date,
      s.credit ? 'asksForPlace' as asks_for_place, s.customer_place, s.customer_since
    from ${salesBy('lead_id', customers, ({ leadId }) => leadId)} where ${hasPlace(sql`s`)}
    union all
    select id, account_id, lead_id, subscription_id, external_id, sale_date, asks_for_place, null, null
    from ${comingOf(causes)} where lead_id is not null
  ), placed as (
    select *, row_number() over (partition by account_id, lead_id
        order by sale_date, external_id collate "C", id)::integer as place,
      min(sale_date) over (partition by account_id, lead_id) as since
    from payments
  )
  select id, account_id, lead_id, subscription_id, place as customer_place, since as customer_since from placed
  where asks_for_place and (customer_place, customer_since) is distinct from (place, since)
  order by id`

/** Returns the customers of these payments in accounts with terms that depend on a place. */
async function customersOf(tx: Transaction, causes: Cause[]): Promise<Customer[]> {
  const counting = new Map<string, boolean>()
  for (const { accountId, placesCount: counts } of causes) if (counts !== undefined) counting.set(accountId, counts)
  const customers = new Map<string, Customer>()
  for (const { accountId, leadId } of causes) {
    if (!leadId) continue
    if (!counting.has(accountId)) counting.set(accountId, await tx.value<boolean>`select ${placesCount(accountId)}`)
    if (counting.get(accountId)) customers.set(leadId, { accountId, leadId })
  }
  return [...customers.values()]
}

/**
 * Applies the recurring limit and the rules' places after payments were credited or voided: moves every other payment of
 * their subscriptions and customers, and corrects its entries. The caller has locked the accounts, the leads and the
 * subscriptions, and books the credited ones afterwards; their own places are returned, by sale.
 */
export async function updatePlaces(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  causes: Cause[],
): Promise<Map<string, Place>> {
  const { own, others } = await findPlaces(tx, causes)
  if (own.size > 0) await storePlaces(tx, [...accounts.keys()], [...own.values()])
  const moved = await moveOthers(tx, accounts, causes, others)
  if (moved.length > 0) await saveStates(tx, moved)
  return own
}

/** Returns the columns of a sale's place; without one, those of a sale to which no limit or rule applies. */
export const placeColumns = ({ past = false, customerPlace, customerSince }: Place = {}) => ({
  pastLimit: past,
  customerPlace: customerPlace ?? null,
  customerSince: customerSince ?? null,
})

/** Returns what changes of a sale's columns at another place. */
export const movedColumns = ({ past, customerPlace, customerSince }: Place = {}) => ({
  ...(past !== undefined && { pastLimit: past }),
  ...(customerPlace !== undefined && { customerPlace, customerSince: customerSince! }),
})

/** Returns the places of the payments that are not booked yet, and of others that these move, unless they are stored. */
export async function findPlaces(
  tx: Transaction,
  causes: Cause[],
): Promise<{ own: Map<string, Moved>; others: Map<string, Moved> }> {
  const subscriptions = toSubscriptionKeys(causes)
  const customers = await customersOf(tx, causes)
  const found = await Promise.all([
    subscriptions.length > 0 ? pastLimit(tx, subscriptions, causes) : [],
    customers.length > 0 ? misplaced(tx, customers, causes) : [],
  ])
  const unbooked = new Set(causes.filter(({ isBooked }) => !isBooked).map((cause) => cause.id))
  const places = { own: new Map<string, Moved>(), others: new Map<string, Moved>() }
  for (const row of found.flat()) {
    const target = unbooked.has(row.id) ? places.own : places.others
    target.set(row.id, { ...target.get(row.id), ...row })
  }
  return places
}

/** Locks payments that others move, and returns them at their new places, with the corrections; writes nothing. */
export async function moveOthers(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  causes: Cause[],
  others: Map<string, Moved>,
): Promise<SettledSale[]> {
  const all: SettledSale[] = []
  for (const [accountId, rows] of Map.groupBy(others.values(), (row) => row.accountId)) {
    const ids = rows.map((row) => row.id)
    const actor = toActor(causes.find((cause) => cause.accountId === accountId)!.by)
    const settled = (await readLocked(tx, accountId, ids)).map((before) =>
      move(before, { to: others.get(before.sale.id)!, limitSaleId: causeOf(causes, before).id, actor, now: tx.now }),
    )
    all.push(...(await bookEarned(tx, actor, accounts.get(accountId)!, settled)))
  }
  return all
}

const storePlaces = (tx: Transaction, accountIds: string[], rows: Moved[]) => tx.run`
  update sales s set past_limit = coalesce(n.past, s.past_limit),
    customer_place = coalesce(n.place, s.customer_place), customer_since = coalesce(n.since, s.customer_since)
  from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ past = null }) => past)}::boolean[],
    ${rows.map(({ customerPlace = null }) => customerPlace)}::integer[],
    ${rows.map(({ customerSince = null }) => customerSince)}::date[]) as n (id, past, place, since)
  where s.account_id = any(${accountIds}::uuid[]) and s.id = n.id`

type Payment = {
  id: string
  leadId: string | null
  saleDate: string
  subscriptionId: string | null
  isCredited: boolean
}

/** Assigns a sale to this subscription, and applies the limit to its former one, too. The caller has locked both. */
export async function moveToSubscription(
  tx: Transaction,
  account: AccountFacts,
  sale: Payment,
  subscriptionId: string,
) {
  const accountId = account.id
  const both = [sale.subscriptionId, subscriptionId].map((one) => ({ accountId, subscriptionId: one }))
  await tx.run`
    update sales set subscription_id = ${subscriptionId} where account_id = ${accountId} and id = ${sale.id}`
  const moved = { id: sale.id, accountId, leadId: null, saleDate: sale.saleDate, by: system, isBooked: true }
  if (sale.isCredited)
    await updatePlaces(
      tx,
      new Map([[accountId, account]]),
      toSubscriptionKeys(both).map((one) => ({ ...moved, subscriptionId: one.subscriptionId })),
    )
}

/** Returns the earliest cause of a move: only it moves the others. */
const causeOf = (causes: Cause[], { sale }: SaleState) =>
  causes
    .filter(
      (cause) =>
        cause.accountId === sale.accountId &&
        ((cause.subscriptionId && cause.subscriptionId === sale.subscriptionId) ||
          (cause.leadId && cause.leadId === sale.leadId)),
    )
    .reduce((first, cause) => (cause.saleDate < first.saleDate ? cause : first))

/** Moves a payment across the limit, or to another place; the statistics change on the day of the sale. */
function move(
  before: SaleState,
  { to, limitSaleId, actor, now }: { to: Moved; limitSaleId: string; actor: string | null; now: Date },
): SettledSale {
  const { past, customerPlace } = to
  const sale = { ...before.sale, ...movedColumns(to) }
  const reasons = { true: 'Past the recurring limit', false: 'Back within the recurring limit' }
  const reason = past === undefined ? `Now payment ${customerPlace} of the customer` : reasons[`${past}`]
  const cause = { refund: null, limitSaleId, day: sale.saleDate, now, reason, actor }
  const { state: after, written } = settleSale({ ...before, sale }, cause)
  return { before, after, written }
}
