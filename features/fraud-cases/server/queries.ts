import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import { type Sql, sql } from '#server/platform/database/sql.ts'
import { idFilter, valueFilter } from '#server/platform/http/list.ts'
import { pageWithTotals } from '#server/platform/http/page-with-totals.ts'
import { balancePartsSql, entriesSetAside } from '#server/program/commissions/entry-status.ts'
import { isHeldBy, isOpenCase } from '#server/program/fraud/fraud-cases.ts'
import { partnerNameSql, personNameSql } from '#server/program/partner-directory/partner-names.ts'
import type { caseSubjects, FraudCase } from '../contract.ts'

export type CaseListQuery = ListQuery & {
  state?: string[] | undefined
  rule?: string[] | undefined
  partnerId?: string[] | undefined
}

type Row = Omit<FraudCase, 'leadName'> & { subject: (typeof caseSubjects)[number] }

const stateOf = (now: Date) => sql`case when ${isOpenCase(now)} then 'open' else 'decided' end`

/** Cases `t` of an account in the contract's words. */
const cases = (accountId: string, now: Date, only: Sql = sql`true`) => sql`(
  select c.id, c.account_id, case when c.sale_id is not null then 'sale' when c.lead_id is not null then 'lead' else 'partner' end as subject,
    c.sale_id, coalesce(c.lead_id, s.lead_id) as lead_id, c.partner_id, c.action, c.findings, c.opened_at, c.opened_at as created_at,
    c.held_until, ${stateOf(now)} as state, case when c.decided_at is null and c.held_until <= ${now} then 'expired' else c.decision end as decision,
    c.decided_at, c.reason, ${partnerNameSql(sql`p`)} as partner_name, p.state as partner_state,
    array(select distinct f ->> 'rule' from jsonb_array_elements(c.findings) f order by 1) as rules,
    s.amount as sale_amount, s.currency as sale_currency, a.default_currency as currency,
    (select ${personNameSql(sql`u`)} from users u where u.id = c.decided_by) as decided_by,
    c.question, c.asked_at, c.answer, c.answered_at
  from fraud_cases c
    join accounts a on a.id = c.account_id
    join partners p on p.account_id = ${accountId} and p.id = c.partner_id
    left join sales s on s.account_id = ${accountId} and s.id = c.sale_id
  where c.account_id = ${accountId} and ${only}) t`

/** Commissions of all layers, and pay for leads, that case `t` holds now. */
const heldBy = (accountId: string, now: Date) => {
  const sales = sql`sales s join commission_entries e on e.account_id = ${accountId}`
  const held = sql`s.account_id = ${accountId} and ${isHeldBy(sql`t.id`, now)}`
  return sql`coalesce((
    select sum(e.amount) from (
      select e.id from ${sales} and e.sale_id = s.id where ${held}
      union select e.id from ${sales} and e.won_sale_id = s.id where ${held}
      union select e.id from commission_entries e where e.account_id = ${accountId} and e.held_by @> array[t.id]) held
    cross join lateral (
      select t.amount from ${entriesSetAside}
      where t.account_id = ${accountId} and t.id = held.id and ${balancePartsSql(now, accountId).onHold}) e), 0)::bigint`
}

const columns = (accountId: string, now: Date) => sql`t.*, ${heldBy(accountId, now)} as held_amount, (
  select count(*) from sales s where s.account_id = ${accountId} and ${isHeldBy(sql`t.id`, now)}) as held_sales`

/** Returns a page of cases, with the number of all of them and what they hold, from one query. */
export function casesPage(db: Queryable, accountId: string, { state, rule, partnerId, ...query }: CaseListQuery) {
  const from = sql`(select ${columns(accountId, db.now)} from ${cases(accountId, db.now)}) t`
  return pageWithTotals<Row, { count: number; heldAmount: number }>(
    db,
    query,
    {
      columns: sql`t.*`,
      from,
      scope: sql`t.account_id = ${accountId}`,
      filters: [
        valueFilter(sql`t.state`, state),
        rule && sql`t.rules && ${rule}::text[]`,
        idFilter(sql`t.partner_id`, partnerId),
      ],
      sorts: { heldUntil: { by: sql`coalesce(t.held_until, timestamptz '9999-01-01')`, type: 'timestamptz' } },
    },
    { from, once: true, sums: { heldAmount: sql`t.held_amount` } },
  )
}

export const caseById = (db: Queryable, accountId: string, id: string) => db.maybe<Row>`
  select ${columns(accountId, db.now)} from ${cases(accountId, db.now, sql`c.id = ${id}`)}`

export type CaseFacts = {
  saleId: string | null
  leadId: string | null
  partnerId: string
  heldUntil: string | null
  decidedAt: string | null
  decidedBy: string | null
  question: string | null
  answer: string | null
}

/**
 * Reads a case; `lock` locks it until the transaction ends, and bookings that look for open cases of its partner wait.
 */
export const readCase = (db: Queryable, accountId: string, id: string, { lock = false } = {}) => db.maybe<CaseFacts>`
  select c.sale_id, c.lead_id, c.partner_id, c.held_until, c.decided_at, c.question, c.answer,
    (select ${personNameSql(sql`u`)} from users u where u.id = c.decided_by) as decided_by
  from fraud_cases c where c.account_id = ${accountId} and c.id = ${id} ${lock ? sql`for no key update of c` : sql``}`

/** The sales that a case holds now. */
export const salesHeldBy = (db: Queryable, accountId: string, id: string, limit?: number) => db.many<{ id: string }>`
  select s.id from sales s where s.account_id = ${accountId} and ${isHeldBy(id, db.now)} order by s.id ${limit ? sql`limit ${limit}` : sql``}`

export const countOpenCases = (db: Queryable, accountId: string) => db.one<{ count: number; since: string | null }>`
  select count(*) as count, min(c.opened_at) as since from fraud_cases c
  where c.account_id = ${accountId} and ${isOpenCase(db.now)}`
