import type * as room from '../groups.ts'
import type { ExamplesOf } from './example.ts'
import { goal, group, ids, onlyPage, partner } from './objects.ts'
import { mistakesInTerms, unsuitedTerms } from './terms.ts'

const defaultGroup: room.Group = {
  ...group,
  id: ids.account,
  name: 'Default',
  publicName: null,
  translations: {},
  joinSlug: null,
  isDefault: true,
  commissionSettings: null,
  terms: null,
  partners: 2,
  createdAt: partner.createdAt,
  updatedAt: partner.createdAt,
}

export const groups: ExamplesOf<typeof room> = {
  listGroups: { query: { sort: 'name' }, reply: onlyPage(defaultGroup, group) },
  createGroup: {
    refused: [
      ...mistakesInTerms,
      ...unsuitedTerms,
      ...(['connection_ended', 'credit_right_missing', 'provider_away'] as const),
      ...(['provider_has_no_credit', 'unknown_connection'] as const),
      ...(['group_is_not_for_customers', 'group_name_taken', 'language_of_texts', 'slug_taken'] as const),
      ...(['too_many_customer_groups', 'too_many_groups'] as const),
    ],
    body: {
      name: group.name,
      publicName: group.publicName,
      translations: group.translations,
      joinSlug: group.joinSlug,
      terms: { rules: [], otherwise: { layerRates: [25, 5] }, maxPerCustomer: null, maxPerMonth: null },
    },
    reply: group,
  },
  getGroup: { reply: group },
  changeGroup: {
    refused: [
      ...unsuitedTerms,
      ...(['connection_ended', 'credit_right_missing', 'provider_away'] as const),
      ...(['provider_has_no_credit', 'unknown_connection'] as const),
      ...(['group_is_not_for_customers', 'group_name_taken', 'language_of_texts'] as const),
      ...(['field_not_yours', 'password_first', 'reward_fixed', 'slug_taken'] as const),
    ],
    body: { name: 'Gold', publicName: 'Gold partners', joinSlug: 'gold' },
    reply: group,
  },
  listGoals: { reply: { items: [goal] } },
  createGoal: {
    refused: [
      ...(['goal_other_reward', 'goal_shape', 'goal_same_group'] as const),
      ...(['not_whole_units', 'unknown_group', 'too_many_goals'] as const),
    ],
    body: { name: goal.name, metric: goal.metric, window: goal.window, atLeast: goal.atLeast, bonus: goal.bonus },
    reply: goal,
  },
  changeGoal: {
    refused: ['goal_other_reward', 'goal_shape', 'goal_same_group', 'not_whole_units', 'unknown_group'],
    body: { bonus: 300_00, position: 1 },
    reply: { ...goal, bonus: 300_00 },
  },
  deleteGoal: {},
  listPartnerGoals: {
    reply: {
      items: [
        {
          goalId: ids.goal,
          name: goal.name,
          metric: goal.metric,
          window: goal.window,
          atLeast: goal.atLeast,
          below: null,
          current: 3_200_00,
          percent: 64,
          reached: false,
          bonus: goal.bonus,
          moveTo: null,
        },
      ],
    },
  },
  deleteGroup: { refused: ['default_group_fixed', 'group_has_partners'] },
}
