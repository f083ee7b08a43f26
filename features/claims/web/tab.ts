import { type FeatureTab, totalQuery } from '#web/shared/feature-tab.ts'
import { listClaims } from '../contract.ts'
import { claimTabWords } from '../tab-text.ts'

export const claimTab: FeatureTab = {
  under: 'leads',
  to: '/claims',
  search: { state: 'open' },
  words: claimTabWords,
  about: '/concepts/attribution',
  waiting: totalQuery(listClaims, { state: 'open' }),
}
