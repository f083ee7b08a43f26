import { changesSince, countChanges } from '#server/platform/as-shown.ts'
import type { Author } from '#server/platform/author.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { refusal, wrongField } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { blockBookings } from '#server/program/access/lock-accounts.ts'
import { approvePartners } from '#server/program/partners/approve-partners.ts'
import type { YearApprovals } from '../contract.ts'
import { idsToApprove } from './list-tax-year.ts'
import { partnersAmong } from './queries.ts'

/**
 * Approves partners for payouts in a year, or withdraws that, all or nothing. Returns the changed ones; a preview, those
 * that would be approved.
 * Refuses: `validation_failed` for a partner the account does not have; `conflict` if all are others than those shown.
 */
export async function approveForYear(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  year: number,
  { partnerIds, approved, preview, shown }: YearApprovals,
): Promise<string[]> {
  if (!partnerIds) {
    if (!preview) await blockBookings(tx, account.id)
    const all = await idsToApprove(tx, account, year)
    if (preview) return all
    const named = (some: string[]) => some.map((id) => ({ id }))
    const changes = shown && changesSince(named(shown), named(all))
    if (changes) {
      const { added, gone } = changes
      throw refusal('partners_to_approve_changed', countChanges({ added, gone }), { details: { added, gone } })
    }
    return approvePartners(tx, by, account, all, { year, approved })
  }
  const ids = partnerIds.map(asUuid)
  const known = await partnersAmong(tx, account.id, ids)
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw wrongField(`partnerIds.${unknown}`, 'unknown_partner_in_account')
  return approvePartners(tx, by, account, ids, { year, approved })
}
