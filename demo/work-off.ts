import type { JobData } from '../server/platform/jobs/queue.ts'
import { relayOnce } from '../server/jobs/relay.ts'
import { sendMail } from '../server/integrations/mail/jobs.ts'
import { mailListener } from '../server/mail/listener.ts'
import { processProviderEvent } from '../server/integrations/payment-providers/jobs.ts'
import { payOut } from '../server/program/payouts/jobs.ts'
import type { Services } from '../server/platform/services.ts'

const handlers = { mail: sendMail, 'pay-out': payOut, 'provider-event': processProviderEvent } satisfies {
  [Q in keyof JobData]?: (services: Services, data: JobData[Q]) => Promise<void>
}

/** Does what the worker would do of outbox and jobs, now, under the turned clock, until nothing is left. */
export async function workOff(services: Services): Promise<void> {
  while ((await relayOnce(services, [mailListener])) > 0);
  for (const [queue, handle] of Object.entries(handlers)) await workOffQueue(services, queue, handle as Handler)
}

type Handler = (services: Services, data: object) => Promise<void>

async function workOffQueue(services: Services, queue: string, handle: Handler) {
  const { boss } = services.jobs
  for (;;) {
    const jobs = await boss.fetch<object>(queue, { batchSize: 100 })
    if (jobs.length === 0) return
    for (const { data } of jobs) await handle(services, data)
    await boss.complete(
      queue,
      jobs.map(({ id }) => id),
    )
  }
}
