import type { EventObject, PublicEvent } from '#contract/events.ts'
import type { LeadSource } from '#contract/leads.ts'
import type { MailKind } from '#contract/mail.ts'
import type { Payout } from '#contract/payouts.ts'
import { newId } from '../../../platform/database/ids.ts'
import { inBatches } from '../../../platform/database/in-batches.ts'
import { type Transaction, transaction } from '../../../platform/database/pool.ts'
import type { Event } from '../../../platform/events/relay.ts'
import { eachAlone } from '../../../platform/jobs/each-alone.ts'
import type { Services } from '../../../platform/services.ts'
import { addDays, dayIn } from '../../../platform/time/days.ts'
import { type AccountFacts, accountFacts } from '../../../program/access/account-facts.ts'
import { payoutCaughtUp } from '../../../program/payouts/signals.ts'
import { mailQueue } from '../queue.ts'
import {
  accountsOfTheDay,
  forgetNewsBefore,
  gatherNews,
  insertNews,
  insertTold,
  type News,
  noteEndingProtection,
  noteStatements,
  takeDay,
} from './news-queries.ts'
import { BLOCKED, isTold, waitingNews } from './waiting.ts'

const DAY = 86_400_000
/** Older events were imported, came late or waited too long, and are not mailed. */
const staleSince = (now: Date) => new Date(now.getTime() - 7 * DAY)
const KEPT = 90 * DAY
const FORGOTTEN_AT_ONCE = 5000

type Telling = { kind: MailKind; to: 'owner' | { partnerId: string }; occasion?: string }
type Told = Required<Telling>

/** Sources of leads that are mailed; the owners know those created by themselves and their own systems. */
const SOURCES_TOLD: LeadSource[] = ['embed', 'incoming-webhook', 'partner']

/** The mails that follow from an event, with their recipients. */
const tellings: { [Type in PublicEvent]?: (object: EventObject<Type>) => Telling[] } = {
  'lead.created': ({ source, status }) =>
    status === 'new' && SOURCES_TOLD.includes(source) ? [{ kind: 'new-lead', to: 'owner' }] : [],
  'commission.created': ({ kind, partnerId }) =>
    kind === 'earned' ? [{ kind: 'sale-credited', to: { partnerId } }] : [],
  'commission.reversed': ({ kind, partnerId }) => (kind === 'reversal' ? [{ kind: 'refund', to: { partnerId } }] : []),
  'payout.due': ({ partnerId, blockers }) =>
    blockers.some(({ code }) => isTold(code)) ? [{ kind: 'payout-blocked', to: { partnerId }, occasion: BLOCKED }] : [],
  'payout.approved': ({ partnerId }) => [{ kind: 'payout-approved', to: { partnerId } }],
  'payout.awaiting-funding': () => [{ kind: 'payout-attention', to: 'owner' }],
  'payout.sent': (payout) => [sentTo(payout)],
  // a mail was already sent when the money left
  'payout.paid': (payout) => (payout.sentAt ? [] : [sentTo(payout)]),
  'payout.failed': ({ partnerId }) => [
    { kind: 'payout-failed', to: { partnerId } },
    { kind: 'payout-attention', to: 'owner' },
  ],
  'payout.returned': (payout) => [returnedTo(payout), { kind: 'payout-attention', to: 'owner' }],
  'payment-provider.unhealthy': () => [{ kind: 'provider-attention', to: 'owner' }],
}

type Approved = Pick<Payout, 'partnerId' | 'approvedAt'>

// a transfer may go back and forth for weeks: its partner gets one mail per step of an approval
const sentTo = ({ partnerId, approvedAt }: Approved): Told => ({
  kind: 'payout-sent',
  to: { partnerId },
  occasion: `sent, approved ${approvedAt}`,
})
const returnedTo = ({ partnerId, approvedAt }: Approved): Told => ({
  kind: 'payout-failed',
  to: { partnerId },
  occasion: `returned, approved ${approvedAt}`,
})

/** Stores the news of these events, in the relay's transaction. */
export async function noteNews(tx: Transaction, events: Event[]): Promise<void> {
  const since = staleSince(tx.now)
  const news = events.flatMap(({ accountId, type, subjectId, at, data }): News[] => {
    if (Date.parse(at) < since.getTime()) return []
    const tell = tellings[type as PublicEvent] as ((object: unknown) => Telling[]) | undefined
    // repeated changes are mailed once a day
    return (tell?.(data.object) ?? []).map((told) =>
      newsOf({ occasion: `${type} ${at.slice(0, 10)}`, ...told }, accountId!, subjectId!),
    )
  })
  if (news.length > 0) await insertNews(tx, news, since)
}

const newsOf = ({ kind, to, occasion }: Told, accountId: string, subjectId: string): News => ({
  id: newId(),
  accountId,
  partnerId: to === 'owner' ? null : to.partnerId,
  kind,
  subjectId,
  occasion,
})

/** Stores news of mails sent before the database was restored. */
export async function noteTold(tx: Transaction, events: Event[]): Promise<void> {
  const news = events
    .filter(({ type }) => type === payoutCaughtUp.type)
    .flatMap(({ accountId, data }) => {
      const { payoutId, reached, ...approved } = data as NonNullable<(typeof payoutCaughtUp)['data']>
      const steps = reached === 'sent' ? [sentTo(approved)] : [sentTo(approved), returnedTo(approved)]
      return steps.map((told) => newsOf(told, accountId!, payoutId))
    })
  if (news.length > 0) await insertTold(tx, news)
}

/** Kinds that get one mail per subject. */
const ALONE: MailKind[] = ['payout-approved', 'payout-sent', 'payout-failed', 'payout-blocked', 'payout-reminder']

/** Gathers news that have waited long enough, and adds the jobs of their mails. */
export const mailNews = ({ db, jobs }: Services) =>
  transaction(db, async (tx) => jobs.addAll(tx, mailQueue, await gatherNews(tx, ALONE, staleSince(tx.now))))

/** Hour from which daily mails are gathered, in the account's time zone. */
const HOUR = 8

/** Adds each account's reminders and summaries once a day. */
export async function mailsOfTheDay({ db, log }: Services): Promise<void> {
  const accounts = await accountsOfTheDay(db, accountFacts, HOUR)
  await eachAlone(log, 'mails-of-the-day', accounts, (account) => transaction(db, (tx) => noteDay(tx, account)))
}

async function noteDay(tx: Transaction, account: AccountFacts) {
  const today = dayIn(account.timeZone, tx.now)
  if ((await takeDay(tx, account.id, today)) === 0) return
  await noteEndingProtection(tx, account, today)
  await note(tx, await waitingNews(tx, account))
  await noteWeek(tx, account, today)
  await noteMonth(tx, account, today)
}

/** Days by which a missed mail may be late. */
const LATE = 2

/** Adds the summary of the previous week on Mondays. */
async function noteWeek(tx: Transaction, { id }: AccountFacts, today: string) {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  if (sinceMonday > LATE) return
  const monday = addDays(today, -sinceMonday - 7)
  await note(tx, [{ accountId: id, partnerId: null, kind: 'weekly-summary', subjectId: id, occasion: monday }])
}

/** Adds the statements of the previous month on the second, when the first day's refunds are in. */
async function noteMonth(tx: Transaction, account: AccountFacts, today: string) {
  const day = Number(today.slice(8))
  if (day < 2 || day > 2 + LATE) return
  const to = addDays(today, -day)
  const month = to.slice(0, 7)
  await noteStatements(tx, account, { month, from: `${month}-01`, to })
}

const note = (tx: Transaction, news: Omit<News, 'id'>[]) =>
  insertNews(
    tx,
    news.map((one) => ({ id: newId(), ...one })),
    new Date(0),
  )

/** Deletes old news. */
export async function forgetOldNews({ db }: Pick<Services, 'db'>): Promise<void> {
  const before = new Date(db.now.getTime() - KEPT)
  await inBatches(FORGOTTEN_AT_ONCE, (limit) => forgetNewsBefore(db, before, limit))
}
