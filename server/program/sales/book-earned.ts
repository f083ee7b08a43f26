import type { Transaction } from '../../platform/database/pool.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { computeEarnings, earnedEntries } from '../commissions/credit.ts'
import { earlierDate } from './refund-sale.ts'
import { earnedByReferrer } from './sale-figures.ts'
import { type SaleRow, type SaleState, type SettledSale, settleSale, withCap } from './sale-state.ts'

/**
 * Books the earnings of one account's sales that have earned nothing yet, by the terms stored on them, and applies
 * their refunds one by one, each on its own day. Sales with entries are skipped. Reads due dates, but writes none.
 */
export async function bookEarned(
  tx: Transaction,
  actor: string | null,
  account: AccountFacts,
  settled: SettledSale[],
): Promise<SettledSale[]> {
  const due = await dueDates(
    tx,
    account,
    settled.map(({ after: { sale } }) => sale),
  )
  return settled.map((one) => {
    if (one.after.entries.some((row) => row.kind === 'earned')) return one
    return { ...one, ...book(one.after, { account, actor, due: due.get(one.after.sale.id)!, now: tx.now }) }
  })
}

type Booking = { account: AccountFacts; actor: string | null; due: string; now: Date }

function book(unbooked: SaleState, { account, actor, due, now }: Booking) {
  const { refunds, used } = unbooked
  const sale = withCap(unbooked)
  const earnings = sale.status === 'void' ? [] : computeEarnings({ ...sale, terms: sale.credit, version: sale.terms })
  const written = earnedEntries(actor, account, sale, earnings)
  let state: SaleState = {
    sale,
    refunds: [],
    entries: written.map((row) => ({ ...row, availableAt: due, bound: false })),
    used,
  }
  used?.add(sale, earnedByReferrer(written))
  // in order of arrival, i.e. by id
  for (const refund of refunds.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const day = refund.countedOn ?? dayIn(account.timeZone, earlierDate(new Date(refund.at), now))
    const cause = { refund, day, now, reason: refund.reason, actor }
    const settled = settleSale({ ...state, refunds: [...state.refunds, refund] }, cause)
    written.push(...settled.written)
    state = settled.state
  }
  return { after: state, written }
}

/** Returns when these sales' earnings become due, by the payout delay stored with them. */
async function dueDates(tx: Transaction, account: Pick<AccountFacts, 'payoutDelay' | 'timeZone'>, sales: SaleRow[]) {
  const rows = await tx.many<{ id: string; due: string }>`
    select id, (day + delay)::timestamp at time zone zone as due
    from unnest(${sales.map(({ id }) => id)}::uuid[], ${sales.map(({ saleDate }) => saleDate)}::date[],
      ${sales.map(({ credit }) => credit?.payoutDelay ?? account.payoutDelay)}::integer[],
      ${sales.map(({ credit }) => credit?.timeZone ?? account.timeZone)}::text[]) as s (id, day, delay, zone)`
  return new Map(rows.map((row) => [row.id, row.due]))
}
