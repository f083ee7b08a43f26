import type * as room from '../groups.ts'
import type { ExamplesOf } from './example.ts'
import { goal, group, ids, onlyPage, partner } from './objects.ts'
import { mistakesInTerms } from './terms.ts'

const defaultGroup: room.Group = {
  ...group,
  id: ids.account,
  name: 'Default',
  publicName: null,
  joinSlug: null,
  isDefault: true,
  commissionSettings: null,
  partners: 2,
  createdAt: partner.createdAt,
  updatedAt: partner.createdAt,
}

export const groups: ExamplesOf<typeof room> = {
  listGroups: { query: { sort: 'name' }, reply: onlyPage(defaultGroup, group) },
  createGroup: {
    refused: [...mistakesInTerms, 'group_name_taken', 'slug_taken', 'too_many_groups'],
    body: {
      name: group.name,
      publicName: group.publicName,
      joinSlug: group.joinSlug,
      terms: { rules: [], otherwise: { layerRates: [25, 5] }, maxPerCustomer: null, maxPerMonth: null },
    },
    reply: group,
  },
  getGroup: { reply: group },
  changeGroup: {
    refused: ['group_name_taken', 'slug_taken'],
    body: { name: 'Gold', publicName: 'Gold partners', joinSlug: 'gold' },
    reply: group,
  },
  listGoals: { reply: { items: [goal] } },
  createGoal: {
    refused: ['goal_shape', 'goal_same_group', 'unknown_group', 'too_many_goals'],
    body: { name: goal.name, metric: goal.metric, window: goal.window, atLeast: goal.atLeast, bonus: goal.bonus },
    reply: goal,
  },
  changeGoal: {
    refused: ['goal_shape', 'goal_same_group', 'unknown_group'],
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
