import { backupHealth } from '../../platform/backups/own-backups.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { instantInWords } from '../../platform/in-words.ts'
import type { JobTry } from '../../platform/jobs/worker.ts'
import type { Services } from '../../platform/services.ts'
import { accountFactsOf } from '../../program/access/account-facts.ts'
import {
  invitationForMail,
  invitationKept,
  invitationMailed,
  invitationRefused,
} from '../../program/auth/invitations.ts'
import { resetUrl, signInToken } from '../../program/auth/link-requests.ts'
import { pausedSince } from '../../program/payouts/payout-terms.ts'
import { missingOf } from '../../program/payouts/remind-partner.ts'
import { findOwner, findPartner } from './gathered/news-queries.ts'
import { gatheredKinds, writeGathered } from './gathered/write.ts'
import type { Letter } from './letter.ts'
import { written } from './letters/registry.ts'
import { noteMail, type Outcome } from './log.ts'
import {
  endWaiting,
  findPartnerAccount,
  findReset,
  findUser,
  findWebhook,
  takeMailPlace,
  whatWorksIn,
} from './queries.ts'
import { type Mail, mailQueue } from './queue.ts'
import { testName } from './send-test.ts'
import { type Delivery, deliver, type Post } from './transport.ts'
import { unsubscribeUrlFor } from './unsubscribe.ts'

/**
 * A mail to send; `causedBy` is the account whose people requested it, unless the recipient did. `later`: while its
 * account is disabled. Null: obsolete.
 */
type Due = Ready | 'later' | null
/** `userId`: the reader, who may have turned such mails off. */
type Ready = Post & { userId?: string; causedBy?: string | null }

/** Seconds until a waiting mail is checked again. */
const LOOK_AGAIN = 900

type Kind = {
  /** Returns a stable name of this mail. */
  name(mail: Mail): string
  write(services: Services, mail: Mail): Promise<Due>
  /** Called after the mail server accepted it, refused it for good, or could not be reached; or when it has to wait. */
  after?(services: Services, mail: Mail, delivery: Delivery | Error | 'held'): Promise<unknown>
  /** A person waits for the result, and will retry. */
  triedOnce?: true
}

const kinds: Record<string, Kind> = {
  invitation: {
    name: ({ id, sendCount, again }) => `invitation-${id}-${sendCount}${again ? `-${again}` : ''}`,
    async write(services, { id, sendCount, again }) {
      const invitation = await invitationForMail(services.db, services, id, Number(sendCount))
      if (!invitation) return null
      if (invitation.isDisabled) return 'later'
      const { email, accountId } = invitation
      return { to: email, letter: written('invitation', invitation), causedBy: again ? null : accountId }
    },
    async after({ db }, { id, sendCount, again }, delivery) {
      // mailed again at the recipient's request: the result of the sending itself is already recorded
      if (again) return
      if (delivery === 'held') await invitationRefused(db, id, Number(sendCount), HELD, false)
      else if (delivery instanceof Error) await invitationRefused(db, id, Number(sendCount), delivery.message, false)
      else if (delivery.outcome === 'sent') await transaction(db, (tx) => invitationMailed(tx, id, Number(sendCount)))
      else if (delivery.outcome === 'refused') await invitationRefused(db, id, Number(sendCount), delivery.reason, true)
      else await invitationKept(db, id, Number(sendCount))
    },
  },
  'password-reset': {
    name: ({ id }) => `password-reset-${id}`,
    async write(services, { id }) {
      const reset = await findReset(services.db, id)
      if (!reset?.open) return null
      const { appUrl } = services.config
      const url = resetUrl(services, id)
      // an unverified mailbox may have been set up by another person, whom only a new password locks out
      const signInUrl = reset.verified ? `${appUrl}/auth/sign-in#token=${signInToken(services.secrets, id)}` : null
      return { to: reset.email, letter: written('password-reset', { url, signInUrl }) }
    },
  },
  test: {
    name: ({ id }) => testName(id),
    async write({ db, config }, { email, sentBy, at }) {
      const user = await findUser(db, sentBy)
      const url = `${config.appUrl}/admin/mail`
      return user ? { to: String(email), letter: written('test', { sentBy: user.email, at: String(at), url }) } : null
    },
    triedOnce: true,
  },
  'password-changed': {
    name: ({ id }) => `password-changed-${id}`,
    write: ({ db, config }, { userId }) => toUser(db, config, userId, 'password-changed'),
  },
  'session-ended': {
    name: ({ id }) => `session-ended-${id}`,
    write: ({ db, config }, { userId }) => toUser(db, config, userId, 'session-ended'),
  },
  'new-key': {
    name: ({ id }) => `new-key-${id}`,
    async write({ db, config }, { userId, accountId, name }) {
      const user = await findUser(db, userId)
      const account = accountId ? (await accountFactsOf(db, [String(accountId)])).get(String(accountId)) : null
      if (!user || account === undefined) return null
      const what = account ? 'key' : 'token'
      const url = `${config.appUrl}${account ? '/integrations/push-data' : '/user/profile'}`
      const letter = { what, name: String(name), accountName: account?.name ?? null, url } as const
      return { to: user.email, letter: written('new-key', letter) }
    },
  },
  'owner-changed': {
    name: ({ id }) => `owner-changed-${id}`,
    async write({ db, config }, { accountId, userId }) {
      const account = (await accountFactsOf(db, [String(accountId)])).get(String(accountId))
      const owner = await findOwner(db, String(accountId))
      // another owner has followed
      if (!account || !owner || owner.userId !== userId) return null
      if (account.disabledAt) return 'later'
      const left = await whatWorksIn(db, account.id)
      const url = `${config.appUrl}/integrations/push-data`
      return { to: owner.email, letter: written('owner-changed', { ...left, accountName: account.name, url }) }
    },
  },
  'payout-settings': {
    name: ({ id }) => `payout-settings-${id}`,
    async write({ db, config }, { partnerId, recipient }) {
      const account = await findPartnerAccount(db, partnerId)
      if (!account) return null
      if (account.disabledAt) return 'later'
      const { accountName } = account
      return {
        to: String(recipient),
        letter: written('payout-settings', { accountName, url: `${config.appUrl}/partner/settings` }),
      }
    },
  },
  'payout-details-reminder': {
    name: ({ id }) => `payout-details-reminder-${id}`,
    async write({ db, config }, { accountId, partnerId }) {
      const account = (await accountFactsOf(db, [String(accountId)])).get(String(accountId))
      const partner = await findPartner(db, String(partnerId))
      const missing = account && partner && (await missingOf(db, account, String(partnerId)))
      if (!missing) return null
      if (account.disabledAt) return 'later'
      const { name: accountName, defaultCurrency: currency } = account
      const { details, due: amount } = missing
      const url = `${config.appUrl}/partner/settings`
      return {
        to: partner.email,
        userId: partner.userId,
        replyTo: (await findOwner(db, account.id))?.email,
        causedBy: account.id,
        letter: written('payout-details-reminder', { accountName, amount, currency, details, url }),
      }
    },
  },
  'payouts-paused': {
    name: ({ id }) => `payouts-paused-${id}`,
    async write({ db, config }, { accountId, pausedAt }) {
      const account = (await accountFactsOf(db, [String(accountId)])).get(String(accountId))
      const owner = await findOwner(db, String(accountId))
      // resumed meanwhile
      if (!account || !owner || (await pausedSince(db, account.id)) !== pausedAt) return null
      if (account.disabledAt) return 'later'
      const letter = { accountName: account.name, url: `${config.appUrl}/payouts/reconciliation` }
      return { to: owner.email, userId: owner.userId, letter: written('payouts-paused', letter) }
    },
  },
  'backup-failed': {
    name: ({ id, userId }) => `backup-failed-${id}-${userId}`,
    async write({ db, config }, { userId, since }) {
      const user = await findUser(db, userId)
      const newest = (await backupHealth(db, config, db.now))?.newestAt
      // a backup succeeded meanwhile
      if (!user || (newest && newest > String(since))) return null
      const inWords = (at: string) => instantInWords(new Date(at))
      const letter = {
        failedAt: inWords(String(since)),
        newestAt: newest ? inWords(newest) : null,
        url: `${config.appUrl}/admin/system`,
      }
      return { to: user.email, userId: String(userId), letter: written('backup-failed', letter) }
    },
  },
  'webhook-failing': {
    name: ({ id }) => `webhook-failing-${id}`,
    write: (services, { webhookId, failures }) =>
      toOwner(services, webhookId, (webhook, url) =>
        written('webhook-failing', { ...webhook, url, failures: Number(failures) }),
      ),
  },
  'webhook-turned-off': {
    name: ({ id }) => `webhook-turned-off-${id}`,
    write: (services, { webhookId }) =>
      toOwner(services, webhookId, ({ reason, ...webhook }, url) =>
        // turned on again meanwhile
        reason ? written('webhook-turned-off', { ...webhook, url, reason }) : null,
      ),
  },
}

for (const kind of gatheredKinds)
  kinds[kind] = {
    name: ({ id }) => `${kind}-${id}`,
    write: (services, { id }) => writeGathered(services, kind, id),
  }

const POINTLESS = 'It was no longer needed.'
const DISABLED = 'The account is disabled.'
const TURNED_OFF = 'The recipient has turned these emails off.'

/** Mails per day that an account's people may cause to one address. */
const MAILS_A_DAY = 3
const HELD = 'Three emails were sent to this address today. This one will be sent tomorrow.'

async function toUser(
  db: Database,
  config: Config,
  userId: unknown,
  kind: 'password-changed' | 'session-ended',
): Promise<Due> {
  const user = await findUser(db, userId)
  return user ? { to: user.email, letter: written(kind, { url: `${config.appUrl}/auth/reset-password` }) } : null
}

type Webhook = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

async function toOwner(
  { db, config }: Services,
  webhookId: unknown,
  letterOf: (webhook: Webhook, url: string) => Letter | null,
): Promise<Due> {
  const webhook = await findWebhook(db, webhookId)
  if (!webhook) return null
  if (webhook.disabledAt) return 'later'
  const letter = letterOf(webhook, `${config.appUrl}/integrations/outgoing-webhooks/${webhookId}`)
  return letter && { to: webhook.ownerEmail, userId: webhook.ownerId, letter }
}

/**
 * Sends one mail and records the result. Tokens of links are created only here, and the reader's preferences are
 * checked here. Throws if it is to be retried: the mail server cannot be reached or returns 4xx. A 5xx ends it.
 */
export async function sendMail(services: Services, mail: Mail, { isLast }: JobTry = { isLast: false }): Promise<void> {
  const kind = kinds[mail.kind]
  if (!kind) throw new Error(`no mail of the kind ${mail.kind} is known`)
  const { db } = services
  const name = kind.name(mail)
  const due = await kind.write(services, mail)
  if (!due) return endWaiting(db, name, 'skipped', POINTLESS)
  if (due === 'later') {
    await endWaiting(db, name, 'waiting', DISABLED)
    return lookAgain(services, mail)
  }
  const unsubscribeUrl = await unsubscribeUrlFor(services, mail.kind, due.userId)
  const note = (outcome: Outcome) => noteMail(db, { name, kind: mail.kind, email: due.to }, due.letter, outcome)
  if (unsubscribeUrl === 'turned off') return note({ state: 'skipped', reason: TURNED_OFF })
  if (!(await takePlace(services, name, due))) {
    await note({ state: 'waiting', reason: HELD })
    await kind.after?.(services, mail, 'held')
    return lookAgain(services, mail)
  }
  await note({ state: 'waiting', isTry: true })
  try {
    const delivery = await deliver(services.config, name, { ...due, unsubscribeUrl })
    if (delivery.outcome === 'refused')
      services.log.warn({ mail: name, reason: delivery.reason }, 'the mail server refused a mail')
    await note({ state: delivery.outcome, ...delivery })
    await kind.after?.(services, mail, delivery)
  } catch (error) {
    const { message } = error as Error
    await note({ state: isLast || kind.triedOnce ? 'failed' : 'waiting', reason: message })
    await kind.after?.(services, mail, error as Error)
    if (!kind.triedOnce) throw error
  }
}

const lookAgain = ({ db, jobs }: Services, mail: Mail) =>
  transaction(db, (tx) => jobs.add(tx, mailQueue, mail, { startAfter: LOOK_AGAIN }))

/** Claims one of the day's places for mails an account may cause to this address; a repeated mail reuses its place. */
async function takePlace({ db, secrets }: Services, name: string, { to, causedBy }: Ready) {
  if (!causedBy) return true
  const day = db.now.toISOString().slice(0, 10)
  const key = secrets.derive('mail-counts', JSON.stringify([causedBy, to, day]))
  return (await takeMailPlace(db, { key, name, most: MAILS_A_DAY, day })) > 0
}
