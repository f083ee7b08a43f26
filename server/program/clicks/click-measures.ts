import { type Metric, Tally, toSamples } from '../../platform/metric.ts'
import type { NewClick } from './queries.ts'

/** Clicks that this process committed, by source. */
export const clicksKept = Tally.of<NewClick['source']>('redirect', 'embed', 'push')
/** Visits that this process redirected without storing their click. */
export const clicksLost = Tally.of('redirect')

export const clickMeasures: Metric[] = [
  {
    name: 'clicks_kept_total',
    type: 'counter',
    help: 'Clicks kept by this process, those of bots included, by where they come from.',
    labels: ['source'],
    read: () => toSamples('source', clicksKept),
  },
  {
    name: 'clicks_lost_total',
    type: 'counter',
    help: 'Visits that were led on although their click could not be kept.',
    labels: ['source'],
    read: () => toSamples('source', clicksLost),
  },
]
