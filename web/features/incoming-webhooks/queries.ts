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
import { listQuery, read, type SearchOf } from '../../calls.ts'
import type { Opened, Reads } from '../../reads.ts'
import { type TableDefinition, tableQuery } from '../../ui/table-state.ts'

type Webhooks = SearchOf<typeof listIncomingWebhooks>
type Deliveries = SearchOf<typeof listIncomingDeliveries>

export const webhookTable: TableDefinition<Webhooks> = { list: 'incoming-webhooks' }
export const deliveryTable: TableDefinition<Deliveries> = { list: 'incoming-deliveries', filters: ['state'] }

/** How often a sample that is waited for, or what came of a delivery, is asked for again. */
const AGAIN_MS = 2000

export const webhooks = (accountId: string, search: Webhooks) =>
  listQuery(listIncomingWebhooks, { params: { id: accountId }, search })

export const webhook = (id: string) => read(getIncomingWebhook, { params: { id } })

type Answered<T> = { state: { data?: T } }

/** Asked for again until a first sample has arrived, while somebody looks on. */
export const sampledWebhook = (id: string) => ({
  ...webhook(id),
  refetchInterval: ({ state: { data } }: Answered<IncomingWebhook>) =>
    data && data.sample === null ? AGAIN_MS : (false as const),
})

/** Asked for again for as long as some of them are being processed and somebody looks on. */
export const deliveries = (id: string, search: Deliveries) => ({
  ...listQuery(listIncomingDeliveries, { params: { id }, search }),
  refetchInterval: ({ state: { data } }: Answered<{ items: IncomingDelivery[] }>) =>
    data?.items.some(({ state }) => state === 'received') ? AGAIN_MS : (false as const),
})

/** A delivery with its payload, which the list leaves out when it is long. */
export const delivery = (id: string, deliveryId: string) => read(getIncomingDelivery, { params: { id, deliveryId } })

/** Whether the list left out a payload that exists. */
export const isCut = ({ payload, payloadBytes }: IncomingDelivery) => payload === null && payloadBytes !== null

type Rehearsed = z.input<NonNullable<(typeof testIncomingWebhook)['body']>>

/** What a payload would come to. */
export const rehearsal = (id: string, body: Rehearsed) => read(testIncomingWebhook, { params: { id }, body })

export const readsOfIncoming = ({ role, search }: Opened): Reads =>
  role.type === 'account-owner' ? [webhooks(role.accountId, tableQuery(search, webhookTable))] : []

export const readsOfEditIncoming = ({ params: { hookId } }: Opened<{ hookId: string }>): Reads => [
  webhook(hookId),
  deliveries(hookId, {}),
]

export const readsOfIncomingDetail = ({ params: { hookId }, search }: Opened<{ hookId: string }>): Reads => [
  webhook(hookId),
  deliveries(hookId, tableQuery(search, deliveryTable)),
]
