import { type FeatureTab, totalQuery } from '#web/shared/feature-tab.ts'
import { listCases } from '../contract.ts'
import { caseTabWords } from '../tab-text.ts'

export const caseTab: FeatureTab = {
  under: 'leads',
  to: '/cases',
  words: caseTabWords,
  about: '/concepts/fraud',
  waiting: totalQuery(listCases, {}),
}
