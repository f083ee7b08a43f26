import { object, text } from '../parse-values.ts'
import { payerOf, paymentReported } from '../provider-objects.ts'
import { type EventFacts, type EventReading, factsOf, gatherBy, type Readers } from '../resolve-event.ts'
import { createPolarApi } from './api.ts'
import { type Order, payerIn, readDispute, readOrder, readRefund } from './objects.ts'

type PolarReading = EventReading<ReturnType<typeof createPolarApi>>

const refunded = ({ json, at }: PolarReading) => factsOf(text(json.order_id), readRefund(json, at))

/** The name we give to a dispute: Polar lists disputes, but sends no events about them. */
export const DISPUTE = 'dispute.updated'

const readers: Readers<ReturnType<typeof createPolarApi>> = {
  'order.paid': orderPaid,
  'refund.created': refunded,
  'refund.updated': refunded,
  // a trial, which begins before any payment
  'subscription.created': ({ json }) => ({ prospect: payerOf([payerIn(json)]) }),
  [DISPUTE]: ({ json, at }) => factsOf(text(json.order_id), readDispute(json, at)),
}
export const eventTypes = Object.keys(readers)
export const subscribedTypes = eventTypes.filter((type) => type !== DISPUTE)

/** Events contain everything. */
export const gather = gatherBy({
  readers,
  createApi: createPolarApi,
  objectIn: ({ data }) => object(data),
  needed: false,
})

function orderPaid({ json, at }: PolarReading): EventFacts {
  const order = readOrder(json, at)
  const { paid, ...payer } = order.data as Order
  return paid > 0 ? factsOf(order.id, order, paymentReported(at)) : { prospect: payerOf([payer]) }
}
