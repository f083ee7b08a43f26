import type { RejectionReason } from '#contract/applications.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Install } from '../../platform/services.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { confirmUrl } from './application-link.ts'
import { findStanding, type Standing } from './apply.ts'
import { type ApplicationRow, applicationById } from './queries.ts'

type Asked = { accountId: string; applicationId: string }
type ApplicantMailFacts = { account: AccountFacts; row: ApplicationRow & { email: string } }

/** The recipient of a mail to an applicant; undefined once their data is gone. */
async function found(db: Queryable, { accountId, applicationId }: Asked): Promise<ApplicantMailFacts | undefined> {
  const account = (await getAccountFacts(db, [accountId])).get(accountId)
  const row = await applicationById(db, accountId, applicationId)
  return account && row?.email ? { account, row: { ...row, email: row.email } } : undefined
}

const recipientOf = ({ account, row }: ApplicantMailFacts) => ({
  to: row.email,
  language: row.language ?? account.language,
  isDisabled: account.disabledAt !== null,
  accountName: account.name,
  firstName: row.firstName,
  lastName: row.lastName,
})

/** Returns the contents of the mail that asks to confirm an application; undefined if there is nothing to confirm. */
export async function confirmationForMail(db: Queryable, install: Install, asked: Asked) {
  const one = await found(db, asked)
  if (one?.row.status !== 'unconfirmed') return undefined
  const url = confirmUrl(portalUrl(install.config, one.account), install.secrets, {
    accountId: asked.accountId,
    id: asked.applicationId,
  })
  return { ...recipientOf(one), url }
}

/** Returns the facts about an applicant that their mail contains. */
export async function standingForMail(db: Queryable, { config, secrets }: Install, asked: Asked) {
  const one = await found(db, asked)
  if (!one) return undefined
  const standing: Standing = await findStanding(db, secrets, one.account, one.row.email)
  return { ...recipientOf(one), standing, url: `${portalUrl(config, one.account)}/auth/sign-in` }
}

/** Returns the contents of the mail about a rejection; undefined if it was approved since. */
export async function rejectionForMail(db: Queryable, asked: Asked) {
  const one = await found(db, asked)
  const { status, reason, message } = one?.row ?? {}
  if (!one || status !== 'rejected') return undefined
  return { ...recipientOf(one), code: reason as RejectionReason, words: message ?? null }
}
