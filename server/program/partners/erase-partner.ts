import type { Author } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { emitPartnerEvent } from './emit-partner-events.ts'
import { lockAccountPartners, lockPartner, type PartnerRow, partnerById, retireMadeCodes } from './queries.ts'

/** Locks a partner against bookings and other changes, and returns them. */
export async function lockForErasure(tx: Transaction, accountId: string, id: string): Promise<PartnerRow | undefined> {
  await lockAccountPartners(tx, accountId)
  await lockPartner(tx, accountId, id)
  return partnerById(tx, accountId, id)
}

/**
 * Empties a locked partner with their codes and invitation; a trigger keeps what was erased empty. Links with a former
 * code lead on without credit.
 */
export async function emptyPartner(tx: Transaction, by: Author, account: AccountFacts, id: string): Promise<void> {
  const of = { accountId: account.id, id }
  await tx.run`delete from referral_codes where account_id = ${of.accountId} and partner_id = ${id}`
  await tx.run`delete from promotion_codes where account_id = ${of.accountId} and partner_id = ${id}`
  await retireMadeCodes(tx, of.accountId, id)
  await tx.run`update made_codes set code = null where account_id = ${of.accountId} and partner_id = ${id}`
  await tx.run`delete from former_emails where account_id = ${of.accountId} and partner_id = ${id}`
  await tx.run`
    update partners set user_id = null, erased_at = ${tx.now}, updated_at = ${tx.now}
    where account_id = ${of.accountId} and id = ${id}`
  await tx.run`
    insert into referral_codes (account_id, code, partner_id, created_at)
    select account_id, referral_code, id, ${tx.now} from partners where account_id = ${of.accountId} and id = ${id}`
  await tx.run`
    update invitations set status = 'revoked', email = null, first_name = null, last_name = null, last_error = null
    where account_id = ${of.accountId} and partner_id = ${id}`
  await linksChanged(tx, account.id)
  await emitPartnerEvent(tx, by, account, 'partner.erased', { id, changes: {} })
}

/** Refuses: `erased` for a change of an erased partner by hand. An erasure waits for the change, or comes before it. */
export async function refuseErasedPartner(tx: Transaction, accountId: string, id: string): Promise<void> {
  await lockAccountPartners(tx, accountId)
  const found = await tx.maybe<{ isErased: boolean }>`
    select erased_at is not null as is_erased from partners where account_id = ${accountId} and id = ${id}`
  if (found?.isErased) throw refusal('erased')
}

export type { PartnerRow } from './queries.ts'

/** Returns a partner of the account as stored. */
export const findPartnerRow = partnerById
