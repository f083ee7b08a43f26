import type { ApplicationFlag } from '#contract/applications.ts'
import { system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import type { Install } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { approveApplication } from './decide.ts'
import { applicationForEvent } from './present-application.ts'
import {
  type ApplicationRow,
  applicationTable,
  deleteUnconfirmed,
  findApplicantFlags,
  getProgramRow,
  isGroupDeleted,
} from './queries.ts'

/** Most applications of an account that wait; then its form reads as closed. */
export const MOST_WAITING = 5000
const DAY = 86_400_000

/**
 * Lets an application wait, with its flags, or approves it at once if the program does so, there is no flag and its group
 * still exists. The unconfirmed others of its e-mail are deleted. The caller has locked the account's partners, and no other of this e-mail
 * waits.
 */
export async function receiveApplication(
  tx: Transaction,
  install: Install,
  account: AccountFacts,
  { id, email, groupId }: ApplicationRow,
  { confirmed }: { confirmed: boolean },
): Promise<'waiting' | 'approved'> {
  const known = await findApplicantFlags(tx, account.id, { id, email: email!, since: new Date(tx.now.getTime() - DAY) })
  const flags: ApplicationFlag[] = [
    ...(known.customer ? (['customer'] as const) : []),
    ...(known.sameNetwork ? (['same-network'] as const) : []),
    ...(known.formerPartner ? (['former-partner'] as const) : []),
    ...(confirmed ? [] : (['email-not-confirmed'] as const)),
  ]
  await deleteUnconfirmed(tx, account.id, email!, id)
  await applicationTable.update(
    tx,
    { accountId: account.id, id },
    { status: 'waiting', flags, ...(confirmed && { confirmedAt: tx.now.toISOString() }) },
  )
  await emitEvent(tx, system, account.id, 'application.received', {
    id,
    object: await applicationForEvent(tx, account.id, id),
  })
  const { autoApprove } = await getProgramRow(tx, account.id)
  if (!autoApprove || flags.length > 0 || (await isGroupDeleted(tx, account.id, groupId))) return 'waiting'
  await approveApplication(tx, install, system, account, { id, groupId: null })
  return 'approved'
}
