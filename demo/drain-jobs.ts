import { relayOnce } from '../server/platform/events/relay.ts'
import type { QueueWork } from '../server/platform/jobs/worker.ts'
import type { Services } from '../server/platform/services.ts'
import { listeners, work } from '../server/queue-handlers.ts'

/** Runs the worker's outbox and jobs under the turned clock until none are left. */
export async function workOff(services: Services): Promise<void> {
  while ((await relayOnce(services, listeners)) > 0);
  let waiting = await readWaiting(services)
  for (const { queue, run } of work) {
    if (!waiting.has(queue.name)) continue
    await workOffQueue(services, queue.name, run)
    // a job may have added others
    waiting = await readWaiting(services)
  }
}

/** Returns the queues with jobs: one statement, as most have none and a fetch from each costs as much. */
async function readWaiting({ db }: Services) {
  const rows = await db.many<{ name: string }>`select distinct name from pgboss.job where state < 'active'`
  return new Set(rows.map(({ name }) => name))
}

async function workOffQueue(services: Services, queue: string, run: QueueWork['run']) {
  const boss = await services.jobs.boss()
  for (;;) {
    const jobs = await boss.fetch<object>(queue, { batchSize: 100 })
    if (jobs.length === 0) return
    for (const { data } of jobs) await run(services, data as never, { isLast: false })
    await boss.complete(
      queue,
      jobs.map(({ id }) => id),
    )
  }
}
