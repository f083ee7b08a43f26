import { type Author, system } from '../../platform/author.ts'
import { emptyingSql } from '../../platform/database/erased-rows.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { deleteMemberVisits, deletePartnerVisits } from './member-visits.ts'
import { hasOtherOwner, transferContact } from './members.ts'
import { type Home, lockHome, type MemberRole, peopleAt, removeRole, roleSql } from './users.ts'

/**
 * Takes the role of an erased partner from its people, and empties those who are left without any role and invitation:
 * they can no longer sign in, and their e-mail is free again. Returns how many were emptied.
 */
export async function erasePartnerPeople(
  tx: Transaction,
  by: Author,
  accountId: string,
  partnerId: string,
): Promise<number> {
  const home = { accountId, partnerId }
  const people = await peopleAt(tx, home)
  for (const { userId, role } of people) await removeRole(tx, by, userId, home, role)
  await deletePartnerVisits(tx, accountId, partnerId)
  const invited = await tx.many<{ userId: string }>`
    select distinct user_id from invitations
    where account_id = ${accountId} and partner_id = ${partnerId} and user_id is not null`
  const ids = [...new Set([...people, ...invited].map(({ userId }) => userId))]
  const left = await tx.many<{ id: string }>`
    select u.id from users u
    where u.id = any(${ids}::uuid[]) and u.erased_at is null
      and not exists (select from user_roles r where r.user_id = u.id)
      and not exists (select from invitations i
        where i.user_id = u.id and i.partner_id is distinct from ${partnerId} and i.status not in ('accepted', 'revoked'))
    order by u.id for update`
  for (const { id } of left) await emptyUser(tx, id)
  return left.length
}

/** An erased former member, and the names of the mails to them. */
export type FormerUser = { id: string; mails: string[] }

/** Empties a former member, who has no role and no open invitation. Returns the user, or why not. */
export async function eraseFormerUser(tx: Transaction, email: string): Promise<FormerUser | 'unknown' | 'needed'> {
  const user = await tx.maybe<{ id: string }>`select id from users where email = ${email} for update`
  if (!user) return 'unknown'
  const { isNeeded } = await tx.one<{ isNeeded: boolean }>`
    select exists (select from user_roles where user_id = ${user.id}) or exists (select from invitations
      where user_id = ${user.id} and status not in ('accepted', 'revoked')) as is_needed`
  if (isNeeded) return 'needed'
  const mails = await emptyMails(tx, user.id)
  await emptyUser(tx, user.id)
  return { id: user.id, mails }
}

/** Empties the mails to a user. Returns their names. */
async function emptyMails(tx: Transaction, id: string): Promise<string[]> {
  const rows = await tx.many<{ name: string }>`
    update mails t set ${emptyingSql('mails', 'partner')} from users u where u.id = ${id} and t.email = u.email returning t.name`
  return rows.map(({ name }) => name)
}

/**
 * Empties an erased user again in a restored older database, with their roles and invitations. Returns `needed` for an
 * account's only owner.
 */
export async function eraseUserAgain(tx: Transaction, id: string): Promise<'again' | 'already' | 'absent' | 'needed'> {
  const user = await tx.maybe<{ isErased: boolean }>`
    select erased_at is not null as is_erased from users where id = ${id} for update`
  if (!user) return 'absent'
  if (user.isErased) return 'already'
  const roles = await tx.many<Home & { role: MemberRole }>`
    select r.account_id, r.partner_id, ${roleSql} as role from user_roles r
    where r.user_id = ${id} and r.account_id is not null order by r.account_id, r.partner_id`
  for (const home of roles) {
    await lockHome(tx, home)
    if (!home.partnerId && home.role === 'owner' && !(await hasOtherOwner(tx, home, id))) return 'needed'
  }
  for (const { role, ...home } of roles) {
    await removeRole(tx, system, id, home, role)
    await transferContact(tx, home)
  }
  await tx.run`delete from user_roles where user_id = ${id}`
  await emptyMails(tx, id)
  await emptyUser(tx, id)
  return 'again'
}

async function emptyUser(tx: Transaction, id: string) {
  await tx.run`
    update invitations set status = case when status = 'accepted' then status else 'revoked' end, email = null,
      first_name = null, last_name = null, last_error = null
    where user_id = ${id}`
  await tx.run`delete from passkeys where user_id = ${id}`
  await tx.run`delete from totp_and_codes where user_id = ${id}`
  await tx.run`delete from oidc_identities where user_id = ${id}`
  await tx.run`delete from user_tokens where user_id = ${id}`
  await tx.run`delete from password_resets where user_id = ${id}`
  await tx.run`delete from sessions where user_id = ${id}`
  await deleteMemberVisits(tx, id)
  await tx.run`
    update users set first_name = 'Erased person', last_name = right(id::text, 4), password_hash = null, preferences = '{}',
      email = 'erased-' || id || '@erased.invalid', verified_at = null, erased_at = ${tx.now}, updated_at = ${tx.now}
    where id = ${id}`
}
