import type { Member, MemberChange, NewMember } from '#contract/members.ts'
import type { ListQuery } from '#contract/values.ts'
import { byUser } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { oneText, sql } from '../../platform/database/sql.ts'
import { send } from '../../platform/events/happened.ts'
import { byValue, containing, page } from '../../platform/http/list.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import { type Actor, isOwner } from '../access/actor.ts'
import {
  countMemberInvitations,
  findInvitation,
  type InvitationRow,
  lockAssignment,
  lockOpenInvitationOfMember,
  setRevoked,
  updateInvitedNames,
} from './invitation-queries.ts'
import { invite, mailLeaves, refusalToSend, sendAnew, today, tooManyToday, urlOf } from './invitations.ts'
import { accessChanged } from './signals.ts'
import { removeTeamRole, setTeamRole } from './users.ts'

/** Invited ones included. */
const MOST_MEMBERS = 50
const INVITATIONS_A_DAY = 20

/** A member, with the open invitation of one who has not accepted. */
type MemberRow = Omit<Member, 'url'> & { id: string; invitationId: string | null }

/** The people of an account: those with a role, and those with an open invitation who have none. */
const membersOf = (accountId: string) => oneText`(
  select r.user_id as id, u.email, u.first_name, u.last_name, replace(r.type, 'account-', '') as role, 'active' as status,
    r.created_at, r.created_at as joined_at, null::uuid as invited_by, null::timestamptz as expires_at,
    null::uuid as invitation_id
  from user_roles r join users u on u.id = r.user_id
  where r.account_id = ${accountId} and r.type like 'account-%'
  union all
  select i.user_id, u.email, i.first_name, i.last_name, coalesce(i.role, 'owner'), 'invited', i.created_at, null,
    i.invited_by, i.expires_at, i.id
  from invitations i join users u on u.id = i.user_id
  where i.account_id = ${accountId} and i.kind in ('owner', 'member') and i.status not in ('accepted', 'revoked')
    and not exists (select from user_roles r
      where r.user_id = i.user_id and r.account_id = ${accountId} and r.type like 'account-%'))`

const memberColumns = (accountId: string) => sql`t.id as user_id, t.email, t.first_name, t.last_name, t.role, t.status,
  t.joined_at, t.expires_at, t.invitation_id,
  (select coalesce(nullif(concat_ws(' ', b.first_name, b.last_name), ''), b.email) from users b
    where b.id = coalesce(t.invited_by, (
      select invited_by from invitations where account_id = ${accountId} and user_id = t.id and kind in ('owner', 'member')
      order by created_at desc limit 1))) as invited_by,
  case when t.status = 'active' then exists (select from totp_and_codes f where f.user_id = t.id and f.totp_sealed is not null)
    or exists (select from passkeys k where k.user_id = t.id) end as second_factor,
  case when t.status = 'active' then (select (max(s.last_used_at) at time zone a.time_zone)::date
    from sessions s, accounts a where s.user_id = t.id and a.id = ${accountId} group by a.time_zone) end as last_seen_on`

const nameOf = sql`lower(coalesce(nullif(concat_ws(' ', t.first_name, t.last_name), ''), t.email))`

export async function listMembers(
  db: Queryable,
  install: Install,
  accountId: string,
  query: ListQuery & { role?: string[] | undefined; status?: string[] | undefined },
) {
  const { items, ...rest } = await page<MemberRow>(db, query, {
    columns: memberColumns(accountId),
    from: sql`${membersOf(accountId)} t`,
    scope: sql`true`,
    filters: [
      byValue(sql`t.role`, query.role),
      byValue(sql`t.status`, query.status),
      containing(sql`concat_ws(' ', t.first_name, t.last_name, t.email)`, query.search),
    ],
    sorts: { name: { by: nameOf, type: 'text' }, role: { by: sql`t.role`, type: 'text' } },
  })
  return { items: await Promise.all(items.map((row) => present(db, install, row))), ...rest }
}

async function present(db: Queryable, install: Install, { invitationId, ...member }: MemberRow): Promise<Member> {
  // a link is shown only while no mail server sends it
  const invitation = invitationId && !mailLeaves(install) && (await findInvitation(db, invitationId))
  return { ...member, url: invitation ? urlOf(install, invitation, db.now) : null }
}

/** Refuses: `not_found` for a person who is not in the account's team. */
async function memberOf(db: Queryable, accountId: string, userId: string): Promise<MemberRow> {
  const found = await db.maybe<MemberRow>`
    select ${memberColumns(accountId)} from ${membersOf(accountId)} t where t.id = ${asUuid(userId)}`
  if (!found) throw notFound()
  return found
}

export const getMember = async (db: Queryable, install: Install, accountId: string, userId: string) =>
  present(db, install, await memberOf(db, accountId, userId))

/**
 * Locks the account against other changes of its team, and looks again whether the caller still is an owner: of two who
 * remove each other, the second no longer is.
 * Refuses: `forbidden`.
 */
async function lockTeam(tx: Transaction, accountId: string, actor: Actor) {
  await lockAssignment(tx, accountId)
  if (!(await isOwner(tx, accountId, actor.userId))) throw refusal('role_not_allowed')
}

/**
 * Invites a person to the team. Refuses: `duplicate` for one who is in it or invited, `invalid_state` beyond 50 people,
 * `rate_limited` beyond 20 invitations a day.
 */
export async function inviteMember(
  tx: Transaction,
  install: Install,
  actor: Actor,
  accountId: string,
  body: NewMember,
) {
  await lockTeam(tx, accountId, actor)
  const { count, known } = await tx.one<{ count: number; known: boolean }>`
    select count(*) as count, coalesce(bool_or(t.email = ${body.email}), false) as known from ${membersOf(accountId)} t`
  if (known) throw refusal('already_member')
  if (count >= MOST_MEMBERS) throw refusal('too_many_members', { max: MOST_MEMBERS })
  if ((await countMemberInvitations(tx, accountId, today(tx))) >= INVITATIONS_A_DAY) throw tooManyToday(tx)
  const { userId } = await invite(tx, install, byUser(actor), { ...body, kind: 'member', accountId, partnerId: null })
  return userId
}

/**
 * Changes a person's role, or the names on an open invitation.
 * Refuses: `invalid_state` for the last owner, and for names of one who has accepted.
 */
export async function changeMember(
  tx: Transaction,
  actor: Actor,
  accountId: string,
  userId: string,
  change: MemberChange,
) {
  await lockTeam(tx, accountId, actor)
  const member = await memberOf(tx, accountId, userId)
  const { role = member.role, firstName, lastName } = change
  if (member.status === 'invited') {
    const row = await openInvitation(tx, accountId, member)
    await updateInvitedNames(tx, row.id, { firstName, lastName })
    await tx.run`update invitations set role = ${role}, updated_at = ${tx.now} where id = ${row.id}`
    return
  }
  if (firstName !== undefined || lastName !== undefined) throw refusal('invitation_accepted')
  if (role === member.role) return
  if (member.role === 'owner') await refuseLastOwner(tx, accountId, member.userId)
  await setTeamRole(tx, byUser(actor), member.userId, accountId, role)
  if (member.userId !== actor.userId) await send(tx, accountId, accessChanged, { userId: member.userId, role })
  await handContactOn(tx, accountId)
}

/**
 * Removes a person from the team, or their invitation; anyone may leave. Their calls to the account end with the role.
 * Refuses: `forbidden` for others' removal by one who is no owner, `invalid_state` for the last owner.
 */
export async function removeMember(tx: Transaction, actor: Actor, { account, teamRole }: Access, userId: string) {
  const isSelf = asUuid(userId) === actor.userId
  if (!isSelf && teamRole !== 'owner') throw refusal('role_not_allowed')
  if (isSelf) await lockAssignment(tx, account.id)
  else await lockTeam(tx, account.id, actor)
  const member = await memberOf(tx, account.id, userId)
  if (member.status === 'invited') {
    await setRevoked(tx, (await openInvitation(tx, account.id, member)).id)
    return
  }
  if (member.role === 'owner') await refuseLastOwner(tx, account.id, member.userId)
  await removeTeamRole(tx, byUser(actor), member.userId, account.id, member.role)
  if (!isSelf) await send(tx, account.id, accessChanged, { userId: member.userId, role: null })
  await handContactOn(tx, account.id)
}

/** Sends an invited person a new link. Refuses: `invalid_state` once accepted, `rate_limited` as of partners. */
export async function retryMemberInvitation(
  tx: Transaction,
  install: Install,
  actor: Actor,
  accountId: string,
  userId: string,
) {
  await lockTeam(tx, accountId, actor)
  const member = await memberOf(tx, accountId, userId)
  if (member.status === 'active') throw refusal('invitation_accepted')
  const row = await openInvitation(tx, accountId, member)
  const refused = refusalToSend(tx, row)
  if (refused) throw refused
  await sendAnew(tx, install, row)
}

/** Locks a member's invitation. Refuses: `invalid_state` for that of an owner whom an administrator assigned. */
async function openInvitation(tx: Transaction, accountId: string, { userId }: MemberRow): Promise<InvitationRow> {
  const row = await lockOpenInvitationOfMember(tx, accountId, userId)
  if (!row) throw refusal('invited_by_administrator')
  return row
}

async function refuseLastOwner(tx: Transaction, accountId: string, userId: string) {
  const other = await tx.maybe`
    select from user_roles where account_id = ${accountId} and type = 'account-owner' and user_id <> ${userId} limit 1`
  if (!other) throw refusal('last_owner')
}

/** Makes the owner of longest standing the account's contact, if the present one is an owner no more. */
const handContactOn = (tx: Transaction, accountId: string) => tx.run`
  update accounts a set owner_id = (
      select user_id from user_roles where account_id = a.id and type = 'account-owner' order by created_at, user_id limit 1),
    updated_at = ${tx.now}
  where id = ${accountId}
    and not exists (select from user_roles r
      where r.account_id = a.id and r.user_id = a.owner_id and r.type = 'account-owner')
    and not exists (select from invitations i
      where i.account_id = a.id and i.user_id = a.owner_id and i.kind = 'owner' and i.status not in ('accepted', 'revoked'))`
