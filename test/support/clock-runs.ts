import { clocks } from '../../server/clocks.ts'
import type { Services } from '../../server/platform/services.ts'

const runner =
  (...names: string[]) =>
  async (services: Services): Promise<void> => {
    for (const name of names) await clocks[name]!.run(services)
  }

/** Runners of the payout clocks, per minute and per hour. */
export const payoutsEveryMinute = runner('poll-payouts', 'automatic-payouts')
export const payoutsEveryHour = runner('gather-payouts', 'recheck-payout-methods', 'report-unknown-payouts')
