import type { Pace } from '#contract/dashboard.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, dayIn, daysBetween, firstOfMonth } from '../../platform/time/days.ts'
import type { Range } from '../../platform/time/range.ts'
import type { Access } from '../access/access.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { revenueParts } from '../sales/revenue-lines.ts'
import { soldBy } from '../stats/months.ts'

/** Partners and leads named on each side. */
const NAMED = 3

type Both = { current: number; previous: number }

/**
 * Returns this month's revenue and last month's up to the same day, with the partners and leads that explain the
 * difference. The others are summed up exactly in a rest.
 */
export async function getPace(db: Queryable, access: Access): Promise<Pace> {
  const { id: accountId, defaultCurrency: currency, timeZone } = access.account
  const { now, before, same } = monthsUpTo(dayIn(timeZone, db.now))
  const [daily, partners, leads] = await Promise.all([
    dailyRevenue(db, accountId, { from: before.from, to: now.to }),
    movedPartners(db, accountId, now, same),
    movedLeads(db, accountId, now, same),
  ])
  const revenue = new Map(daily.map((row) => [row.day, row.revenue]))
  const [current, previous] = [runningTotals(revenue, now), runningTotals(revenue, before)]
  const whole = { current: current.at(-1)!, previous: previous[daysBetween(same.from, same.to)]! }
  const named = await partnerNames(
    db,
    [accountId],
    partners.map(({ partnerId }) => partnerId),
  )
  const [newLeads, lostLeads] = await Promise.all([sideOf(db, access, leads, 'new'), sideOf(db, access, leads, 'lost')])
  return {
    currency,
    startDate: now.from,
    endDate: now.to,
    previousStartDate: same.from,
    previousEndDate: same.to,
    ...whole,
    days: Array.from({ length: Math.max(current.length, previous.length) }, (_, at) => ({
      current: current[at] ?? null,
      previous: previous[at] ?? null,
    })),
    partners: partners.map((row) => ({ ...row, displayName: named.get(row.partnerId) ?? '' })),
    otherPartners: less(whole, partners),
    newLeads,
    lostLeads,
    otherLeads: less(whole, [
      { current: newLeads.amount, previous: 0 },
      { current: 0, previous: lostLeads.amount },
    ]),
  }
}

/** Returns this month up to `today`, the month before, and the same days of it, as far as it has them. */
function monthsUpTo(today: string) {
  const first = firstOfMonth(today)
  const last = addDays(first, -1)
  const before = { from: firstOfMonth(last), to: last }
  const sameDay = addDays(before.from, daysBetween(first, today))
  return { now: { from: first, to: today }, before, same: { from: before.from, to: sameDay < last ? sameDay : last } }
}

function runningTotals(revenue: Map<string, number>, { from, to }: Range): number[] {
  let sum = 0
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => {
    sum += revenue.get(addDays(from, at)) ?? 0
    return sum
  })
}

const less = (whole: Both, parts: Both[]): Both => ({
  current: parts.reduce((rest, part) => rest - part.current, whole.current),
  previous: parts.reduce((rest, part) => rest - part.previous, whole.previous),
})

const dailyRevenue = (db: Queryable, accountId: string, { from, to }: Range) => db.many<{
  day: string
  revenue: number
}>`
  select day, revenue from day_stats
  where account_id = ${accountId} and partner_id = ${NIL} and blueprint_id = ${NIL} and day between ${from} and ${to}`

/** Sums on either side of the months' border. */
const bothSums = (amount: Sql, now: Range, same: Range) => sql`
  coalesce(sum(${amount}) filter (where day between ${now.from} and ${now.to}), 0)::bigint as current,
  coalesce(sum(${amount}) filter (where day between ${same.from} and ${same.to}), 0)::bigint as previous`
const inEither = (now: Range, same: Range) =>
  sql`(day between ${now.from} and ${now.to} or day between ${same.from} and ${same.to})`

/** The partners that grew most, then those that fell most. */
const movedPartners = (db: Queryable, accountId: string, now: Range, same: Range) => db.many<
  Both & { partnerId: string }
>`
  with moved as (
    select partner_id, sum(current)::bigint as current, sum(previous)::bigint as previous
    from (
      select partner_id, revenue as current, 0 as previous from ${soldBy(accountId, now, now.to)} of_now
      union all
      select partner_id, 0, revenue from ${soldBy(accountId, same, now.to)} of_same) t
    group by partner_id
  ), ranked as (
    select *, row_number() over (order by current - previous desc, partner_id) as up,
      row_number() over (order by current - previous, partner_id) as down
    from moved
  )
  select partner_id, current, previous from ranked
  where (up <= ${NAMED} and current > previous) or (down <= ${NAMED} and current < previous)
  order by current - previous desc, partner_id`

type Side = 'new' | 'lost'
type MovedLead = { side: Side; leadId: string; amount: number; count: number; sum: number }

/**
 * The leads with revenue in only one of the months' ranges. No roll-up has leads by day; these are the rows that the
 * statistics count, found by their day.
 */
const movedLeads = (db: Queryable, accountId: string, now: Range, same: Range) => db.many<MovedLead>`
  with moved as (
    select lead_id, ${bothSums(sql`amount`, now, same)}
    from (${joinSql(revenueParts(accountId), ' union all ')}) t
    where ${inEither(now, same)}
    group by lead_id
  ), sides as (
    select lead_id, current + previous as amount, case when current > 0 then 'new' else 'lost' end as side
    from moved where (previous = 0 and current > 0) or (current = 0 and previous > 0)
  ), ranked as (
    select *, row_number() over (partition by side order by amount desc, lead_id) as place,
      count(*) over (partition by side) as count, (sum(amount) over (partition by side))::bigint as sum
    from sides
  )
  select side, lead_id, amount, count, sum from ranked where place <= ${NAMED} order by place`

async function sideOf(db: Queryable, access: Access, moved: MovedLead[], side: Side): Promise<Pace['newLeads']> {
  const own = moved.filter((lead) => lead.side === side)
  const names = await leadNames(
    db,
    access,
    own.map(({ leadId }) => leadId),
  )
  const top = own.map(({ leadId, amount }) => ({ leadId, displayName: names.get(leadId) ?? '', amount }))
  return { count: own[0]?.count ?? 0, amount: own[0]?.sum ?? 0, top }
}
