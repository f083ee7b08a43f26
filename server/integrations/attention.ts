import { listParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import { waitingApplications } from '../program/applications/waiting.ts'
import type { Watched } from '../program/dashboard/dashboard.ts'
import { sameIds } from './incoming-webhooks/others-id.ts'
import { failingWebhooks } from './outgoing-webhooks/webhooks.ts'
import { unhealthyProviders } from './payment-providers/present-connections.ts'

/** Items that may need an owner's attention, beside leads, sales and payouts, which the dashboard counts itself. */
export const watched: readonly Watched[] = [
  waitingApplications,
  unhealthyProviders,
  failingWebhooks,
  sameIds,
  ...listParts(features, 'attention'),
]
