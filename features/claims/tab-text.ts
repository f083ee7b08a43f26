import { defineWords } from '#contract/words.ts'
/** The words of its tab under Leads. */
export const claimTabWords = defineWords('claim-tab', 'partner', {
  label: 'Claims',
  also: 'missing sales reported by partners',
})
