import { parseObject, parseText } from '../parse-values.ts'
import { paymentReported, toPayer } from '../provider-objects.ts'
import { createFactsReader, type EventFacts, type EventReading, type Readers, toFacts } from '../resolve-event.ts'
import { createPolarApi } from './api.ts'
import { type Order, payerIn, readDispute, readOrder, readRefund } from './objects.ts'

type PolarReading = EventReading<ReturnType<typeof createPolarApi>>

const refunded = ({ json, at }: PolarReading) => toFacts(parseText(json.order_id), readRefund(json, at))

/** The name we give to a dispute: Polar lists disputes, but sends no events about them. */
export const DISPUTE = 'dispute.updated'

const readers: Readers<ReturnType<typeof createPolarApi>> = {
  'order.paid': orderPaid,
  'refund.created': refunded,
  'refund.updated': refunded,
  // a trial, which begins before any payment
  'subscription.created': ({ json }) => ({ prospect: toPayer([payerIn(json)]) }),
  [DISPUTE]: ({ json, at }) => toFacts(parseText(json.order_id), readDispute(json, at)),
}
export const eventTypes = Object.keys(readers)
export const subscribedTypes = eventTypes.filter((type) => type !== DISPUTE)

/** Events contain everything. */
export const readFacts = createFactsReader({
  readers,
  createApi: createPolarApi,
  objectIn: ({ data }) => parseObject(data),
  needed: false,
})

function orderPaid({ json, at }: PolarReading): EventFacts {
  const order = readOrder(json, at)
  const { paid, ...payer } = order.data as Order
  return paid > 0 ? toFacts(order.id, order, paymentReported(at)) : { prospect: toPayer([payer]) }
}
