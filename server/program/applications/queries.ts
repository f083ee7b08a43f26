import type {
  Application,
  ApplicationFlag,
  ApplicationStatus,
  ParentProblem,
  Program,
  ProgramState,
  Question,
  RejectionReason,
} from '#contract/applications.ts'
import type { Group, GroupReward } from '#contract/groups.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { partnerNameSql, personNameSql } from '../partner-directory/partner-names.ts'

export const programTable = table('programs', {
  accountId: c.uuid.fixed(),
  state: c.text<ProgramState>(),
  slug: c.text().null(),
  headline: c.text().null(),
  text: c.text(),
  rules: c.text(),
  translations: c.json<Program['translations']>(),
  questions: c.json<Question[]>(),
  autoApprove: c.boolean,
  reapplyAfterDays: c.integer.null(),
  indexed: c.boolean,
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})
export type ProgramRow = Omit<RowOf<typeof programTable>, 'accountId' | 'createdAt' | 'updatedAt'>

/** The program of an account without a row. */
const unsaved: ProgramRow = {
  state: 'off',
  slug: null,
  headline: null,
  text: '',
  rules: '',
  translations: {},
  questions: [],
  autoApprove: false,
  reapplyAfterDays: 30,
  indexed: true,
}

export async function getProgramRow(db: Queryable, accountId: string): Promise<ProgramRow> {
  const row = await db.maybe<ProgramRow>`
    select state, slug, headline, text, rules, translations, questions, auto_approve, reapply_after_days, indexed
    from programs t where t.account_id = ${accountId}`
  // questions saved before they could be translated say nothing about it
  return row
    ? {
        ...row,
        questions: row.questions.map((question) => ({ ...question, translations: question.translations ?? {} })),
      }
    : unsaved
}

export async function writeProgram(tx: Transaction, accountId: string, program: ProgramRow) {
  const { state, slug, headline, text, rules, autoApprove, reapplyAfterDays, indexed } = program
  const [questions, translations] = [JSON.stringify(program.questions), JSON.stringify(program.translations)]
  await tx.run`
    insert into programs as p (account_id, state, slug, headline, text, rules, translations, questions, auto_approve,
      reapply_after_days, indexed, created_at, updated_at)
    values (${accountId}, ${state}, ${slug}, ${headline}, ${text}, ${rules}, ${translations}::jsonb, ${questions}::jsonb,
      ${autoApprove}, ${reapplyAfterDays}, ${indexed}, ${tx.now}, ${tx.now})
    on conflict (account_id) do update set state = excluded.state, slug = excluded.slug, headline = excluded.headline,
      text = excluded.text, rules = excluded.rules, translations = excluded.translations, questions = excluded.questions,
      auto_approve = excluded.auto_approve, reapply_after_days = excluded.reapply_after_days, indexed = excluded.indexed, updated_at = excluded.updated_at`
}

/** Takes an address, unless another account ever had it. Returns its owner. */
export async function claimSlug(tx: Transaction, accountId: string, slug: string) {
  await tx.run`
    insert into program_slugs (slug, account_id, created_at) values (${slug}, ${accountId}, ${tx.now})
    on conflict do nothing`
  return tx.value<string>`select account_id from program_slugs where slug = ${slug}`
}

export const dropSlug = (tx: Transaction, slug: string) => tx.run`delete from program_slugs where slug = ${slug}`

export const numberOfSlugs = (db: Queryable, accountId: string) => db.value<number>`
  select count(*) as count from program_slugs where account_id = ${accountId}`

export const accountOfSlug = async (db: Queryable, slug: string) =>
  (await db.maybe<{ accountId: string }>`select account_id from program_slugs where slug = ${slug}`)?.accountId

export const getPublicId = (db: Queryable, accountId: string) => db.value<string>`
  select public_id from accounts where id = ${accountId}`

/** The present addresses of these accounts' pages, also of those that are off. */
export const listSlugs = (db: Queryable, accountIds: string[]) => db.many<{ accountId: string; slug: string }>`
  select account_id, slug from programs where account_id = any(${accountIds}::uuid[]) and slug is not null`

export const applicationTable = table('applications', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  status: c.text<ApplicationStatus>(),
  firstName: c.text().null(),
  lastName: c.text().null(),
  email: c.text().null(),
  answers: c.json<Application['answers']>(),
  language: c.text().null(),
  flags: c.textsOf<ApplicationFlag>(),
  networkHash: c.bytes.null().unread(),
  agreementVersion: c.integer.null().fixed(),
  /** Of the text that was shown where it was ticked. */
  agreementLanguage: c.text().null().fixed(),
  agreementNetwork: c.text().null().fixed(),
  parentPartnerId: c.uuid.null(),
  parentProblem: c.text<ParentProblem>().null(),
  groupId: c.uuid.null(),
  reason: c.text<RejectionReason>().null(),
  message: c.text().null(),
  answeredAt: c.instant.null(),
  confirmedAt: c.instant.null(),
  decidedAt: c.instant.null(),
  decidedBy: c.uuid.null(),
  partnerId: c.uuid.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})
export type ApplicationRow = RowOf<typeof applicationTable>

/** A row with the names of persons and of the group beside their ids. */
export type NamedApplication = ApplicationRow & {
  parentPartnerName: string | null
  decider: string | null
  groupName: string | null
  groupDeleted: boolean
}

/** Columns of a {@link NamedApplication} `t`. */
export const namedColumns = (accountId: string): Sql => sql`${applicationTable.from('t')},
  (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = t.parent_partner_id)
    as parent_partner_name,
  (select ${personNameSql(sql`u`)} from users u where u.id = t.decided_by) as decider,
  (select g.name from groups g where g.account_id = ${accountId} and g.id = t.group_id) as group_name,
  exists (select from groups g where g.account_id = ${accountId} and g.id = t.group_id and g.deleted_at is not null)
    as group_deleted`

export const applicationById = (db: Queryable, accountId: string, id: string) => db.maybe<NamedApplication>`
  select ${namedColumns(accountId)} from applications t where t.account_id = ${accountId} and t.id = ${id}`

/** Call it under the lock of the account's partners. */
export const lockApplication = (tx: Transaction, accountId: string, id: string) => tx.maybe<ApplicationRow>`
  select ${applicationTable.from('t')} from applications t
  where t.account_id = ${accountId} and t.id = ${id} for update`

/** Deletes the unconfirmed applications with this e-mail, but for this one. */
export const deleteUnconfirmed = (tx: Transaction, accountId: string, email: string, except: string) => tx.run`
  delete from applications
  where account_id = ${accountId} and email = ${email} and status = 'unconfirmed' and id <> ${except}`

export const isWaiting = (db: Queryable, accountId: string, email: string) => db.maybe`
  select from applications where account_id = ${accountId} and email = ${email} and status = 'waiting'`

/** Returns when the newest application with this e-mail, or its hash, was rejected. */
export async function rejectedAt(db: Queryable, accountId: string, { email, hash }: { email: string; hash: Buffer }) {
  const row = await db.maybe<{ decidedAt: string }>`
    select decided_at from applications
    where account_id = ${accountId} and status = 'rejected' and (email = ${email} or email_hash = ${hash})
    order by decided_at desc limit 1`
  return row?.decidedAt
}

/** Returns whether as many applications wait as may. */
export const areFull = (db: Queryable, accountId: string, most: number) => db.value<boolean>`
  select count(*) >= ${most}::integer as full from (
    select from applications where account_id = ${accountId} and status = 'waiting' limit ${most}) waiting`

/**
 * Returns the facts known about an applicant: whether they bought, were a partner, and whether others applied from the
 * same network.
 */
export const findApplicantFlags = (
  db: Queryable,
  accountId: string,
  { id, email, since }: { id: string; email: string; since: Date },
) => db.one<{ customer: boolean; formerPartner: boolean; sameNetwork: boolean }>`
  select
    exists (select from leads l join sales s on s.account_id = l.account_id and s.lead_id = l.id
      where l.account_id = ${accountId} and l.email = ${email} and s.status <> 'void' and not s.is_test) as customer,
    exists (select from partners p where p.account_id = ${accountId} and p.email = ${email} and p.state <> 'active')
      or exists (select from former_emails f join partners p on p.account_id = f.account_id and p.id = f.partner_id
        where f.account_id = ${accountId} and f.email = ${email} and p.state <> 'active') as former_partner,
    exists (select from applications a join applications o on o.account_id = a.account_id and o.network_hash = a.network_hash
      where a.account_id = ${accountId} and a.id = ${id} and o.id <> a.id and o.created_at >= ${since}
        and o.email is distinct from a.email and not 'automatic' = any(o.flags)) as same_network`

/** Returns the group as stored with an application: null for the default one, whose id is the account's. */
export const storedGroup = (accountId: string, groupId: string | null | undefined) =>
  groupId && groupId !== accountId ? groupId : null

/** Returns whether this group was deleted; the default one never is. */
export const isGroupDeleted = (db: Queryable, accountId: string, groupId: string | null) => db.value<boolean>`
  select exists (select from groups
    where account_id = ${accountId} and id = ${groupId} and deleted_at is not null) as deleted`

/** The group with this address of its page; undefined also for one that was deleted. */
export const groupBySlug = (db: Queryable, accountId: string, joinSlug: string) => db.maybe<{
  id: string
  publicName: string | null
  translations: Group['translations']
  joinSlug: string
  reward: GroupReward | null
}>`
  select id, public_name, translations, join_slug, reward from groups
  where account_id = ${accountId} and join_slug = ${joinSlug} and deleted_at is null`

export type FriendsOffer = { percentOff: number | null; amountOff: number | null; currency: string | null }

/** Returns the discount that the first rule for this group gives friends: the codes of its partners are made by it. */
export const findOfferOfGroup = async (db: Queryable, accountId: string, groupId: string) =>
  (await db.maybe<FriendsOffer>`
    select (r.rule ->> 'percentOff')::float as percent_off, (r.rule ->> 'amountOff')::bigint as amount_off,
      r.rule ->> 'currency' as currency
    from provider_shops s cross join lateral jsonb_array_elements(s.code_rules) with ordinality as r (rule, place)
    where s.account_id = ${accountId}
      and (coalesce(r.rule -> 'groupIds', 'null') = 'null' or r.rule -> 'groupIds' ? ${groupId})
      and exists (select from provider_connections c where c.shop_id = s.id and c.disconnected_at is null)
    order by s.created_at, s.id, r.place limit 1`) ?? null

/** The present partner with this e-mail; a suspended or archived one is none. */
export const isPartner = (db: Queryable, accountId: string, email: string) => db.maybe`
  select from partners where account_id = ${accountId} and email = ${email} and state = 'active'`
