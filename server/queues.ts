import * as queuesOfFeatures from '#features/index.queues.ts'
import { importQueue } from './integrations/imports/queue.ts'
import { incomingQueue } from './integrations/incoming-webhooks/queue.ts'
import { mailQueue } from './integrations/mail/queue.ts'
import { pastSalesQueue, providerEventQueue, reconcileQueue } from './integrations/payment-providers/queue.ts'
import { clockQueue } from './platform/jobs/clocks.ts'
import { applicationQueue } from './program/applications/queue.ts'
import { linkRequestQueue } from './program/auth/queue.ts'
import { bulkActionQueue, formerBulkActionQueue } from './program/bulk-actions/queue.ts'
import { payOutQueue, readBackQueue } from './program/payouts/queue.ts'
import { erasureQueue } from './program/privacy/queue.ts'
import { waitingSalesQueue } from './program/sales/queue.ts'

/** The queues that a database needs before any start; `work.ts` has their handlers. */
export const queues = [
  mailQueue,
  linkRequestQueue,
  applicationQueue,
  bulkActionQueue,
  formerBulkActionQueue,
  erasureQueue,
  payOutQueue,
  readBackQueue,
  providerEventQueue,
  pastSalesQueue,
  reconcileQueue,
  incomingQueue,
  importQueue,
  ...Object.values(queuesOfFeatures),
  waitingSalesQueue,
  clockQueue,
]
