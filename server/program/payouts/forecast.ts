import { MOST_PAYDAYS, type Payday, type PayoutForecast } from '#contract/balances.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { isBound } from '../commissions/earned-parts.ts'
import { holdingSale, isBonusJudged, isEntryOnHold, isHeld, salesSettingAside } from '../commissions/entry-status.ts'
import { firstPayday, isStopped, onPayday } from './blocker-conditions.ts'
import { withMethod } from './chosen-method.ts'
import { heldAndDueByPartner } from './partner-balances.ts'
import { howPaidBy } from './payout-summary.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'

/**
 * Returns a partner's coming payments: the days and the number of commissions, as `isOfPayday` lists them; only the last
 * four digits of the payout account.
 */
export const forecastOfPartner = (db: Queryable, account: AccountFacts, partnerId: string): Promise<PayoutForecast> =>
  forecast(db, account, {
    partners: (id) => sql`${id} = ${partnerId}`,
    open: undefined,
    counted: sql`sum(t.entries)`,
    destination: sql`min(t.account_last4)`,
  })

/**
 * Returns the condition under which entry `t` is part of a partner's payment of this day, or of the amount that is
 * blocked. The entries of a day add up to its amount.
 */
export async function isOfPayday(
  db: Queryable,
  account: AccountFacts,
  partnerId: string,
  payday: string,
): Promise<Sql> {
  const terms = await getPayoutTerms(db, account)
  const own = {
    partners: (id: Sql) => sql`${id} = ${partnerId}`,
    open: undefined,
    entry: sql`t.id`,
  }
  const date = payday === 'blocked' ? null : payday
  return sql`t.id in (
    ${payments(db, terms, own)}
    select t.entry_id from waiting t join calendar p on p.due = t.due and p.method = t.method
      join turns u on u.partner_id = t.partner_id and u.day = p.day
      join payouts o on o.partner_id = u.partner_id and o.turn = u.turn
    where o.date is not distinct from ${date}::date and (o.date is not null or o.amount >= ${leastOf(terms)}::bigint))`
}

/** The coming payments to a partner, of the amounts held and due. */
export type NextPayouts = {
  /** The first paydays with their amounts, in order. */
  paydays: Pick<Payday, 'date' | 'amount'>[]
  /** The amount that is paid on no payday: below the minimum, or blocked. */
  rest: number
  /** The year for which this rest could be paid, if the partner is not approved for it. */
  unapprovedYear: number | null
}

/** Returns the coming payments of these partners with anything held or due, by partner. */
export async function readNextPayouts(
  db: Queryable,
  terms: PayoutTerms,
  partnerIds: string[],
): Promise<Map<string, NextPayouts>> {
  if (partnerIds.length === 0) return new Map()
  const among = (id: Sql) => sql`${id} = any(${partnerIds}::uuid[])`
  const open = heldAndDueByPartner(terms.account.id, db.now, among(sql`t.partner_id`))
  const year = sql`date_part('year', min(t.ready_on) filter (where t.date is null))::integer`
  const rows = await db.many<NextPayouts & { partnerId: string }>`
    ${payments(db, terms, { partners: among, open })}
    select t.partner_id,
      coalesce(jsonb_agg(jsonb_build_object('date', t.date, 'amount', t.amount) order by t.date)
        filter (where t.date is not null), '[]') as paydays,
      coalesce(sum(t.amount) filter (where t.date is null), 0)::bigint as rest,
      case when ${year} <> all(n.years) then ${year} end as unapproved_year
    from payouts t join payees n on n.id = t.partner_id group by t.partner_id, n.years`
  return new Map(
    rows.map(({ partnerId, paydays, ...rest }) => [partnerId, { ...rest, paydays: paydays.slice(0, MOST_PAYDAYS) }]),
  )
}

/**
 * Returns the coming payments of all partners of two tables, those of due amounts and of `heldByDay`: a table to select
 * from, with a row for each payday of a partner and for what no payday pays, and in each what concerns the partner.
 */
export function eachPayment(db: Queryable, terms: PayoutTerms, { due, held }: { due: Sql; held: Sql }): Sql {
  const unpaid = sql`filter (where t.date is null) over by_partner`
  return sql`(
    ${payments(db, terms, { partners: () => sql`true`, open: undefined, due, held })}
    select t.partner_id, t.date as payday, t.amount, t.turn = 0 as is_first, t.days, t.amounts, t.rest,
      case when t.rest >= ${leastOf(terms)}::bigint then t.rest else 0 end as blocked,
      case when t.year <> all(n.years) then t.year end as unapproved_year,
      coalesce(not n.stopped and t.year <> all(n.years) and t.year = ${terms.year + 1}::integer, false) as waits_for_next_year
    from (
      select t.partner_id, t.date, t.amount, t.turn,
        array_agg(t.date) filter (where t.date is not null) over by_partner as days,
        array_agg(t.amount) filter (where t.date is not null) over by_partner as amounts,
        coalesce(sum(t.amount) ${unpaid}, 0)::bigint as rest,
        date_part('year', min(t.ready_on) ${unpaid})::integer as year
      from payouts t window by_partner as (partition by t.partner_id order by t.turn
        rows between unbounded preceding and unbounded following)
    ) t join payees n on n.id = t.partner_id
    -- the last payday leaves nothing
    where t.turn = 0 or t.date is not null or t.amount <> 0)`
}

/** Returns the account's coming payments: the days and the number of payouts. */
export const forecastOfAccount = (db: Queryable, account: AccountFacts): Promise<PayoutForecast> =>
  forecast(db, account, {
    partners: () => sql`true`,
    open: heldAndDueByPartner(account.id, db.now),
    counted: sql`count(*)`,
    destination: sql`null::text`,
  })

type Reading = {
  partners: (id: Sql) => Sql
  /** The held and due amounts by partner; undefined when entries are counted: then due ones are read one by one too. */
  open: Sql | undefined
  /** The due amounts by partner, and the held ones of `heldByDay`, if the query has read them already. */
  due?: Sql
  held?: Sql
  /** The entry itself; omitted if a day's amounts are enough. */
  entry?: Sql
  counted: Sql
  destination: Sql
}

/** A payday; the row without a date is the blocked amount. */
type Row = Omit<Payday, 'date' | 'destination'> & { date: string | null; destination: string | null }

async function forecast(db: Queryable, account: AccountFacts, reading: Reading): Promise<PayoutForecast> {
  const terms = await getPayoutTerms(db, account)
  const rows = await read(db, terms, reading)
  const days = rows.flatMap(({ date, destination, ...day }) =>
    date === null ? [] : [{ date, ...day, ...(destination === null ? {} : { destination }) }],
  )
  const { amount, count } = rows.find(({ date }) => date === null) ?? { amount: 0, count: 0 }
  return {
    currency: account.defaultCurrency,
    days: days.slice(0, MOST_PAYDAYS),
    blocked: { amount, count },
    get howPaid() {
      return howPaidBy(terms)
    },
  }
}

const read = (db: Queryable, terms: PayoutTerms, reading: Reading) => db.many<Row>`
  ${payments(db, terms, reading)}
  select t.date, sum(t.amount)::bigint as amount, ${reading.counted}::integer as count, ${reading.destination} as destination
  from payouts t where t.date is not null or t.amount >= ${leastOf(terms)}::bigint
  group by t.date order by t.date nulls first limit ${MOST_PAYDAYS + 1}`

type Unbound = { partners: (id: Sql) => Sql; isOpen: boolean; entry: Sql }

/** The amounts in no payout by partner and the day on which they become due: the held ones, with `isOpen` due ones too. */
const unboundByDay = (now: Date, { account, today }: PayoutTerms, { partners, isOpen, entry }: Unbound) => sql`
  select t.partner_id, ${entry} as entry_id, sum(t.amount)::bigint as amount, count(*) as entries,
    -- a bonus whose last judgement was missed is due the next night
    greatest((t.available_at at time zone ${account.timeZone})::date,
      case when ${isBonusJudged(account.id)} then ${today}::date + 1 end) as day
  from commission_entries t left join ${salesSettingAside} on s.account_id = t.account_id and s.id = ${holdingSale}
  where t.account_id = ${account.id} and ${partners(sql`t.partner_id`)} and not ${isEntryOnHold(now, account.id)}
    ${isOpen ? sql`` : sql`and ${isHeld(now, account.id)}`} and not ${isBound(account.id)}
  group by 1, 2, 5`

/** Returns the held amounts of an account by partner and the day on which they become due: a query. */
export const heldByDay = (now: Date, terms: PayoutTerms) =>
  unboundByDay(now, terms, { partners: () => sql`true`, isOpen: false, entry: sql`null::uuid` })

const leastOf = ({ account }: PayoutTerms) => Math.max(account.minimumPayout, 1)

/**
 * Groups each partner's days and the amounts that become due on them into turns that end with a payday, as `payouts`.
 * After the last day, an unblocked rest is below the minimum; a rest that reaches the minimum is blocked.
 */
function payments(
  db: Queryable,
  terms: PayoutTerms,
  { partners, open, due, held, entry = sql`null::uuid` }: Omit<Reading, 'counted' | 'destination'>,
): Sql {
  const { account, year } = terms
  const least = sql`${leastOf(terms)}::bigint`
  const isDaily = account.paydays.every === 'day'
  const day = isDaily ? sql`t.due` : sql`p.day`
  // paid on the first possible day, however long it has been due
  const known =
    due ??
    (open &&
      sql`(select t.partner_id, sum(t.amount)::bigint as amount
        from (select * from ${open} o union all select partner_id, -amount from unbound) t
        group by t.partner_id having sum(t.amount) <> 0)`)
  const dueToday =
    known &&
    sql`union all select t.partner_id, ${terms.today}::date, null::uuid, t.amount, 0,
      t.partner_id not in (select partner_id from unbound) from ${known} t`
  return sql`
    with unbound as materialized (${held ?? unboundByDay(db.now, terms, { partners, isOpen: open === undefined, entry })}
    ), dues as materialized (
      select partner_id, day, entry_id, amount, entries, false as alone from unbound ${dueToday ?? sql``}
    ), payees as materialized (
      select n.id, n.approved_payout_years as years, d.account_last4, w.method, ${isStopped(terms, db.now)} as stopped,
        -- a partner approved only from the next year on is not paid before
        case when ${year}::integer = any(n.approved_payout_years) or not ${year}::integer + 1 = any(n.approved_payout_years)
          then ${firstPayday(terms, db.now)}
          else greatest(${firstPayday(terms, db.now)}, make_date(${year}::integer + 1, 1, 1)) end as first_day
      -- looked up one by one: few of an account's partners have a due, and a join would read all
      from (select distinct partner_id from dues) t
        cross join lateral (select n.* from partners n
          where n.account_id = ${account.id} and n.id = t.partner_id and ${partners(sql`n.id`)} offset 0) n
        left join lateral (select d.* from payout_settings d
          where d.account_id = ${account.id} and d.partner_id = t.partner_id offset 0) d on true
        ${withMethod(terms)}
    ), waiting as materialized (
      select t.*, greatest(t.day, n.first_day) as due, n.method, n.account_last4, n.stopped, n.years
      from dues t join payees n on n.id = t.partner_id
    ), calendar as materialized (
      -- computed once a date, however many wait for it
      select w.due, w.method, ${onPayday(terms, sql`w.due`)} as day
      from (select distinct due, method from waiting) w
    ), scheduled as (
      select t.partner_id, t.account_last4, t.amount, t.entries, t.alone, ${day} as day,
        case when not t.stopped and date_part('year', ${day})::integer = any(t.years) then ${least} end as threshold
      from waiting t ${isDaily ? sql`` : sql`join calendar p on p.due = t.due and p.method = t.method`}
    ), days as (
      select t.partner_id, t.day, min(t.account_last4) as account_last4, min(t.threshold) as threshold,
        sum(t.amount)::bigint as amount, sum(t.entries) as entries
      from scheduled t where not t.alone group by t.partner_id, t.day
    ), carried as (
      select t.*, carry(t.amount, t.threshold) over by_day as unpaid
      from days t window by_day as (partition by t.partner_id order by t.day)
    ), paid as (
      select t.*, coalesce(lag(t.unpaid) over by_day, 0) + t.amount >= t.threshold as pays
      from carried t window by_day as (partition by t.partner_id order by t.day)
    ), turns as (
      select t.*, coalesce(count(*) filter (where t.pays) over before, 0) as turn
      from paid t window before as (partition by t.partner_id order by t.day rows between unbounded preceding and 1 preceding)
    ), payouts as (
      select t.partner_id, min(t.account_last4) as account_last4, t.turn, max(t.day) filter (where t.pays) as date,
        sum(t.amount)::bigint as amount, sum(t.entries) as entries, min(t.day) filter (where t.unpaid >= ${least}) as ready_on
      from turns t group by t.partner_id, t.turn
      union all
      -- an only day carries nothing over
      select t.partner_id, t.account_last4, 0, case when t.amount >= t.threshold then t.day end,
        t.amount, t.entries, case when t.amount >= ${least} and (t.amount >= t.threshold) is not true then t.day end
      from scheduled t where t.alone
    )`
}
