import { authEveryHour } from '../auth/jobs.ts'
import { forgetOldClicks } from '../clicks/forget-clicks.ts'
import { expireLeads } from '../leads/lead-status.ts'
import { forgetProviderEvents } from '../payment-providers/jobs.ts'
import { payoutsEveryHour, payoutsEveryMinute } from '../payouts/jobs.ts'
import { fetchForNewSales, keepEuroRates } from '../sales/euro-rates.ts'
import type { Services } from '../services.ts'

/** Every clock of the product: what happens each minute and each hour, whoever's room it is. */
export async function everyMinute(services: Services): Promise<void> {
  await payoutsEveryMinute(services)
  await fetchForNewSales(services)
}

export async function everyHour(services: Services): Promise<void> {
  const { db } = services
  await db.run`delete from idempotency_keys where created_at < ${db.now}::timestamptz - interval '24 hours'`
  await authEveryHour(services)
  await expireLeads(services)
  await payoutsEveryHour(services)
  await forgetOldClicks(db)
  await forgetProviderEvents(services)
  await keepEuroRates(services)
}
