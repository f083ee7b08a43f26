import { setTimeout as sleep } from 'node:timers/promises'
import type { JobWithMetadata, WorkOptions } from 'pg-boss'
import { servesSpread } from '../database/cluster/spread.ts'
import { type Listener, startRelay } from '../events/relay.ts'
import type { Services } from '../services.ts'
import { errorName } from '../span.ts'
import { runWithCause } from '../work-context.ts'
import { type Clocks, clockQueue, setClocks } from './clocks.ts'
import { type Freezes, recordFreeze, watchFreezes } from './freezes.ts'
import { jobsDone, jobsFailed } from './job-measures.ts'
import { type Queue, withoutOrigins } from './queue.ts'

/** One try of a job; after the last one a failed job is parked. */
export type JobTry = { isLast: boolean }

/** A queue and the handler of its jobs. */
export type QueueWork = { queue: Queue; run(services: Services, data: never, attempt: JobTry): Promise<unknown> }

/** Pairs a queue with a handler of its data. */
export const worksOn = <Data extends object>(
  queue: Queue<Data>,
  run: (services: Services, data: Data, attempt: JobTry) => Promise<unknown>,
): QueueWork => ({ queue, run })

/** Woken by NOTIFY, which is only a hint; a full batch is followed by the next at once. Each job has its own result. */
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

/** As many concurrent jobs as clocks, so that a slow one does not delay others. */
const paceOfClocks = (clocks: Clocks) => ({
  ...PACE,
  batchSize: 1,
  localConcurrency: Object.keys(clocks).length,
  pollingIntervalSeconds: 5,
  notifyPollingIntervalSeconds: 5,
})

/**
 * Thrown by a job that doesn't find its row. On a cluster the queue is committed a moment before the rows of accounts on
 * other machines, and up to a minute before if one of them was lost meanwhile; elsewhere the row is gone.
 */
export class RowNotThere extends Error {}

/** Milliseconds that a job on a cluster waits for the rows committed with it, and for which a missing one is awaited. */
const SETTLING_MS = 500
const UNSETTLED_MS = 180_000

/** Milliseconds that a job that has ended waits for the others of its batch, which are settled in one statement. */
const TOGETHER_MS = 200

/**
 * Runs the jobs of a batch. pg-boss settles them once the last one has ended; those that ended well before are settled
 * on their own, so that they neither wait for a slow one nor run again if the process is killed meanwhile.
 */
async function runBatch(services: Services, work: QueueWork, jobs: JobWithMetadata<object>[], freezes: Freezes) {
  const boss = await services.jobs.boss()
  const batch = Promise.withResolvers<true>()
  let running = jobs.length
  return Promise.all(
    jobs.map(async (job) => {
      const result = await runJob(services, work, job, freezes)
      running -= 1
      if (running === 0) batch.resolve(true)
      if (await Promise.race([batch.promise, sleep(TOGETHER_MS, false, { ref: false })])) return result
      const settle =
        result.status === 'completed' ? boss.complete(job.name, job) : boss.fail(job.name, job, result.output)
      // settled with the batch if this fails
      await settle.catch((error: Error) => services.log.debug({ error }, 'a job could not be settled on its own'))
      return result
    }),
  )
}

async function runJob(services: Services, work: QueueWork, job: JobWithMetadata<object>, freezes: Freezes) {
  const { name: queue } = work.queue
  const { data, origins } = withoutOrigins(job.data)
  const clock = work.queue === clockQueue && { clock: (data as { name: string }).name }
  const facts = { 'tributary.queue': queue, 'tributary.job_id': job.id, 'tributary.try': job.retryCount + 1 }
  const span = services.tracer?.job(job.id, clock ? `clock ${clock.clock}` : `job ${queue}`, facts, origins)
  const tried = await runWithCause(
    { queue, jobId: job.id, ...clock },
    () => tryJob(services, work, { ...job, data }, freezes),
    span,
  )
  span?.end(tried.failure)
  return tried.result
}

async function tryJob(services: Services, { queue, run }: QueueWork, job: JobWithMetadata<object>, freezes: Freezes) {
  const began = performance.now()
  const age = () => Date.now() - job.createdOn.getTime()
  let isSpread = false
  try {
    isSpread = await servesSpread(services.db)
    if (isSpread && age() < SETTLING_MS) await sleep(SETTLING_MS - age())
    await run(services, job.data as never, { isLast: job.retryCount >= job.retryLimit })
    jobsDone.add(queue.name)
    return { result: { id: job.id, status: 'completed' as const } }
  } catch (error) {
    if (error instanceof RowNotThere && !(isSpread && age() < UNSETTLED_MS))
      // nothing is left to do
      return { result: { id: job.id, status: 'completed' as const } }
    jobsFailed.add(queue.name)
    const { message } = error as Error
    if (freezes.since(began)) await recordFreeze(services.db, queue.name, job.id)
    services.log.warn({ error }, 'a job failed and will be retried')
    return { result: { id: job.id, status: 'failed' as const, output: { message } }, failure: errorName(error) }
  }
}

/** The duties of a worker: jobs by queue, runs by clock, events by listener. */
export type Duties = { work: QueueWork[]; clocks: Clocks; listeners: Listener[]; frozenMs?: number }

/** Processes jobs, clocks and events until stopped; stopping lets running work finish, 20 s at most. */
export async function startWork(services: Services, { work, clocks, listeners, frozenMs }: Duties) {
  const boss = await services.jobs.boss()
  const freezes = watchFreezes(frozenMs)
  // an unknown clock is another release's, whose job was still queued
  const strokes = worksOn(clockQueue, async (_, { name, isAsked = false }) => clocks[name]?.run(services, { isAsked }))
  for (const one of [...work, strokes])
    await boss.work<object, unknown, Pace>(one.queue.name, one === strokes ? paceOfClocks(clocks) : PACE, (jobs) =>
      runBatch(services, one, jobs, freezes),
    )
  await setClocks(boss, clocks)
  const relay = startRelay(services, listeners)
  return {
    async stop() {
      await relay.stop()
      freezes.stop()
      await services.jobs.stop({ graceful: true, timeout: 20_000 })
    },
  }
}
