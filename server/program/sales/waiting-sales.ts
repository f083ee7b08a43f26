import type { Author } from '../../platform/author.ts'
import { NIL } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction, withSavepoint } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import { markReleasedEarly } from '../commissions/early-entries.ts'
import { type LeadFacts, lockLeads } from '../leads/lead-facts.ts'
import { bookLate } from './book-late.ts'
import { type Bookable, bookableSales, inAccountCurrency } from './exchange-rates.ts'
import { type Waiting, waitingSalesQueue } from './queue.ts'
import { readLocked } from './sale-state.ts'
import { lockSubscriptions } from './subscriptions.ts'

/**
 * Sales per transaction: about a tenth of a second, so that other bookings do not wait long for the account's figures.
 */
export const AT_ONCE = 25

/** Progress of one transaction: `last` is the id of the last sale checked, null if none is left. */
export type Turn = { booked: number; last: string | null }

/**
 * Books sales whose exchange rate is now known: at most `AT_ONCE`, with ids after `after`. One that would bring a total
 * of its account past the maximum keeps waiting.
 */
export async function bookTurn(tx: Transaction, { accountId, currency, by }: Waiting, after: string): Promise<Turn> {
  const found = await bookableSales(tx, accountId, { currency, after, limit: AT_ONCE })
  const last = found.length < AT_ONCE ? null : found.at(-1)!.id
  if (found.length === 0) return { booked: 0, last }
  const leadIds = found.map((sale) => sale.leadId).filter((id) => id !== null)
  const leads = leadIds.length > 0 ? await lockLeads(tx, [accountId], [...new Set(leadIds)]) : []
  await lockSubscriptions(
    tx,
    found.map(({ subscriptionId }) => ({ accountId, subscriptionId })),
  )
  return { booked: await bookThose(tx, { accountId, by, leads }, found), last }
}

type Booking = { accountId: string; by: Author; leads: LeadFacts[] }

/** Books all together; if that is refused, one by one, so that only the refused sale keeps waiting. */
async function bookThose(tx: Transaction, booking: Booking, sales: Bookable[]): Promise<number> {
  try {
    return await withSavepoint(tx, () => exchange(tx, booking, sales))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (sales.length === 1) return 0
    let booked = 0
    for (const sale of sales) booked += await bookThose(tx, booking, [sale])
    return booked
  }
}

async function exchange(tx: Transaction, { accountId, by, leads }: Booking, sales: Bookable[]): Promise<number> {
  const states = await readLocked(
    tx,
    accountId,
    sales.map((sale) => sale.id),
  )
  const rates = new Map(sales.map((sale) => [sale.id, sale]))
  const exchanged = states.flatMap((before) => {
    const { sale } = before
    const rate = rates.get(sale.id)!
    const accountAmount = inAccountCurrency(sale.amount, sale.currency, sale.accountCurrency, rate)
    return sale.accountAmount === null && accountAmount !== null ? [{ before, accountAmount, rate }] : []
  })
  if (exchanged.length === 0) return 0
  await tx.run`
    update sales s set account_amount = n.account_amount, fx_rate = n.fx_rate, fx_date = n.fx_date
    from unnest(${exchanged.map(({ before }) => before.sale.id)}::uuid[],
      ${exchanged.map(({ accountAmount }) => accountAmount)}::bigint[],
      ${exchanged.map(({ rate }) => rate.rate)}::numeric[], ${exchanged.map(({ rate }) => rate.date)}::date[])
      as n (id, account_amount, fx_rate, fx_date)
    where s.account_id = ${accountId} and s.id = n.id`
  await bookLate(
    tx,
    by,
    accountId,
    exchanged.map(({ before, accountAmount }) => ({
      before,
      now: { accountAmount },
      lead: leads.find((lead) => lead.id === before.sale.leadId),
    })),
  )
  // the act of the person who added the sale, too
  for (const [creator, some] of Map.groupBy(exchanged, ({ rate }) => rate.createdBy))
    await markReleasedEarly(tx, accountId, { saleIds: some.map(({ before }) => before.sale.id) }, creator)
  return exchanged.length
}

/** Books the first waiting sales, and queues a job for the rest in the same transaction. */
export async function bookSomeWaiting(tx: Transaction, jobs: Jobs, waiting: Waiting): Promise<void> {
  const { last } = await bookTurn(tx, waiting, NIL)
  if (last) await jobs.add(tx, waitingSalesQueue, waiting)
}

/**
 * Books all waiting sales, each turn in its own transaction, until none is left that can be booked. Used by the job
 * `waiting-sales`, which may run twice or continue after a crash: booked sales no longer wait.
 */
export async function bookAllWaiting(db: Database | Transaction, waiting: Waiting): Promise<number> {
  let booked = 0
  for (let after: string | null = NIL; after !== null; ) {
    const from: string = after
    const turn: Turn = await transaction(db, (tx) => bookTurn(tx, waiting, from))
    booked += turn.booked
    after = turn.last
  }
  return booked
}
