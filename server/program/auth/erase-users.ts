import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'

/**
 * Takes the role of an erased partner from its people, and empties those who are left without any role and invitation:
 * they can no longer sign in, and their e-mail is free again. Returns how many were emptied.
 */
export async function erasePeopleOf(tx: Transaction, by: By, accountId: string, partnerId: string): Promise<number> {
  const people = await tx.many<{ userId: string }>`
    delete from user_roles where account_id = ${accountId} and partner_id = ${partnerId} returning user_id`
  for (const { userId } of people)
    await recorded(tx, by, accountId, 'role.removed', {
      id: userId,
      changes: { role: { old: 'partner', new: null } },
    })
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

async function emptyUser(tx: Transaction, id: string) {
  await tx.run`delete from passkeys where user_id = ${id}`
  await tx.run`delete from totp_and_codes where user_id = ${id}`
  await tx.run`delete from oidc_identities where user_id = ${id}`
  await tx.run`delete from user_tokens where user_id = ${id}`
  await tx.run`delete from password_resets where user_id = ${id}`
  await tx.run`delete from sessions where user_id = ${id}`
  await tx.run`
    update users set first_name = 'Erased person', last_name = right(id::text, 4), password_hash = null, preferences = '{}',
      email = 'erased-' || id || '@erased.invalid', verified_at = null, erased_at = ${tx.now}, updated_at = ${tx.now}
    where id = ${id}`
}
