import type { z } from 'zod'
import {
  getIncomingDelivery,
  getIncomingWebhook,
  type IncomingDelivery,
  type IncomingWebhook,
  listIncomingDeliveries,
  listIncomingWebhooks,
  testIncomingWebhook,
} from '#contract/incoming-webhooks.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { listOf } from '../../lists/list-of.ts'
import { readsOfList } from '../../shared/roles.ts'

/** Poll interval while waiting for a first sample or a delivery's result. */
const AGAIN_MS = 2000

export const incomingWebhooks = listOf(listIncomingWebhooks, 'incoming-webhooks')

export const incomingWebhook = (id: string) => read(getIncomingWebhook, { params: { id } })

/** Polls until a first sample has arrived, while the page is visible. */
export const sampledWebhook = (id: string) => ({
  ...incomingWebhook(id),
  refetchInterval: ({ state: { data } }: { state: { data?: IncomingWebhook } }) =>
    data && data.sample === null ? AGAIN_MS : (false as const),
})

/** Polls while any delivery is being processed and the page is visible. */
export const incomingDeliveries = listOf(listIncomingDeliveries, 'incoming-deliveries', {
  filters: ['state'],
  again: (page) => page?.items.some(({ state }) => state === 'received') && AGAIN_MS,
})

/** A delivery with its payload; the list omits long ones. */
export const incomingDelivery = (id: string, deliveryId: string) =>
  read(getIncomingDelivery, { params: { id, deliveryId } })

/** A delivery, polled while it names another person and the page is visible. */
export const settledDelivery = (id: string, deliveryId: string) => ({
  ...incomingDelivery(id, deliveryId),
  refetchInterval: ({ state: { data } }: { state: { data?: IncomingDelivery } }) =>
    data && data.others.length > 0 ? AGAIN_MS : (false as const),
})

/** True if the list omitted an existing payload. */
export const isCut = ({ payload, payloadBytes }: IncomingDelivery) => payload === null && payloadBytes !== null

type Rehearsed = z.input<NonNullable<(typeof testIncomingWebhook)['body']>>

/** The result that a payload would have. */
export const rehearsal = (id: string, body: Rehearsed) => read(testIncomingWebhook, { params: { id }, body })

export const readsOfIncoming = readsOfList(incomingWebhooks)

export const readsOfEditIncoming = ({ params: { hookId } }: Opened<{ hookId: string }>): Reads => [
  incomingWebhook(hookId),
  incomingDeliveries({ id: hookId }).page({}),
]

export const readsOfIncomingDetail = ({ params: { hookId }, search }: Opened<{ hookId: string }>): Reads => [
  incomingWebhook(hookId),
  incomingDeliveries({ id: hookId }).at(search),
]
