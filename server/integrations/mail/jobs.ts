import { rights } from '#contract/endpoint.ts'
import { withLanguage } from '#contract/language.ts'
import { transaction } from '../../platform/database/pool.ts'
import type { JobTry } from '../../platform/jobs/worker.ts'
import type { Services } from '../../platform/services.ts'
import { supportEmail } from '../../program/access/support-email.ts'
import { findPresentOwner } from '../../program/auth/invitation-queries.ts'
import { portalUrl } from '../../program/custom-domains/portal-url.ts'
import { getLook, logoUrl } from '../../program/pictures/files.ts'
import { sampleMail } from './editable-mails.ts'
import { fillTemplate, samplePartner } from './fill-template.ts'
import { type MailJob, mails } from './kinds/registry.ts'
import { logMail, type Outcome } from './log.ts'
import type { Mail, Recipient, TestOfText } from './mail.ts'
import type { MailMessage } from './message.ts'
import { findSender, findText } from './own-texts.ts'
import { claimMailPlace, endWaiting, findAccount, findInTeam } from './queries.ts'
import { mailQueue } from './queue.ts'
import { deliverMail } from './transport.ts'
import { unsubscribeUrlFor } from './unsubscribe.ts'

/** Seconds until a waiting mail is checked again. */
const LOOK_AGAIN = 900

const POINTLESS = 'It was no longer needed.'
const DISABLED = 'The account is disabled.'
const TURNED_OFF = 'The recipient has turned these emails off.'

/** Mails per day that an account's people may cause to one address. */
const MAILS_A_DAY = 3
const HELD = 'Three emails were sent to this address today. This one will be sent tomorrow.'

/**
 * Sends one mail and records the result. Tokens of links are created only here, and the reader's preferences are
 * checked here. Throws if it is to be retried: the mail server cannot be reached or returns 4xx. A 5xx ends it.
 */
export async function sendMail(services: Services, job: MailJob, attempt: JobTry = { isLast: false }): Promise<void> {
  const { kind } = job
  const mail = mails[kind]
  const { db } = services
  const shared = job.test ? `${kind}-test-${job.id}` : (mail.name?.(job) ?? `${kind}-${job.id}`)
  const name = job.reader ? `${shared}-${job.reader}` : shared
  const due = job.test ? await readTest(services, job, job.test) : await mail.read(services, job)
  const after = job.test ? undefined : mail.after
  if (!due) {
    await endWaiting(db, name, 'skipped', POINTLESS)
    await after?.(services, job, { outcome: 'pointless' }, attempt)
    return
  }
  if (due === 'later') {
    await endWaiting(db, name, 'waiting', DISABLED)
    return requeue(services, job)
  }
  const language = due.language ?? 'en'
  const usual = withLanguage(language, () => ({ ...mail.write(due.data), language }))
  const accountId = ('accountId' in job && job.accountId) || due.causedBy || null
  const home = usual.inItsLook ? await readHome(services, due.accountId ?? accountId) : null
  const letter = home ? await inOwnWords(services, home, mail, due, usual, job.test) : usual
  const origin = home?.origin ?? services.config.appUrl
  const unsubscribeUrl = await unsubscribeUrlFor(services, origin, mail.group, due.userId)
  const note = (outcome: Outcome) => logMail(db, { name, kind, email: due.to, accountId }, letter, outcome)
  if (unsubscribeUrl === 'turned off') {
    await note({ state: 'skipped', reason: TURNED_OFF })
    await after?.(services, job, { outcome: 'turned off' }, attempt)
    return
  }
  if (!(await claimPlace(services, name, due))) {
    await note({ state: 'waiting', reason: HELD })
    await after?.(services, job, { outcome: 'held', reason: HELD }, attempt)
    return requeue(services, job)
  }
  await note({ state: 'waiting', isTry: true })
  try {
    const delivery = await deliverMail(services.config, name, {
      ...due,
      letter,
      replyTo: home?.sender.replyTo ?? due.replyTo,
      fromName: home?.sender.fromName,
      unsubscribeUrl,
      look: home?.look ?? null,
    })
    if (delivery.outcome === 'refused')
      services.log.warn({ mail: name, reason: delivery.reason }, 'the mail server refused a mail')
    await note({ state: delivery.outcome, ...delivery })
    await after?.(services, job, delivery, attempt)
  } catch (error) {
    const { message } = error as Error
    await note({ state: attempt.isLast || mail.triedOnce ? 'failed' : 'waiting', reason: message })
    await after?.(services, job, error as Error, attempt)
    if (!mail.triedOnce) throw error
  }
}

/** Returns the look of the account whose mail it is, the origin of its addresses, and whom it comes from. */
async function readHome({ db, config }: Services, accountId: string | null) {
  const account = accountId && (await findAccount(db, accountId))
  if (!account) return null
  const origin = portalUrl(config, account)
  const look = await getLook(db, account.id)
  const url = logoUrl(origin, look)
  const sender = await findSender(db, account.id)
  return {
    account,
    origin,
    sender,
    look: { accent: look.accent, logo: look.logo && url ? { ...look.logo, url } : null },
  }
}

type Home = NonNullable<Awaited<ReturnType<typeof readHome>>>

/** Returns the letter with the text that the account gave this kind of mail, or is trying out; else unchanged. */
async function inOwnWords(
  { db, config }: Services,
  { account, origin }: Home,
  { editable }: Mail,
  { data, addressee }: Recipient & { data: object },
  letter: MailMessage,
  test: TestOfText | undefined,
): Promise<MailMessage> {
  const kind = editable?.kind(data)
  const text = test ?? (kind && (await findText(db, account, kind, letter.language ?? 'en')))
  if (!editable || !kind || !text) return letter
  const supportAddress = await supportEmail(db, config)
  return withLanguage(letter.language ?? 'en', () =>
    fillTemplate(test ? { ...letter, because: TESTED } : letter, text, {
      kind,
      addressee,
      dashboardUrl: `${origin}/dashboard`,
      supportEmail: supportAddress,
      values: editable.values?.(data) ?? {},
      details: editable.details?.(data) ?? [],
    }),
  )
}

const TESTED = 'You get this email because you sent yourself a test.'

/** Reads a test: sample data for a person who may still change the texts of the account. */
async function readTest(
  { db, config }: Services,
  job: MailJob,
  { template, userId, language = 'en' }: TestOfText,
): Promise<(Recipient & { data: object }) | null> {
  const account = 'accountId' in job && job.accountId ? await findAccount(db, job.accountId) : undefined
  const reader = account && (await findInTeam(db, account.id, userId, rights.earn))
  if (!account || !reader || account.disabledAt) return null
  const { data } = sampleMail(template, { accountName: account.name, url: `${portalUrl(config, account)}/dashboard` })
  const replyTo = (await findPresentOwner(db, account.id))?.email
  return { to: reader.email, accountId: account.id, replyTo, addressee: samplePartner, language, data }
}

const requeue = ({ db, jobs }: Services, job: MailJob) =>
  transaction(db, (tx) => jobs.add(tx, mailQueue, job, { startAfter: LOOK_AGAIN }))

/** Claims one of the day's places for mails an account may cause to this address; a repeated mail reuses its place. */
async function claimPlace({ db, secrets }: Services, name: string, { to, causedBy }: Recipient) {
  if (!causedBy) return true
  const day = db.now.toISOString().slice(0, 10)
  const key = secrets.derive('mail-counts', JSON.stringify([causedBy, to, day]))
  return (await claimMailPlace(db, { key, name, most: MAILS_A_DAY, day })) > 0
}
