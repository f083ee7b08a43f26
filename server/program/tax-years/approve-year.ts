import type { YearApprovals } from '#contract/tax-years.ts'
import type { By } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { approvePartners } from '../partners/approve-partners.ts'
import { idsToApprove } from './list-tax-year.ts'
import { partnersAmong } from './queries.ts'

/**
 * Approves partners for payouts in a year, or withdraws that, all or nothing. Returns the changed ones.
 * Refuses: `validation_failed` for a partner the account does not have.
 */
export async function approveForYear(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  year: number,
  { partnerIds, approved }: YearApprovals,
): Promise<string[]> {
  if (!partnerIds) return approvePartners(tx, by, account, await idsToApprove(tx, account, year), { year, approved })
  const ids = partnerIds.map(asUuid)
  const known = await partnersAmong(tx, account.id, ids)
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw wrongField(`partnerIds.${unknown}`, 'unknown_partner_in_account')
  return approvePartners(tx, by, account, ids, { year, approved })
}
