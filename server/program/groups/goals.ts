import { isDeepStrictEqual } from 'node:util'
import {
  type Goal,
  type GoalChange,
  type GoalPreview,
  type GoalProgress,
  MOST_GOALS,
  mistakeInGoal,
  type NewGoal,
} from '#contract/groups.ts'
import type { Language } from '#contract/language.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { NIL, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import { dayIn, startOfDay } from '../../platform/time/days.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { customerGroups, rewardIn } from '../access/customer-groups.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { type PublicName, publicNameColumns, readPublicName } from '../access/public-names.ts'
import { checkUnits } from '../terms/check-reward.ts'
import { getGroup } from '../terms/moves.ts'
import { reachedBonuses, reachedMoves, readFigures, readRemainingFigures, windowTo } from './judge-goals.ts'
import { deleteGoals, type GoalRow, goalById, goalTable, judgedPartners, listGoalRows, orderGoals } from './queries.ts'

/** Lists a group's goals in their order. */
export const listGoals = async (db: Queryable, accountId: string, groupId: string) => ({
  items: (await listGoalRows(db, accountId, groupId)).map(present),
})

/**
 * Adds a goal to a group, or returns the partners it would reach next night. Refuses: `validation_failed` for what
 * doesn't go together and for the group to move to; `invalid_state` for one too many.
 */
export async function createGoal(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  groupId: string,
  { position, preview, ...body }: NewGoal,
): Promise<Goal | GoalPreview> {
  const accountId = account.id
  await blockBookings(tx, accountId)
  const goals = await listGoalRows(tx, accountId, groupId)
  if (goals.length >= MOST_GOALS) throw refusal('too_many_goals', { max: MOST_GOALS })
  const fields = await checkedGoal(tx, accountId, groupId, body as GoalFields)
  const goal = { id: newId(), accountId, groupId, position: goals.length + 1, ...fields }
  const now = tx.now.toISOString()
  if (preview) return previewOf(tx, account, { ...goal, setAt: null, createdAt: now, updatedAt: now })
  await goalTable.insert(tx, goal)
  await place(tx, accountId, goals, goal.id, position)
  return emitGoalEvent(tx, by, accountId, goal.id, diffFields(NOTHING, fields))
}

/**
 * Changes a goal, or returns the partners it would reach next night; bonuses already given don't change. Refuses like
 * `createGoal`.
 */
export async function changeGoal(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { position, preview, ...change }: GoalChange,
): Promise<Goal | GoalPreview> {
  const accountId = account.id
  await blockBookings(tx, accountId)
  const before = await goalById(tx, accountId, id)
  if (!before) throw notFound()
  const next = await checkedGoal(tx, accountId, before.groupId, merged(before, change))
  const isSetAnew = ESSENCE.some((field) => before[field] !== next[field])
  const setAt = isSetAnew ? tx.now.toISOString() : before.setAt
  if (preview) return previewOf(tx, account, { ...before, ...next, setAt })
  const goals = await listGoalRows(tx, accountId, before.groupId)
  const places = { position: { old: goals.findIndex((goal) => goal.id === id) + 1, new: position } }
  const changes = {
    ...diffFields(shown(before), next),
    ...(position && places.position.old !== Math.min(position, goals.length) && places),
  }
  if (Object.keys(changes).length === 0) return present(before)
  await goalTable.update(tx, { accountId, id }, { ...next, setAt })
  if (position) await place(tx, accountId, goals, id, position)
  return emitGoalEvent(tx, by, accountId, id, changes)
}

/** Deletes a goal; bonuses and moves stay. */
export const deleteGoal = (tx: Transaction, by: Author, accountId: string, id: string) =>
  removeGoals(tx, by, accountId, sql`t.id = ${id}`)

/** Deletes the goals of a group, and those that move partners to it. */
export const deleteGoalsAbout = (tx: Transaction, by: Author, accountId: string, groupId: string) =>
  removeGoals(tx, by, accountId, sql`${groupId} in (t.group_id, t.move_to_group_id)`)

async function removeGoals(tx: Transaction, by: Author, accountId: string, which: ReturnType<typeof sql>) {
  for (const { groupId, name } of await deleteGoals(tx, accountId, which))
    await recordActivity(tx, by, accountId, 'goal.deleted', {
      id: groupId,
      changes: { goal: { old: name, new: null } },
    })
}

type GoalFields = Pick<Goal, 'name' | 'metric' | 'window'> &
  Partial<Pick<Goal, 'atLeast' | 'below' | 'bonus' | 'moveToGroupId' | 'appliesTo'>>

/** The fields of which a bonus is made: once one changes, no month that ended before is judged. */
const ESSENCE = ['metric', 'window', 'atLeast', 'bonus'] as const

/** Setting `atLeast` clears `below`, and setting a bonus clears the move, and vice versa. */
function merged(before: GoalRow, change: GoalChange): GoalFields {
  const limits = change.atLeast || change.below ? { atLeast: null, below: null } : {}
  const follows = change.bonus || change.moveToGroupId ? { bonus: null, moveToGroupId: null } : {}
  return { ...shown(before), ...limits, ...follows, ...definedOf(change) } as GoalFields
}

const definedOf = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

async function checkedGoal(db: Queryable, accountId: string, groupId: string, given: GoalFields) {
  const { name, metric, window, atLeast = null, below = null, bonus = null, moveToGroupId = null } = given
  const goal = { name, metric, window, atLeast, below, bonus, moveToGroupId }
  const mistake = mistakeInGoal(goal)
  if (mistake) throw wrongField(mistake, 'goal_shape')
  const to = moveToGroupId && (await getGroup(db, accountId, moveToGroupId, 'moveToGroupId')).id
  if (to === groupId) throw wrongField('moveToGroupId', 'goal_same_group')
  const groups = await customerGroups(db, accountId)
  if (to && !isDeepStrictEqual(rewardIn(groups, groupId), rewardIn(groups, to)))
    throw wrongField('moveToGroupId', 'goal_other_reward')
  checkUnits('bonus', bonus, rewardIn(groups, groupId))
  return { ...goal, moveToGroupId: to, appliesTo: to ? (given.appliesTo ?? 'all-sales') : null }
}

/** Puts a goal at this place among those of its group, or at the end. */
function place(tx: Transaction, accountId: string, goals: GoalRow[], id: string, position: number | undefined) {
  const others = goals.map((goal) => goal.id).filter((other) => other !== id)
  return orderGoals(tx, accountId, others.toSpliced(position ? position - 1 : others.length, 0, id))
}

/** A goal before it is created. */
const NOTHING = { atLeast: null, below: null, bonus: null, moveToGroupId: null, appliesTo: null }

/** Records a change with the goal's name, and with its metric if a figure changes. */
async function emitGoalEvent(
  tx: Transaction,
  by: Author,
  accountId: string,
  id: string,
  { name, ...changes }: ReturnType<typeof diffFields>,
) {
  const goal = (await goalById(tx, accountId, id))!
  const metric = (changes.atLeast || changes.below) && { metric: { old: goal.metric, new: goal.metric } }
  await recordActivity(tx, by, accountId, 'goal.saved', {
    id: goal.groupId,
    changes: { ...metric, ...changes, goal: { old: name?.old ?? goal.name, new: goal.name } },
  })
  return present(goal)
}

const shown = ({ name, metric, window, atLeast, below, bonus, moveToGroupId, appliesTo }: GoalRow) => ({
  name,
  metric,
  window,
  atLeast,
  below,
  bonus,
  moveToGroupId,
  appliesTo,
})

const present = (goal: GoalRow): Goal => ({
  id: goal.id,
  groupId: goal.groupId,
  createdAt: goal.createdAt,
  ...shown(goal),
})

/** Partners judged at once for a preview. */
const AT_ONCE = 5000

/** Returns the partners a goal would reach next night by the present figures. */
async function previewOf(db: Queryable, account: AccountFacts, goal: GoalRow): Promise<GoalPreview> {
  const { id, timeZone } = account
  const last = dayIn(timeZone, db.now)
  const found = { partners: new Set<string>(), amount: 0 }
  const scope = { groupIds: [goal.groupId], today: startOfDay(last, timeZone), limit: AT_ONCE }
  for (let after: string | undefined = NIL; after; ) {
    const partners = await judgedPartners(db, id, { ...scope, after })
    // a partner whom a goal moved today may be moved again next night
    const judged = { goals: [goal], partners: partners.map((one) => ({ ...one, moved: false })), last }
    const reached = [...(await reachedBonuses(db, account, judged)), ...(await reachedMoves(db, account, judged))]
    for (const { partner } of reached) found.partners.add(partner.id)
    found.amount += reached.length * (goal.bonus ?? 0)
    after = partners.length === AT_ONCE ? partners.at(-1)?.id : undefined
  }
  return { partners: found.partners.size, amount: found.amount }
}

/** Lists the goals of a partner's group with the partner's figures until now, as their reader may see them. */
export async function listPartnerGoals(
  db: Queryable,
  { account, as, subjectId }: Pick<Access, 'account' | 'as' | 'subjectId'>,
  wanted: Language | null = null,
): Promise<{ items: GoalProgress[] }> {
  const goals = await db.many<GoalRow & PublicName & { groupName: string }>`
    select ${goalTable.from('t')}, g.name as group_name, ${publicNameColumns}
    from partners p
      join goals t on t.account_id = p.account_id and t.group_id = coalesce(p.group_id, p.account_id) and t.deleted_at is null
      left join groups g on g.account_id = t.account_id and g.id = t.move_to_group_id
    where p.account_id = ${account.id} and p.id = ${subjectId} and (t.below is null or ${as === 'owner'})
    order by t.position, t.id`
  const today = dayIn(account.timeZone, db.now)
  const questions = goals.map(({ metric, window }) => ({ partnerId: subjectId, metric, days: windowTo(today, window) }))
  const figures = await readFigures(db, account.id, questions)
  const left = await readRemainingFigures(db, account.id, questions)
  const hidesRevenue = as === 'partner' && !account.partnerVisibility.saleAmounts
  const items = goals.map((goal, at) => {
    const { id, name, metric, window, atLeast, below, bonus, moveToGroupId, groupName } = goal
    const figure = below === null ? Math.min(figures[at]!, left[at]!) : figures[at]!
    return {
      goalId: id,
      name,
      metric,
      window,
      atLeast,
      below,
      bonus,
      current: metric === 'revenue' && hidesRevenue ? null : figure,
      percent: Math.max(0, Math.min(100, Math.floor((figure * 100) / (atLeast ?? below)!))),
      reached: below === null ? figure >= atLeast! : figure < below,
      moveTo: as === 'owner' || !moveToGroupId ? groupName : readPublicName(goal, wanted),
    }
  })
  return { items }
}
