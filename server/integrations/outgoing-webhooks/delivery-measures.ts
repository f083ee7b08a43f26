import type { Database } from '../../platform/database/pool.ts'
import { defineCounter, type Metric, MOST_COUNTED, measuredTogether, Tally } from '../../platform/metric.ts'
import { deliveryBacklog } from './leases.ts'

/** Tries stored by this process, by the state of their delivery: `failed` is not retried. */
export const deliveriesTried = Tally.of('delivered', 'retrying', 'failed')

/** Deliveries sent and waiting, and the webhooks turned off because of failures. */
export const deliveryMeasures = (db: Database): Metric[] => [
  defineCounter(
    'deliveries_total',
    'Tries of webhook deliveries by this process, by outcome; one that failed is not tried again.',
    'outcome',
    deliveriesTried,
  ),
  ...measuredTogether(
    () => deliveryBacklog(db),
    [
      {
        name: 'deliveries_waiting',
        type: 'gauge',
        help: `Webhook deliveries that are still to be sent, now or later; counted up to ${MOST_COUNTED}.`,
        samples: ({ waiting }) => [{ value: waiting }],
      },
      {
        name: 'delivery_lag_seconds',
        type: 'gauge',
        help: 'How long the webhook delivery that is due longest has been due, of webhooks that are on.',
        samples: ({ lag }) => [{ value: lag }],
      },
      {
        name: 'webhooks_turned_off',
        type: 'gauge',
        help: 'Outgoing webhooks that were turned off because they failed.',
        samples: ({ turnedOff }) => [{ value: turnedOff }],
      },
    ],
  ),
]
