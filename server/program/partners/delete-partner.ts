import type { Author } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { removePartnerPeople } from '../auth/members.ts'
import { count } from '../stats/count.ts'
import { asOwner, presentPartner } from './present-partner.ts'
import { countHistory, deletePartnerRows, lockAccountPartners, lockPartner, partnerById } from './queries.ts'

/**
 * Deletes a partner without leads, sales, payouts, sub-partners, ledger entries or an accepted agreement. Refuses:
 * `in_use` with their counts.
 */
export async function deletePartner(tx: Transaction, by: Author, account: AccountFacts, id: string): Promise<void> {
  await lockAccountPartners(tx, account.id)
  // waits for concurrent writers of this partner's rows, and makes later ones wait
  await lockPartner(tx, account.id, id)
  const row = await partnerById(tx, account.id, id)
  if (!row) throw notFound()
  const history = await countHistory(tx, account.id, id)
  if (Object.values(history).some((number) => number > 0)) throw refusal('partner_has_activity', { details: history })

  const partner = await presentPartner(tx, account, id, asOwner)
  await count(tx, [{ accountId: account.id, day: row.createdOn, partnerId: row.parentPartnerId, partners: -1 }])
  await removePartnerPeople(tx, by, account.id, id)
  await deletePartnerRows(tx, account.id, id)
  await linksChanged(tx, account.id)
  await emitEvent(tx, by, account.id, 'partner.deleted', {
    id,
    object: partner,
    changes: { email: { old: row.email, new: null } },
  })
}
