import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { groupKinds } from './partners.ts'
import { JoinSlug } from './slugs.ts'
import { reaches, Terms } from './terms.ts'
import { changedTranslations, savedTranslations } from './translations.ts'
import {
  Amount,
  CommissionSettings,
  EnteredAmount,
  holdsAddress,
  Id,
  Instant,
  listQuery,
  optionalName,
  pageSchema,
  requiredText,
} from './values.ts'

/** Most groups of an account, and most of them for customers. */
export const MOST_GROUPS = 50
export const MOST_CUSTOMER_GROUPS = 10

/** The forms in which customers are given what they earn. */
export const rewardForms = ['money', 'credit', 'units'] as const

export const UnitsReward = z.strictObject({
  as: z.literal('units'),
  unitName: requiredText(30).refine((value) => !holdsAddress(value), 'Use a name without a web address'),
  unitValue: z.int('Enter a whole amount').min(1, 'Enter 1 or more').max(1_000_000_000, 'Enter a smaller value'),
})

/**
 * How customers are given what they earn: as money, by the account’s payout methods; as credit on their own record at
 * the payment provider of this connection; or as whole units of the company’s own, such as points or free months, each
 * worth `unitValue` in minor units of the account’s currency.
 */
export const GroupReward = z
  .discriminatedUnion(
    'as',
    [
      z.strictObject({ as: z.literal('money') }),
      z.strictObject({ as: z.literal('credit'), connectionId: Id }),
      UnitsReward,
    ],
    'Choose how rewards are given',
  )
  .meta({ id: 'GroupReward' })
export type GroupReward = z.infer<typeof GroupReward>

/**
 * Partners with the same terms. Every partner is in exactly one; `name` is for the owner, `publicName` for partners.
 * The default group has the ID of its account and the account's terms: `terms` and `commissionSettings` are null and
 * `rules` 0.
 * With a `joinSlug` the group has its own page at the address of the program's page, a slash and the slug.
 * A group of `kind` customers has a `reward`; with `automatic` its due rewards are approved every night.
 */
export const Group = z
  .object({
    id: Id,
    accountId: Id,
    name: z.string(),
    publicName: z.string().nullable(),
    translations: savedTranslations(z.object({ publicName: z.string().nullable() })),
    joinSlug: z.string().nullable(),
    kind: z.enum(groupKinds),
    reward: GroupReward.nullable(),
    automatic: z.boolean(),
    isDefault: z.boolean(),
    commissionSettings: CommissionSettings.nullable(),
    rules: z.int(),
    terms: Terms.nullable(),
    partners: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Group' })
export type Group = z.infer<typeof Group>

const fields = {
  name: requiredText(60),
  publicName: optionalName(60).optional(),
  translations: changedTranslations(z.strictObject({ publicName: optionalName(60).default(null) })).optional(),
  joinSlug: JoinSlug.optional(),
}

/**
 * `terms` are for all sales of the partners who will be in the group. A group for customers has a `reward`, money by
 * default; `automatic` defaults to true unless it is money. One for units without terms pays nothing yet.
 */
export const NewGroup = z.strictObject({
  ...fields,
  kind: z.enum(groupKinds, 'Choose partners or customers').optional(),
  reward: GroupReward.optional(),
  automatic: z.boolean().optional(),
  terms: Terms.nullish(),
})
export type NewGroup = z.infer<typeof NewGroup>

/** The reward can be changed until the group has one; the kind never. */
export const GroupChange = z
  .strictObject({ ...fields, reward: GroupReward.optional(), automatic: z.boolean().optional() })
  .partial()
export type GroupChange = z.infer<typeof GroupChange>

export const listGroups = endpoint('listGroups', 'GET /accounts/:id/groups', {
  summary: 'List groups',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}, ['name', 'partners']),
  reply: pageSchema(Group),
})

export const downloadGroups = csvEndpoint(listGroups, {
  summary: 'Download all groups',
  file: 'groups',
  fields: [
    ...[
      'id',
      'accountId',
      'name',
      'publicName',
      'joinSlug',
      'isDefault',
      'rules',
      'partners',
      'createdAt',
      'updatedAt',
      'kind',
      'automatic',
    ],
  ],
})

export const createGroup = endpoint('createGroup', 'POST /accounts/:id/groups', {
  summary: 'Create a group of partners',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewGroup,
  status: 201,
  reply: Group,
})

export const getGroup = endpoint('getGroup', 'GET /groups/:id', {
  summary: 'Retrieve a group',
  allow: rights.read,
  limit: apiLimit,
  subject: 'group',
  reply: Group,
})

export const changeGroup = endpoint('changeGroup', 'PUT /groups/:id', {
  summary: 'Rename a group, or change the address of its page',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'group',
  body: GroupChange,
  reply: Group,
})

export const deleteGroup = endpoint('deleteGroup', 'DELETE /groups/:id', {
  summary: 'Delete a group without partners; sales and customers keep its terms',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'group',
  status: 204,
})

/** Most goals of a group. */
export const MOST_GOALS = 10

export const goalMetrics = ['leads', 'sales', 'revenue'] as const
export type GoalMetric = (typeof goalMetrics)[number]

/** The days counted: of the calendar month, of the last 90 days, or all. */
export const goalWindows = ['month', 'last-90-days', 'all-time'] as const
export type GoalWindow = (typeof goalWindows)[number]

/**
 * A figure of a partner's own referrals that pays a bonus, or moves the partner to another group. `atLeast` and `below`
 * count leads or sales, or are revenue in minor units of the account's currency; `bonus` is in minor units too. A bonus
 * is paid once for each month, or once for all time; `appliesTo` is the reach of a move.
 */
export const Goal = z
  .object({
    id: Id,
    groupId: Id,
    name: z.string(),
    metric: z.enum(goalMetrics),
    window: z.enum(goalWindows),
    atLeast: Amount.nullable(),
    below: Amount.nullable(),
    bonus: Amount.nullable(),
    moveToGroupId: Id.nullable(),
    appliesTo: z.enum(reaches).nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'Goal' })
export type Goal = z.infer<typeof Goal>

/** `position` is the goal's place among the group's, from 1; the last by default. `preview` writes nothing. */
export const NewGoal = z.strictObject({
  name: requiredText(60).refine((value) => !holdsAddress(value), 'Use a name without a web address'),
  metric: z.enum(goalMetrics, 'Choose what is counted'),
  window: z.enum(goalWindows, 'Choose the days that count'),
  atLeast: EnteredAmount.nullish(),
  below: EnteredAmount.nullish(),
  bonus: EnteredAmount.nullish(),
  moveToGroupId: Id.nullish(),
  appliesTo: z.enum(reaches).nullish(),
  position: z.int().min(1).max(MOST_GOALS).optional(),
  preview: z.boolean().optional(),
})
export type NewGoal = z.infer<typeof NewGoal>

/** Setting `atLeast` clears `below`, and setting a bonus clears the move, and vice versa. */
export const GoalChange = NewGoal.partial()
export type GoalChange = z.infer<typeof GoalChange>

/** The field that is wrong about a goal as a whole, or undefined: its condition and its result don't go together. */
export function mistakeInGoal(
  goal: Pick<Goal, 'window' | 'atLeast' | 'below' | 'bonus' | 'moveToGroupId'>,
): 'atLeast' | 'bonus' | 'window' | undefined {
  const { window, atLeast, below, bonus, moveToGroupId } = goal
  if ((atLeast === null) === (below === null)) return 'atLeast'
  if ((bonus === null) === (moveToGroupId === null)) return 'bonus'
  if (below !== null) return bonus === null && window === 'last-90-days' ? undefined : 'window'
  return bonus !== null && window === 'last-90-days' ? 'window' : undefined
}

/** The partners who reach a goal in the next night, and their bonuses together; 0 for a move. */
export const GoalPreview = z.object({ partners: z.int(), amount: Amount }).meta({ id: 'GoalPreview' })
export type GoalPreview = z.infer<typeof GoalPreview>

/**
 * How far a partner is, today included. A goal with `below` is for the owner alone; `current` is null if it is revenue
 * that the partner may not see. `percent` is at most 100. `moveTo` is the name of the group as its reader knows it.
 */
export const GoalProgress = z
  .object({
    goalId: Id,
    name: z.string(),
    metric: z.enum(goalMetrics),
    window: z.enum(goalWindows),
    atLeast: Amount.nullable(),
    below: Amount.nullable(),
    current: Amount.nullable(),
    percent: z.int(),
    reached: z.boolean(),
    bonus: Amount.nullable(),
    moveTo: z.string().nullable(),
  })
  .meta({ id: 'GoalProgress' })
export type GoalProgress = z.infer<typeof GoalProgress>

export const listGoals = endpoint('listGoals', 'GET /groups/:id/goals', {
  summary: 'List a group’s goals in their order',
  allow: rights.read,
  limit: apiLimit,
  subject: 'group',
  reply: z.object({ items: z.array(Goal) }),
})

export const createGoal = endpoint('createGoal', 'POST /groups/:id/goals', {
  summary: 'Add a goal to a group, or preview whom it would reach',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'group',
  body: NewGoal,
  status: 201,
  reply: z.union([Goal, GoalPreview]),
})

export const changeGoal = endpoint('changeGoal', 'PUT /goals/:id', {
  summary: 'Change a goal, or preview whom it would reach; a bonus given before is not changed',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'goal',
  body: GoalChange,
  reply: z.union([Goal, GoalPreview]),
})

export const deleteGoal = endpoint('deleteGoal', 'DELETE /goals/:id', {
  summary: 'Delete a goal; bonuses and moves stay',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'goal',
  status: 204,
})

export const listPartnerGoals = endpoint('listPartnerGoals', 'GET /partners/:id/goals', {
  tag: 'partners',
  summary: 'List the goals of a partner’s group, with the partner’s figures',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  reply: z.object({ items: z.array(GoalProgress) }),
})
