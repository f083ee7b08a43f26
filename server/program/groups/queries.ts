import type { GoalMetric, GoalWindow, Group, GroupReward } from '#contract/groups.ts'
import type { Reach, Terms } from '#contract/terms.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { isJudged } from '../commissions/entry-status.ts'

export const groupTable = table('groups', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  name: c.text(),
  publicName: c.text().null(),
  translations: c.json<Group['translations']>(),
  joinSlug: c.text().null(),
  kind: c.text<Group['kind']>().fixed(),
  reward: c.json<GroupReward>().null(),
  automatic: c.boolean,
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type GroupRow = RowOf<typeof groupTable> & {
  layerRatesPpm: number[] | null
  terms: Terms | null
  partners: number
}

/** Groups `t` of an account with their own terms and number of partners; the default one has those without another. */
const columnsOf = (accountId: string) => {
  const partners = sql`(select count(*) from partners p where p.account_id = ${accountId} and`
  const all = sql`(select s.partners from total_stats s
    where s.account_id = ${accountId} and s.partner_id = ${NIL} and s.blueprint_id = ${NIL})`
  const number = sql`case when t.id = ${accountId} then coalesce(${all}, 0) - ${partners} p.group_id is not null)
    else ${partners} p.group_id = t.id) end`
  const terms = sql`(select l.terms from terms_log l
    where l.account_id = ${accountId} and l.subject_id = t.id and l.subject = 'group' order by l.number desc limit 1)`
  return { columns: sql`${groupTable.from('t')}, t.layer_rates_ppm, ${terms} as terms, ${number} as partners`, number }
}

/** Undefined for one that was deleted. */
export const groupById = (db: Queryable, accountId: string, id: string) => db.maybe<GroupRow>`
  select ${columnsOf(accountId).columns} from groups t
  where t.account_id = ${accountId} and t.id = ${id} and t.deleted_at is null`

export function groupsPage(db: Queryable, accountId: string, query: ListQuery) {
  const { columns, number } = columnsOf(accountId)
  return listPage<GroupRow>(db, query, {
    columns,
    from: sql`groups t`,
    scope: sql`t.account_id = ${accountId} and t.deleted_at is null`,
    filters: [containsFilter(sql`t.name`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' }, partners: { by: number, type: 'bigint' } },
  })
}

/** Returns the erased partners of a group, whom no person can move. */
export const erasedIn = (tx: Transaction, accountId: string, groupId: string) => tx.many<{ id: string }>`
  select id from partners where account_id = ${accountId} and group_id = ${groupId} and erased_at is not null order by id`

export const isNameTaken = (tx: Transaction, accountId: string, id: string, name: string) => tx.maybe`
  select from groups
  where account_id = ${accountId} and id <> ${id} and lower(name) = lower(${name}) and deleted_at is null`

export const isSlugTaken = (tx: Transaction, accountId: string, id: string, slug: string) => tx.maybe`
  select from groups
  where account_id = ${accountId} and id <> ${id} and join_slug = ${slug} and deleted_at is null`

export const numberOfGroups = (db: Queryable, accountId: string) => db.value<number>`
  select count(*) as count from groups where account_id = ${accountId} and deleted_at is null`

export const numberOfCustomerGroups = (db: Queryable, accountId: string) => db.value<number>`
  select count(*) as count from groups where account_id = ${accountId} and kind = 'customers' and deleted_at is null`

/** Notes on the account whether it has groups of customers. */
export async function noteCustomerGroups(tx: Transaction, accountId: string): Promise<void> {
  const has = (await numberOfCustomerGroups(tx, accountId)) > 0
  await tx.run`update accounts set has_customer_groups = ${has} where id = ${accountId}`
}

/** Whether a partner of the group has earned anything, or will by a sale that waits for its exchange rate. */
export const hasEntries = (tx: Transaction, accountId: string, groupId: string) => tx.maybe`
  select from partners p
  where p.account_id = ${accountId} and p.group_id = ${groupId} and (
    exists (select from commission_entries e where e.account_id = ${accountId} and e.partner_id = p.id)
    or exists (
      select from sales s
      where s.account_id = ${accountId} and s.partner_id = p.id and s.account_amount is null and s.credit is not null))
  limit 1`

/** Whether credit is being added for a customer of the account. */
export const hasCreditUnderWay = (tx: Transaction, accountId: string) => tx.maybe`
  select from payouts
  where account_id = ${accountId} and method = 'credit' and status in ('approved', 'processing') limit 1`

/** Whether a goal moves partners to or from the group. */
export const hasMovingGoals = (tx: Transaction, accountId: string, groupId: string) => tx.maybe`
  select from goals where account_id = ${accountId} and deleted_at is null
    and (move_to_group_id = ${groupId} or (group_id = ${groupId} and move_to_group_id is not null)) limit 1`

export const markDeleted = (tx: Transaction, accountId: string, id: string) => tx.run`
  update groups set deleted_at = ${tx.now}, updated_at = ${tx.now} where account_id = ${accountId} and id = ${id}`

export const goalTable = table('goals', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  groupId: c.uuid.fixed(),
  position: c.integer,
  name: c.text(),
  metric: c.text<GoalMetric>(),
  window: c.text<GoalWindow>().named('time_window'),
  atLeast: c.bigint.null(),
  below: c.bigint.null(),
  bonus: c.bigint.null(),
  moveToGroupId: c.uuid.null(),
  appliesTo: c.text<Reach>().null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
  /** When its figure, window and bonus were set; null: when it was made. */
  setAt: c.instant.null(),
})

export type GoalRow = RowOf<typeof goalTable>

/** Returns the goals of an account, or of one of its groups, in their order. */
export const listGoalRows = (db: Queryable, accountId: string, groupId?: string) => db.many<GoalRow>`
  select ${goalTable.from('t')} from goals t
  where t.account_id = ${accountId} and t.deleted_at is null and ${groupId ? sql`t.group_id = ${groupId}` : sql`true`}
  order by t.group_id, t.position, t.id`

export const goalById = (db: Queryable, accountId: string, id: string) => db.maybe<GoalRow>`
  select ${goalTable.from('t')} from goals t where t.account_id = ${accountId} and t.id = ${id} and t.deleted_at is null`

/** Puts goals into this order. */
export const orderGoals = (tx: Transaction, accountId: string, ids: string[]) => tx.run`
  update goals g set position = n.position from unnest(${ids}::uuid[]) with ordinality as n (id, position)
  where g.account_id = ${accountId} and g.id = n.id and g.position <> n.position`

/** Deletes goals and returns them; bonuses already given are still judged by their conditions. */
export const deleteGoals = (tx: Transaction, accountId: string, which: Sql) => tx.many<GoalRow>`
  update goals t set deleted_at = ${tx.now}, updated_at = ${tx.now}
  where t.account_id = ${accountId} and t.deleted_at is null and ${which} returning ${goalTable.from('t')}`

/** A partner whose goals are judged; one who isn't active gets no new bonus and no move. */
export type JudgedPartner = {
  id: string
  groupId: string
  active: boolean
  keepInGroup: boolean
  inGroupSince: string
  moved: boolean
}

/**
 * Returns active partners of these groups, and any with bonuses that are still judged, after this id. `moved` by a goal
 * since `today` began; they are in their group since the first row of the log after another one's.
 */
export const judgedPartners = (
  db: Queryable,
  accountId: string,
  { groupIds, today, after, limit }: { groupIds: string[]; today: Date; after: string; limit: number },
) => db.many<JudgedPartner>`
  select p.id, coalesce(p.group_id, p.account_id) as group_id, p.state = 'active' as active, p.keep_in_group,
    coalesce((
      select min(l.saved_at) from terms_log l
      where l.account_id = ${accountId} and l.partner_id = p.id and l.number > coalesce((
        select max(o.number) from terms_log o
        where o.account_id = ${accountId} and o.partner_id = p.id and o.group_id is distinct from p.group_id), 0)
    ), p.created_at) as in_group_since,
    exists (
      select from terms_log l where l.account_id = ${accountId} and l.partner_id = p.id and l.goal_id is not null
        and l.saved_at >= ${today}) as moved
  from partners p
  where p.account_id = ${accountId} and p.id > ${after}
    and ((p.state = 'active' and coalesce(p.group_id, p.account_id) = any(${groupIds}::uuid[])) or p.id in (
      select partner_id from goal_awards where account_id = ${accountId} and ${isJudged}))
  order by p.id limit ${limit}`

export type Award = {
  id: string
  goalId: string
  partnerId: string
  period: string
  name: string
  metric: GoalMetric
  atLeast: number
  bonus: number
  figure: number
  /** The first day that counts; null: the first of the period. */
  countsFrom: string | null
  dueAt: string
}
const awardColumns = sql`id, goal_id, partner_id, period, name, metric, at_least, bonus, figure, counts_from, due_at`

/** Stores awards, due at the start of the day after the payout delay, and returns those that are new. */
export const insertAwards = (
  tx: Transaction,
  accountId: string,
  { dueAt, final }: { dueAt: Date; final: boolean },
  awards: Omit<Award, 'dueAt'>[],
) => {
  const column = <K extends keyof Omit<Award, 'dueAt'>>(key: K) => awards.map((award) => award[key])
  return tx.many<Award>`
    insert into goal_awards (account_id, id, goal_id, partner_id, period, name, metric, at_least, bonus, figure, counts_from, due_at, final, created_at)
    select ${accountId}, n.*, ${dueAt}, ${final}, ${tx.now}
    from unnest(${column('id')}::uuid[], ${column('goalId')}::uuid[], ${column('partnerId')}::uuid[],
      ${column('period')}::text[], ${column('name')}::text[], ${column('metric')}::text[], ${column('atLeast')}::bigint[],
      ${column('bonus')}::bigint[], ${column('figure')}::bigint[], ${column('countsFrom')}::date[]) as n
    on conflict (account_id, goal_id, partner_id, period) do nothing
    returning ${awardColumns}`
}

/** An award of a partner, whatever became of it. */
export type EarlierAward = Pick<Award, 'goalId' | 'partnerId' | 'period' | 'metric'> & {
  createdAt: string
  /** Its goal was deleted then; null if it still is one. */
  deletedAt: string | null
  /** It is given, or may still be. */
  pays: boolean
}

export const listAwards = (db: Queryable, accountId: string, partnerIds: string[]) => db.many<EarlierAward>`
  select w.goal_id, w.partner_id, w.period, w.metric, w.created_at, g.deleted_at,
    not w.final or 0 < (
      select sum(e.amount) from commission_entries e where e.account_id = ${accountId} and e.award_id = w.id) as pays
  from goal_awards w join goals g on g.account_id = ${accountId} and g.id = w.goal_id
  where w.account_id = ${accountId} and w.partner_id = any(${partnerIds}::uuid[])`

/** Locks the awards of these partners that are still judged. */
export const openAwards = (tx: Transaction, accountId: string, partnerIds: string[]) => tx.many<Award>`
  select ${awardColumns} from goal_awards
  where account_id = ${accountId} and partner_id = any(${partnerIds}::uuid[]) and ${isJudged}
  order by id for no key update`

/** From now on these awards are never judged again. */
export const makeFinal = (tx: Transaction, accountId: string, ids: string[]) => tx.run`
  update goal_awards set final = true where account_id = ${accountId} and id = any(${ids}::uuid[])`

/** Returns how often these awards were given or taken back. */
export const countAwardChanges = (tx: Transaction, accountId: string, awardIds: string[]) => tx.many<{
  id: string
  turns: number
}>`
  select award_id as id, count(*) as turns from commission_entries
  where account_id = ${accountId} and award_id = any(${awardIds}::uuid[]) group by award_id`
