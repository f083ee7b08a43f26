import { answerLinkRequest } from '../program/auth/link-requests.ts'
import { sendMail } from '../integrations/mail/jobs.ts'
import { mailListener } from '../mail/listener.ts'
import { processProviderEvent } from '../integrations/payment-providers/jobs.ts'
import { payOut } from '../program/payouts/jobs.ts'
import { readEuroRates } from '../program/sales/euro-rates.ts'
import { bookAllWaiting } from '../program/sales/waiting-sales.ts'
import type { Services } from '../platform/services.ts'
import type { JobData, Queue } from '../platform/jobs/queue.ts'
import { startRelay } from './relay.ts'
import { type Clocks, clocks, setClocks, strike } from './schedule.ts'

type Handler<Q extends Queue> = (services: Services, data: JobData[Q]) => Promise<void>

/** Which room does which job. */
const handlersWith = (known: Clocks): { [Q in Queue]: Handler<Q> } => ({
  mail: sendMail,
  'link-request': answerLinkRequest,
  'pay-out': payOut,
  'provider-event': processProviderEvent,
  'waiting-sales': async ({ db }, waiting) => {
    await bookAllWaiting(db, waiting)
  },
  clock: (services, { name }) => strike(services, known[name]),
})

/** Woken by NOTIFY, which is a hint only; a full batch is followed by the next at once. Each job settles by itself. */
const PACE = {
  batchSize: 8,
  localConcurrency: 2,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 1,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

/** As many at once as there are clocks: one that takes long holds no other back. */
const paceOf = (queue: Queue, known: Clocks) =>
  queue === 'clock'
    ? {
        ...PACE,
        batchSize: 1,
        localConcurrency: Object.keys(known).length,
        pollingIntervalSeconds: 5,
        notifyPollingIntervalSeconds: 5,
      }
    : PACE

async function settle(
  services: Services,
  queue: Queue,
  handle: Handler<Queue>,
  job: { id: string; data: JobData[Queue] },
) {
  try {
    await handle(services, job.data)
    return { id: job.id, status: 'completed' as const }
  } catch (error) {
    const { message } = error as Error
    const clock = 'name' in job.data ? { clock: job.data.name } : {}
    services.log.warn({ queue, ...clock, jobId: job.id, error: message }, 'a job failed and will be tried again')
    return { id: job.id, status: 'failed' as const, output: { message } }
  }
}

/** Works off jobs and the outbox until stopped; stopping lets what runs finish, 20 s at most. */
export async function startWorker(services: Services, known: Clocks = clocks) {
  const { boss } = services.jobs
  for (const [queue, handle] of Object.entries(handlersWith(known)) as [Queue, Handler<Queue>][])
    await boss.work<JobData[Queue]>(queue, paceOf(queue, known), (jobs) =>
      Promise.all(jobs.map((job) => settle(services, queue, handle, job))),
    )
  await setClocks(services.jobs, known)
  const relay = startRelay(services, [mailListener])
  // beside the start, and cut off where the stop comes first
  readEuroRates(services).catch((error: Error) => services.log.debug({ error: error.message }, 'no exchange rates yet'))
  return {
    async stop() {
      await relay.stop()
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}
