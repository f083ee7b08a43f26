import type { Caller, Endpoint, PartnerRole, Subject, TeamRole } from '#contract/endpoint.ts'
import { type Language, withLanguage } from '#contract/language.ts'
import type { Config } from '../../platform/config/config.ts'
import { eachAccount, inAccountsSql } from '../../platform/database/by-key.ts'
import { findSubjectTable, listColumns } from '../../platform/database/declare-tables.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { type AccountFacts, accountFacts, visibleToCustomers } from './account-facts.ts'
import type { Actor } from './actor.ts'
import { rewardsOfPartners } from './customer-groups.ts'

/**
 * The role in which a call is made on the object its path names. An account's whole team calls as its owner does, each
 * person within the rights of their `teamRole`; owners and members of a partner call as the partner, within the rights of
 * their `partnerRole`. `partnerId` is the caller's own, set when they call as a partner or ancestor.
 */
export type Access = {
  as: 'admin' | 'owner' | 'partner' | 'ancestor' | 'push'
  teamRole?: TeamRole
  partnerRole?: PartnerRole
  account: AccountFacts
  subjectId: string
  partnerId: string | null
  /** A key of the account that may manage partners makes the call. */
  byKey?: true
  /** A portal session makes the call, as a member of its partner who is no user. */
  inPortal?: true
  /** The language of what is worded for a partner; a team's is English, and so is that of files. */
  language?: Language
  /** The session lacks the second factor that is required, in a call that is open to it: no secrets are read. */
  factorMissing?: true
}

/** Words something in its reader's language. */
export const wordFor = <Worded>(
  { language = 'en' }: Pick<Access, 'language'>,
  say: Parameters<typeof withLanguage<Worded>>[1],
): Worded => withLanguage<Worded>(language, say)

/** The roles that may admit a caller: a person's own, or those of the owner for whom a program reads. */
export type Roles = Pick<Actor, 'isAdmin' | 'teamRoles' | 'partnerRoles' | 'partnerAccountIds'>

/** Roles with the accounts in whose team they are, and the partners. */
type Searched = Roles & { accountIds: string[]; partnerIds: string[] }

/** The view of the owners of these accounts, for rows of any of them. */
export const buildOwnerView = (accountIds: string[]) =>
  ({ as: 'owner', partnerId: null, account: null, accountIds, language: 'en' }) as const
export type WholeView = ReturnType<typeof buildOwnerView>

/** Ids of the accounts that the reader looks into. */
export const readAccountIds = (reader: Pick<Access, 'account'> | WholeView): string[] =>
  reader.account ? [reader.account.id] : [...new Set(reader.accountIds)]

type AccessSubject = AccountFacts & { subjectId: string; subjectPartnerId: string | null }

/**
 * The subject's account and the partner it belongs to, only if the caller is in the account's team, administers the
 * install, is that partner or (for partners) one of its ancestors: ownership is decided here, in SQL. Only these accounts are
 * searched; for a partner, one. Other subjects are rows that the team alone reads.
 */
const subjects: Partial<Record<Subject, (id: string, actor: Searched, accountIds: string[]) => Sql>> = {
  account: (id, actor) => sql`
    select ${accountFacts}, a.id as subject_id,
      (select p.id from partners p where p.account_id = ${id} and p.id = any(${actor.partnerIds}::uuid[])
        order by p.created_at, p.id limit 1) as subject_partner_id
    from accounts a
    where a.id = ${id} and (${actor.isAdmin} or a.id = any(${actor.accountIds}::uuid[])
      or exists (select from partners p where p.account_id = ${id} and p.id = any(${actor.partnerIds}::uuid[])))`,
  partner: (id, actor, [accountId]) => sql`
    with recursive line as (
      select id, parent_partner_id from partners where id = ${id} and account_id = ${accountId}
      union
      select p.id, p.parent_partner_id
      from line cross join lateral (
        select * from partners where account_id = ${accountId} and id = line.parent_partner_id offset 0) p
    )
    select ${accountFacts}, t.id as subject_id,
      (select line.id from line where line.id = any(${actor.partnerIds}::uuid[])
        -- of several above it, the one that invited it may do most
        order by line.id = t.id desc, line.id is not distinct from t.invited_by_partner_id desc limit 1) as subject_partner_id
    from partners t join accounts a on a.id = t.account_id
    where t.id = ${id} and t.account_id = ${accountId} and (a.id = any(${actor.accountIds}::uuid[])
      or exists (select from line where line.id = any(${actor.partnerIds}::uuid[])))`,
  'link-blueprint': (id, actor) => sql`
    select ${accountFacts}, t.id as subject_id, null::uuid as subject_partner_id
    from link_blueprints t join accounts a on a.id = t.account_id
    where t.id = ${id} and t.archived_at is null and a.id = any(${actor.accountIds}::uuid[])`,
  'partner-link': (id, actor, accountIds) => sql`
    ${ofPartner(sql`partner_links`, id, actor, accountIds)} and t.archived_at is null`,
  lead: (id, actor, accountIds) => ofPartner(sql`leads`, id, actor, accountIds),
  sale(id, actor, accountIds) {
    const entriesOfCaller = sql`commission_entries e
      where e.account_id = ${eachAccount(accountIds, sql`t.account_id`)} and e.sale_id = t.id and e.partner_id = any(${actor.partnerIds}::uuid[])`
    return sql`
    select ${accountFacts}, t.id as subject_id,
      (select e.partner_id from ${entriesOfCaller} limit 1) as subject_partner_id
    from sales t join accounts a on a.id = t.account_id
    where t.id = ${id} and ${inAccountsSql(sql`t.account_id`, accountIds)}
      and (a.id = any(${actor.accountIds}::uuid[]) or exists (select from ${entriesOfCaller}))`
  },
  commission: (id, actor, accountIds) => ofPartner(sql`commission_entries`, id, actor, accountIds),
  payout: (id, actor, accountIds) => ofPartner(sql`payouts`, id, actor, accountIds),
  invoice: (id, actor, accountIds) => ofPartner(sql`invoices`, id, actor, accountIds),
}

/** An object that the whole team reads, by the declaration of its table. */
function readByTeam(subject: Subject, id: string, { accountIds }: Searched) {
  const table = findSubjectTable(subject)
  const undeleted = listColumns(table).includes('deleted_at') ? sql`and t.deleted_at is null` : sql``
  return sql`
    select ${accountFacts}, t.id as subject_id, null::uuid as subject_partner_id
    from ${rawSql(table)} t join accounts a on a.id = t.account_id
    where t.id = ${id} and ${inAccountsSql(sql`t.account_id`, accountIds)} ${undeleted}`
}

const ofPartner = (table: Sql, id: string, actor: Searched, accountIds: string[]) => sql`
  select ${accountFacts}, t.id as subject_id,
    case when t.partner_id = any(${actor.partnerIds}::uuid[]) then t.partner_id end as subject_partner_id
  from ${table} t join accounts a on a.id = t.account_id
  where t.id = ${id} and ${inAccountsSql(sql`t.account_id`, accountIds)}
    and (a.id = any(${actor.accountIds}::uuid[]) or t.partner_id = any(${actor.partnerIds}::uuid[]))`

/** The key of the object that a path names. */
export const subjectKey = ({ subjectId, account }: { subjectId: string; account: { id: string } }) => ({
  id: subjectId,
  accountId: account.id,
})

/** Whether any role of the caller is allowed to make the call. */
export function hasRole(allow: readonly Caller[], actor: Roles) {
  const atPartners = Object.values(actor.partnerRoles)
  return (
    allow.includes('user') ||
    (allow.includes('admin') && actor.isAdmin) ||
    Object.values(actor.teamRoles).some((role) => allow.includes(role)) ||
    (allow.includes('ancestor') && atPartners.length > 0) ||
    atPartners.some((role) => allow.includes(callerAt(role)))
  )
}

const callerAt = (role: PartnerRole) => (role === 'owner' ? 'partner' : 'partner-member')

/** The role in which the caller makes the call; an ancestor is one whatever their role. */
export const identifyCaller = ({ as, teamRole, partnerRole }: Access) =>
  teamRole ?? (partnerRole ? callerAt(partnerRole) : as)

export function requireRole(endpoint: Endpoint, actor: Roles) {
  if (!hasRole(endpoint.allow, actor)) throw refusal('role_not_allowed')
}

/**
 * Resolves the object that the path names, as this caller may see it; the widest role decides.
 * Refuses: `not_found` alike for absent and foreign; `role_not_allowed` for a role in the team or at the partner without
 * the right; `account_disabled` for the team and partners of a disabled account.
 */
export async function resolveAccess(db: Queryable, endpoint: Endpoint, roles: Roles, id: string): Promise<Access> {
  const subject = endpoint.subject!
  const actor = { ...roles, accountIds: Object.keys(roles.teamRoles), partnerIds: Object.keys(roles.partnerRoles) }
  const accountIds = await searched(db, subject, actor, asUuid(id))
  const found =
    await db.maybe<AccessSubject>`${subjects[subject]?.(asUuid(id), actor, accountIds) ?? readByTeam(subject, asUuid(id), actor)}`
  if (!found) throw notFound()
  const { subjectId, subjectPartnerId, ...account } = found
  const teamRole = actor.teamRoles[account.id]
  const as = widest(endpoint, actor, found)
  const isOfPartner = ownPartner(endpoint, found) && endpoint.allow.includes('partner')
  if (!as) throw teamRole || isOfPartner ? refusal('role_not_allowed') : notFound()
  if (account.disabledAt && !endpoint.whileDisabled && as !== 'admin') throw accountDisabled()
  const partnerId = as === 'partner' || as === 'ancestor' ? subjectPartnerId : null
  const isCustomer =
    as === 'partner' && account.hasCustomerGroups && (await rewardsOfPartners(db, account.id, [partnerId!])).size > 0
  const partnerRole = as === 'partner' ? actor.partnerRoles[subjectPartnerId!] : undefined
  return {
    as,
    ...(as === 'owner' && teamRole && { teamRole }),
    ...(partnerRole && { partnerRole }),
    account: isCustomer ? { ...account, partnerVisibility: visibleToCustomers } : account,
    subjectId,
    partnerId,
  }
}

/** Returns the accounts in which the caller has any role; for a partner, theirs among them. */
async function searched(db: Queryable, subject: Subject, { accountIds, partnerAccountIds }: Searched, id: string) {
  const all = [...new Set([...accountIds, ...partnerAccountIds])]
  if (subject !== 'partner' || all.length < 2) return all
  const rows = await db.many<{ accountId: string }>`
    select account_id from partners where id = ${id} and account_id = any(${all}::uuid[])`
  return rows.map(({ accountId }) => accountId)
}

/**
 * Refuses writing calls of a suspended or archived partner, also for partners below them. Checked before the call does
 * anything, and again after it with `lock`, so that a concurrent suspension applies before or after the whole call.
 * Refuses: `invalid_state`.
 */
export async function refuseInactive(db: Queryable, endpoint: Endpoint, access: Access | null, { lock = false } = {}) {
  if (endpoint.method === 'GET' || endpoint.whileInactive || !access?.partnerId) return
  const active = await db.maybe`
    select from partners
    where account_id = ${access.account.id} and id = ${access.partnerId} and state = 'active'
    ${lock ? sql`for share` : sql``}`
  if (!active) throw refusal('partner_inactive')
}

/** Whether the object is the caller's partner or belongs to it, and not to a partner below it alone. */
const ownPartner = ({ subject }: Endpoint, { subjectPartnerId, subjectId }: AccessSubject) =>
  subjectPartnerId !== null && (subject !== 'partner' || subjectPartnerId === subjectId)

function widest(endpoint: Endpoint, actor: Roles, found: AccessSubject): Access['as'] | undefined {
  const { allow, subject } = endpoint
  const teamRole = actor.teamRoles[found.id]
  if (teamRole && allow.includes(teamRole)) return 'owner'
  if (allow.includes('admin') && actor.isAdmin && subject === 'account') return 'admin'
  if (!found.subjectPartnerId) return undefined
  const own = ownPartner(endpoint, found)
  if (own && allow.includes(callerAt(actor.partnerRoles[found.subjectPartnerId]!))) return 'partner'
  if (allow.includes('ancestor') && !own) return 'ancestor'
  return undefined
}

type Required = Config['requireSecondFactor']

/** The requirements of a second factor that reach each kind of role, of the install and of an account alike. */
export const factorReach: Readonly<Record<'admin' | 'team' | 'partner', readonly Required[]>> = {
  admin: ['admins', 'team', 'everyone'],
  team: ['team', 'everyone'],
  partner: ['everyone'],
}

/**
 * Whether a session lacks the second factor that the install or the account requires of the role in which it calls;
 * with `access` null, of an administrator. Keys and links are no sessions.
 */
export function lacksFactor(install: Required, endpoint: Endpoint, actor: Actor, access: Access | null): boolean {
  if (actor.secondFactor) return false
  const asAdmin = access ? access.as === 'admin' : actor.isAdmin && endpoint.allow.includes('admin')
  if (!access && !asAdmin) return false
  const reach = factorReach[asAdmin ? 'admin' : access?.as === 'owner' ? 'team' : 'partner']
  const account = access && !asAdmin ? access.account.requireSecondFactor : 'off'
  return reach.includes(install) || reach.includes(account)
}

export const accountDisabled = () => refusal('account_disabled')
