import type { GoalMetric } from '#contract/groups.ts'
import type { Reach } from '#contract/terms.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { addDays, startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { PublicName } from '../access/public-names.ts'

/** The sum of the entries of bonus `w`, and the time of the newest: above 0 while it is given. */
const given = sql`lateral (
  select sum(t.amount) as amount, max(t.created_at) as at from commission_entries t
  where t.account_id = w.account_id and t.award_id = w.id) given`

/** Returns the bonuses given since then and not taken back. */
export const bonusesSince = (db: Queryable, accountId: string, since: Date) => db.many<{
  id: string
  partnerId: string
}>`
  select w.id, w.partner_id from goal_awards w cross join ${given}
  where w.account_id = ${accountId} and not w.voided and given.amount > 0 and given.at > ${since}::timestamptz
    -- due at the start of the day on which it was given, at the earliest
    and w.due_at > ${since}::timestamptz - interval '2 days'`

export type GoalBonus = {
  name: string
  metric: GoalMetric
  /** Null for all time. */
  month: string | null
  atLeast: number
  figure: number
  bonus: number
  dueAt: string
}

/** Returns those of a partner's bonuses that have not been taken back or voided, in the order in which they were given. */
export const listBonuses = (db: Queryable, accountId: string, partnerId: string, ids: string[]) => db.many<GoalBonus>`
  select w.name, w.metric, nullif(w.period, 'all-time') as month, w.at_least, w.figure, w.bonus, w.due_at
  from goal_awards w cross join ${given}
  where w.account_id = ${accountId} and w.partner_id = ${partnerId} and w.id = any(${ids}::uuid[]) and not w.voided
    and given.amount > 0
  order by w.created_at, w.period, w.name`

/** Returns the moves by goals since then; `number` is their place in the account's log. */
export const movesSince = (db: Queryable, accountId: string, since: Date) => db.many<{
  number: number
  partnerId: string
}>`
  select number, partner_id from terms_log
  where account_id = ${accountId} and goal_id is not null and saved_at > ${since} order by number`

export type GoalMove = {
  number: number
  group: PublicName
  /** The name of the goal that was reached; null if it moved those who were below a figure. */
  goal: string | null
  appliesTo: Reach
  savedAt: string
}

/** Returns a partner's newest move, if a goal made it. */
export const newestMoveByGoal = (db: Queryable, accountId: string, partnerId: string) => db.maybe<GoalMove>`
  select l.number, (select to_jsonb(n) from (select g.public_name as "publicName", g.translations, a.language as base) n) as "group", case when o.at_least is not null then o.name end as goal, l.applies_to, l.saved_at
  from (
      select * from terms_log where account_id = ${accountId} and partner_id = ${partnerId} order by number desc limit 1) l
    join goals o on o.account_id = l.account_id and o.id = l.goal_id
    join groups g on g.account_id = l.account_id and g.id = coalesce(l.group_id, l.account_id)
    join accounts a on a.id = l.account_id`

/** Counts the moves by goals in these days of the account: up by one that was reached, down by one that was not. */
export const countMoves = (
  db: Queryable,
  { id, timeZone }: Pick<AccountFacts, 'id' | 'timeZone'>,
  { from, to }: { from: string; to: string },
) => db.one<{ up: number; down: number }>`
  select count(o.at_least) as up, count(o.below) as down
  from terms_log l join goals o on o.account_id = l.account_id and o.id = l.goal_id
  where l.account_id = ${id} and l.saved_at >= ${startOfDay(from, timeZone)} and l.saved_at < ${startOfDay(addDays(to, 1), timeZone)}`
