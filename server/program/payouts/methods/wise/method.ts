import * as contract from '#contract/payouts.ts'
import type { Transaction } from '../../../../platform/database/pool.ts'
import { routeOwn } from '../../../access/route.ts'
import { numberNamed } from '../../payout-number.ts'
import type { Method } from '../method.ts'
import { advance } from './advance.ts'
import { transactionId } from './attempts.ts'
import { blockers } from './blockers.ts'
import { checkDetails } from './check-details.ts'
import { isTaken } from './connection.ts'
import { wiseEventRoutes } from './events.ts'
import { listWiseProfiles } from './profiles.ts'
import { readTransfers } from './read-transfers.ts'
import { settings } from './settings.ts'
import { tryTokens } from './try-tokens.ts'
import { verifyTransfers } from './verify-transfers.ts'

/** Transfers from the balance of a Wise profile to bank accounts in the United States. */
export const wise: Method = {
  name: 'wise',
  blockers,
  settings,
  checkDetails,
  routes(app) {
    routeOwn(app, contract.listWiseProfiles, ({ services, request }) =>
      listWiseProfiles(services, request.authorization),
    )
    wiseEventRoutes(app)
  },
  carrier: {
    label: 'Wise',
    advance,
    // a bounce may come long after a payout was marked as paid
    looks: { everyMinutes: 10, paidForDays: 90 },
    usualFee,
    isTaken,
    transfers: readTransfers,
    transactionIds: (payoutId, count) => Array.from({ length: count }, (_, at) => transactionId(payoutId, at + 1)),
    isOurs: ({ transactionId: id, reference }) => isDerived(id) && numberNamed(reference) !== null,
    verify: verifyTransfers,
    tryTokens,
  },
}

/** Whether an id is one of ours, a version 5 UUID: Wise and people use others. */
const isDerived = (uuid: string | null) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(uuid ?? '')

/** Wise's average fee of recent payouts. */
async function usualFee(tx: Transaction, accountId: string) {
  const { fee } = await tx.one<{ fee: number | null }>`
    select avg(fee) as fee from (
      select a.fee from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
      where o.account_id = ${accountId} and coalesce(a.method, 'wise') = 'wise' and a.fee is not null
      order by a.at desc limit 20) late`
  return fee
}
