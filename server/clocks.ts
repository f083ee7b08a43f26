import { ledgerTables } from './integrations/data-transfer/tables.ts'
import { forgetImportRows } from './integrations/imports/forget-imports.ts'
import { forgetIncomingDeliveries } from './integrations/incoming-webhooks/forget-deliveries.ts'
import { forgetOldMails } from './integrations/mail/forget-mails.ts'
import { forgetOldNews, mailNews, mailsOfTheDay } from './integrations/mail/news.ts'
import { forgetOldDeliveries } from './integrations/outgoing-webhooks/forget-deliveries.ts'
import { retryWaitingEvents } from './integrations/payment-providers/connections.ts'
import { watchConnections } from './integrations/payment-providers/health.ts'
import { forgetProviderEvents } from './integrations/payment-providers/jobs.ts'
import { forgetOldConsents } from './integrations/payment-providers/oauth.ts'
import { reconcileByNight } from './integrations/payment-providers/reconcile.ts'
import { renewDueTokens } from './integrations/payment-providers/refresh.ts'
import { forgetRehearsals } from './integrations/rehearsals/start-rehearsal.ts'
import { backUpWhenDue } from './platform/backups/scheduled.ts'
import { forgetOldEvents } from './platform/events/forget-events.ts'
import { forgetIdempotencyKeys } from './platform/http/idempotency.ts'
import type { Clocks } from './platform/jobs/clocks.ts'
import { authEveryHour } from './program/auth/jobs.ts'
import { forgetOldClicks } from './program/clicks/forget-clicks.ts'
import { expireLeads } from './program/leads/lead-status.ts'
import { forgetOldSubmissions } from './program/leads/submissions.ts'
import { forgetFormerEmails } from './program/partners/former-emails.ts'
import { gatherDue, pollTransfers, recheckTrouble, reportUnknown, runDueAccounts } from './program/payouts/jobs.ts'
import { agreeAll } from './program/payouts/reconciliation/agreement.ts'
import { fetchForNewSales, keepEuroRates } from './program/sales/euro-rates.ts'

/** No retries, as it runs again the next minute. */
const everyMinute = { cron: '* * * * *', retryLimit: 0 }
const everyHour = { cron: '0 * * * *', retryLimit: 3 }

/** Every clock of all rooms. */
export const clocks: Clocks = {
  'poll-payouts': { ...everyMinute, run: pollTransfers },
  'automatic-payouts': { ...everyMinute, run: runDueAccounts },
  'compare-payouts': { ...everyMinute, run: agreeAll },
  'rates-for-new-sales': { ...everyMinute, run: fetchForNewSales },
  'gather-mails': { ...everyMinute, run: mailNews },
  'mails-of-the-day': { ...everyHour, run: mailsOfTheDay },
  'back-up': { ...everyHour, run: (services) => backUpWhenDue(services, ledgerTables) },
  'gather-payouts': { ...everyHour, run: gatherDue },
  'recheck-payout-methods': { ...everyHour, run: recheckTrouble },
  'report-unknown-payouts': { ...everyHour, run: reportUnknown },
  'expire-leads': { ...everyHour, run: expireLeads },
  'euro-rates': { ...everyHour, run: keepEuroRates },
  'forget-idempotency-keys': { ...everyHour, run: ({ db }) => forgetIdempotencyKeys(db) },
  'forget-sessions': { ...everyHour, run: authEveryHour },
  'forget-events': { ...everyHour, run: forgetOldEvents },
  'forget-former-emails': { ...everyHour, run: forgetFormerEmails },
  'forget-mails': { ...everyHour, run: forgetOldMails },
  'forget-mail-news': { ...everyHour, run: forgetOldNews },
  'forget-deliveries': { ...everyHour, run: forgetOldDeliveries },
  'forget-incoming-deliveries': { ...everyHour, run: forgetIncomingDeliveries },
  'forget-rehearsals': { ...everyHour, run: forgetRehearsals },
  'forget-import-rows': { ...everyHour, run: forgetImportRows },
  'forget-lead-submissions': { ...everyHour, run: ({ db }) => forgetOldSubmissions(db) },
  'forget-clicks': { ...everyHour, run: ({ db }) => forgetOldClicks(db) },
  'watch-providers': { ...everyHour, run: watchConnections },
  'renew-provider-tokens': { ...everyHour, run: renewDueTokens },
  'forget-provider-consents': { ...everyHour, run: ({ db }) => forgetOldConsents(db) },
  'waiting-provider-events': { ...everyHour, run: retryWaitingEvents },
  'reconcile-providers': { ...everyHour, run: reconcileByNight },
  'forget-provider-events': { ...everyHour, run: forgetProviderEvents },
}
