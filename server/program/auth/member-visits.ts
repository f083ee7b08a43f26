import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { visitorHash } from '../../platform/http/visitor-hash.ts'

/** Addresses of a proxy or of this machine, which all visitors would share. */
const SHARED = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']

const isShared = (address: string) => isIP(address) === 0 || SHARED.includes(ipaddr.process(address).range())

/**
 * Stores the network at which a person of partners is signed in today, as clicks have it. Called when a session begins
 * or is renewed.
 */
export async function recordMemberVisit(
  tx: Transaction,
  secrets: Secrets,
  userId: string,
  address: string,
): Promise<void> {
  if (isShared(address)) return
  await tx.run`
    insert into member_visits (account_id, partner_id, visitor_hash, user_id, day)
    select r.account_id, r.partner_id, ${visitorHash(secrets, address, tx.now).toString()}::bigint, r.user_id,
      (${tx.now}::timestamptz at time zone 'UTC')::date
    from user_roles r where r.user_id = ${userId} and r.partner_id is not null order by r.account_id, r.partner_id
    on conflict do nothing`
}

/** Deletes the visits of a person, or of all at a partner. */
export const deleteMemberVisits = (tx: Transaction, userId: string) =>
  tx.run`delete from member_visits where user_id = ${userId}`
export const deletePartnerVisits = (tx: Transaction, accountId: string, partnerId: string) =>
  tx.run`delete from member_visits where account_id = ${accountId} and partner_id = ${partnerId}`
