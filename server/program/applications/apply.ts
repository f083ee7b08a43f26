import type { Application, NewApplication } from '#contract/applications.ts'
import type { Language } from '#contract/language.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { toNetwork } from '../../platform/http/limits.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { networkOfAddress } from '../agreement/accept.ts'
import { mailLeaves } from '../auth/invitations.ts'
import { countAttempt } from '../auth/sign-in-attempts.ts'
import { readReferral } from '../clicks/read-referral.ts'
import { findPartnerByCode } from '../partner-directory/find-partner.ts'
import { getGroup } from '../terms/moves.ts'
import {
  applicationById,
  applicationTable,
  areFull,
  getProgramRow,
  isPartner,
  isWaiting,
  rejectedAt,
  storedGroup,
} from './queries.ts'
import { applicationQueue, type PostedApplication } from './queue.ts'
import { MOST_WAITING, receiveApplication } from './receive.ts'
import { applicantKnown, confirmationAsked } from './signals.ts'

const DAY = 86_400_000
/** Mails to one address a day, on the whole install. */
const MAILS_A_DAY = 3
/** A job that is done still names an application. */
const FORGET_SOON = { deleteAfterSeconds: 3600 }

/** An application as filled in on the page. */
export type FilledIn = {
  firstName: string
  lastName: string
  email: string
  answers: Application['answers']
  /** Code of the recruiting partner. */
  by: string | null
  /** Version of the agreement that was ticked, and the language of the text that was shown. */
  agreement: number | null
  agreementLanguage?: Language | null
  /** Of the page. */
  language: Language
  /** Group of the page; null on the program's own. */
  groupId: string | null
  /** The field that people don't see was filled in. */
  automatic: boolean
  /** The caller's address. */
  address: string
}

/** Hash with the install's key and the day: it only compares, and identifies no network. */
const networkHash = (secrets: Secrets, { id, timeZone }: AccountFacts, now: Date, address: string) =>
  Buffer.from(secrets.derive('application-network', `${id}.${dayIn(timeZone, now)}.${toNetwork(address)}`), 'base64url')

/** Hash of an e-mail that stays when the e-mail is deleted, so that its person does not apply again. */
export const emailHash = (secrets: Secrets, accountId: string, email: string) =>
  Buffer.from(secrets.derive('application-email', `${accountId}.${email}`), 'base64url')

/**
 * Stores a posted application. Its e-mail isn't looked up here, so neither the reply nor its time reveals whether it is
 * known. The job sends the outcome by mail.
 */
export async function postApplication(
  tx: Transaction,
  { secrets, jobs }: { secrets: Secrets; jobs: Jobs },
  account: AccountFacts,
  { automatic, address, by, agreement, groupId, ...given }: FilledIn,
): Promise<string> {
  const id = newId()
  await applicationTable.insert(tx, {
    ...given,
    id,
    accountId: account.id,
    status: 'unconfirmed',
    flags: automatic ? ['automatic'] : [],
    networkHash: networkHash(secrets, account, tx.now, address),
    agreementVersion: agreement,
    agreementNetwork: agreement === null ? null : networkOfAddress(address),
    parentPartnerId: await recruiterOf(tx, account.id, by),
    groupId: storedGroup(account.id, groupId),
  })
  await jobs.add(tx, applicationQueue, { accountId: account.id, id }, FORGET_SOON)
  return id
}

/** Finds the partner of a code, also of a former one; null for an unknown one. */
async function recruiterOf(db: Queryable, accountId: string, code: string | null) {
  if (code === null) return null
  if ((await getProgramRow(db, accountId)).state === 'off') return null
  const { codes } = await readReferral(db, accountId, code, true)
  return (await findPartnerByCode(db, accountId, codes))?.id ?? null
}

/** Facts about a posted application's e-mail; `on` is the first day on which its person may apply again. */
export type Standing = { kind: 'new' | 'partner' | 'waiting' | 'never' } | { kind: 'later'; on: string }

export async function findStanding(
  db: Queryable,
  secrets: Secrets,
  { id: accountId, timeZone }: AccountFacts,
  email: string,
): Promise<Standing> {
  if (await isPartner(db, accountId, email)) return { kind: 'partner' }
  if (await isWaiting(db, accountId, email)) return { kind: 'waiting' }
  const at = await rejectedAt(db, accountId, { email, hash: emailHash(secrets, accountId, email) })
  if (at === undefined) return { kind: 'new' }
  const { reapplyAfterDays } = await getProgramRow(db, accountId)
  if (reapplyAfterDays === null) return { kind: 'never' }
  const on = addDays(dayIn(timeZone, new Date(at)), reapplyAfterDays)
  return dayIn(timeZone, db.now) < on ? { kind: 'later', on } : { kind: 'new' }
}

/**
 * Mails the applicant: to confirm the application, or that it changes nothing. Without a mail server it waits at once.
 * At most three such mails a day for one address on the whole install. A repetition mails once.
 */
export const answerPosted = (services: Services, { accountId, id }: PostedApplication) =>
  transaction(services.db, async (tx) => {
    const account = (await getAccountFacts(tx, [accountId])).get(accountId)
    if (!account || account.disabledAt) return
    await blockBookings(tx, accountId)
    const row = await applicationById(tx, accountId, id)
    if (row?.status !== 'unconfirmed' || row.answeredAt || row.email === null || row.flags.includes('automatic')) return
    await applicationTable.update(tx, { accountId, id }, { answeredAt: tx.now.toISOString() })
    const { kind } = await findStanding(tx, services.secrets, account, row.email)
    if (!mailLeaves(services)) {
      if (kind === 'new' && !(await areFull(tx, accountId, MOST_WAITING)))
        await receiveApplication(tx, services, account, row, { confirmed: false })
      return
    }
    if (!(await countAttempt(tx, services, ['application', row.email], { most: MAILS_A_DAY, within: DAY }))) return
    await sendSignal(tx, accountId, kind === 'new' ? confirmationAsked : applicantKnown, { applicationId: id })
  })

/**
 * Stores an application from the account's own form. The reply reveals whether the e-mail is known, because the account
 * may know. Refuses: `duplicate` for a partner's e-mail, and for one that waits, or was rejected and may not apply
 * again yet; `invalid_state` if too many wait; `validation_failed` for an unknown group.
 */
export async function createApplication(
  tx: Transaction,
  services: Pick<Services, 'secrets' | 'jobs' | 'config'>,
  account: AccountFacts,
  { firstName, lastName, email, answers = [], by = null, groupId, language, emailConfirmed }: NewApplication,
) {
  await blockBookings(tx, account.id)
  if (groupId) await getGroup(tx, account.id, groupId)
  const { kind } = await findStanding(tx, services.secrets, account, email)
  if (kind === 'partner') throw refusal('partner_email_taken', { details: { field: 'email' } })
  if (kind !== 'new') throw refusal('application_known', { details: { field: 'email' } })
  if (await areFull(tx, account.id, MOST_WAITING)) throw refusal('applications_full')
  const id = newId()
  await applicationTable.insert(tx, {
    id,
    accountId: account.id,
    status: 'unconfirmed',
    firstName,
    lastName,
    email,
    answers,
    language,
    flags: [],
    parentPartnerId: await recruiterOf(tx, account.id, by),
    groupId: storedGroup(account.id, groupId),
  })
  const row = (await applicationById(tx, account.id, id))!
  if (emailConfirmed) return { id, status: await receiveApplication(tx, services, account, row, { confirmed: true }) }
  if (!mailLeaves(services))
    return { id, status: await receiveApplication(tx, services, account, row, { confirmed: false }) }
  await services.jobs.add(tx, applicationQueue, { accountId: account.id, id }, FORGET_SOON)
  return { id, status: 'unconfirmed' as const }
}
