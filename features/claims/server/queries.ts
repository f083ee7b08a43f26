import { NIL } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { type Sql, sql } from '#server/platform/database/sql.ts'
import { c, type RowOf, table } from '#server/platform/database/table.ts'
import { partnerNameSql, personNameSql } from '#server/program/partner-directory/partner-names.ts'
import type { ClaimState } from '../contract.ts'

export const claimTable = table('claims', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  partnerId: c.uuid.fixed(),
  state: c.text<ClaimState>(),
  orderId: c.text().null().fixed(),
  orderKey: c.text().null().fixed(),
  email: c.text().null(),
  day: c.date.null().fixed(),
  note: c.text().null(),
  reason: c.text().null(),
  saleId: c.uuid.null(),
  leadId: c.uuid.null(),
  decidedAt: c.instant.null(),
  decidedBy: c.uuid.null(),
  question: c.text().null(),
  askedAt: c.instant.null(),
  answer: c.text().null(),
  answeredAt: c.instant.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})
export type ClaimRow = RowOf<typeof claimTable>

/** A row with everything its partner may see. */
export type OwnClaim = ClaimRow & { partnerName: string }

/** A row as the team sees it; `leadOfIt` is the lead it was accepted for, or that of its sale, if they still exist. */
export type NamedClaim = OwnClaim & {
  decider: string | null
  hasSale: boolean
  leadOfIt: string | null
}

/** Columns of an {@link OwnClaim} `t`: none that is looked up among sales or leads. */
export const ownColumns = (accountId: string): Sql => sql`${claimTable.from('t')},
  (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = t.partner_id)
    as partner_name`

/** Columns of a {@link NamedClaim} `t`. */
export const namedColumns = (accountId: string): Sql => sql`${ownColumns(accountId)},
  (select ${personNameSql(sql`u`)} from users u where u.id = t.decided_by) as decider,
  -- looked up for the rows that are shown: without the offset, the planner reads all sales at once
  exists (select from sales s where s.account_id = ${accountId} and s.id = t.sale_id offset 0) as has_sale,
  coalesce((select s.lead_id from sales s where s.account_id = ${accountId} and s.id = t.sale_id),
    (select l.id from leads l where l.account_id = ${accountId} and l.id = t.lead_id)) as lead_of_it`

export const ownClaimById = (db: Queryable, accountId: string, id: string) => db.one<OwnClaim>`
  select ${ownColumns(accountId)} from claims t where t.account_id = ${accountId} and t.id = ${id}`

export const claimById = (db: Queryable, accountId: string, id: string) => db.maybe<NamedClaim>`
  select ${namedColumns(accountId)} from claims t where t.account_id = ${accountId} and t.id = ${id}`

export const lockClaim = (tx: Transaction, accountId: string, id: string) => tx.maybe<ClaimRow>`
  select ${claimTable.from('t')} from claims t where t.account_id = ${accountId} and t.id = ${id} for update`

/** Prevents other claims of this partner until the transaction ends. */
export const lockClaims = (tx: Transaction, accountId: string, partnerId: string) => tx.one`
  select id from partners where account_id = ${accountId} and id = ${partnerId} for no key update`

export const isActivePartner = async (db: Queryable, accountId: string, partnerId: string) =>
  (await db.maybe`
    select from partners where account_id = ${accountId} and id = ${partnerId} and state = 'active'`) !== undefined

type Named = { orderKey: string | null; email: string | null; day: string | null }

export const openClaim = (db: Queryable, accountId: string, partnerId: string, { orderKey, email, day }: Named) =>
  db.maybe<{ id: string }>`
    select id from claims
    where account_id = ${accountId} and partner_id = ${partnerId} and state = 'open'
      and (order_key = ${orderKey} or (email = ${email} and day = ${day}::date))`

export const countClaims = (db: Queryable, accountId: string, partnerId: string, { since }: { since: Date }) =>
  db.one<{ open: number; recent: number }>`
    select count(*) filter (where state = 'open') as open, count(*) filter (where created_at >= ${since}) as recent
    from claims where account_id = ${accountId} and partner_id = ${partnerId} and (state = 'open' or created_at >= ${since})`

/** Other claims of the account that name one of these, or were accepted for this sale. */
export const claimsNaming = (
  db: Queryable,
  accountId: string,
  { except, keys, emails, saleId }: { except: string; keys: string[]; emails: string[]; saleId: string | null },
) => db.many<Pick<NamedClaim, 'id' | 'partnerId' | 'partnerName' | 'state' | 'createdAt'>>`
  select t.id, t.partner_id, t.state, t.created_at,
    (select ${partnerNameSql(sql`p`)} from partners p where p.account_id = ${accountId} and p.id = t.partner_id)
      as partner_name
  from claims t
  where t.account_id = ${accountId} and t.id <> ${except}
    and (t.order_key = any(${keys}) or t.email = any(${emails}) or t.sale_id = ${saleId})
  order by t.created_at desc, t.id desc limit 20`

/** Clicks of a partner on these days, bots left out. */
export const countClicks = (
  db: Queryable,
  accountId: string,
  partnerId: string,
  { from, to }: { from: string; to: string },
) => db.one<{ count: number; lastDay: string | null }>`
  select coalesce(sum(clicks), 0)::bigint as count, max(day) filter (where clicks > 0) as last_day from day_stats
  where account_id = ${accountId} and partner_id = ${partnerId} and blueprint_id = ${NIL}
    and day between ${from}::date and ${to}::date`
