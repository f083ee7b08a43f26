import { authEveryHour } from '../program/auth/jobs.ts'
import { forgetOldClicks } from '../program/clicks/forget-clicks.ts'
import { forgetIdempotencyKeys } from '../platform/http/idempotency.ts'
import { expireLeads } from '../program/leads/lead-status.ts'
import { forgetOldMails } from '../integrations/mail/forget-mails.ts'
import { retryWaitingEvents } from '../integrations/payment-providers/connections.ts'
import { forgetProviderEvents } from '../integrations/payment-providers/jobs.ts'
import { payoutsEveryHour, payoutsEveryMinute } from '../program/payouts/jobs.ts'
import { fetchForNewSales, keepEuroRates } from '../program/sales/euro-rates.ts'
import type { Services } from '../platform/services.ts'
import type { Jobs } from '../platform/jobs/queue.ts'

/** `cron` in UTC; `retryLimit`: how often a run that failed is tried again before its next turn. */
type Clock = { cron: string; retryLimit: number; run(services: Services): Promise<unknown> }
export type Clocks = Record<string, Clock>

/** The next minute is the next try. */
const everyMinute = { cron: '* * * * *', retryLimit: 0 }
const everyHour = { cron: '0 * * * *', retryLimit: 3 }

/** Every clock of the product, whoever's room it is. */
export const clocks: Clocks = {
  payouts: { ...everyMinute, run: payoutsEveryMinute },
  'rates-for-new-sales': { ...everyMinute, run: fetchForNewSales },
  'gather-payouts': { ...everyHour, run: payoutsEveryHour },
  'expire-leads': { ...everyHour, run: expireLeads },
  'euro-rates': { ...everyHour, run: keepEuroRates },
  'forget-idempotency-keys': { ...everyHour, run: ({ db }) => forgetIdempotencyKeys(db) },
  'forget-sessions': { ...everyHour, run: authEveryHour },
  'forget-mails': { ...everyHour, run: forgetOldMails },
  'forget-clicks': { ...everyHour, run: ({ db }) => forgetOldClicks(db) },
  'waiting-provider-events': { ...everyHour, run: retryWaitingEvents },
  'forget-provider-events': { ...everyHour, run: forgetProviderEvents },
}

const RETRY_SECONDS = 60

/** How the job of a stroke is sent: none beside one that is still to run, runs or is tried again. */
export const sending = (name: string, { retryLimit }: Clock) => ({
  singletonKey: name,
  retryLimit,
  retryDelay: RETRY_SECONDS,
})

/**
 * Sets the clocks, and stops those of earlier releases. Each makes jobs of its own, so that one that fails or takes long
 * holds no other back.
 */
export async function setClocks({ boss }: Pick<Jobs, 'boss'>, wanted: Clocks): Promise<void> {
  for (const { name, key } of await boss.getSchedules())
    if (name !== 'clock' || !Object.hasOwn(wanted, key)) await boss.unschedule(name, key)
  for (const [name, clock] of Object.entries(wanted))
    await boss.schedule('clock', clock.cron, { name }, { key: name, ...sending(name, clock) })
}

/** One stroke; undefined is a clock of another release, whose job was still to run. */
export const strike = async (services: Services, clock: Clock | undefined): Promise<void> => {
  await clock?.run(services)
}
