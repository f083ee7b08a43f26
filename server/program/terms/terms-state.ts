import type { Language } from '#contract/language.ts'
import { isSimple, simpleTerms } from '#contract/simple-terms.ts'
import { mistakeInTerms, type Terms, type TermsChange, type TermsState, type TermsVersion } from '#contract/terms.ts'
import type { CommissionSettings, ListQuery } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { listPage } from '../../platform/http/list.ts'
import { eitherName } from '../../platform/http/parse.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { type PublicName, publicNameColumns, readPublicName } from '../access/public-names.ts'
import { lockUnlessErased } from '../partner-directory/erased-partner.ts'
import { partnerNameSql, personNameSql } from '../partner-directory/partner-names.ts'
import { type Referred, termsInForce } from './in-force.ts'
import { type SavedTerms, saveRates, saveTerms, type TermsSubject } from './save-terms.ts'

/** The versions of a subject as a table `t`; an id in the order of the log. The default group, with its account's id, has none. */
const versionsOf = (accountId: string, { kind, id }: TermsSubject) => sql`(
  select l.account_id, l.number, l.terms, row_number() over (order by l.number)::integer as version, l.applies_to,
    l.saved_at, l.saved_at as created_at, l.note, ${personNameSql(sql`u`)} as saved_by,
    ('00000000-0000-0000-0000-' || lpad(to_hex(l.number), 12, '0'))::uuid as id
  from terms_log l left join users u on u.id = case when l.saved_by like 'user:%' then substr(l.saved_by, 6)::uuid end
  where l.account_id = ${accountId} and l.subject_id = ${id} and l.subject = ${kind}) t`

const columns = sql`t.version, t.applies_to, t.saved_at, t.saved_by, t.note, t.terms`

/** Lists the versions of a subject's terms. */
export const listTerms = (db: Queryable, accountId: string, subject: TermsSubject, query: ListQuery) =>
  listPage<TermsVersion>(db, query, { columns, from: versionsOf(accountId, subject), scope: sql`true`, filters: [] })

const newestOf = (db: Queryable, accountId: string, subject: TermsSubject) => db.maybe<TermsVersion>`
  select ${columns} from ${versionsOf(accountId, subject)} order by t.number desc limit 1`

/**
 * Returns the terms of an account, a group, a link or a partner, and those in force for customers referred now. `as` the
 * partner, rules have their names, without ids, codes and keys, and a group its public name.
 */
export async function readTerms(
  db: Queryable,
  accountId: string,
  subject: TermsSubject,
  as: Access['as'] = 'owner',
  wanted: Language | null = null,
): Promise<TermsState> {
  const newest = await newestOf(db, accountId, subject)
  const instants = [db.now, ...(await formerTimes(db, accountId, subject))].map((at) =>
    referredAt(accountId, subject, at),
  )
  const found = await termsInForce(db, instants)
  const [now, ...earlier] = instants.map(({ id }) => found.get(id)!)
  const { source, sourceId, terms, number } = now!
  const { version, recurringMonths } = await db.one<{ version: number; recurringMonths: number | null }>`
    select recurring_months, (
      select count(*) from terms_log where account_id = ${accountId} and subject_id = ${sourceId} and number <= ${number}) as version
    from accounts where id = ${accountId}`
  const toPartner = as === 'partner'
  const sourceName = await nameOfTerms(db, accountId, sourceId, { toPartner, wanted })
  return {
    own: newest?.terms ?? null,
    version: newest?.version ?? 0,
    appliesTo: newest?.appliesTo ?? null,
    savedAt: newest?.savedAt ?? null,
    savedBy: newest?.savedBy ?? null,
    note: newest?.note ?? null,
    inForce: {
      source,
      sourceName,
      version,
      sourceId: toPartner && source === 'group' ? null : sourceId,
      terms: toPartner ? withoutIds(terms) : terms,
      recurringMonths,
    },
    olderCustomersDiffer: earlier.some((former) => JSON.stringify(former.terms) !== JSON.stringify(terms)),
  }
}

type Naming = { toPartner?: boolean; wanted?: Language | null }

/**
 * Returns the name of the account, group, link or partner that has terms; `toPartner`: a group's public name, if any, in
 * the wanted language, and no e-mail, which a portal never shows.
 */
export async function nameOfTerms(
  db: Queryable,
  accountId: string,
  subjectId: string,
  { toPartner = false, wanted = null }: Naming = {},
): Promise<string> {
  const group =
    toPartner && wanted !== null && subjectId !== accountId
      ? await db.maybe<PublicName>`
          select ${publicNameColumns} from groups g where g.account_id = ${accountId} and g.id = ${subjectId}`
      : undefined
  return (group && readPublicName(group, wanted)) ?? (await nameAsWritten(db, accountId, subjectId, toPartner))
}

const nameAsWritten = (db: Queryable, accountId: string, subjectId: string, toPartner: boolean) => db.value<string>`
  select coalesce(
    (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = ${subjectId}),
    (select ${toPartner ? sql`g.public_name` : sql`g.name`} from groups g
      where g.account_id = ${accountId} and g.id = ${subjectId} and g.id <> ${accountId}),
    (select b.name from link_blueprints b where b.account_id = ${accountId} and b.id = ${subjectId}),
    (select coalesce(a.name, ${toPartner ? sql`null` : sql`u.email`}, '(Anonymous account)') from accounts a left join users u on u.id = a.owner_id
      where a.id = ${accountId}))`

/** Returns terms as partners read them. */
const withoutIds = ({ rules, ...rest }: Terms): Terms => ({
  ...rest,
  rules: rules.map(({ when, ...rule }) => {
    const { products: _, promotionCode: __, metadata: ___, ...shown } = when
    return { ...rule, when: shown }
  }),
})

/** A customer of the subject who was referred then; a group replaces the partner. */
const referredAt = (accountId: string, { kind, id }: TermsSubject, at: Date): Referred => ({
  id: newId(),
  accountId,
  partnerId: kind === 'partner' || kind === 'group' ? id : NIL,
  blueprintId: kind === 'link' ? id : null,
  referredAt: at.toISOString(),
})

/** Versions for new customers alone whose former terms are looked at, the latest first. */
const LOOKED_AT = 100

/**
 * Returns the last moments before a version or a move for new customers alone, if the subject had a customer by then:
 * other terms in force at one of them still hold for someone.
 */
async function formerTimes(db: Queryable, accountId: string, { kind, id }: TermsSubject): Promise<Date[]> {
  const ofAccount = sql`l.partner_id is not null`
  const ofSubject = {
    account: ofAccount,
    group:
      id === accountId
        ? ofAccount
        : sql`l.partner_id in (
      select p.id from partners p where p.account_id = ${accountId} and p.group_id = ${id})`,
    link: sql`l.blueprint_id = ${id}`,
    partner: sql`l.partner_id = ${id}`,
  }
  const moves = sql`terms_log m where m.account_id = ${accountId} and m.partner_id = ${id}`
  const rows = await db.many<{ at: string }>`
    select t.saved_at - interval '1 millisecond' as at
    from terms_log t cross join (
      select l.created_at from leads l where l.account_id = ${accountId} and ${ofSubject[kind]} order by l.created_at limit 1) first
    where t.account_id = ${accountId} and (t.partner_id = ${id} or t.subject_id = any(
        ${[id, accountId]}::uuid[] || array(select distinct m.group_id from ${moves} and m.group_id is not null)))
      and t.applies_to = 'new-customers' and t.saved_at > first.created_at
    order by t.number desc limit ${LOOKED_AT}`
  return rows.map(({ at }) => new Date(at))
}

/**
 * Saves the next version of a subject's terms, and returns its terms.
 * Refuses: an account without terms; terms of the default group, or of an erased partner; a mistake in the terms; `conflict` if there is a later
 * version than the one the caller knows.
 */
export async function changeTerms(
  tx: Transaction,
  by: Author,
  accountId: string,
  subject: TermsSubject,
  { terms, appliesTo, note = null, replaces, ...change }: TermsChange,
): Promise<TermsState> {
  if (!terms && subject.kind === 'account') throw wrongField('terms', 'account_needs_terms')
  if (subject.kind === 'group' && subject.id === accountId) throw refusal('default_group_fixed')
  if (terms) checkTerms(terms)
  await blockBookings(tx, accountId)
  if (subject.kind === 'partner') await lockUnlessErased(tx, accountId, subject.id)
  const before = await newestOf(tx, accountId, subject)
  const version = before?.version ?? 0
  if (replaces !== undefined && replaces !== version)
    throw refusal('terms_changed_meanwhile', { version }, { details: { version } })
  const saved = { terms, appliesTo, note, notifyPartners: eitherName(change, 'notifyPartners') ?? false }
  if (await saveTerms(tx, by, accountId, subject, saved)) await recordVersion(tx, by, accountId, subject, before, saved)
  return readTerms(tx, accountId, subject)
}

/**
 * Saves percentages alone, as `commissionSettings` does: terms without rules, amounts or caps, for all sales, or none.
 * The record also shows terms that the percentages of before and after don't. The caller keeps bookings out. Returns whether a
 * version was added.
 */
export async function changeRates(
  tx: Transaction,
  by: Author,
  accountId: string,
  subject: TermsSubject,
  settings: CommissionSettings | null,
): Promise<boolean> {
  const terms = settings && simpleTerms(settings)
  const before = await newestOf(tx, accountId, subject)
  if (!(await saveRates(tx, by, accountId, subject, settings))) return false
  const former = before?.terms ?? null
  const isShown = isSimple(former) && String(former?.otherwise.layerRates) !== String(settings?.layerRates)
  if (!isShown) await recordVersion(tx, by, accountId, subject, before, { terms, appliesTo: 'all-sales' })
  return true
}

const recordVersion = (
  tx: Transaction,
  by: Author,
  accountId: string,
  { kind, id }: TermsSubject,
  before: TermsVersion | undefined,
  { terms, appliesTo, note }: SavedTerms,
) =>
  recordActivity(tx, by, accountId, 'terms.saved', {
    id,
    of: kind === 'link' ? 'link-blueprint' : kind,
    changes: {
      version: { old: before?.version ?? null, new: (before?.version ?? 0) + 1 },
      terms: { old: before?.terms ?? null, new: terms },
      appliesTo: { old: null, new: appliesTo },
      ...(note && { note: { old: null, new: note } }),
    },
  })

/** Refuses: a mistake that concerns several fields of the terms. */
export function checkTerms(terms: Terms, field = 'terms') {
  const mistake = mistakeInTerms(terms)
  if (mistake) throw wrongField(`${field}.${mistake.field}`, mistake.reason)
}
