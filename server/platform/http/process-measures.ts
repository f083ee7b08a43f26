import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { byName, type Measure } from '../measure.ts'

/** Memory, processor and the event loop, which is monitored until the server closes. */
export function processMeasures(fastify: FastifyInstance): Measure[] {
  const eventLoop = monitorEventLoopDelay({ resolution: 20 })
  eventLoop.enable()
  fastify.addHook('onClose', async () => {
    eventLoop.disable()
  })
  return [
    gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
    gauge('process_heap_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed),
    gauge(
      'process_external_memory_bytes',
      'Memory held outside the JavaScript heap, such as buffers.',
      () => process.memoryUsage().external,
    ),
    { ...gauge('process_cpu_seconds_total', 'CPU time used.', cpuSeconds), type: 'counter' },
    gauge('process_uptime_seconds', 'Time since the start.', () => process.uptime()),
    {
      name: 'event_loop_lag_seconds',
      type: 'gauge',
      help: 'Event loop delay since the last scrape.',
      labels: ['quantile'],
      read() {
        const lags = [
          ['0.5', eventLoop.percentile(50)],
          ['0.99', eventLoop.percentile(99)],
          ['1', eventLoop.max],
        ] as const
        eventLoop.reset()
        return byName(
          'quantile',
          lags.map(([quantile, nanoseconds]) => [quantile, nanoseconds / 1e9]),
        )
      },
    },
  ]
}

const gauge = (name: string, help: string, value: () => number): Measure => ({
  ...{ name, help, type: 'gauge' },
  read: () => [{ value: value() }],
})

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
