import { blockerPhrases } from '#contract/blocker-phrases.ts'
import type { Method } from '../method.ts'

/**
 * Credit on the customer's own record at the payment provider, which its next bills use up. The account's customers are
 * named by the company; features/rewards makes the calls.
 */
export const credit: Method = {
  name: 'credit',
  label: 'Credit',
  pays: { needs: 'nothing', kinds: [], currencies: 'any' },
  blockers: [
    {
      code: 'no-customer-at-provider',
      when: 'no-customer',
      words: {
        owner: () => 'No customer at the payment provider: your app names it',
        partner: () => blockerPhrases.notLinked,
      },
    },
    {
      code: 'customer-deleted',
      when: 'customer-deleted',
      words: {
        owner: () => 'The customer was deleted at the payment provider',
        partner: () => blockerPhrases.notLinked,
      },
    },
    {
      code: 'customer-currency-differs',
      when: 'customer-currency-differs',
      words: {
        owner: ({ currency }) => `The customer isn’t billed in ${currency.toUpperCase()}: give it manually`,
        partner: () => blockerPhrases.otherCurrency,
      },
    },
  ],
}
