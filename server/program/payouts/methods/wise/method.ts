import * as contract from '#contract/payouts.ts'
import { routeOwn } from '../../../access/route.ts'
import type { Method } from '../method.ts'
import { blockers } from './blockers.ts'
import { checkDetails } from './check-details.ts'
import { connect, connected, paysFrom } from './connection.ts'
import { wiseEventRoutes } from './events.ts'
import { forgetRecipient, keepRecipient, knownRecipients } from './payees.ts'
import { listWiseProfiles } from './profiles.ts'
import { settings } from './settings.ts'
import { FORBIDDEN, next } from './steps.ts'

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
    connected,
    paysFrom,
    payees: { known: knownRecipients, keep: keepRecipient, forget: forgetRecipient },
  },
}
