import type * as room from '../groups.ts'
import type { ExamplesOf } from './example.ts'
import { group, ids, onlyPage, partner } from './objects.ts'
import { mistakesInTerms } from './terms.ts'

const defaultGroup: room.Group = {
  ...group,
  id: ids.account,
  name: 'Default',
  publicName: null,
  isDefault: true,
  commissionSettings: null,
  partners: 2,
  createdAt: partner.createdAt,
  updatedAt: partner.createdAt,
}

export const groups: ExamplesOf<typeof room> = {
  listGroups: { query: { sort: 'name' }, reply: onlyPage(defaultGroup, group) },
  createGroup: {
    refused: [...mistakesInTerms, 'group_name_taken', 'too_many_groups'],
    body: {
      name: group.name,
      publicName: group.publicName,
      terms: { rules: [], otherwise: { layerRates: [25, 5] }, maxPerCustomer: null, maxPerMonth: null },
    },
    reply: group,
  },
  getGroup: { reply: group },
  changeGroup: {
    refused: ['group_name_taken'],
    body: { name: 'Gold', publicName: 'Gold partners' },
    reply: group,
  },
  deleteGroup: { refused: ['default_group_fixed', 'group_has_partners'] },
}
