import type {
  Member,
  MemberChange,
  NewMember,
  NewPartnerMember,
  PartnerMember,
  PartnerMemberChange,
} from '#contract/members.ts'
import type { ListQuery } from '#contract/values.ts'
import { type Author, userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { containsFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import type { Actor } from '../access/actor.ts'
import { lockUnlessErased } from '../partner-directory/erased-partner.ts'
import {
  countMemberInvitations,
  findInvitation,
  type InvitationRow,
  invitationsTo,
  lockOpenInvitationOfMember,
  revokeInvitationOfMember,
  setRevoked,
  updateInvitedNames,
} from './invitation-queries.ts'
import {
  createInvitation,
  findInvitationUrl,
  mailLeaves,
  refusalToSend,
  sendAnew,
  startOfUtcDay,
  tooManyToday,
} from './invitations.ts'
import { type AccessChange, accessChanged } from './signals.ts'
import {
  type Home,
  lockHome,
  type MemberRole,
  ownerType,
  peopleAt,
  removeRole,
  roleAt,
  roleSql,
  rolesAt,
  setRole,
  transferAccountOwnership,
  transferPartnerContact,
} from './users.ts'

/** People of a team and of a partner, those invited included. */
export const MOST_MEMBERS = { team: 50, partner: 10 }
export const INVITATIONS_A_DAY = 20

/** A person of a team or partner, with the open invitation of one who has not accepted. */
type MemberRow = Omit<Member, 'url' | 'role'> & { role: MemberRole; id: string; invitationId: string | null }

/** A call about people: their account or partner, the caller, and the caller's role. */
export type Managing = { home: Home; actor: Actor; access: Access }

/** The people of a team or partner: those with a role, and those with an open invitation who have none. */
const membersOf = (home: Home) => sql`(
  select r.user_id as id, u.email, u.first_name, u.last_name, ${roleSql} as role, 'active' as status,
    r.created_at, r.created_at as joined_at, null::uuid as invited_by, null::timestamptz as expires_at,
    null::uuid as invitation_id
  from user_roles r join users u on u.id = r.user_id
  where ${rolesAt(home)}
  union all
  (select distinct on (i.user_id) i.user_id, u.email, i.first_name, i.last_name, coalesce(i.role, 'owner'), 'invited',
    i.created_at, null, i.invited_by, i.expires_at, i.id
  from invitations i join users u on u.id = i.user_id
  where ${invitationsTo(home)} and i.status not in ('accepted', 'revoked')
    and not exists (select from user_roles r where ${rolesAt(home)} and r.user_id = i.user_id)
  order by i.user_id, i.role is null desc, i.created_at desc))`

/** Not shown for people of a partner. */
const memberColumns = (home: Home) => sql`t.id as user_id, t.email, t.first_name, t.last_name, t.role, t.status,
  t.joined_at, t.expires_at, t.invitation_id,
  (select coalesce(nullif(concat_ws(' ', b.first_name, b.last_name), ''), b.email) from users b
    where b.id = coalesce(t.invited_by, (
      select i.invited_by from invitations i where ${invitationsTo(home)} and i.user_id = t.id
      order by i.created_at desc limit 1))) as invited_by,
  case when t.status = 'active' and ${home.partnerId === null} then
    exists (select from totp_and_codes f where f.user_id = t.id and f.totp_sealed is not null)
    or exists (select from passkeys k where k.user_id = t.id) end as second_factor,
  case when t.status = 'active' and ${home.partnerId === null} then (select (max(s.last_used_at) at time zone a.time_zone)::date
    from sessions s, accounts a where s.user_id = t.id and a.id = ${home.accountId} group by a.time_zone) end as last_seen_on`

const nameOf = sql`lower(coalesce(nullif(concat_ws(' ', t.first_name, t.last_name), ''), t.email))`

export async function listMembers(
  db: Queryable,
  install: Install,
  home: Home,
  query: ListQuery & { role?: string[] | undefined; status?: string[] | undefined },
) {
  const { items, ...rest } = await listPage<MemberRow>(db, query, {
    columns: memberColumns(home),
    from: sql`${membersOf(home)} t`,
    scope: sql`true`,
    filters: [
      valueFilter(sql`t.role`, query.role),
      valueFilter(sql`t.status`, query.status),
      containsFilter(sql`concat_ws(' ', t.first_name, t.last_name, t.email)`, query.search),
    ],
    sorts: { name: { by: nameOf, type: 'text' }, role: { by: sql`t.role`, type: 'text' } },
  })
  return { items: await Promise.all(items.map((row) => present(db, install, row))), ...rest }
}

/** A person in the replies of both kinds of calls; an account and a partner have different roles. */
type AnyMember = Member & PartnerMember

async function present(db: Queryable, install: Install, { invitationId, ...member }: MemberRow): Promise<AnyMember> {
  // a link is shown only while no mail server sends it
  const invitation = invitationId && !mailLeaves(install) && (await findInvitation(db, invitationId))
  // that of an owner whom an administrator assigned is for administrators alone: it proves the mailbox
  const isShown = invitation && invitation.kind !== 'owner'
  return { ...member, url: isShown ? findInvitationUrl(install, invitation, db.now) : null } as AnyMember
}

/** Refuses: `not_found` for a person who is not there. */
async function memberOf(db: Queryable, home: Home, userId: string): Promise<MemberRow> {
  const found = await db.maybe<MemberRow>`
    select ${memberColumns(home)} from ${membersOf(home)} t where t.id = ${asUuid(userId)}`
  if (!found) throw notFound()
  return found
}

export const getMember = async (db: Queryable, install: Install, home: Home, userId: string) =>
  present(db, install, await memberOf(db, home, userId))

/** Whether the caller decides who belongs there: an owner there, or for a partner, within their rights, the account. */
const manages = ({ home, access }: Pick<Managing, 'home' | 'access'>) =>
  home.partnerId ? access.as === 'owner' || access.partnerRole === 'owner' : access.teamRole === 'owner'

/**
 * Locks the account or partner against other changes of its people, and checks again that the caller is still an owner
 * there: if two remove each other, the second no longer is. Refuses: `forbidden`.
 */
async function lockPeople(tx: Transaction, { home, actor, access }: Managing) {
  await lockHome(tx, home)
  if (home.partnerId) await lockUnlessErased(tx, home.accountId, home.partnerId)
  if (home.partnerId && access.as === 'owner') return
  if ((await roleAt(tx, home, actor.userId)) !== 'owner') throw refusal('role_not_allowed')
}

/**
 * Invites a person. A new owner of a partner whom the account's owner invites is announced to the partner, and holds
 * automatic payouts once they accept.
 * Refuses: `duplicate` for one who is there or invited, `invalid_state` beyond 50 people of a team or 10 of a partner,
 * `rate_limited` beyond 20 invitations a day.
 */
export async function inviteMember(
  tx: Transaction,
  install: Install,
  { home, actor, access }: Managing,
  body: NewMember | NewPartnerMember,
) {
  await lockPeople(tx, { home, actor, access })
  const { partnerId } = home
  const { count, known } = await tx.one<{ count: number; known: boolean }>`
    select count(*) as count, coalesce(bool_or(t.email = ${body.email}), false) as known from ${membersOf(home)} t`
  if (known) throw refusal('already_member')
  const max = partnerId ? MOST_MEMBERS.partner : MOST_MEMBERS.team
  if (count >= max) throw refusal('too_many_members', { max })
  if ((await countMemberInvitations(tx, home, startOfUtcDay(tx))) >= INVITATIONS_A_DAY) throw tooManyToday(tx)
  const byAccount = access.as === 'owner'
  const invited = partnerId
    ? ({ ...(body as NewPartnerMember), kind: 'partner-member', holdsPayouts: byAccount } as const)
    : ({ ...(body as NewMember), kind: 'member' } as const)
  const { userId } = await createInvitation(tx, install, userAuthor(actor), { ...invited, ...home })
  if (partnerId && byAccount) await notifyAccessChange(tx, home, { userId, role: 'owner', why: 'asked' })
  return userId
}

/**
 * Changes a person's role, or the names on an open invitation.
 * Refuses: `invalid_state` for the last owner, and for names of one who has accepted.
 */
export async function changeMember(
  tx: Transaction,
  { home, actor, access }: Managing,
  userId: string,
  change: MemberChange | PartnerMemberChange,
) {
  await lockPeople(tx, { home, actor, access })
  const member = await memberOf(tx, home, userId)
  const { role = member.role, firstName, lastName } = change
  if (member.status === 'invited') {
    const row = await openInvitation(tx, home, member)
    await updateInvitedNames(tx, row.id, { firstName, lastName })
    await tx.run`update invitations set role = ${role}, updated_at = ${tx.now} where id = ${row.id}`
    return
  }
  if (firstName !== undefined || lastName !== undefined) throw refusal('invitation_accepted')
  if (role === member.role) return
  if (member.role === 'owner') await refuseLastOwner(tx, home, member.userId)
  await setRole(tx, userAuthor(actor), member.userId, home, role)
  await revokeInvitationOfMember(tx, home, member.userId)
  if (member.userId !== actor.userId) await notifyAccessChange(tx, home, { userId: member.userId, role })
  await transferContact(tx, home)
}

/**
 * Removes a person, or their invitation; anyone may leave. Their calls there end with the role.
 * Refuses: `forbidden` for others' removal by one who may not, `invalid_state` for the last owner.
 */
export async function removeMember(tx: Transaction, { home, actor, access }: Managing, userId: string) {
  const isSelf = asUuid(userId) === actor.userId
  if (!isSelf && !manages({ home, access })) throw refusal('role_not_allowed')
  if (isSelf) await lockHome(tx, home)
  else await lockPeople(tx, { home, actor, access })
  const member = await memberOf(tx, home, userId)
  if (member.status === 'invited') {
    await setRevoked(tx, (await openInvitation(tx, home, member)).id)
    return
  }
  if (member.role === 'owner') await refuseLastOwner(tx, home, member.userId)
  await removeRole(tx, userAuthor(actor), member.userId, home, member.role)
  await revokeInvitationOfMember(tx, home, member.userId)
  if (!isSelf) await notifyAccessChange(tx, home, { userId: member.userId, role: null })
  await transferContact(tx, home)
}

/** Sends an invited person a new link. Refuses: `invalid_state` once accepted, `rate_limited` as of partners. */
export async function retryMemberInvitation(tx: Transaction, install: Install, managing: Managing, userId: string) {
  const { home } = managing
  await lockPeople(tx, managing)
  const member = await memberOf(tx, home, userId)
  if (member.status === 'active') throw refusal('invitation_accepted')
  const row = await openInvitation(tx, home, member)
  const refused = refusalToSend(tx, row)
  if (refused) throw refused
  await sendAnew(tx, install, row)
}

/**
 * Locks a member's invitation. Refuses: `invalid_state` for that of an owner whom an administrator assigned, and for the
 * partner's own.
 */
async function openInvitation(tx: Transaction, home: Home, { userId }: MemberRow): Promise<InvitationRow> {
  const row = await lockOpenInvitationOfMember(tx, home, userId)
  if (!row) throw refusal(home.partnerId ? 'invitation_of_partner' : 'invited_by_administrator')
  return row
}

/** Takes their roles from the people of a partner that is being deleted, and notifies them. */
export async function removePartnerPeople(tx: Transaction, by: Author, accountId: string, partnerId: string) {
  const home = { accountId, partnerId }
  for (const { userId, role } of await peopleAt(tx, home)) {
    await removeRole(tx, by, userId, home, role)
    // without the partner, which is gone when the mail is written
    if (userId !== by.id) await sendSignal(tx, accountId, accessChanged, { userId, role: null })
  }
}

const notifyAccessChange = (tx: Transaction, { accountId, partnerId }: Home, change: AccessChange) =>
  sendSignal(tx, accountId, accessChanged, { ...change, ...(partnerId && { partnerId }) })

export const hasOtherOwner = async (tx: Transaction, home: Home, userId: string) =>
  Boolean(
    await tx.maybe`
      select from user_roles r where ${rolesAt(home)} and r.type = ${ownerType(home)} and r.user_id <> ${userId} limit 1`,
  )

/** An archived partner may be left by all. */
async function refuseLastOwner(tx: Transaction, home: Home, userId: string) {
  const { accountId, partnerId } = home
  if (await hasOtherOwner(tx, home, userId)) return
  if (!partnerId) throw refusal('last_owner')
  const archived = await tx.maybe`
    select from partners where account_id = ${accountId} and id = ${partnerId} and state = 'archived'`
  if (!archived) throw refusal('last_partner_owner')
}

/** Makes the longest-serving owner the contact if the present one is no longer an owner. */
export const transferContact = (tx: Transaction, { accountId, partnerId }: Home) =>
  partnerId ? transferPartnerContact(tx, accountId, partnerId) : transferAccountOwnership(tx, accountId)
