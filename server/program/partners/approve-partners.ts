import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { emitEventsWithObjects } from '../../platform/events/emit-event.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { asOwner, presentPartners } from './present-partner.ts'
import { approveYear, lockAccountPartners, partnersByIds } from './queries.ts'

/**
 * Approves these partners of the account for payouts in a calendar year, or withdraws that. Sends one event for each
 * changed partner and returns them.
 */
export async function approvePartners(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  ids: string[],
  { year, approved }: { year: number; approved: boolean },
): Promise<string[]> {
  await lockAccountPartners(tx, account.id)
  const changed = await approveYear(tx, account.id, ids, { year, approved })
  await emitEventsWithObjects(
    tx,
    changed.map(({ id, ...years }) => ({
      by,
      accountId: account.id,
      type: 'partner.updated',
      id,
      changes: { approvedPayoutYears: years },
    })),
    async (_, some) => {
      const partners = await presentPartners(tx, account, await partnersByIds(tx, account.id, some), asOwner)
      return new Map(partners.map((partner) => [partner.id, partner]))
    },
  )
  return changed.map(({ id }) => id)
}
