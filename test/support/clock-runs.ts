import { clocks } from '../../server/clocks.ts'
import type { Services } from '../../server/platform/services.ts'

const runner =
  (...names: string[]) =>
  async (services: Services): Promise<void> => {
    for (const name of names) await clocks[name]!.run(services)
  }

/** What the clocks of payouts do in a minute, and in an hour. */
export const payoutsEveryMinute = runner('poll-payouts', 'automatic-payouts')
export const payoutsEveryHour = runner('gather-payouts', 'recheck-payout-methods', 'report-unknown-payouts')
