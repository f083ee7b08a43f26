import type {
  ApplicationDecisions,
  DecidedApplication,
  ParentProblem,
  RejectionReason,
} from '#contract/applications.ts'
import type { Author } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { emitEvent, sendSignal } from '../../platform/events/emit-event.ts'
import { refusalOfRow } from '../../platform/http/rows.ts'
import { notFound, Refusal, refusal, rowError } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { acceptAsApplicant } from '../agreement/accept.ts'
import { invitationOfPartner } from '../auth/invitations.ts'
import { judgeNetwork } from '../fraud/duplicate-partners.ts'
import { findPartner } from '../partner-directory/find-partner.ts'
import { createPartner } from '../partners/create-partner.ts'
import { checkedParent } from '../partners/tree.ts'
import { applicationForEvent } from './present-application.ts'
import { applicationTable, lockApplication, storedGroup } from './queries.ts'
import { applicantRejected } from './signals.ts'

/** Decides applications one after another, each in its own transaction: a refused one undoes only itself. */
export async function decideApplications(
  db: Database,
  install: Install,
  by: Author,
  account: AccountFacts,
  { ids, decision, groupId = null, reason, message = null, silent }: ApplicationDecisions,
): Promise<DecidedApplication[]> {
  const results: DecidedApplication[] = []
  for (const id of ids.map(asUuid)) {
    const decided = transaction(db, async (tx): Promise<DecidedApplication> => {
      const partnerId =
        decision === 'approve'
          ? await approveApplication(tx, install, by, account, { id, groupId })
          : await reject(tx, by, account, { id, reason: reason!, message, silent })
      const invitation = partnerId && (await invitationOfPartner(tx, install, partnerId, { showUrl: true }))
      return { status: 200, id, partnerId, invitationUrl: invitation ? invitation.url : null, error: null }
    })
    results.push(await decided.catch((error) => refused(id, refusalOfRow(error))))
  }
  return results
}

const refused = (id: string, refusal: Refusal): DecidedApplication => ({
  status: refusal.status,
  id,
  partnerId: null,
  invitationUrl: null,
  error: rowError(refusal),
})

/**
 * Makes the partner of an application, and their invitation; returns the partner's id. Repeating answers the same.
 * The partner joins this group, else the application's own.
 * Refuses: `not_found`; `duplicate` for an e-mail that is a partner's by now, and the application stays;
 * `invalid_state` for one that is not confirmed, or whose data was deleted; `validation_failed` for a group that is
 * unknown or was deleted.
 */
export async function approveApplication(
  tx: Transaction,
  install: Install,
  by: Author,
  account: AccountFacts,
  { id, groupId }: { id: string; groupId: string | null },
): Promise<string> {
  await blockBookings(tx, account.id)
  const row = await lockDecidable(tx, account.id, id)
  if (row.status === 'approved') return row.partnerId!
  const { firstName, lastName, email, language } = row
  if (email === null) throw refusal('application_emptied')
  const parent = await parentOf(tx, account.id, row.parentPartnerId)
  const access = { as: 'owner', account, subjectId: account.id, partnerId: null } as const
  const joined = groupId ?? row.groupId
  const partner = await createPartner(tx, install, by, access, {
    language,
    firstName,
    lastName,
    email,
    parentPartnerId: parent.id,
    sendInvitation: true,
    groupId: joined,
  })
  await applicationTable.update(
    tx,
    { accountId: account.id, id },
    {
      status: 'approved',
      partnerId: partner.id,
      parentProblem: parent.problem,
      reason: null,
      message: null,
      groupId: storedGroup(account.id, joined),
      ...decision(tx, by),
    },
  )
  await judgeNetwork(tx, account, partner.id, id)
  await emitDecision(tx, by, account.id, 'application.approved', { id, before: row.status })
  if (row.agreementVersion !== null && row.confirmedAt !== null)
    await acceptAsApplicant(tx, {
      accountId: account.id,
      partnerId: partner.id,
      version: row.agreementVersion,
      language: row.agreementLanguage,
      at: row.createdAt,
      name: [firstName, lastName].filter(Boolean).join(' '),
      email,
      network: row.agreementNetwork,
    })
  return partner.id
}

type Rejection = { id: string; reason: RejectionReason; message: string | null; silent: boolean }

/**
 * Rejects an application, and mails the words to the applicant unless `silent`. Repeating changes nothing.
 * Refuses: `not_found`; `invalid_state` for one that was approved or is not confirmed.
 */
async function reject(tx: Transaction, by: Author, { id: accountId }: AccountFacts, rejection: Rejection) {
  const { id, reason, message, silent } = rejection
  await blockBookings(tx, accountId)
  const row = await lockDecidable(tx, accountId, id)
  if (row.status === 'rejected') return null
  if (row.status === 'approved') throw refusal('application_decided')
  await applicationTable.update(tx, { accountId, id }, { status: 'rejected', reason, message, ...decision(tx, by) })
  await emitDecision(tx, by, accountId, 'application.rejected', { id, before: row.status })
  if (!silent && row.email !== null) await sendSignal(tx, accountId, applicantRejected, { applicationId: id })
  return null
}

async function lockDecidable(tx: Transaction, accountId: string, id: string) {
  const row = await lockApplication(tx, accountId, id)
  if (!row) throw notFound()
  if (row.status === 'unconfirmed') throw refusal('application_unconfirmed')
  return row
}

const decision = (tx: Transaction, by: Author) => ({
  decidedAt: tx.now.toISOString(),
  decidedBy: by.type === 'user' ? by.id : null,
})

async function emitDecision(
  tx: Transaction,
  by: Author,
  accountId: string,
  type: 'application.approved' | 'application.rejected',
  { id, before }: { id: string; before: string },
) {
  const object = await applicationForEvent(tx, accountId, id)
  await emitEvent(tx, by, accountId, type, { id, object, changes: { status: { old: before, new: object.status } } })
}

/** Returns the recruiting partner if they may be the parent of one more now, else why not. */
async function parentOf(
  tx: Transaction,
  accountId: string,
  id: string | null,
): Promise<{ id: string | null; problem: ParentProblem | null }> {
  const partner = id === null ? undefined : await findPartner(tx, accountId, id)
  if (!partner) return { id: null, problem: null }
  if (partner.state !== 'active') return { id: null, problem: partner.state }
  try {
    return { id: await checkedParent(tx, accountId, partner.id, null), problem: null }
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'too_many_layers') return { id: null, problem: 'too-many-layers' }
    throw error
  }
}
