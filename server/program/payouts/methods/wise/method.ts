import * as contract from '#contract/payouts.ts'
import type { Transaction } from '../../../../platform/database/pool.ts'
import { sql } from '../../../../platform/database/sql.ts'
import { routeOwn } from '../../../access/route.ts'
import type { Method } from '../method.ts'
import { advance } from './advance.ts'
import { isTaken } from './connection.ts'
import { wiseEventRoutes } from './events.ts'
import { listWiseProfiles } from './profiles.ts'
import { settings } from './settings.ts'
import { verifyTransfers } from './verify-transfers.ts'

/** Transfers from the balance of a Wise profile to bank accounts in the United States. */
export const wise: Method = {
  name: 'wise',
  blockers: [
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
  ],
  settings,
  routes(app) {
    routeOwn(app, contract.listWiseProfiles, ({ services, request }) =>
      listWiseProfiles(services, request.authorization),
    )
    wiseEventRoutes(app)
  },
  carrier: {
    label: 'Wise',
    advance,
    // a bounce may come long after a payout counts as paid
    looks: { everyMinutes: 10, paidForDays: 90 },
    usualFee,
    isTaken,
    verify: verifyTransfers,
  },
}

/** Currencies that Wise keeps a balance in and converts from; dollars arrive whatever leaves. */
const balances = new Set(
  'usd eur gbp aud nzd cad sgd jpy chf sek nok dkk pln huf czk ron bgn hkd try ils zar mxn brl myr aed inr idr php thb'.split(
    ' ',
  ),
)

/** What Wise took on average of late. */
async function usualFee(tx: Transaction, accountId: string) {
  const { fee } = await tx.one<{ fee: number | null }>`
    select avg(fee) as fee from (
      select a.fee from payout_attempts a join payouts o on o.id = a.payout_id
      where o.account_id = ${accountId} and coalesce(a.method, 'wise') = 'wise' and a.fee is not null
      order by a.at desc limit 20) late`
  return fee
}
