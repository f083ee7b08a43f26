import { blockerPhrases } from '#contract/blocker-phrases.ts'
import type { Method, MethodBlocker } from '../method.ts'

/** Whether Wise converts from the account's currency is the blocker below. */
export const pays: Method['pays'] = { kinds: ['us-bank', 'iban', 'local-bank'], currencies: 'any' }

/** Currencies in which Wise has balances and from which it converts. */
const balances =
  'usd eur gbp aud nzd cad sgd jpy chf sek nok dkk pln huf czk ron bgn hkd try ils zar mxn brl myr aed inr idr php thb'.split(
    ' ',
  )

/** Payouts that Wise cannot make, neither by API nor by file. */
export const blockers: readonly MethodBlocker[] = [
  {
    code: 'currency-unsupported',
    when: { currencyNotIn: balances },
    words: {
      owner: ({ currency }) => `Wise does not pay out from ${currency.toUpperCase()}`,
      partner: ({ currency }) => blockerPhrases.currency({ currency: currency.toUpperCase() }),
    },
  },
  {
    code: 'wise-rejected-recipient',
    ofDetails: true,
    when: 'details-rejected',
    words: {
      owner: ({ rejectedReason }) => `Bank details were rejected${rejectedReason ? `: ${rejectedReason}` : ''}`,
      partner: () => blockerPhrases.bankDetailsRejected,
    },
  },
]
