import type { ApplicationToConfirm, ConfirmedApplication } from '#contract/applications.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { isForeign, type RequestDomain } from '../../platform/http/request-domain.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { linkExpired, openSetUpToken } from '../auth/invitations.ts'
import { keyInToken } from './application-link.ts'
import { findStanding } from './apply.ts'
import { type ApplicationRow, applicationById, areFull, getPublicId, lockApplication } from './queries.ts'
import { MOST_WAITING, receiveApplication } from './receive.ts'

const VALID_FOR = 7 * 86_400_000

/** The status that applicants see: the decision is sent by mail only. */
const seen = ({ status }: Pick<ApplicationRow, 'status'>) => (status === 'rejected' ? 'waiting' : status)

/**
 * Returns the application that a link confirms. Refuses: `token_expired` for a dead link, also of an application that
 * was deleted; `account_disabled`.
 */
export async function readApplication(
  db: Queryable,
  { secrets }: Install,
  token: string,
  ownHost?: RequestDomain | undefined,
): Promise<ApplicationToConfirm> {
  const { account, id } = await accountOf(db, secrets, token, ownHost)
  const row = usable(await applicationById(db, account.id, id), db.now)
  const { firstName, lastName, email, answers, parentPartnerId } = row
  return {
    accountName: account.name ?? '',
    accountPublicId: await getPublicId(db, account.id),
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    email: email!,
    answers,
    invitedBy: parentPartnerId ? await firstNameOf(db, account.id, parentPartnerId) : null,
    status: seen(row),
  }
}

/**
 * Confirms the e-mail of an application, which waits from now on, or is approved at once. Repeating answers the same.
 * `setUpToken` is the open invitation's, whose mailbox the link has just proved.
 * Refuses: `token_expired` for a dead link; `duplicate` if the e-mail is a partner's by now; `invalid_state` if too many
 * applications wait.
 */
export async function confirmApplication(
  tx: Transaction,
  install: Install,
  token: string,
  ownHost?: RequestDomain | undefined,
): Promise<ConfirmedApplication> {
  const { account, id } = await accountOf(tx, install.secrets, token, ownHost)
  await blockBookings(tx, account.id)
  const row = usable(await lockApplication(tx, account.id, id), tx.now)
  const status = row.status === 'unconfirmed' ? await confirm(tx, install, account, row) : seen(row)
  if (status === 'waiting' || status === 'unconfirmed') return { status: 'waiting', setUpToken: null }
  const { partnerId } = (await applicationById(tx, account.id, id))!
  return { status, setUpToken: await openSetUpToken(tx, install, { partnerId: partnerId!, email: row.email! }) }
}

async function confirm(tx: Transaction, install: Install, account: AccountFacts, row: ApplicationRow) {
  const { kind } = await findStanding(tx, install.secrets, account, row.email!)
  if (kind === 'partner') throw refusal('partner_email_taken')
  if (kind !== 'new') throw linkExpired()
  if (await areFull(tx, account.id, MOST_WAITING)) throw refusal('applications_full')
  return receiveApplication(tx, install, account, row, { confirmed: true })
}

/** At an account's own host only links to its applications work. */
async function accountOf(
  db: Queryable,
  secrets: Install['secrets'],
  token: string,
  ownHost: RequestDomain | undefined,
) {
  const key = keyInToken(secrets, token)
  if (isForeign(ownHost, key?.accountId)) throw linkExpired()
  const account = key && (await getAccountFacts(db, [key.accountId])).get(key.accountId)
  if (!account) throw linkExpired()
  if (account.disabledAt) throw refusal('account_disabled')
  return { account, id: key.id }
}

/** A link works for a week, and only while its application has its data. */
function usable<Row extends ApplicationRow>(row: Row | undefined, now: Date): Row {
  const isOver = !row || Date.parse(row.createdAt) + VALID_FOR <= now.getTime()
  if (isOver || row.email === null || row.flags.includes('automatic')) throw linkExpired()
  return row
}

const firstNameOf = async (db: Queryable, accountId: string, id: string) =>
  (
    await db.maybe<{ firstName: string | null }>`
    select first_name from partners where account_id = ${accountId} and id = ${id}`
  )?.firstName ?? null
