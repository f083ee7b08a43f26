import { defineWords } from '#contract/words.ts'
/** The words of its tab under Partners. */
export const promotionCodeTabWords = defineWords('promotion-code-tab', 'partner', {
  label: 'Promotion codes',
  also: 'promotion discount coupon codes vouchers',
})
