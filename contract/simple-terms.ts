import type { Terms } from './terms.ts'
import type { CommissionSettings } from './values.ts'

/** Returns terms of nothing but percentages. */
export const simpleTerms = ({ layerRates }: CommissionSettings): Terms => ({
  rules: [],
  otherwise: { layerRates },
  maxPerCustomer: null,
  maxPerMonth: null,
})
