import { pino } from 'pino'
import { processProviderEvent } from '../server/integrations/payment-providers/jobs.ts'
import {
  parseInteger,
  parseJson,
  parseObject,
  parseText,
} from '../server/integrations/payment-providers/parse-values.ts'
import type { ProviderAdapter } from '../server/integrations/payment-providers/provider.ts'
import { toPayer } from '../server/integrations/payment-providers/provider-objects.ts'
import { adapters } from '../server/integrations/payment-providers/registry.ts'
import { openDatabase, systemClock } from '../server/platform/database/pool.ts'
import { ledgerServices } from '../test/support/ledger.ts'
import { answerParent } from './child.ts'

// A process that books stored events as a worker does. The provider's event is complete, so only the booking is
// measured.

export type BookEvents = { url: string; lanes: number; ms: number; shopIds: string[]; part: number; parts: number }

const telling: ProviderAdapter = {
  provider: 'generic',
  name: 'Bench',
  methods: ['credentials'],
  fields: [{ key: 'key', label: 'Key', help: null, secret: true, shape: /^\w+$/, words: 'Enter the key' }],
  signingField: 'key',
  eventTypes: ['payment'],
  readAccount: async () => ({ providerAccountId: null, accountName: null, defaultCurrency: null, livemode: true }),
  receive: async () => null,
  async readFacts({ at, body }) {
    const fields = parseObject(parseJson(body))
    const key = parseText(fields.id) ?? ''
    const data = { amount: parseInteger(fields.amount), lead: parseText(fields.lead), at: at.getTime() }
    return {
      payments: [{ key, objects: [{ kind: 'payment', id: key, rank: 0, at, data }] }],
      shared: [],
      prospect: null,
      revoked: null,
      lacking: null,
    }
  },
  toPayment(key, [payment]) {
    if (!payment) return null
    const { amount, lead, at } = payment.data as { amount: number; lead: string; at: number }
    return {
      ...toPayer([{ customer: null, email: null, name: null, references: [lead] }]),
      externalId: key,
      amount,
      taxAmount: 0,
      grossAmount: amount,
      currency: 'usd',
      at: new Date(at),
      description: null,
      subscriptionId: null,
      lines: null,
      refunds: [],
    }
  },
  toRefunds: () => [],
}
adapters.unshift(telling)

/** Connections are opened before the measurement, as in a running worker. */
let services: ReturnType<typeof ledgerServices> | undefined

answerParent<BookEvents, { perSecond: number; booked: number }>(async ({ url, lanes, ms, shopIds, part, parts }) => {
  services ??= ledgerServices(
    openDatabase({ url, log: pino({ level: 'silent' }), clock: systemClock, max: lanes, growing: ['leads', 'sales'] }),
  )
  const { db } = services
  const events = await db.many<{ id: string }>`
    select id from provider_events
    where shop_id = any(${shopIds}::uuid[]) and state = 'received' and abs(hashtext(id::text)::bigint) % ${parts} = ${part}`
  let booked = 0
  let inTime = 0
  const until = performance.now() + ms
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) {
        const event = events.pop()
        if (!event) throw new Error('there are too few events')
        await processProviderEvent(services!, { eventId: event.id })
        booked++
        if (performance.now() < until) inTime++
      }
    }),
  )
  return { perSecond: inTime / (ms / 1000), booked }
})
