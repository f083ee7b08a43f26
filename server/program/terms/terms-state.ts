import { mistakeInTerms, type Terms, type TermsChange, type TermsState, type TermsVersion } from '#contract/terms.ts'
import type { ListQuery } from '#contract/values.ts'
import type { By } from '../../platform/author.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recorded } from '../../platform/events/happened.ts'
import { page } from '../../platform/http/list.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { keepBookingsOut } from '../access/hold-accounts.ts'
import { fullNameSql, partnerNameSql } from '../partner-lookup/partner-names.ts'
import { type Referred, termsInForce } from './in-force.ts'
import { saveTerms, type TermsSubject } from './save-terms.ts'

/** The versions of a subject as a table `t`; an id in the order of the log. */
const versionsOf = (accountId: string, subjectId: string) => sql`(
  select l.account_id, l.number, l.terms, row_number() over (order by l.number)::integer as version, l.applies_to,
    l.saved_at, l.saved_at as created_at, l.note, coalesce(nullif(${fullNameSql(sql`u`)}, ''), u.email) as saved_by,
    ('00000000-0000-0000-0000-' || lpad(to_hex(l.number), 12, '0'))::uuid as id
  from terms_log l left join users u on u.id = case when l.saved_by like 'user:%' then substr(l.saved_by, 6)::uuid end
  where l.account_id = ${accountId} and l.subject_id = ${subjectId}) t`

const columns = sql`t.version, t.applies_to, t.saved_at, t.saved_by, t.note, t.terms`

/** Lists the versions of a subject's terms. */
export const listTerms = (db: Queryable, accountId: string, { id }: TermsSubject, query: ListQuery) =>
  page<TermsVersion>(db, query, { columns, from: versionsOf(accountId, id), scope: sql`true`, filters: [] })

const newestOf = (db: Queryable, accountId: string, { id }: TermsSubject) => db.maybe<TermsVersion>`
  select ${columns} from ${versionsOf(accountId, id)} order by t.number desc limit 1`

/** Returns the terms of an account, a link or a partner, and those in force for customers referred now. */
export async function readTerms(db: Queryable, accountId: string, subject: TermsSubject): Promise<TermsState> {
  const newest = await newestOf(db, accountId, subject)
  const asked = [db.now, ...(await formerTimes(db, accountId, subject))].map((at) => referredAt(accountId, subject, at))
  const found = await termsInForce(db, asked)
  const [now, ...earlier] = asked.map(({ id }) => found.get(id)!)
  const { source, terms, number } = now!
  const sourceId = source === 'account' ? accountId : subject.id
  const { version } = await db.one<{ version: number }>`
    select count(*) as version from terms_log where account_id = ${accountId} and subject_id = ${sourceId} and number <= ${number}`
  const name = await nameOfTerms(db, accountId, sourceId)
  return {
    own: newest?.terms ?? null,
    version: newest?.version ?? 0,
    appliesTo: newest?.appliesTo ?? null,
    savedAt: newest?.savedAt ?? null,
    savedBy: newest?.savedBy ?? null,
    note: newest?.note ?? null,
    inForce: { source, sourceId, sourceName: name, version, terms },
    olderCustomersDiffer: earlier.some((former) => JSON.stringify(former.terms) !== JSON.stringify(terms)),
  }
}

/** Returns the name of the account, link or partner that has terms. */
export const nameOfTerms = (db: Queryable, accountId: string, subjectId: string) => db.value<string>`
  select coalesce(
    (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = ${subjectId}),
    (select b.name from link_blueprints b where b.account_id = ${accountId} and b.id = ${subjectId}),
    (select coalesce(a.name, u.email, '(Anonymous account)') from accounts a left join users u on u.id = a.owner_id
      where a.id = ${accountId}))`

/** A customer of the subject who was referred then. */
const referredAt = (accountId: string, { kind, id }: TermsSubject, at: Date): Referred => ({
  id: newId(),
  accountId,
  partnerId: kind === 'partner' ? id : NIL,
  blueprintId: kind === 'link' ? id : null,
  referredAt: at.toISOString(),
})

/** Versions for new customers alone whose former terms are looked at, the latest first. */
const LOOKED_AT = 100

/**
 * Returns the last moments before a version for new customers alone, if the subject had a customer by then: other terms
 * in force at one of them still hold for someone.
 */
async function formerTimes(db: Queryable, accountId: string, { kind, id }: TermsSubject): Promise<Date[]> {
  const ofSubject = {
    account: sql`l.partner_id is not null`,
    link: sql`l.blueprint_id = ${id}`,
    partner: sql`l.partner_id = ${id}`,
  }
  const rows = await db.many<{ at: string }>`
    select t.saved_at - interval '1 millisecond' as at
    from terms_log t cross join (
      select l.created_at from leads l where l.account_id = ${accountId} and ${ofSubject[kind]} order by l.created_at limit 1) first
    where t.account_id = ${accountId} and t.subject_id = any(${[id, accountId]}::uuid[])
      and t.applies_to = 'new-customers' and t.saved_at > first.created_at
    order by t.number desc limit ${LOOKED_AT}`
  return rows.map(({ at }) => new Date(at))
}

/**
 * Saves the next version of a subject's terms, and returns its terms.
 * Refuses: an account without terms; a mistake in the terms; `conflict` if there is a later version than the one the caller knows.
 */
export async function changeTerms(
  tx: Transaction,
  by: By,
  accountId: string,
  subject: TermsSubject,
  { terms, appliesTo, note = null, replaces }: TermsChange,
): Promise<TermsState> {
  if (!terms && subject.kind === 'account') throw wrongField('terms', 'account_needs_terms')
  if (terms) checkTerms(terms)
  await keepBookingsOut(tx, accountId)
  const before = await newestOf(tx, accountId, subject)
  const version = before?.version ?? 0
  if (replaces !== undefined && replaces !== version)
    throw refusal('terms_changed_meanwhile', { version }, { details: { version } })
  if (await saveTerms(tx, by, accountId, subject, { terms, appliesTo, note }))
    await recorded(tx, by, accountId, 'terms.saved', {
      id: subject.id,
      of: subject.kind === 'link' ? 'link-blueprint' : subject.kind,
      changes: {
        version: { old: version || null, new: version + 1 },
        terms: { old: before?.terms ?? null, new: terms },
        appliesTo: { old: null, new: appliesTo },
        ...(note && { note: { old: null, new: note } }),
      },
    })
  return readTerms(tx, accountId, subject)
}

/** Refuses: a mistake that concerns several fields of the terms. */
export function checkTerms(terms: Terms, field = 'terms') {
  const mistake = mistakeInTerms(terms)
  if (mistake) throw wrongField(`${field}.${mistake.field}`, mistake.reason)
}
