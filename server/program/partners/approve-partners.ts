import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappened } from '../../platform/events/happened.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { asOwner, presentPartners } from './present-partner.ts'
import { approveYear, lockPartnersOf, partnersByIds } from './queries.ts'

/** Partners per statement of events: each event contains its whole partner. */
const TOLD_AT_ONCE = 500

/**
 * Approves these partners of the account for payouts in a calendar year, or withdraws that. Sends one event for each
 * changed partner and returns them.
 */
export async function approvePartners(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  ids: string[],
  { year, approved }: { year: number; approved: boolean },
): Promise<string[]> {
  await lockPartnersOf(tx, account.id)
  const changed = await approveYear(tx, account.id, ids, { year, approved })
  const before = new Map(changed.map(({ id, old }) => [id, old]))
  for (let at = 0; at < changed.length; at += TOLD_AT_ONCE) {
    const some = changed.slice(at, at + TOLD_AT_ONCE).map(({ id }) => id)
    const partners = await presentPartners(tx, account, await partnersByIds(tx, account.id, some), asOwner)
    await allHappened(
      tx,
      partners.map((object) => ({
        by,
        accountId: account.id,
        type: 'partner.updated',
        id: object.id,
        object,
        changes: { approvedPayoutYears: { old: before.get(object.id), new: object.approvedPayoutYears } },
      })),
    )
  }
  return changed.map(({ id }) => id)
}
