import type { PayoutResults } from '#contract/payment-files.ts'
import type { PayoutStatus } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { dayInWords } from '../../platform/format-values.ts'
import { type Refusal, refusal, rowError } from '../../platform/refusal.ts'
import { startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { payAfterAll } from '../payouts/record-external-payment.ts'
import { transitionPayout } from '../payouts/transitions.ts'
import type { Known, KnownFiling } from './known.ts'

export type Shown = PayoutResults['rows'][number]
/**
 * The change that a row makes to its payout; none if the payout is already in that state or its transfer has not ended.
 */
export type Act = (tx: Transaction) => Promise<unknown>
export type Judged = { shown: Shown; act?: Act; leaves?: Partial<Known>; remark?: Act }

/** Returns the row of a payout without a consequence, and how it is refused or changes the payout. */
export function toResultRow(row: number, reference: string | null, payout: Known, amount: number | null) {
  const { id, partnerName, status } = payout
  const was: PayoutStatus = status === 'gathering' ? 'due' : status
  const shown: Shown = { row, reference, payoutId: id, partnerName, amount, was, becomes: was, error: null, note: null }
  return {
    shown,
    refused: (error: Refusal): Judged => ({ shown: { ...shown, error: rowError(error) } }),
    becomes: (to: PayoutStatus, leaves: Partial<Known>, act: Act): Judged => ({
      shown: { ...shown, becomes: to },
      leaves,
      act,
    }),
  }
}

/** Says when a payout was marked as paid; null if an earlier row of the same upload does so. */
export const alreadyPaid = ({ paidOn, justPaidBy }: Known) =>
  paidOn === null || justPaidBy !== undefined ? null : `Already marked as paid on ${dayInWords(paidOn)}.`

/** Refuses a result about a payout that was paid another way. */
export const paidByHand = ({ paidOn }: Known, paidWith: { reference: string }) =>
  refusal('result_by_hand', { date: paidOn === null ? '–' : dayInWords(paidOn), ...paidWith })

type Paid = { by: Author; reference: string; paidOn: string | null; filed: KnownFiling; method: string }

/** Marks as paid despite any blockers, since the money has left. */
export async function markPaid(
  tx: Transaction,
  account: AccountFacts,
  payout: Known,
  { by, reference, paidOn, filed, method }: Paid,
) {
  const paidAt = paidAtOf(tx, account, payout, paidOn)
  const changes = { externalReference: { old: null, new: reference } }
  if (payout.status !== 'approved') {
    const paid = sql`external_reference = ${reference}, method = ${method}`
    return payAfterAll(tx, account, { ...payout, amount: filed.amount! }, { by, paidAt, paid, changes, tax: filed })
  }
  await transitionPayout(tx, account, payout.id, 'mark-paid', {
    by,
    changes,
    set: sql`external_reference = ${reference}, paid_at = ${paidAt}`,
  })
}

/** Returns the date in the file, limited to the time between the approval and now. */
function paidAtOf({ now }: Transaction, { timeZone }: AccountFacts, { approvedAt }: Known, day: string | null) {
  if (!day || !Date.parse(day)) return now.toISOString()
  const earliest = approvedAt === null ? 0 : Date.parse(approvedAt)
  return new Date(Math.min(Math.max(startOfDay(day, timeZone).getTime(), earliest), now.getTime())).toISOString()
}
