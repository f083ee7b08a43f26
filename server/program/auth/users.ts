import type { User } from '#contract/auth.ts'
import type { PartnerRole, TeamRole } from '#contract/endpoint.ts'
import type { Changes } from '#contract/events.ts'
import type { Author } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { countsWithin } from '../access/actor.ts'
import { mayPayAs, paySince } from '../access/payers.ts'

/**
 * Returns users as the API presents them, with all their roles, or those that count within one account; keyed by id.
 */
export async function usersById(
  db: Queryable,
  ids: (string | null)[],
  onlyAccountId: string | null = null,
): Promise<Map<string, User>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db.many<User>`
    select u.id, u.email, u.first_name, u.last_name, u.created_at, u.updated_at,
      coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('type', r.type, 'partnerId', r.partner_id,
            'accountId', r.account_id, 'accountName', case when r.account_id is not null then coalesce(nullif(a.name, ''), o.email, '(Anonymous account)') end))
          order by r.type = 'admin' desc, coalesce(a.name, o.email), r.created_at)
        from user_roles r left join accounts a on a.id = r.account_id left join users o on o.id = a.owner_id
        where r.user_id = u.id and ${countsWithin(sql`${onlyAccountId}::uuid`)}), '[]') as roles
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

/** Holds off others who begin or end the person's sessions, or change what these depend on. */
export const lockUser = (tx: Transaction, id: string) => tx.one`select id from users where id = ${id} for no key update`

/** Marks the person's mailbox as verified. */
export const verifyUser = (tx: Transaction, id: string) => tx.run`
  update users set verified_at = ${tx.now} where id = ${id} and verified_at is null`

export const isVerified = async (tx: Transaction, id: string) =>
  Boolean(await tx.maybe`select from users where id = ${id} and verified_at is not null`)

/** The team of an account, or one of its partners: people belong to either. */
export type Home = { accountId: string; partnerId: string | null }
export type MemberRole = TeamRole | PartnerRole

/** The rows of `user_roles r` that are roles there. */
export const rolesAt = ({ accountId, partnerId }: Home): Sql =>
  partnerId
    ? sql`r.account_id = ${accountId} and r.partner_id = ${partnerId}`
    : sql`r.account_id = ${accountId} and r.type like 'account-%'`

const typeOf = ({ partnerId }: Home, role: MemberRole) => {
  if (!partnerId) return `account-${role}`
  return role === 'owner' ? 'partner' : 'partner-member'
}
export const ownerType = (home: Home) => typeOf(home, 'owner')

/** Whether user `u` can sign in: by a password, or by the single sign-on that they have used. */
export const canSignIn = sql`(u.password_hash is not null
  or exists (select from oidc_identities own where own.user_id = u.id))`

/** The role of a row of `user_roles r`, without where. */
export const roleSql = sql`case r.type when 'partner' then 'owner' else regexp_replace(r.type, '^(account|partner)-', '') end`

/** Locks the account's or the partner's row: changes of its people wait for each other. */
export const lockHome = (tx: Transaction, { accountId, partnerId }: Home) =>
  partnerId
    ? tx.run`select from partners where account_id = ${accountId} and id = ${partnerId} for no key update`
    : tx.run`select from accounts where id = ${accountId} for no key update`

/** Returns the person's role there by now: a call waits for locks after its caller was identified. */
export const roleAt = async (db: Queryable, home: Home, userId: string) =>
  (
    await db.maybe<{ role: MemberRole }>`
      select ${roleSql} as role from user_roles r where ${rolesAt(home)} and r.user_id = ${userId}`
  )?.role

/** Returns the people with a role there. */
export const peopleAt = (db: Queryable, home: Home) => db.many<{ userId: string; role: MemberRole }>`
  select r.user_id, ${roleSql} as role from user_roles r where ${rolesAt(home)} order by r.user_id`

/** Whether any person has a role there by now. */
export const hasPeople = async (db: Queryable, home: Home) =>
  Boolean(await db.maybe`select from user_roles r where ${rolesAt(home)} limit 1`)

export async function grantAdministration(tx: Transaction, by: Author, userId: string) {
  const granted = await tx.run`
    insert into user_roles (user_id, type, created_at) values (${userId}, 'admin', ${tx.now}) on conflict do nothing`
  if (granted > 0)
    await recordActivity(tx, by, null, 'role.granted', { id: userId, changes: { role: { old: null, new: 'admin' } } })
}

/** When the person of a role has the right to pay from, once the role is this one: as before, if they had it. */
const payKept = (now: Date, type: string) =>
  mayPayAs(type) ? sql`coalesce(${paySince(sql`r`)}, ${now}::timestamptz)` : sql`null`

/** Gives a person this role there, in place of another. */
export async function setRole(tx: Transaction, by: Author, userId: string, home: Home, role: MemberRole) {
  const type = typeOf(home, role)
  const before = await tx.maybe<{ type: string }>`
    select r.type from user_roles r where ${rolesAt(home)} and r.user_id = ${userId} for update`
  if (before?.type === type) return
  if (before)
    await tx.run`
      update user_roles r set type = ${type}, pay_since = ${payKept(tx.now, type)}
      where ${rolesAt(home)} and r.user_id = ${userId}`
  else
    await tx.run`
      insert into user_roles (user_id, type, account_id, partner_id, created_at)
      values (${userId}, ${type}, ${home.accountId}, ${home.partnerId}, ${tx.now})`
  const changes = { role: { old: before?.type ?? null, new: type }, ...(!before && where(home, 'new')) }
  await recordActivity(tx, by, home.accountId, before ? 'role.changed' : 'role.granted', { id: userId, changes })
}

/** The partner of a role given or taken, for the activity. */
const where = ({ partnerId }: Home, now: 'old' | 'new'): Changes =>
  partnerId ? { partnerId: { old: null, new: null, [now]: partnerId } } : {}

/** Takes this role there from a person. Returns whether they had it. */
export async function removeRole(tx: Transaction, by: Author, userId: string, home: Home, role: MemberRole) {
  const type = typeOf(home, role)
  const removed = await tx.run`
    delete from user_roles r where ${rolesAt(home)} and r.user_id = ${userId} and r.type = ${type}`
  const changes = { role: { old: type, new: null }, ...where(home, 'old') }
  if (removed > 0) await recordActivity(tx, by, home.accountId, 'role.removed', { id: userId, changes })
  return removed > 0
}

/** Makes this person the account's contact. */
export async function nameContact(tx: Transaction, accountId: string, userId: string) {
  await tx.run`update accounts set owner_id = ${userId}, updated_at = ${tx.now} where id = ${accountId}`
  return userId
}

/** Makes the account's longest-serving owner its contact if the present one is no longer an owner. */
export const transferAccountOwnership = (tx: Transaction, accountId: string) => tx.run`
  update accounts a set owner_id = next.user_id, updated_at = ${tx.now}
  from (
    select r.user_id from user_roles r join accounts o on o.id = r.account_id
    where r.account_id = ${accountId} and r.type = 'account-owner'
    order by r.user_id = o.owner_id desc, r.created_at, r.user_id limit 1) next
  where a.id = ${accountId} and a.owner_id is distinct from next.user_id`

/** Makes the partner's longest-serving owner its contact if the present one is no longer an owner. */
export const transferPartnerContact = (tx: Transaction, accountId: string, partnerId: string) => tx.run`
  update partners p set user_id = next.user_id, updated_at = ${tx.now}
  from (select (
      select r.user_id from user_roles r join partners o on o.account_id = r.account_id and o.id = r.partner_id
      where r.account_id = ${accountId} and r.partner_id = ${partnerId} and r.type = 'partner'
      order by r.user_id = o.user_id desc, r.created_at, r.user_id limit 1) as user_id) next
  where p.account_id = ${accountId} and p.id = ${partnerId} and p.user_id is distinct from next.user_id`
