import type { Transaction } from '../../platform/database/pool.ts'
import type { Event } from '../../platform/events/relay.ts'
import type { Services } from '../../platform/services.ts'
import { type MailJob, mails } from './kinds/registry.ts'
import { noteNews, noteTold } from './news.ts'
import { mailQueue } from './queue.ts'

const bySignal = new Map(
  Object.entries(mails).flatMap(([kind, { when }]) => (when ? [[when.type, { kind, ...when }] as const] : [])),
)

/** Adds the jobs of the mails that follow from these events, in one statement; other news are gathered first. */
export async function mailListener(tx: Transaction, events: Event[], { jobs }: Services): Promise<void> {
  const mails: MailJob[] = []
  for (const event of events) {
    const when = bySignal.get(event.type)
    for (const job of (await when?.jobs(event, tx)) ?? []) mails.push({ kind: when?.kind, ...job } as MailJob)
  }
  await jobs.addAll(tx, mailQueue, mails)
  await noteTold(tx, events)
  await noteNews(tx, events)
}
