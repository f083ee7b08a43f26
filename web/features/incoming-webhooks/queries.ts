import type { z } from 'zod'
import {
  getIncomingDelivery,
  getIncomingWebhook,
  type IncomingDelivery,
  type IncomingWebhook,
  listIncomingDeliveries,
  listIncomingSenders,
  listIncomingWebhooks,
  testIncomingWebhook,
} from '#contract/incoming-webhooks.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { isTeam, readsOfList } from '../../shared/roles.ts'

/** Poll interval while waiting for a first sample or a delivery's result. */
const AGAIN_MS = 2000

export const incomingWebhooks = defineList(listIncomingWebhooks, 'incoming-webhooks')

export const incomingWebhookQuery = (id: string) => apiQuery(getIncomingWebhook, { params: { id } })

/** The known senders, which only an update of Tributary changes. */
export const incomingSendersQuery = (accountId: string) => ({
  ...apiQuery(listIncomingSenders, { params: { id: accountId } }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Polls until a first sample has arrived, while the page is visible. */
export const sampledWebhook = (id: string) => ({
  ...incomingWebhookQuery(id),
  refetchInterval: ({ state: { data } }: { state: { data?: IncomingWebhook } }) =>
    data && data.sample === null ? AGAIN_MS : (false as const),
})

/** Polls while any delivery is being processed and the page is visible. */
export const incomingDeliveries = defineList(listIncomingDeliveries, 'incoming-deliveries', {
  filters: ['state'],
  again: (page) => page?.items.some(({ state }) => state === 'received') && AGAIN_MS,
})

/** A delivery with its payload; the list omits long ones. */
export const incomingDeliveryQuery = (id: string, deliveryId: string) =>
  apiQuery(getIncomingDelivery, { params: { id, deliveryId } })

/** A delivery, polled while it names another person and the page is visible. */
export const settledDelivery = (id: string, deliveryId: string) => ({
  ...incomingDeliveryQuery(id, deliveryId),
  refetchInterval: ({ state: { data } }: { state: { data?: IncomingDelivery } }) =>
    data && data.others.length > 0 ? AGAIN_MS : (false as const),
})

/** True if the list omitted an existing payload. */
export const isCut = ({ payload, payloadBytes }: IncomingDelivery) => payload === null && payloadBytes !== null

type Rehearsed = z.input<NonNullable<(typeof testIncomingWebhook)['body']>>

/** The result that a payload would have. */
export const rehearsalQuery = (id: string, body: Rehearsed) => apiQuery(testIncomingWebhook, { params: { id }, body })

const sendersOf = (role: Opened['role']): Reads => (isTeam(role) ? [incomingSendersQuery(role.accountId)] : [])

export const readsOfIncoming = (opened: Opened): Reads => [
  ...readsOfList(incomingWebhooks)(opened),
  ...sendersOf(opened.role),
]

export const readsOfAddIncoming = ({ role }: Opened): Reads => sendersOf(role)

export const readsOfEditIncoming = ({ params: { hookId }, role }: Opened<{ hookId: string }>): Reads => [
  incomingWebhookQuery(hookId),
  incomingDeliveries({ id: hookId }).page({}),
  ...sendersOf(role),
]

export const readsOfIncomingDetail = ({ params: { hookId }, role, search }: Opened<{ hookId: string }>): Reads => [
  incomingWebhookQuery(hookId),
  incomingDeliveries({ id: hookId }).at(search),
  ...sendersOf(role),
]
