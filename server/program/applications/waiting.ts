import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, sql } from '../../platform/database/sql.ts'
import { countInWords } from '../../platform/format-values.ts'
import { dayFilter } from '../../platform/http/list.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Watched } from '../dashboard/dashboard.ts'
import { fullNameSql, partnerNameSql } from '../partner-directory/partner-names.ts'

/** Applications that wait for a decision, by the rule of the list that the link opens. */
export const waitingApplications: Watched = {
  kind: 'waiting-applications',
  link: '/partners?tab=applications&status=waiting',
  inWords: (count) => `${countInWords(count, 'application')} waiting`,
  count: (db, accountId) => db.one<{ count: number; since: string | null }>`
    select count(*) as count, min(created_at) as since from applications
    where account_id = ${accountId} and status = 'waiting'`,
}

/** Counts the applications of these days, in the account's time zone, without unconfirmed ones. */
export const applicationsBetween = (
  db: Queryable,
  { id, timeZone }: Pick<AccountFacts, 'id' | 'timeZone'>,
  { from, to }: { from: string; to: string },
) => db.value<number>`
  select count(*) from applications t
  where t.account_id = ${id} and t.status <> 'unconfirmed' and ${joinSql(
    dayFilter(sql`t.created_at`, timeZone, from, to).filter((filter) => filter !== undefined),
    ' and ',
  )}`

type Applicant = { name: string; recruiter: string | null; flagged: boolean }

/** Returns the applicants among these who still wait, the oldest first. */
export const waitingAmong = (db: Queryable, accountId: string, ids: string[]) => db.many<Applicant>`
  select ${fullNameSql(sql`t`)} as name, t.flags <> '{}' as flagged,
    (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = t.parent_partner_id)
      as recruiter
  from applications t
  where t.account_id = ${accountId} and t.status = 'waiting' and t.id = any(${ids}::uuid[])
  order by t.created_at, t.id`
