import type { Queryable } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { countInWords } from '#server/platform/format-values.ts'
import type { Watched } from '#server/program/dashboard/dashboard.ts'
import { partnerNameSql } from '#server/program/partner-directory/partner-names.ts'

/** Claims without a decision, by the rule of the list that the link opens. */
export const openClaims: Watched = {
  kind: 'open-claims',
  link: '/claims?state=open',
  inWords: (count) => countInWords(count, 'claim of a missing sale', 'claims of missing sales'),
  count: (db, accountId) => db.one<{ count: number; since: string | null }>`
    select count(*) as count, min(created_at) as since from claims
    where account_id = ${accountId} and state = 'open'`,
}

/** A claim as mails contain it: without the customer's e-mail. */
type InMail = {
  id: string
  partnerName: string
  orderId: string | null
  day: string | null
  state: 'open' | 'accepted' | 'refused'
  reason: string | null
}

/** Returns these claims for a mail, the oldest first. */
export const claimsForMail = (db: Queryable, accountId: string, ids: string[]) => db.many<InMail>`
  select t.id, t.order_id, t.day, t.state, t.reason,
    (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = t.partner_id)
      as partner_name
  from claims t where t.account_id = ${accountId} and t.id = any(${ids}::uuid[])
  order by t.created_at, t.id`
