import { sql } from '../../../../platform/database/sql.ts'
import type { MethodBlocker } from '../method.ts'

/** Payouts that Wise cannot make, by our calls or by a file. */
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

/** Currencies that Wise keeps a balance in and converts from; dollars arrive whatever leaves. */
const balances = new Set(
  'usd eur gbp aud nzd cad sgd jpy chf sek nok dkk pln huf czk ron bgn hkd try ils zar mxn brl myr aed inr idr php thb'.split(
    ' ',
  ),
)
