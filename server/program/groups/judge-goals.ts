import type { GoalMetric, GoalWindow } from '#contract/groups.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { addDays, addMonths, dayIn, firstOfMonth, lastOfMonth } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { saleOnHold } from '../commissions/entry-status.ts'
import { isOpenCase } from '../fraud/fraud-cases.ts'
import { type EarlierAward, type GoalRow, type JudgedPartner, listAwards } from './queries.ts'

// Figures that partners have reached, read without locks. A goal's figure is that of the statistics, which deduct a
// refund on its own day. A bonus or a move up also needs enough left of the period's own sales and leads, of which none
// waits for the decision of a case or dispute; otherwise a bonus would be taken back.

/** A goal that a partner has reached; `period` as the award has it, of which days before `countsFrom` don't count. */
export type Reached = {
  goal: GoalRow
  partner: JudgedPartner
  period: string
  countsFrom: string | null
  figure: number
}

type Days = { from: string; to: string }

const ALL_TIME = { from: '-infinity', to: 'infinity' }

/** Returns the days of a period, a month as '2026-10' or 'all-time', that count for a bonus. */
export function periodDays(period: string, countsFrom: string | null = null): Days {
  const days = period === 'all-time' ? ALL_TIME : { from: `${period}-01`, to: lastOfMonth(`${period}-01`) }
  return countsFrom && (period === 'all-time' || countsFrom > days.from) ? { ...days, from: countsFrom } : days
}

/** Returns the days of a window that ends with `last`. */
export function windowTo(last: string, window: GoalWindow): Days {
  if (window === 'month') return { from: firstOfMonth(last), to: last }
  return { from: window === 'all-time' ? ALL_TIME.from : addDays(last, -89), to: last }
}

/** When the figure, window and bonus of a goal were set. */
const setAtOf = ({ setAt, createdAt }: GoalRow) => setAt ?? createdAt

/**
 * Returns the periods for which a bonus is judged on the day after `last`: its month and the one before, unless that
 * ended before the goal was set as it is; or all time.
 */
function periodsOf(goal: GoalRow, last: string, timeZone: string): string[] {
  if (goal.window === 'all-time') return ['all-time']
  const set = dayIn(timeZone, new Date(setAtOf(goal)))
  const months = [firstOfMonth(last), addMonths(firstOfMonth(last), -1)]
  return months.filter((month) => lastOfMonth(month) >= set).map((month) => month.slice(0, 7))
}

/**
 * Returns the first day of a period that no bonus has paid for yet, whether the goal as it was before gave it, or one of
 * the same metric that was deleted before this was set. Null: all days count.
 */
function countsFrom(goal: GoalRow, period: string, awards: EarlierAward[], timeZone: string): string | null {
  const isBefore = ({ goalId, metric, deletedAt }: EarlierAward) =>
    goalId === goal.id ||
    (metric === goal.metric && deletedAt !== null && Date.parse(deletedAt) <= Date.parse(setAtOf(goal)))
  const paid = awards
    .filter((award) => award.pays && isBefore(award))
    .filter((award) => [award.period, period].includes('all-time') || award.period === period)
    .map((award) =>
      award.period === 'all-time' ? dayIn(timeZone, new Date(award.createdAt)) : periodDays(award.period).to,
    )
  const until = paid.toSorted().at(-1)
  return until === undefined || (period !== 'all-time' && until < periodDays(period).from) ? null : addDays(until, 1)
}

type FigureQuestion = { partnerId: string; metric: GoalMetric; days: Days }

/** Returns the figures of partners' own referrals on these days, one for each question. */
export async function readFigures(db: Queryable, accountId: string, questions: FigureQuestion[]): Promise<number[]> {
  const keyOf = ({ partnerId, days }: FigureQuestion) => `${partnerId} ${days.from} ${days.to}`
  const unique = [...new Map(questions.map((one) => [keyOf(one), one])).values()]
  if (unique.length === 0) return []
  const rows = await db.many<Record<GoalMetric, number>>`
    select s.*
    from unnest(${unique.map(({ partnerId }) => partnerId)}::uuid[], ${unique.map(({ days }) => days.from)}::date[],
        ${unique.map(({ days }) => days.to)}::date[]) with ordinality as q (partner_id, from_day, to_day, place)
      cross join lateral (
        select coalesce(sum(leads), 0)::bigint as leads, coalesce(sum(sales), 0)::bigint as sales,
          coalesce(sum(revenue), 0)::bigint as revenue
        from day_stats
        where account_id = ${accountId} and partner_id = q.partner_id and blueprint_id = ${NIL}
          and day between q.from_day and q.to_day) s
    order by q.place`
  const figures = new Map(unique.map((one, at) => [keyOf(one), rows[at]!]))
  return questions.map((one) => figures.get(keyOf(one))![one.metric])
}

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
export async function readRemainingFigures(
  db: Queryable,
  accountId: string,
  questions: FigureQuestion[],
): Promise<number[]> {
  if (questions.length === 0) return []
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
    from unnest(${questions.map(({ partnerId }) => partnerId)}::uuid[], ${questions.map(({ metric }) => metric)}::text[],
        ${questions.map(({ days }) => days.from)}::date[], ${questions.map(({ days }) => days.to)}::date[])
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
  const paying = goals.filter(({ bonus }) => bonus !== null)
  if (paying.length === 0) return []
  const ids = partners.map(({ id }) => id)
  const awardsBy = Map.groupBy(await listAwards(db, accountId, ids), ({ partnerId }) => partnerId)
  const judged = partners
    .filter(({ active }) => active)
    .flatMap((partner) => {
      const awards = awardsBy.get(partner.id) ?? []
      const isKnown = (goal: GoalRow, period: string) =>
        awards.some((award) => award.goalId === goal.id && award.period === period)
      return paying
        .filter(({ groupId }) => groupId === partner.groupId)
        .flatMap((goal) =>
          periodsOf(goal, last, timeZone)
            .filter((period) => wasInGroup(partner, period, timeZone) && !isKnown(goal, period))
            .map((period) => ({ goal, partner, period, countsFrom: countsFrom(goal, period, awards, timeZone) })),
        )
    })
  return reachedOf(db, accountId, judged, last, (one) => periodDays(one.period, one.countsFrom))
}

/**
 * Returns the goals that are reached on these days by the end of `last`, with their figures. One with an upper limit is
 * reached by the statistics alone, any other also by what is left.
 */
async function reachedOf(
  db: Queryable,
  accountId: string,
  judged: Omit<Reached, 'figure'>[],
  last: string,
  daysOf: (one: Omit<Reached, 'figure'>) => Days,
): Promise<Reached[]> {
  const questions = ({ goal, partner }: Omit<Reached, 'figure'>, days: Days) => ({
    partnerId: partner.id,
    metric: goal.metric,
    days,
  })
  const figures = await readFigures(
    db,
    accountId,
    judged.map((one) => {
      const { from, to } = daysOf(one)
      return questions(one, { from, to: to < last ? to : last })
    }),
  )
  const holds = ({ goal, figure }: Reached) => (goal.below === null ? figure >= goal.atLeast! : figure < goal.below)
  const counted = judged.map((one, at) => ({ ...one, figure: figures[at]! })).filter(holds)
  const left = await readRemainingFigures(
    db,
    accountId,
    counted.map((one) => questions(one, daysOf(one))),
  )
  return counted
    .map((one, at) => (one.goal.below === null ? { ...one, figure: Math.min(one.figure, left[at]!) } : one))
    .filter(holds)
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
  const judged = movable.flatMap((partner) => {
    const settled = addDays(dayIn(timeZone, new Date(partner.inGroupSince)), SETTLED_DAYS) <= addDays(last, 1)
    return moving
      .filter((goal) => goal.groupId === partner.groupId && (goal.below === null || settled))
      .map((goal) => ({ goal, partner, period: goal.window, countsFrom: null }))
  })
  const reached = await reachedOf(db, accountId, judged, last, ({ goal }) => windowTo(last, goal.window))
  return [...Map.groupBy(reached, ({ partner }) => partner.id).values()].map(([first]) => first!)
}
