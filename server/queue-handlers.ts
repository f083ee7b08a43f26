import './on-cash.ts'
import { listParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import * as workOfFeatures from '#features/index.work.ts'
import { clocks as everyClock } from './clocks.ts'
import { importQueue } from './integrations/imports/queue.ts'
import { processImport } from './integrations/imports/run-import.ts'
import { processDelivery } from './integrations/incoming-webhooks/process.ts'
import { incomingQueue } from './integrations/incoming-webhooks/queue.ts'
import { mergeSamePerson } from './integrations/incoming-webhooks/same-person.ts'
import { mailListener } from './integrations/mail/digest.ts'
import { sendMail } from './integrations/mail/jobs.ts'
import { mailQueue } from './integrations/mail/queue.ts'
import { webhookListener } from './integrations/outgoing-webhooks/deliveries.ts'
import { startDispatcher } from './integrations/outgoing-webhooks/dispatcher.ts'
import { processProviderEvent } from './integrations/payment-providers/jobs.ts'
import { importPastSales } from './integrations/payment-providers/past-sales.ts'
import { pastSalesQueue, providerEventQueue, reconcileQueue } from './integrations/payment-providers/queue.ts'
import { reconcileConnection } from './integrations/payment-providers/reconcile.ts'
import type { Listener } from './platform/events/relay.ts'
import type { Clocks } from './platform/jobs/clocks.ts'
import { type QueueWork, startWork, worksOn } from './platform/jobs/worker.ts'
import type { Services } from './platform/services.ts'
import { answerPosted } from './program/applications/apply.ts'
import { applicationQueue } from './program/applications/queue.ts'
import { answerLinkRequest } from './program/auth/link-requests.ts'
import { linkRequestQueue } from './program/auth/queue.ts'
import { bulkActionQueue, formerBulkActionQueue } from './program/bulk-actions/queue.ts'
import { runBulkAction } from './program/bulk-actions/run-bulk-action.ts'
import { emitInvitationEvents } from './program/partners/emit-partner-events.ts'
import { payOut } from './program/payouts/jobs.ts'
import { payOutQueue, readBackQueue } from './program/payouts/queue.ts'
import { readBack } from './program/payouts/reconciliation/read-back.ts'
import { agreeAll } from './program/payouts/reconciliation/reconcile-transfers.ts'
import { erasureQueue } from './program/privacy/queue.ts'
import { runErasure } from './program/privacy/run-erasure.ts'
import { readEuroRates } from './program/sales/euro-rates.ts'
import { waitingSalesQueue } from './program/sales/queue.ts'
import { bookAllWaiting } from './program/sales/waiting-sales.ts'

/** Every queue of `queues.ts` except the clocks', with its handler. */
export const work: QueueWork[] = [
  worksOn(mailQueue, sendMail),
  worksOn(linkRequestQueue, answerLinkRequest),
  worksOn(applicationQueue, answerPosted),
  worksOn(bulkActionQueue, runBulkAction),
  worksOn(formerBulkActionQueue, runBulkAction),
  worksOn(erasureQueue, runErasure),
  worksOn(payOutQueue, payOut),
  worksOn(readBackQueue, readBack),
  worksOn(providerEventQueue, processProviderEvent),
  worksOn(pastSalesQueue, importPastSales),
  worksOn(reconcileQueue, reconcileConnection),
  worksOn(incomingQueue, (services, job) => (job.isSamePerson ? mergeSamePerson : processDelivery)(services, job)),
  worksOn(importQueue, processImport),
  ...Object.values(workOfFeatures),
  worksOn(waitingSalesQueue, ({ db }, waiting) => bookAllWaiting(db, waiting)),
]

/** Listeners of events. */
export const listeners: Listener[] = [
  mailListener,
  webhookListener,
  emitInvitationEvents,
  ...listParts(features, 'listeners'),
]

/** Runs the product's background work until stopped. */
export async function startWorker(services: Services, clocks: Clocks = everyClock) {
  const worker = await startWork(services, { work, clocks, listeners })
  // in the background, and aborted if a stop comes first
  readEuroRates(services).catch((error: Error) => services.log.debug({ error: error.message }, 'no exchange rates yet'))
  // check for a stale restore before delivering webhooks
  const looked = agreeAll(services).catch((error: Error) =>
    services.log.warn({ error: error.message }, 'what was paid could not be compared at the start'),
  )
  const courier = startDispatcher(services, { after: looked })
  return {
    stop: async () => {
      await Promise.all([courier.stop(), worker.stop()])
    },
  }
}
