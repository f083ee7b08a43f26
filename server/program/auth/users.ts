import type { User } from '#contract/auth.ts'
import type { TeamRole } from '#contract/endpoint.ts'
import type { By } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recorded } from '../../platform/events/happened.ts'
import { mayPayAs, paySince } from '../access/payers.ts'

/** Returns users as the API presents them, with all their roles; keyed by id. */
export async function usersById(db: Queryable, ids: (string | null)[]): Promise<Map<string, User>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db.many<User>`
    select u.id, u.email, u.first_name, u.last_name, u.created_at, u.updated_at,
      coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('type', r.type, 'partnerId', r.partner_id,
            'accountId', r.account_id, 'accountName', case when r.account_id is not null then coalesce(nullif(a.name, ''), o.email, '(Anonymous account)') end))
          order by r.type = 'admin' desc, coalesce(a.name, o.email), r.created_at)
        from user_roles r left join accounts a on a.id = r.account_id left join users o on o.id = a.owner_id
        where r.user_id = u.id), '[]') as roles
    from users u where u.id = any(${wanted}::uuid[])`
  return new Map(rows.map((user) => [user.id, user]))
}

/**
 * Returns the row for this e-mail, inserting it if new. Until a password is set it is only an address: it has no names,
 * and neither reveals nor changes what other accounts entered.
 */
export async function findOrMakeUser(tx: Transaction, email: string): Promise<string> {
  const { id } = await tx.one<{ id: string }>`
    insert into users as u (id, email, created_at, updated_at) values (${newId()}, ${email}, ${tx.now}, ${tx.now})
    on conflict (email) do update set email = u.email
    returning id`
  return id
}

/**
 * Inserts a row for this e-mail under its id from another install, so that past actions keep their author; does nothing
 * if either is taken.
 */
export const makeUserAs = (tx: Transaction, id: string, email: string) => tx.run`
  insert into users (id, email, created_at, updated_at) values (${id}, ${email}, ${tx.now}, ${tx.now})
  on conflict do nothing`

export type Names = { firstName: string | null; lastName: string | null }

/** Sets the names of a user who has none; existing names are the user's own. */
export const fillNames = (tx: Transaction, id: string, { firstName, lastName }: Names) => tx.run`
  update users set first_name = ${firstName}, last_name = ${lastName}
  where id = ${id} and first_name is null and last_name is null`

/** Marks the person's mailbox as verified. */
export const verifyUser = (tx: Transaction, id: string) => tx.run`
  update users set verified_at = ${tx.now} where id = ${id} and verified_at is null`

export const isVerified = async (tx: Transaction, id: string) =>
  Boolean(await tx.maybe`select from users where id = ${id} and verified_at is not null`)

type NewRole = { type: 'admin' | 'partner'; accountId: string | null; partnerId: string | null }

export async function grantRole(tx: Transaction, by: By, userId: string, { type, accountId, partnerId }: NewRole) {
  const granted = await tx.run`
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    values (${userId}, ${type}, ${accountId}, ${partnerId}, ${tx.now}) on conflict do nothing`
  if (granted > 0)
    await recorded(tx, by, accountId, 'role.granted', { id: userId, changes: { role: { old: null, new: type } } })
}

/** When the person of a role has the right to pay from, once the role is this one: as before, if they had it. */
const payKept = (now: Date, role: TeamRole) =>
  mayPayAs(role) ? sql`coalesce(${paySince(sql`r`)}, ${now}::timestamptz)` : sql`null`

/** Gives a person this role in the account's team, in place of another. */
export async function setTeamRole(tx: Transaction, by: By, userId: string, accountId: string, role: TeamRole) {
  const type = `account-${role}`
  const before = await tx.maybe<{ type: string }>`
    select type from user_roles
    where user_id = ${userId} and account_id = ${accountId} and type like 'account-%' for update`
  if (before?.type === type) return
  if (before)
    await tx.run`
      update user_roles r set type = ${type}, pay_since = ${payKept(tx.now, role)}
      where user_id = ${userId} and account_id = ${accountId} and type like 'account-%'`
  else
    await tx.run`
      insert into user_roles (user_id, type, account_id, created_at) values (${userId}, ${type}, ${accountId}, ${tx.now})`
  const changes = { role: { old: before?.type ?? null, new: type } }
  await recorded(tx, by, accountId, before ? 'role.changed' : 'role.granted', { id: userId, changes })
}

/** Takes this role in the account's team from a person. Returns whether they had it. */
export async function removeTeamRole(tx: Transaction, by: By, userId: string, accountId: string, role: TeamRole) {
  const type = `account-${role}`
  const removed = await tx.run`
    delete from user_roles where user_id = ${userId} and account_id = ${accountId} and type = ${type}`
  if (removed > 0)
    await recorded(tx, by, accountId, 'role.removed', { id: userId, changes: { role: { old: type, new: null } } })
  return removed > 0
}

/** Links the partner to the user, who acts as this partner from now on. */
export const linkPartner = (tx: Transaction, accountId: string, partnerId: string, userId: string) => tx.run`
  update partners set user_id = ${userId}, updated_at = ${tx.now}
  where account_id = ${accountId} and id = ${partnerId}`
