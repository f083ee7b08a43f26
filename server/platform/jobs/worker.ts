import type { JobWithMetadata, WorkOptions } from 'pg-boss'
import { type Listener, startRelay } from '../events/relay.ts'
import type { Services } from '../services.ts'
import { type Clocks, clockQueue, setClocks } from './clocks.ts'
import type { Queue } from './queue.ts'

/** One try of a job; after the last one that fails it is parked. */
export type Try = { isLast: boolean }

/** A queue and who does its jobs. */
export type Work = { queue: Queue; run(services: Services, data: never, attempt: Try): Promise<unknown> }

/** Pairs a queue with its handler, which takes what the queue's jobs carry. */
export const worksOn = <Data extends object>(
  queue: Queue<Data>,
  run: (services: Services, data: Data, attempt: Try) => Promise<unknown>,
): Work => ({ queue, run })

/** Woken by NOTIFY, which is a hint only; a full batch is followed by the next at once. Each job settles by itself. */
const PACE = {
  batchSize: 8,
  localConcurrency: 2,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 1,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
} as const

type Pace = WorkOptions & Pick<typeof PACE, 'perJobResults' | 'includeMetadata'>

/** As many at once as there are clocks: one that takes long holds no other back. */
const paceOfClocks = (clocks: Clocks) => ({
  ...PACE,
  batchSize: 1,
  localConcurrency: Object.keys(clocks).length,
  pollingIntervalSeconds: 5,
  notifyPollingIntervalSeconds: 5,
})

async function runJob(services: Services, { queue, run }: Work, job: JobWithMetadata<object>) {
  try {
    await run(services, job.data as never, { isLast: job.retryCount >= job.retryLimit })
    return { id: job.id, status: 'completed' as const }
  } catch (error) {
    const { message } = error as Error
    const about = { queue: queue.name, ...('name' in job.data ? { clock: job.data.name } : {}), jobId: job.id }
    services.log.warn({ ...about, error: message }, 'a job failed and will be retried')
    return { id: job.id, status: 'failed' as const, output: { message } }
  }
}

/** What a worker does: jobs by queue, strokes by clock, events by listener. */
export type Duties = { work: Work[]; clocks: Clocks; listeners: Listener[] }

/** Works off jobs, strokes and events until stopped; stopping lets what runs finish, 20 s at most. */
export async function startWork(services: Services, { work, clocks, listeners }: Duties) {
  const { boss } = services.jobs
  // a clock that is not there belongs to another release, whose job was still to run
  const strokes = worksOn(clockQueue, async (_, { name }) => clocks[name]?.run(services))
  for (const one of [...work, strokes])
    await boss.work<object, unknown, Pace>(one.queue.name, one === strokes ? paceOfClocks(clocks) : PACE, (jobs) =>
      Promise.all(jobs.map((job) => runJob(services, one, job))),
    )
  await setClocks(services.jobs, clocks)
  const relay = startRelay(services, listeners)
  return {
    async stop() {
      await relay.stop()
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}
