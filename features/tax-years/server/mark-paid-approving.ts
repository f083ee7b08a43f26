import type { PaidPayout, Payout } from '#contract/payouts.ts'
import type { Author } from '#server/platform/author.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { wrongField } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { approvePartners } from '#server/program/partners/approve-partners.ts'
import { findApprovalNeeded, markPayoutPaidBy } from '#server/program/payouts/mark-paid.ts'

/**
 * Records a payment like `markPayoutPaidBy`; with `approvePartner` the partner is first approved for the year of the
 * payment, in the same transaction.
 * Refuses: `validation_failed` for an API key that sends `approvePartner`: keys approve nothing.
 */
export async function markPaidApproving(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { approvePartner, ...body }: PaidPayout,
): Promise<Payout> {
  if (approvePartner) {
    if (by.type !== 'user') throw wrongField('approvePartner', 'field_not_for_keys')
    const needed = await findApprovalNeeded(tx, account, id, body.paidAt)
    if (needed) await approvePartners(tx, by, account, [needed.partnerId], { year: needed.year, approved: true })
  }
  return markPayoutPaidBy(tx, by, account, id, body)
}
