import { sql } from '../../../../platform/database/sql.ts'
import type { MethodBlocker } from '../method.ts'

/** Payouts that Wise cannot make, neither by API nor by file. */
export const blockers: readonly MethodBlocker[] = [
  {
    code: 'currency-unsupported',
    stands: ({ defaultCurrency }) => (balances.has(defaultCurrency) ? sql`false` : sql`true`),
    words: {
      owner: ({ currency }) => `Wise does not pay out from ${currency.toUpperCase()}`,
      partner: ({ currency }) => `Payouts in ${currency.toUpperCase()} are not possible`,
    },
  },
  {
    code: 'wise-rejected-recipient',
    ofDetails: true,
    stands: () => sql`(d.rejected_reason is not null)`,
    words: {
      owner: ({ rejectedReason }) => `Bank details were rejected${rejectedReason ? `: ${rejectedReason}` : ''}`,
      partner: () => 'Bank details were rejected',
    },
  },
]

/** Currencies in which Wise has balances and from which it converts; payees get dollars from all of them. */
const balances = new Set(
  'usd eur gbp aud nzd cad sgd jpy chf sek nok dkk pln huf czk ron bgn hkd try ils zar mxn brl myr aed inr idr php thb'.split(
    ' ',
  ),
)
