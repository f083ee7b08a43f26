import type { Language } from '#contract/language.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'
import { languageOfSql } from './user-language.ts'
import { canSignIn, type Home, lockHome, type MemberRole } from './users.ts'

export type InvitationRow = {
  id: string
  kind: 'administrator' | 'owner' | 'member' | 'partner' | 'partner-member'
  /** Set for members of a team or partner; owners and partners are invited as owners. */
  role: MemberRole | null
  /** Set for an owner: the owner who loses the role on acceptance. */
  replaces: string | null
  /** For a partner's new owner invited by the account's owner: acceptance holds automatic payouts. */
  holdsPayouts: boolean
  accountId: string | null
  partnerId: string | null
  email: string | null
  userId: string | null
  /** The name of an owner or member as given in the invitation; a partner's name is in the partner's own record. */
  firstName: string | null
  lastName: string | null
  invitedBy: string | null
  status: 'pending' | 'sent' | 'bounced' | 'opened' | 'accepted' | 'revoked'
  sendCount: number
  sentToday: number
  lastSentAt: string
  sentAt: string | null
  acceptedAt: string | null
  expiresAt: string
  lastError: string | null
  /** Whether the inviting person may see the link of this sending; decided when it is sent. */
  shareable: boolean
  /** Whether the invited person already signs in, by a password or single sign-on. */
  hasLogin: boolean
  /** Whether another account, or the install itself, has an open invitation for the same person. */
  invitedElsewhere: boolean
  /** For the setup link of the first administrator: whether there is an administrator by now. */
  outlived: boolean
  /** The name of the account's own host while it is ready. */
  portalHost: string | null
}

/** An open invitation of another account for the same person, or one to administer the install (without an account). */
const elsewhere = (userId: Sql, accountId: Sql) => sql`exists (
  select from invitations o
  where o.user_id = ${userId} and o.account_id is distinct from ${accountId} and o.status not in ('accepted', 'revoked'))`

const columns = sql`i.*, ${canSignIn} as has_login,
  ${elsewhere(sql`i.user_id`, sql`i.account_id`)} as invited_elsewhere,
  (select portal_host from accounts where id = i.account_id) as portal_host,
  i.kind = 'administrator' and i.email is null and exists (select from user_roles where type = 'admin') as outlived`
const from = sql`invitations i left join users u on u.id = i.user_id`
const locked = sql`for update of i`

const byToken = (hash: Buffer, lock: Sql) => sql`select ${columns} from ${from} where i.token_hash = ${hash} ${lock}`

export const findInvitationByToken = (db: Queryable, hash: Buffer) => db.maybe<InvitationRow>`${byToken(hash, sql``)}`

/** Locks an invitation only after the account or partner to which it leads, in the same order as changes of their people. */
export async function lockInvitationByToken(tx: Transaction, hash: Buffer) {
  const found = await findInvitationByToken(tx, hash)
  if (found?.accountId) await lockHome(tx, { accountId: found.accountId, partnerId: found.partnerId })
  return found && tx.maybe<InvitationRow>`${byToken(hash, locked)}`
}

export const findInvitation = (db: Queryable, id: string) =>
  db.maybe<InvitationRow>`select ${columns} from ${from} where i.id = ${id}`

export const findInvitationOfPartner = (db: Queryable, partnerId: string) => db.maybe<InvitationRow>`
  select ${columns} from ${from} where i.partner_id = ${partnerId} and i.kind = 'partner'`

/** Open or not, in the order of these partners, with the partners' names. */
export const findInvitationsOfPartners = (db: Queryable, partnerIds: string[]) => db.many<
  InvitationRow & { partnerId: string; email: string; displayName: string }
>`
  select ${columns}, ${partnerNameSql(sql`p`)} as display_name
  from unnest(${partnerIds}::uuid[]) with ordinality wanted (id, place)
    join partners p on p.id = wanted.id
    join (${from}) on i.partner_id = p.id and i.kind = 'partner'
  order by wanted.place`

export const lockInvitationOfPartner = (tx: Transaction, partnerId: string) => tx.maybe<InvitationRow>`
  select ${columns} from ${from} where i.partner_id = ${partnerId} and i.kind = 'partner' ${locked}`

/** Finds the owner who speaks for the account. A newly assigned one gets the role on acceptance. */
export const findPresentOwner = (db: Queryable, accountId: string) => db.maybe<{ userId: string; email: string }>`
  select u.id as user_id, u.email from user_roles r join users u on u.id = r.user_id
  where r.account_id = ${accountId} and r.type = 'account-owner'
  order by u.id = (select owner_id from accounts where id = ${accountId}) desc, r.created_at, u.id limit 1`

/** An open invitation `i` of an owner: it expires, but it was neither accepted nor revoked. */
export const isOpenOfOwner = sql`i.kind = 'owner' and i.status not in ('accepted', 'revoked')`

/**
 * Locks the account while its owner changes or is invited again; returns the last assigned owner: the invited one, else
 * the account's contact.
 */
export async function lockAssignment(tx: Transaction, accountId: string) {
  await lockHome(tx, { accountId, partnerId: null })
  return tx.one<{ userId: string | null; email: string | null }>`
    select u.id as user_id, u.email
    from accounts a left join users u on u.id = coalesce((
      select i.user_id from invitations i where i.account_id = a.id and ${isOpenOfOwner}
      order by i.created_at desc, i.id desc limit 1), a.owner_id)
    where a.id = ${accountId}`
}

/**
 * The invitation `i` of the owner whom account `a` got last: an open one, else that of its contact. A revoked one is
 * irrelevant for an account that has an owner.
 */
const ofOwner = sql`i.kind = 'owner' and (i.status not in ('accepted', 'revoked') or (i.user_id = a.owner_id
  and (i.status = 'accepted' or not exists (
    select from user_roles r where r.account_id = a.id and r.type = 'account-owner'))))`
const newestOfOwner = sql`i.status not in ('accepted', 'revoked') desc, i.created_at desc, i.id desc`

/** An owner's invitation with the e-mail of the person who has the role until it is accepted. */
export type OwnerInvitationRow = InvitationRow & { presentOwner: string | null }

/** The newest invitation of an owner by account. */
export const findInvitationsOfOwners = (db: Queryable, accountIds: string[]) => db.many<OwnerInvitationRow>`
  select distinct on (i.account_id) ${columns},
    (select p.email from user_roles r join users p on p.id = r.user_id
      where r.account_id = i.account_id and r.type = 'account-owner'
      order by p.id = a.owner_id desc, r.created_at, p.id limit 1) as present_owner
  from ${from} join accounts a on a.id = i.account_id
  where i.account_id = any(${accountIds}::uuid[]) and ${ofOwner}
  order by i.account_id, ${newestOfOwner}`

export const lockInvitationOfOwner = (tx: Transaction, accountId: string) => tx.maybe<InvitationRow>`
  select ${columns} from ${from} join accounts a on a.id = i.account_id
  where i.account_id = ${accountId} and ${ofOwner} order by ${newestOfOwner} limit 1 ${locked}`

/** The rows of `invitations i` that invite members to a team or partner; not those of its contact. */
const ofMembers = ({ accountId, partnerId }: Home) =>
  partnerId
    ? sql`i.account_id = ${accountId} and i.partner_id = ${partnerId} and i.kind = 'partner-member'`
    : sql`i.account_id = ${accountId} and i.kind = 'member'`

/** The rows of `invitations i` that lead to a role there. */
export const invitationsTo = ({ accountId, partnerId }: Home): Sql =>
  partnerId
    ? sql`i.account_id = ${accountId} and i.partner_id = ${partnerId}`
    : sql`i.account_id = ${accountId} and i.kind in ('owner', 'member')`

const openOfMember = (home: Home, userId: string) =>
  sql`${ofMembers(home)} and i.user_id = ${userId} and i.status not in ('accepted', 'revoked')`

export const lockOpenInvitationOfMember = (tx: Transaction, home: Home, userId: string) => tx.maybe<InvitationRow>`
  select ${columns} from ${from}
  where ${openOfMember(home, userId)} ${locked}`

/** Ends the invitation as a member that a person has besides a role there: it would give the role back. */
export const revokeInvitationOfMember = (tx: Transaction, home: Home, userId: string) => tx.run`
  update invitations i set status = 'revoked', updated_at = ${tx.now}
  where ${openOfMember(home, userId)}`

/** Counts the invitations of members since `since`. */
export const countMemberInvitations = (db: Queryable, home: Home, since: Date) => db.value<number>`
  select count(*) from invitations i where ${ofMembers(home)} and i.created_at >= ${since}`

/** Locks invitations that are neither accepted nor revoked; they may be expired. */
export const lockOpenInvitations = (tx: Transaction, email: string) => tx.many<InvitationRow>`
  select ${columns} from ${from} where u.email = ${email} and i.status not in ('accepted', 'revoked')
  order by i.id ${locked}`

/** Whether the person is known to this account alone: no login yet, and no open invitation from elsewhere. */
export const isUnknownElsewhere = async (tx: Transaction, userId: string, accountId: string) =>
  (
    await tx.one<{ unknown: boolean }>`
      select not ${canSignIn} and not ${elsewhere(sql`u.id`, sql`${accountId}::uuid`)} as unknown
      from users u where u.id = ${userId}`
  ).unknown

export type NewInvitation = Pick<
  InvitationRow,
  'id' | 'kind' | 'accountId' | 'partnerId' | 'email' | 'userId' | 'firstName' | 'lastName' | 'invitedBy' | 'shareable'
> &
  Partial<Pick<InvitationRow, 'role' | 'replaces' | 'holdsPayouts'>>

export const insertInvitation = (
  tx: Transaction,
  {
    id,
    kind,
    role,
    replaces,
    holdsPayouts,
    accountId,
    partnerId,
    email,
    userId,
    firstName,
    lastName,
    invitedBy,
    shareable,
  }: NewInvitation,
  tokenHash: Buffer,
  expiresAt: Date,
) => tx.run`
  insert into invitations
    (id, kind, role, replaces, holds_payouts, account_id, partner_id, email, user_id, first_name, last_name, invited_by,
      shareable, token_hash, last_sent_at, expires_at, created_at, updated_at)
  values (${id}, ${kind}, ${role ?? null}, ${replaces ?? null}, ${holdsPayouts ?? false}, ${accountId}, ${partnerId},
    ${email}, ${userId}, ${firstName}, ${lastName}, ${invitedBy}, ${shareable}, ${tokenHash}, ${tx.now}, ${expiresAt}, ${tx.now}, ${tx.now})`

/** Reopens the invitation under the next token. */
export const updateSending = (
  tx: Transaction,
  id: string,
  next: { sendCount: number; tokenHash: Buffer; expiresAt: Date; shareable: boolean },
) => tx.run`
  update invitations set status = 'pending', send_count = ${next.sendCount}, token_hash = ${next.tokenHash},
    shareable = ${next.shareable}, sent_at = null, opened_at = null, last_error = null, expires_at = ${next.expiresAt},
    updated_at = ${tx.now}
  where id = ${id}`

/** Counts one of today's sendings, and starts the wait for the next. */
export const countSending = (tx: Transaction, id: string, sentToday: number) => tx.run`
  update invitations set sent_today = ${sentToday}, last_sent_at = ${tx.now} where id = ${id}`

/** Updates the invited owner's names; omitted names stay, and a person who has accepted keeps their own. */
export const updateInvitedNames = (
  tx: Transaction,
  id: string,
  { firstName, lastName }: { firstName?: string | null; lastName?: string | null },
) => tx.run`
  update invitations set first_name = coalesce(${firstName ?? null}, first_name),
    last_name = coalesce(${lastName ?? null}, last_name), updated_at = ${tx.now}
  where id = ${id} and status <> 'accepted'`

export const updateInvited = (tx: Transaction, id: string, email: string, userId: string) => tx.run`
  update invitations set email = ${email}, user_id = ${userId}, updated_at = ${tx.now} where id = ${id}`

export const setOpened = (db: Queryable, id: string) => db.run`
  update invitations set status = 'opened', opened_at = ${db.now}, updated_at = ${db.now}
  where id = ${id} and status in ('pending', 'sent', 'bounced')`

export const setAccepted = (tx: Transaction, id: string, userId: string) => tx.run`
  update invitations set status = 'accepted', user_id = ${userId}, accepted_at = ${tx.now}, updated_at = ${tx.now}
  where id = ${id}`

export const setRevoked = (tx: Transaction, id: string) => tx.run`
  update invitations set status = 'revoked', updated_at = ${tx.now} where id = ${id} and status <> 'accepted'`

export const revokeOwnerInvitations = (tx: Transaction, accountId: string) => tx.run`
  update invitations set status = 'revoked', updated_at = ${tx.now}
  where account_id = ${accountId} and kind = 'owner' and status not in ('accepted', 'revoked')`

/** The mail server accepted this sending's mail. */
export const setSent = (db: Queryable, id: string, sendCount: number) => db.run`
  update invitations set status = case when status = 'pending' then 'sent' else status end, sent_at = ${db.now},
    last_error = null, updated_at = ${db.now}
  where id = ${id} and send_count = ${sendCount}`

/** The mail was saved as a file, so an earlier error no longer applies. */
export const clearMailError = (db: Queryable, id: string, sendCount: number) => db.run`
  update invitations set last_error = null, updated_at = ${db.now}
  where id = ${id} and send_count = ${sendCount} and last_error is not null`

/** The mail server refused this sending's mail, permanently or temporarily. */
export const setMailError = (db: Queryable, id: string, sendCount: number, error: string, forGood: boolean) => db.run`
  update invitations set status = case when ${forGood} and status = 'pending' then 'bounced' else status end,
    last_error = ${error}, updated_at = ${db.now}
  where id = ${id} and send_count = ${sendCount}`

/** Counts the invitations that a partner has sent since `since`. */
export const countSentByPartner = async (db: Queryable, accountId: string, partnerId: string, since: Date) =>
  (
    await db.one<{ count: number }>`
      select coalesce(sum(i.sent_today), 0)::bigint as count
      from partners p join invitations i on i.partner_id = p.id and i.kind = 'partner'
      where p.account_id = ${accountId} and p.invited_by_partner_id = ${partnerId} and i.last_sent_at >= ${since}`
  ).count

/** Names that an invitation's texts mention. */
export type InvitationFacts = {
  firstName: string | null
  lastName: string | null
  accountName: string | null
  /** Set for an invitation to a partner's people. */
  partnerName: string | null
  invitedBy: string | null
  accountDisabledAt: string | null
  /** The partner applied with this e-mail. */
  applied: boolean
  /** The language of its mail. */
  language: Language
}

export const invitationFacts = (
  db: Queryable,
  { id, accountId }: Pick<InvitationRow, 'id' | 'accountId'>,
) => db.one<InvitationFacts>`
  select coalesce(p.first_name, i.first_name) as first_name, coalesce(p.last_name, i.last_name) as last_name,
    case when a.id is not null then coalesce(nullif(a.name, ''), o.email, '(Anonymous account)') end as account_name,
    (select ${partnerNameSql(sql`m`)} from partners m
      where m.account_id = ${accountId ?? NIL} and m.id = i.partner_id and i.kind = 'partner-member') as partner_name,
    coalesce(nullif(concat_ws(' ', inviter.first_name, inviter.last_name), ''), inviter.email) as invited_by,
    a.disabled_at as account_disabled_at,
    exists (select from applications w where w.account_id = ${accountId ?? NIL} and w.partner_id = i.partner_id
      and w.email = i.email and i.kind = 'partner') as applied,
    case when i.kind in ('partner', 'partner-member') then ${languageOfSql(sql`u`, sql`n.language`, sql`a.language`)} else 'en' end
      as language
  from invitations i
    left join partners p on p.account_id = ${accountId ?? NIL} and p.id = i.partner_id and i.kind = 'partner'
    left join partners n on n.account_id = ${accountId ?? NIL} and n.id = i.partner_id
    left join accounts a on a.id = i.account_id
    left join users u on u.id = i.user_id
    left join users o on o.id = a.owner_id
    left join users inviter on inviter.id = i.invited_by
  where i.id = ${id}`
