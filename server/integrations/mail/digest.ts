import type { MailKind } from '#contract/mail-kinds.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Event } from '../../platform/events/relay.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { payoutCaughtUp } from '../../program/payouts/signals.ts'
import { returnedRecipient } from './kinds/payout-failed.ts'
import { sentRecipient } from './kinds/payout-sent.ts'
import { type MailJob, mails } from './kinds/registry.ts'
import type { DigestRecipient } from './mail.ts'
import { gatherNews, insertMailed, insertNews, type News } from './news-queries.ts'
import { findTeams } from './queries.ts'
import { mailQueue } from './queue.ts'

const DAY = 86_400_000
/** Older events were imported, came late or waited too long, and are not mailed. */
const staleSince = (now: Date) => new Date(now.getTime() - 7 * DAY)

type Tell = (object: unknown) => DigestRecipient | null

/** The mails that follow from an event, by its type. */
const tellings = new Map<string, { kind: MailKind; tell: Tell }[]>()
for (const [kind, { news = {} }] of Object.entries(mails))
  for (const [type, tell] of Object.entries(news))
    tellings.set(type, [...(tellings.get(type) ?? []), { kind: kind as MailKind, tell: tell as Tell }])

/** The mails that are sent at once, by their signal. */
const bySignal = new Map(
  Object.entries(mails).flatMap(([kind, { when }]) => (when ? [[when.type, { kind, ...when }] as const] : [])),
)

/** Adds the jobs of the mails that follow from these events, in one statement; other news are gathered first. */
export async function mailListener(tx: Transaction, events: Event[], { jobs }: Services): Promise<void> {
  const wanted: Wanted[] = []
  for (const event of events) {
    const when = bySignal.get(event.type)
    for (const job of (await when?.jobs(event, tx)) ?? [])
      wanted.push({ job: { kind: when!.kind, ...job } as MailJob, accountId: event.accountId })
  }
  const all = await toEach(tx, wanted)
  const isOneOfMany = ({ kind }: MailJob) => mails[kind].oneOfMany === true
  await jobs.addAll(
    tx,
    mailQueue,
    all.filter((job) => !isOneOfMany(job)),
  )
  await jobs.addAll(tx, mailQueue, all.filter(isOneOfMany), { priority: -1 })
  await saveMailedNews(tx, events)
  await saveNews(tx, events)
}

/** Stores the news of these events, in the relay's transaction. */
async function saveNews(tx: Transaction, events: Event[]): Promise<void> {
  const since = staleSince(tx.now)
  const news = events.flatMap(({ accountId, type, subjectId, at, data }): News[] => {
    if (Date.parse(at) < since.getTime()) return []
    return (tellings.get(type) ?? []).flatMap(({ kind, tell }) => {
      const item = tell(data.object)
      // repeated changes are mailed once a day
      return item ? [newsOf(kind, { occasion: `${type} ${at.slice(0, 10)}`, ...item }, accountId!, subjectId!)] : []
    })
  })
  if (news.length > 0) await insertNews(tx, news, since)
}

const newsOf = (
  kind: MailKind,
  { to, occasion }: Required<DigestRecipient>,
  accountId: string,
  subjectId: string,
): News => ({
  accountId,
  partnerId: to === 'team' ? null : to.partnerId,
  kind,
  subjectId,
  occasion,
})

/** Stores news of mails sent before the database was restored. */
async function saveMailedNews(tx: Transaction, events: Event[]): Promise<void> {
  const news = events
    .filter(({ type }) => type === payoutCaughtUp.type)
    .flatMap(({ accountId, data }) => {
      const { payoutId, reached, ...approved } = data as NonNullable<(typeof payoutCaughtUp)['data']>
      const left = newsOf('payout-sent', sentRecipient(approved), accountId!, payoutId)
      return reached === 'sent'
        ? [left]
        : [left, newsOf('payout-failed', returnedRecipient(approved), accountId!, payoutId)]
    })
  if (news.length > 0) await insertMailed(tx, news)
}

const mailKinds = Object.keys(mails) as MailKind[]
const ALONE = mailKinds.filter((kind) => mails[kind].alone)

/** Gathers news that have waited long enough, and adds the jobs of their mails. */
export const mailNews = ({ db, jobs }: Services) =>
  transaction(db, async (tx) => {
    const gathered = await gatherNews(tx, ALONE, staleSince(tx.now))
    const wanted = gathered.map(
      ({ partnerId, ...job }): Wanted => ({ job: job as MailJob, accountId: partnerId ? null : job.accountId }),
    )
    await jobs.addAll(tx, mailQueue, await toEach(tx, wanted))
  })

/** A mail to add; `accountId` is null if it is not for an account's team. */
type Wanted = { job: MailJob; accountId: string | null }

/** Returns the jobs of these mails; of one for a team, a job for each person whose role gets it. */
async function toEach(tx: Transaction, wanted: Wanted[]): Promise<MailJob[]> {
  const teamOf = ({ job, accountId }: Wanted) => (accountId === null ? undefined : mails[job.kind].team)
  const people = await findTeams(
    tx,
    wanted.flatMap((one) => (teamOf(one) ? one.accountId! : [])),
  )
  return wanted.flatMap((one): MailJob[] => {
    const team = teamOf(one)
    if (!team) return [one.job]
    const readers = people.filter(({ accountId, role }) => accountId === one.accountId && team.includes(role))
    return readers.map(({ userId }): MailJob => ({ ...one.job, reader: userId }))
  })
}

/** Inserts an account's reminders and summaries of the day. */
export async function noteDay(tx: Transaction, account: AccountFacts): Promise<void> {
  const today = dayIn(account.timeZone, tx.now)
  for (const { daily } of Object.values(mails)) await daily?.(tx, account, today)
}
