import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of the list of all partners' codes. */
export const promotionCodeWords = defineWords('promotion-code', 'partner', {
  plural: 'promotion codes',
  addToPartner: 'Add code',
  addWhy: 'From now on, sales paid with this code are credited to the partner. Codes aren’t case-sensitive.',
  code: 'Code',
  source: 'Source',
  sources: { entered: 'Added here', stripe: 'Stripe', shopify: 'Shopify', woocommerce: 'WooCommerce' },
  lastUsed: 'Last used',
  noneYet:
    'Add the discount codes of your shop that partners hand out, or have them made at Stripe, Shopify or WooCommerce.',
  remove: 'Remove',
  removeHeading: ({ code }: { code: Word }) => `Remove ${code}`,
  removeWhy: 'New sales with this code no longer credit the partner. Earlier sales keep their credit.',
  removeMadeWhy: ({ provider }: { provider: Word }) =>
    `New sales with this code no longer credit the partner, and the code is turned off at ${provider}. Earlier sales keep their credit.`,
  removed: 'Promotion code removed',
  retry: 'Try again',
  retried: 'The code is being made again.',
})
