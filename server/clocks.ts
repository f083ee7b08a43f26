import { mergeParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import { ledgerTables } from './integrations/data-transfer/tables.ts'
import { mailNews, noteDay } from './integrations/mail/digest.ts'
import { retryWaitingEvents } from './integrations/payment-providers/connections.ts'
import { watchConnections } from './integrations/payment-providers/health.ts'
import { reconcileByNight } from './integrations/payment-providers/reconcile.ts'
import { renewDueTokens } from './integrations/payment-providers/refresh.ts'
import { BACKUP_CLOCK, backUpWhenDue } from './platform/backups/scheduled.ts'
import type { Clocks } from './platform/jobs/clocks.ts'
import { eachNight } from './program/access/each-night.ts'
import { checkHosts } from './program/custom-domains/daily.ts'
import { runGoals } from './program/groups/run-goals.ts'
import { expireLeads } from './program/leads/lead-status.ts'
import {
  emitPaydays,
  gatherDue,
  pollTransfers,
  recheckTrouble,
  reportUnknown,
  runDueAccounts,
} from './program/payouts/jobs.ts'
import { agreeAll } from './program/payouts/reconciliation/reconcile-transfers.ts'
import { fetchForNewSales, updateEuroRates } from './program/sales/euro-rates.ts'
import { recountByNight } from './program/stats/recount.ts'
import { deleteByAccount, deleteOld } from './retention.ts'

/** No retries, because it runs again the next minute. */
const everyMinute = { cron: '* * * * *', retryLimit: 0 }
const everyHour = { cron: '0 * * * *', retryLimit: 3 }

/** Every clock of all rooms. */
export const clocks: Clocks = {
  'poll-payouts': { ...everyMinute, run: pollTransfers },
  'automatic-payouts': { ...everyMinute, run: runDueAccounts },
  'payday-mail': { ...everyMinute, run: emitPaydays },
  'compare-payouts': { ...everyMinute, run: agreeAll },
  'rates-for-new-sales': { ...everyMinute, run: fetchForNewSales },
  'gather-mails': { ...everyMinute, run: mailNews },
  'mails-of-the-day': { ...everyHour, run: eachNight('mails-of-the-day', 8, noteDay) },
  [BACKUP_CLOCK]: { ...everyHour, run: (services, asked) => backUpWhenDue(services, ledgerTables, asked) },
  'gather-payouts': { ...everyHour, run: gatherDue },
  'recheck-payout-methods': { ...everyHour, run: recheckTrouble },
  'report-unknown-payouts': { ...everyHour, run: reportUnknown },
  'expire-leads': { ...everyHour, run: expireLeads },
  'check-hosts': { ...everyHour, run: checkHosts },
  'euro-rates': { ...everyHour, run: updateEuroRates },
  ...mergeParts(features, 'clocks'),
  recount: { ...everyHour, run: recountByNight },
  goals: { ...everyHour, run: runGoals },
  'delete-old': { ...everyHour, run: deleteOld },
  'delete-by-account': { ...everyHour, run: deleteByAccount },
  'watch-providers': { ...everyHour, run: watchConnections },
  'renew-provider-tokens': { ...everyHour, run: renewDueTokens },
  'waiting-provider-events': { ...everyHour, run: retryWaitingEvents },
  'reconcile-providers': { ...everyHour, run: reconcileByNight },
}
