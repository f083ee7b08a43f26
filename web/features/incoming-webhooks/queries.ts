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
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'

type Webhooks = SearchOf<typeof listIncomingWebhooks>
type Deliveries = SearchOf<typeof listIncomingDeliveries>

export const incomingWebhookTable = tableOf<Webhooks>()({ list: 'incoming-webhooks' })
export const incomingDeliveryTable = tableOf<Deliveries>()({ list: 'incoming-deliveries', filters: ['state'] })

/** Poll interval while waiting for a first sample or a delivery's result. */
const AGAIN_MS = 2000

export const incomingWebhooks = (accountId: string, search: Webhooks) =>
  listQuery(listIncomingWebhooks, { params: { id: accountId }, search })

export const incomingWebhook = (id: string) => read(getIncomingWebhook, { params: { id } })

type Answered<T> = { state: { data?: T } }

/** Polls until a first sample has arrived, while the page is visible. */
export const sampledWebhook = (id: string) => ({
  ...incomingWebhook(id),
  refetchInterval: ({ state: { data } }: Answered<IncomingWebhook>) =>
    data && data.sample === null ? AGAIN_MS : (false as const),
})

/** Polls while any delivery is being processed and the page is visible. */
export const incomingDeliveries = (id: string, search: Deliveries) => ({
  ...listQuery(listIncomingDeliveries, { params: { id }, search }),
  refetchInterval: ({ state: { data } }: Answered<{ items: IncomingDelivery[] }>) =>
    data?.items.some(({ state }) => state === 'received') ? AGAIN_MS : (false as const),
})

/** A delivery with its payload; the list omits long ones. */
export const incomingDelivery = (id: string, deliveryId: string) =>
  read(getIncomingDelivery, { params: { id, deliveryId } })

/** True if the list omitted an existing payload. */
export const isCut = ({ payload, payloadBytes }: IncomingDelivery) => payload === null && payloadBytes !== null

type Rehearsed = z.input<NonNullable<(typeof testIncomingWebhook)['body']>>

/** The result that a payload would have. */
export const rehearsal = (id: string, body: Rehearsed) => read(testIncomingWebhook, { params: { id }, body })

export const readsOfIncoming = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [incomingWebhooks(role.accountId, tableQuery(search, incomingWebhookTable))] : []

export const readsOfEditIncoming = ({ params: { hookId } }: Opened<{ hookId: string }>): Reads => [
  incomingWebhook(hookId),
  incomingDeliveries(hookId, {}),
]

export const readsOfIncomingDetail = ({ params: { hookId }, search }: Opened<{ hookId: string }>): Reads => [
  incomingWebhook(hookId),
  incomingDeliveries(hookId, tableQuery(search, incomingDeliveryTable)),
]
