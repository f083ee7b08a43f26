import type { GoalMetric, GoalWindow } from '#contract/groups.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { addDays, addMonths, dayIn, firstOfMonth, lastOfMonth } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { saleOnHold } from '../commissions/entry-status.ts'
import { isOpenCase } from '../fraud/cases.ts'
import type { GoalRow, JudgedPartner } from './queries.ts'

// Figures that partners have reached, read without locks. A goal's figure is that of the statistics, which deduct a
// refund on its own day. A bonus or a move up also needs enough left of the period's own sales and leads, of which none
// waits for the decision of a case or dispute; otherwise a bonus would be taken back.

/** A goal that a partner has reached; `period` as the award has it. */
export type Reached = { goal: GoalRow; partner: JudgedPartner; period: string; figure: number }

type Days = { from: string; to: string }

const ALL_TIME = { from: '-infinity', to: 'infinity' }

/** Returns the days of a period: a month as '2026-10', or 'all-time'. */
export const periodDays = (period: string): Days =>
  period === 'all-time' ? ALL_TIME : { from: `${period}-01`, to: lastOfMonth(`${period}-01`) }

/** Returns the days of a window that ends with `last`. */
export function windowTo(last: string, window: GoalWindow): Days {
  if (window === 'month') return { from: firstOfMonth(last), to: last }
  return { from: window === 'all-time' ? ALL_TIME.from : addDays(last, -89), to: last }
}

/**
 * Returns the periods for which a bonus is judged on the day after `last`: its month and the one before, unless that
 * ended before the goal was made; or all time.
 */
export function periodsOf({ window, createdAt }: GoalRow, last: string, timeZone: string): string[] {
  if (window === 'all-time') return ['all-time']
  const made = dayIn(timeZone, new Date(createdAt))
  const months = [firstOfMonth(last), addMonths(firstOfMonth(last), -1)]
  return months.filter((month) => lastOfMonth(month) >= made).map((month) => month.slice(0, 7))
}

type Figures = Record<GoalMetric, number>

/** Returns the figures of these partners' own referrals in each range of days, in its order, by partner. */
export async function figuresIn(db: Queryable, accountId: string, partnerIds: string[], ranges: Days[]) {
  if (partnerIds.length === 0 || ranges.length === 0) return new Map<string, Figures[]>()
  const rows = await db.many<Figures & { partnerId: string }>`
    select p.id as partner_id, s.*
    from unnest(${partnerIds}::uuid[]) as p (id)
      cross join unnest(${ranges.map(({ from }) => from)}::date[], ${ranges.map(({ to }) => to)}::date[])
        with ordinality as r (from_day, to_day, place)
      cross join lateral (
        select coalesce(sum(leads), 0)::bigint as leads, coalesce(sum(sales), 0)::bigint as sales,
          coalesce(sum(revenue), 0)::bigint as revenue
        from day_stats
        where account_id = ${accountId} and partner_id = p.id and blueprint_id = ${NIL} and day between r.from_day and r.to_day) s
    order by r.place`
  return Map.groupBy(rows, ({ partnerId }) => partnerId)
}

type Asked = { partnerId: string; metric: GoalMetric; days: Days }

/**
 * Whether lead `l` of partner `q.partner_id` is held by an open case, of its own or of the partner when it came, or such
 * a case was voided.
 */
const isLeadHeld = (accountId: string, now: Date) => sql`exists (
  select from fraud_cases c
  where c.account_id = ${accountId} and c.partner_id = q.partner_id and c.sale_id is null
    and (c.decision = 'voided' or (c.action = 'hold' and ${isOpenCase(now)}))
    and (c.lead_id = l.id or (c.lead_id is null and c.action = 'hold'
      and coalesce(l.attributed_at, l.created_at) between c.opened_at and coalesce(c.decided_at, c.held_until))))`

/**
 * Returns what is left of the sales and leads of these days, a figure for each question: every refund since taken off,
 * refunded sales, those whose commission a fraud rule refused, rejected leads, and what is held or disputed not counted.
 */
export async function leftOf(db: Queryable, accountId: string, asked: Asked[]): Promise<number[]> {
  if (asked.length === 0) return []
  const own = sql`account_id = ${accountId} and partner_id = q.partner_id`
  const sales = sql`sales s where ${own} and s.lead_id is not null and s.status <> 'void' and s.credited
    and s.sale_date between q.from_day and q.to_day and s.refunded_amount < s.gross_amount and ${saleOnHold(db.now)} is not true`
  const rows = await db.many<{ figure: number }>`
    select case q.metric
      when 'leads' then (select count(*) from leads l
        where ${own} and l.status not in ('duplicate', 'rejected') and l.created_on between q.from_day and q.to_day
          and not ${isLeadHeld(accountId, db.now)})
      when 'sales' then (select count(*) from ${sales})
      else (select coalesce(sum(s.account_amount), 0) - coalesce(sum((
          select sum(case when r.counted_on is null then 0 else r.account_amount end
            - case when r.restored_on is null then 0 else r.restored_amount end)
          from refunds r where r.account_id = ${accountId} and r.sale_id = s.id)), 0) from ${sales})
      end::bigint as figure
    from unnest(${asked.map(({ partnerId }) => partnerId)}::uuid[], ${asked.map(({ metric }) => metric)}::text[],
        ${asked.map(({ days }) => days.from)}::date[], ${asked.map(({ days }) => days.to)}::date[])
        with ordinality as q (partner_id, metric, from_day, to_day, place)
    order by q.place`
  return rows.map(({ figure }) => figure)
}

type Judging = { goals: GoalRow[]; partners: JudgedPartner[]; last: string }

/** Whether a partner was in their group before the period ended; its goals don't pay for a month in another one. */
const wasInGroup = ({ inGroupSince }: JudgedPartner, period: string, timeZone: string) =>
  periodDays(period).to >= dayIn(timeZone, new Date(inGroupSince))

/** Returns the bonuses that partners have reached by the end of `last` and were never given. */
export async function reachedBonuses(
  db: Queryable,
  { id: accountId, timeZone }: AccountFacts,
  { goals, partners, last }: Judging,
): Promise<Reached[]> {
  const judged = goals.flatMap((goal) =>
    goal.bonus === null ? [] : periodsOf(goal, last, timeZone).map((period) => ({ goal, period })),
  )
  if (judged.length === 0) return []
  const periods = [...new Set(judged.map(({ period }) => period))]
  const ranges = periods.map(periodDays).map(({ from, to }) => ({ from, to: to < last ? to : last }))
  const ids = partners.map(({ id }) => id)
  const figures = await figuresIn(db, accountId, ids, ranges)
  const given = await db.many<{ goalId: string; partnerId: string; period: string }>`
    select goal_id, partner_id, period from goal_awards
    where account_id = ${accountId} and partner_id = any(${ids}::uuid[]) and period = any(${periods}::text[])`
  const known = new Set(given.map((award) => `${award.goalId} ${award.partnerId} ${award.period}`))
  const counted = partners.flatMap((partner) =>
    judged
      .filter(
        ({ goal, period }) =>
          partner.active &&
          goal.groupId === partner.groupId &&
          wasInGroup(partner, period, timeZone) &&
          !known.has(`${goal.id} ${partner.id} ${period}`),
      )
      .map(({ goal, period }) => {
        const figure = figures.get(partner.id)![periods.indexOf(period)]![goal.metric]
        return { goal, partner, period, figure }
      })
      .filter(({ goal, figure }) => figure >= goal.atLeast!),
  )
  return keptOf(db, accountId, counted, ({ period }) => periodDays(period))
}

/** Returns those that are reached also by what is left, with the lower figure; for an upper limit, all. */
async function keptOf(db: Queryable, accountId: string, reached: Reached[], daysOf: (one: Reached) => Days) {
  const left = await leftOf(
    db,
    accountId,
    reached.map((one) => ({ partnerId: one.partner.id, metric: one.goal.metric, days: daysOf(one) })),
  )
  return reached
    .map((one, at) => (one.goal.below === null ? { ...one, figure: Math.min(one.figure, left[at]!) } : one))
    .filter(({ goal, figure }) => goal.below !== null || figure >= goal.atLeast!)
}

/** Days in a group before a goal with an upper limit applies. */
const SETTLED_DAYS = 90

/**
 * Returns the first goal of each partner's group that moves them, by what they have reached by the end of `last`. Sales
 * that wait for a decision count only against a limit below which a goal moves them.
 */
export async function reachedMoves(
  db: Queryable,
  { id: accountId, timeZone }: AccountFacts,
  { goals, partners, last }: Judging,
): Promise<Reached[]> {
  const moving = goals.filter(({ moveToGroupId }) => moveToGroupId !== null)
  const movable = partners.filter(
    ({ groupId, active, keepInGroup, moved }) =>
      active && !keepInGroup && !moved && moving.some((goal) => goal.groupId === groupId),
  )
  const windows = [...new Set(moving.map(({ window }) => window))]
  const figures = await figuresIn(
    db,
    accountId,
    movable.map(({ id }) => id),
    windows.map((window) => windowTo(last, window)),
  )
  const candidates = movable.flatMap((partner) => {
    const settled = addDays(dayIn(timeZone, new Date(partner.inGroupSince)), SETTLED_DAYS) <= addDays(last, 1)
    return moving
      .filter(({ groupId }) => groupId === partner.groupId)
      .map((goal) => {
        const figure = figures.get(partner.id)![windows.indexOf(goal.window)]![goal.metric]
        return { goal, partner, period: goal.window, figure }
      })
      .filter(({ goal, figure }) => (goal.below === null ? figure >= goal.atLeast! : settled && figure < goal.below))
  })
  const kept = await keptOf(db, accountId, candidates, ({ goal }) => windowTo(last, goal.window))
  return [...Map.groupBy(kept, ({ partner }) => partner.id).values()].map(([first]) => first!)
}
