import type { Terms } from './terms.ts'
import type { CommissionSettings } from './values.ts'

/** Returns terms of nothing but percentages. */
export const simpleTerms = ({ layerRates }: CommissionSettings): Terms => ({
  rules: [],
  otherwise: { layerRates },
  maxPerCustomer: null,
  maxPerMonth: null,
})

/** Whether percentages show all of these terms. */
export const isSimple = (terms: Terms | null) =>
  !terms ||
  (terms.rules.length === 0 &&
    !terms.otherwise.layerAmounts &&
    !terms.maxPerCustomer &&
    !terms.maxPerMonth &&
    !terms.maxPerYear)
