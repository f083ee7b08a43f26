import { backupsFailing } from '../../platform/backups/signals.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Signal } from '../../platform/events/happened.ts'
import type { Event } from '../../platform/events/relay.ts'
import type { Services } from '../../platform/services.ts'
import { keyCreated } from '../../program/access/signals.ts'
import {
  invitationRequested,
  ownerChanged,
  passwordChanged,
  resetRequested,
  sessionReused,
} from '../../program/auth/signals.ts'
import { emailsAround } from '../../program/partners/former-emails.ts'
import { partnerReminded, payoutDetailsChanged, payoutsPaused } from '../../program/payouts/signals.ts'
import { webhookFailing, webhookTurnedOff } from '../outgoing-webhooks/signals.ts'
import { noteNews, noteTold } from './gathered/news.ts'
import { findAdministrators } from './queries.ts'
import { type Mail, mailQueue } from './queue.ts'

type Writer = { type: string; mails(tx: Transaction, event: Event): Promise<Mail[]> | Mail[] }

const on = <Data extends object>(
  { type }: Signal<Data>,
  mails: (data: Data, event: Event, tx: Transaction) => Promise<Mail[]> | Mail[],
): Writer => ({ type, mails: (tx, event) => mails(event.data as Data, event, tx) })

/** The mails that follow from signals. A job contains ids, never a token. */
const writers = [
  on(invitationRequested, ({ invitationId, ...sending }) => [{ kind: 'invitation', id: invitationId, ...sending }]),
  on(resetRequested, ({ resetId }) => [{ kind: 'password-reset', id: resetId }]),
  on(passwordChanged, ({ userId }, { id }) => [{ kind: 'password-changed', id, userId }]),
  on(sessionReused, ({ sessionId, userId }) => [{ kind: 'session-ended', id: sessionId, userId }]),
  on(keyCreated, (created, { id, accountId }) => [{ kind: 'new-key', id, accountId, ...created }]),
  on(ownerChanged, ({ userId }, { id, accountId }) => [{ kind: 'owner-changed', id, accountId, userId }]),
  on(payoutDetailsChanged, async ({ partnerId }, { id, at }, tx) => {
    const recipients = await emailsAround(tx, partnerId, new Date(at))
    return recipients.map((recipient, n) => ({ kind: 'payout-settings', id: `${id}-${n}`, partnerId, recipient }))
  }),
  on(partnerReminded, ({ partnerId }, { id, accountId }) => [
    { kind: 'payout-details-reminder', id, accountId, partnerId },
  ]),
  on(payoutsPaused, ({ pausedAt }, { accountId }) => [
    { kind: 'payouts-paused', id: `${accountId}-${Date.parse(pausedAt)}`, accountId, pausedAt },
  ]),
  on(backupsFailing, async ({ since }, { id }, tx) => {
    const administrators = await findAdministrators(tx)
    return administrators.map((user) => ({ kind: 'backup-failed', id, userId: user.id, since }))
  }),
  on(webhookFailing, (failing, { id }) => [{ kind: 'webhook-failing', id, ...failing }]),
  on(webhookTurnedOff, ({ webhookId }, { id }) => [{ kind: 'webhook-turned-off', id, webhookId }]),
]

/** Adds the jobs of the mails that follow from these events, in one statement; other news are gathered first. */
export async function mailListener(tx: Transaction, events: Event[], { jobs }: Services): Promise<void> {
  const mails: Mail[] = []
  for (const event of events) {
    const writer = writers.find(({ type }) => type === event.type)
    if (writer) mails.push(...(await writer.mails(tx, event)))
  }
  await jobs.addAll(tx, mailQueue, mails)
  await noteTold(tx, events)
  await noteNews(tx, events)
}
