import type { Method } from '../method.ts'
import { blockers, pays } from './blockers.ts'
import { checkDetails } from './check-details.ts'
import { createWise } from './client.ts'
import { events } from './events.ts'
import { localBanks } from './local-banks.ts'
import { settings } from './settings.ts'
import { executeStep, nextStep, page } from './steps.ts'
import { wiseReasons } from './text.ts'

/** Transfers from the balance of a Wise profile to bank accounts. */
export const wise: Method = {
  name: 'wise',
  label: 'Wise',
  pays,
  blockers,
  settings,
  checkDetails,
  localBanks,
  events,
  reasons: wiseReasons,
  provider: {
    site: 'wise.com',
    payByHand: wiseReasons.forbidden,
    settlesAfterBusinessDays: 5,
    // a bounce may come long after a payout was marked as paid
    looks: { everyMinutes: 10, paidForDays: 90 },
    nextStep,
    execute: executeStep,
    profiles: (api) => createWise(api).profiles(),
    page,
  },
}
