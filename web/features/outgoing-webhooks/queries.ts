import {
  getOutgoingWebhook,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
  listWebhookEvents,
} from '#contract/outgoing-webhooks.ts'
import { getPayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { apiQuery, listQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { isTeam } from '../../shared/roles.ts'

/** Poll interval for deliveries that are not finished. */
const AGAIN_MS = 3000

export const outgoingWebhooks = defineList(listOutgoingWebhooks, 'outgoing-webhooks')

export const outgoingWebhookQuery = (id: string) => apiQuery(getOutgoingWebhook, { params: { id } })

/** The description of each event. */
export const eventDescriptionsQuery = () => apiQuery(listWebhookEvents)

/** Polls while any delivery is pending or retrying and the page is visible. */
export const outgoingDeliveries = defineList(listOutgoingDeliveries, 'outgoing-deliveries', {
  filters: ['event', 'state'],
  again: (page) => page?.items.some(({ state }) => state === 'pending' || state === 'retrying') && AGAIN_MS,
})

/** The number of deliveries that failed since `since`. */
export const failedSinceQuery = (id: string, since: string) =>
  listQuery(listOutgoingDeliveries, { params: { id }, search: { state: 'failed', since, limit: 1 } })

/** Shows whether deliveries are paused until the owner has reconciled payments. */
export const payoutReconciliationQuery = (accountId: string) =>
  apiQuery(getPayoutReconciliation, { params: { id: accountId } })

export const readsOfWebhooks = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [outgoingWebhooks({ id: role.accountId }).at(search), payoutReconciliationQuery(role.accountId)] : []

type OfWebhook = Opened<{ hookId: string }>

export const readsOfNewWebhook = (): Reads => [eventDescriptionsQuery()]

export const readsOfWebhook = ({ role, params: { hookId }, search }: OfWebhook): Reads => [
  outgoingWebhookQuery(hookId),
  outgoingDeliveries({ id: hookId }).at(search),
  isTeam(role) && payoutReconciliationQuery(role.accountId),
]

export const readsOfEditWebhook = ({ params: { hookId } }: OfWebhook): Reads => [
  outgoingWebhookQuery(hookId),
  eventDescriptionsQuery(),
]
