import * as contract from '#contract/payouts.ts'
import { routeOwn } from '../../../access/route.ts'
import type { Method } from '../method.ts'
import { blockers } from './blockers.ts'
import { checkDetails } from './check-details.ts'
import { connect, isTaken, paysFrom } from './connection.ts'
import { wiseEventRoutes } from './events.ts'
import { forgetRecipient, keepRecipient, knownRecipients } from './payees.ts'
import { listWiseProfiles } from './profiles.ts'
import { readTransfers } from './read-transfers.ts'
import { settings } from './settings.ts'
import { FORBIDDEN, next } from './steps.ts'
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
    site: 'wise.com',
    payByHand: FORBIDDEN,
    settlesAfterBusinessDays: 5,
    // a bounce may come long after a payout was marked as paid
    looks: { everyMinutes: 10, paidForDays: 90 },
    next,
    connect,
    paysFrom,
    payees: { known: knownRecipients, keep: keepRecipient, forget: forgetRecipient },
    isTaken,
    transfers: readTransfers,
    verify: verifyTransfers,
    tryTokens,
  },
}
