import type { GroupReward } from '#contract/groups.ts'
import type { Reach, Terms, TermsSource } from '#contract/terms.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { TermsSubject } from './save-terms.ts'

/** A sale, or a customer whose sale it would be. */
export type Referred = {
  id: string
  accountId: string
  partnerId: string
  /** The link that made the lead. */
  blueprintId: string | null
  /** When the customer got this partner, ISO 8601: later versions for new customers alone don't touch them. */
  referredAt: string
  /** Its lead, whose facts rules may need. */
  leadId?: string | null
  /** The provider's account that reports it, and its customer there. */
  shopId?: string | null
  customerId?: string | null
}

export type TermsInForce = {
  id: string
  source: TermsSource
  sourceId: string
  terms: Terms
  /** How the partner's group gives what they earn; null unless it is one of customers. */
  reward: GroupReward | null
  /** Place of the terms in the account's log. */
  number: number
  /** Highest place in the log: the terms were chosen among those up to it. */
  seen: number
  /** Some terms of the account depend on the place of a sale among its customer's. */
  placesCount: boolean
}

/** Whether any terms that an account ever had depend on the place of a sale; as the index of the log has it. */
export const placesCount = (account: Sql | string) => sql`exists (select from terms_log where account_id = ${account}
  and jsonb_path_exists(terms, '$.rules[*].when ? (exists(@.firstPayments) || exists(@.firstMonths))'))`

/**
 * Returns the terms of each sale: of the referring partner, else of their group, else of the link, else of the account,
 * each as in their newest version, and the group as in the newest move, that touches the customer (terms.md, rules 5
 * and 8). One statement, however many sales; keyed by sale.
 * `log` replaces the table for a version that is not saved.
 */
export async function termsInForce(
  db: Queryable,
  sales: Referred[],
  log = sql`terms_log`,
): Promise<Map<string, TermsInForce>> {
  if (sales.length === 0) return new Map()
  const account = eachAccount(
    sales.map(({ accountId }) => accountId),
    sql`s.account_id`,
  )
  const newestOf = (condition: Sql) => sql`
    ${log} l where l.account_id = ${account} and ${condition} and (l.applies_to = 'all-sales' or l.saved_at <= s.referred_at)
    order by l.number desc limit 1`
  const group = sql`(select l.group_id from ${newestOf(sql`l.partner_id = s.partner_id`)})`
  const rows = await db.many<TermsInForce>`
    select s.id, t.subject as source, t.subject_id as source_id, t.terms, t.number,
      (select max(number) from terms_log where account_id = ${account}) as seen,
      ${placesCount(account)} as places_count,
      (select g.reward from partners p join groups g on g.account_id = ${account} and g.id = p.group_id
        where p.account_id = ${account} and p.id = s.partner_id) as reward
    from unnest(${sales.map(({ id }) => id)}::uuid[], ${sales.map(({ accountId }) => accountId)}::uuid[],
        ${sales.map(({ partnerId }) => partnerId)}::uuid[], ${sales.map(({ blueprintId }) => blueprintId)}::uuid[],
        ${sales.map(({ referredAt }) => referredAt)}::timestamptz[])
        as s (id, account_id, partner_id, blueprint_id, referred_at)
      cross join lateral (
        select newest.* from (values (1, s.partner_id), (2, ${group}), (3, s.blueprint_id), (4, ${account}))
            as asked (place, subject_id)
          cross join lateral (
            select l.number, l.subject, l.subject_id, l.terms from ${newestOf(sql`l.subject_id = asked.subject_id`)}) newest
        where newest.terms is not null order by asked.place limit 1) t`
  return new Map(rows.map((row) => [row.id, row]))
}

/** A version that is not saved yet; for new customers alone, those referred from `since` on. */
export type UnsavedTerms = {
  subject: TermsSubject
  terms: Terms | null
  appliesTo: Reach
  since: string
}

/** Place in the log of a row that is not saved: after all others. */
export const UNSAVED = 2_147_483_647

const logAnd = (row: Sql): Sql => sql`(
  select account_id, number, subject, subject_id, partner_id, group_id, terms, applies_to, saved_at from terms_log
  union all select ${row})`

/** The log with this version as its last. */
export const logWith = (accountId: string, { subject, terms, appliesTo, since }: UnsavedTerms): Sql =>
  logAnd(sql`${accountId}::uuid, ${UNSAVED}::integer, ${subject.kind}::text, ${subject.id}::uuid, null, null,
    ${terms && JSON.stringify(terms)}::jsonb, ${appliesTo}::text, ${since}::timestamptz`)

/** The log with a move of this partner to a group as its last row. */
export const logWithMove = (accountId: string, { partnerId, groupId }: { partnerId: string; groupId: string }): Sql =>
  logAnd(sql`${accountId}::uuid, ${UNSAVED}::integer, 'move', null, ${partnerId}::uuid, ${groupId}::uuid, null, 'all-sales',
    now()`)
