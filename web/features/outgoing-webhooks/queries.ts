import {
  getOutgoingWebhook,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
  listWebhookEvents,
  type OutgoingDelivery,
} from '#contract/outgoing-webhooks.ts'
import { getPayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'

type Webhooks = SearchOf<typeof listOutgoingWebhooks>
type Deliveries = SearchOf<typeof listOutgoingDeliveries>

export const outgoingWebhookTable = tableOf<Webhooks>()({ list: 'outgoing-webhooks' })
export const outgoingDeliveryTable = tableOf<Deliveries>()({
  list: 'outgoing-deliveries',
  filters: ['event', 'state'],
})

/** Poll interval for deliveries that are not finished. */
const AGAIN_MS = 3000

export const outgoingWebhooks = (accountId: string, search: Webhooks) =>
  listQuery(listOutgoingWebhooks, { params: { id: accountId }, search })

export const outgoingWebhook = (id: string) => read(getOutgoingWebhook, { params: { id } })

/** The description of each event. */
export const eventDescriptions = () => read(listWebhookEvents)

type Answered = { state: { data?: { items: OutgoingDelivery[] } } }

/** Polls while any delivery is pending or retrying and the page is visible. */
export const outgoingDeliveries = (id: string, search: Deliveries) => ({
  ...listQuery(listOutgoingDeliveries, { params: { id }, search }),
  refetchInterval: ({ state: { data } }: Answered) =>
    data?.items.some(({ state }) => state === 'pending' || state === 'retrying') ? AGAIN_MS : (false as const),
})

/** The number of deliveries that failed since `since`. */
export const failedSince = (id: string, since: string) =>
  listQuery(listOutgoingDeliveries, { params: { id }, search: { state: 'failed', since, limit: 1 } })

/** Shows whether deliveries are paused until the owner has reconciled payments. */
export const payoutReconciliation = (accountId: string) => read(getPayoutReconciliation, { params: { id: accountId } })

export const readsOfWebhooks = ({ role, search }: Opened): Reads =>
  isTeam(role)
    ? [outgoingWebhooks(role.accountId, tableQuery(search, outgoingWebhookTable)), payoutReconciliation(role.accountId)]
    : []

type OfWebhook = Opened<{ hookId: string }>

export const readsOfNewWebhook = (): Reads => [eventDescriptions()]

export const readsOfWebhook = ({ role, params: { hookId }, search }: OfWebhook): Reads => [
  outgoingWebhook(hookId),
  outgoingDeliveries(hookId, tableQuery(search, outgoingDeliveryTable)),
  ...(isTeam(role) ? [payoutReconciliation(role.accountId)] : []),
]

export const readsOfEditWebhook = ({ params: { hookId } }: OfWebhook): Reads => [
  outgoingWebhook(hookId),
  eventDescriptions(),
]
