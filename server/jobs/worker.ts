import { sendMail } from '../mail/jobs.ts'
import { mailListener } from '../mail/listener.ts'
import { processProviderEvent } from '../payment-providers/jobs.ts'
import { payOut } from '../payouts/jobs.ts'
import type { Services } from '../services.ts'
import type { JobData, Queue } from './queue.ts'
import { startRelay } from './relay.ts'
import { everyHour, everyMinute } from './schedule.ts'

type Handler<Q extends Queue> = (services: Services, data: JobData[Q]) => Promise<void>

/** Which room does which job. */
const handlers: { [Q in Queue]: Handler<Q> } = {
  mail: sendMail,
  'pay-out': payOut,
  'provider-event': processProviderEvent,
  'every-minute': everyMinute,
  'every-hour': everyHour,
}

/** Works off jobs and the outbox until stopped; stopping lets what runs finish, 20 s at most. */
export async function startWorker(services: Services) {
  const { boss } = services.jobs
  for (const [queue, handle] of Object.entries(handlers) as [Queue, Handler<Queue>][])
    await boss.work<JobData[Queue]>(queue, { pollingIntervalSeconds: 0.5, localConcurrency: 2 }, async ([job]) => {
      if (!job) return
      try {
        await handle(services, job.data)
      } catch (error) {
        services.log.warn(
          { queue, jobId: job.id, error: (error as Error).message },
          'a job failed and will be tried again',
        )
        throw error
      }
    })
  await boss.schedule('every-minute', '* * * * *')
  await boss.schedule('every-hour', '0 * * * *')
  const relay = startRelay(services, [mailListener])
  return {
    async stop() {
      await relay.stop()
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}
