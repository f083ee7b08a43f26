import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { defineGauge, defineGauges, type Metric } from '../metric.ts'

/** Memory, processor and the event loop, which is monitored until the server closes. */
export function processMeasures(fastify: FastifyInstance): Metric[] {
  const eventLoop = monitorEventLoopDelay({ resolution: 20 })
  eventLoop.enable()
  fastify.addHook('onClose', async () => {
    eventLoop.disable()
  })
  return [
    defineGauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
    defineGauge('process_heap_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed),
    defineGauge(
      'process_external_memory_bytes',
      'Memory held outside the JavaScript heap, such as buffers.',
      () => process.memoryUsage().external,
    ),
    { ...defineGauge('process_cpu_seconds_total', 'CPU time used.', cpuSeconds), type: 'counter' },
    defineGauge('process_uptime_seconds', 'Time since the start.', () => process.uptime()),
    {
      ...defineGauges('event_loop_lag_seconds', 'Event loop delay since the last scrape.', 'quantile', () => {
        const [half, most, longest] = [eventLoop.percentile(50), eventLoop.percentile(99), eventLoop.max]
        eventLoop.reset()
        return [
          ['0.5', half / 1e9],
          ['0.99', most / 1e9],
          ['1', longest / 1e9],
        ]
      }),
      type: 'summary',
    },
  ]
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
