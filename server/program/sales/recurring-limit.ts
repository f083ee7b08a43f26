import { actorOf, type By, system } from '../../platform/author.ts'
import { accountOf } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { bookEarned } from './book-earned.ts'
import { shopOf } from './known-sales.ts'
import { readLocked, type SaleState, type SettledSale, saveStates, settle } from './sale-state.ts'
import { type SubscriptionKey, subscriptionsOf } from './subscriptions.ts'

/**
 * The recurring limit: a payment of a subscription earns while its date is at most the account's number of months after
 * the first one's. The months are those set when the payment was credited. The first is the earliest by its own date
 * among the subscription's payments credited to a partner: not void, above zero, not refused by a fraud rule. A
 * refunded payment counts; it was credited.
 * Earnings therefore depend on which payments there are, never on the order of their arrival. A late payment with an
 * earlier date moves the limit back, and payments then beyond it are reversed; a void one moves it forward, and
 * payments then inside earn after all, by the terms stored when they were credited. Each in entries of its own.
 */
type Moved = { id: string; accountId: string; subscriptionId: string; past: boolean }

/** Finds payments of these subscriptions, whichever shop uses one of these ids, on the wrong side of their limit. */
const misplaced = (tx: Transaction, subscriptions: SubscriptionKey[]) => tx.many<Moved>`
  select id, account_id, subscription_id, not past_limit as past
  from (
    select s.*, min(s.sale_date) filter (where s.account_amount > 0)
      over (partition by s.account_id, s.subscription_id, ${shopOf(sql`s`)}) as first_day
    from unnest(${subscriptions.map((one) => one.accountId)}::uuid[], ${subscriptions.map((one) => one.subscriptionId)}::text[])
        as u (account_id, subscription_id)
      cross join lateral (
        select * from sales
        where account_id = ${accountOf(
          subscriptions.map((one) => one.accountId),
          sql`u.account_id`,
        )}
          and subscription_id = u.subscription_id) s
    where s.credit is not null and s.credited and s.status <> 'void') p
  where recurring_months is not null
    and past_limit <> coalesce(sale_date > first_day + make_interval(months => recurring_months), false)
  order by id`

/** An added or removed payment, and its author: the limit of its subscription is checked. */
type Cause = {
  id: string
  accountId: string
  subscriptionId?: string | null
  saleDate: string
  by: By
  /** Its commission is already booked, so it is moved like the others. */
  isBooked?: boolean
}

/**
 * Applies the recurring limit after payments were credited or voided: moves every other payment of their subscriptions
 * to its side and corrects its entries. The caller has locked the accounts and the subscriptions, and books the
 * credited ones afterwards. Returns those of them that are past the limit.
 */
export async function keepLimit(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  causes: Cause[],
): Promise<Set<string>> {
  const subscriptions = subscriptionsOf(causes)
  const moved = subscriptions.length > 0 ? await misplaced(tx, subscriptions) : []
  const own = new Set(causes.filter(({ isBooked }) => !isBooked).map((cause) => cause.id))
  const past = moved.filter((row) => own.has(row.id)).map((row) => row.id)
  if (past.length > 0)
    await tx.run`
      update sales set past_limit = true where account_id = any(${[...accounts.keys()]}::uuid[]) and id = any(${past}::uuid[])`
  const others = moved.filter((row) => !own.has(row.id))
  for (const [accountId, rows] of Map.groupBy(others, (row) => row.accountId)) {
    const ids = rows.map((row) => row.id)
    const isPast = new Map(rows.map((row) => [row.id, row.past]))
    const actor = actorOf(causes.find((cause) => cause.accountId === accountId)!.by)
    const settled = (await readLocked(tx, accountId, ids)).map((before) =>
      move(before, { past: isPast.get(before.sale.id)!, limitSaleId: causeOf(causes, before).id, actor, now: tx.now }),
    )
    await saveStates(tx, await bookEarned(tx, actor, accounts.get(accountId)!, settled))
  }
  return new Set(past)
}

type Payment = { id: string; saleDate: string; subscriptionId: string | null; isCredited: boolean }

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
  const moved = { id: sale.id, accountId, saleDate: sale.saleDate, by: system, isBooked: true }
  if (sale.isCredited)
    await keepLimit(
      tx,
      new Map([[accountId, account]]),
      subscriptionsOf(both).map((one) => ({ ...moved, subscriptionId: one.subscriptionId })),
    )
}

/** Returns the earliest cause: only it moves the limit. */
const causeOf = (causes: Cause[], { sale }: SaleState) =>
  causes
    .filter((cause) => cause.accountId === sale.accountId && cause.subscriptionId === sale.subscriptionId)
    .reduce((first, cause) => (cause.saleDate < first.saleDate ? cause : first))

/** Moves a payment across the limit; the statistics change on the day of the sale. */
function move(
  before: SaleState,
  { past, limitSaleId, actor, now }: { past: boolean; limitSaleId: string; actor: string | null; now: Date },
): SettledSale {
  const reason = past ? 'Past the recurring limit' : 'Back within the recurring limit'
  const cause = { refund: null, limitSaleId, day: before.sale.saleDate, now, reason, actor }
  const { state: after, written } = settle({ ...before, sale: { ...before.sale, pastLimit: past } }, cause)
  return { before, after, written }
}
