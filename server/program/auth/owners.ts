import type { NewOwner, OwnerInvitation } from '#contract/accounts.ts'
import type { User } from '#contract/auth.ts'
import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import {
  findInvitation,
  findInvitationsOfOwners,
  findPresentOwner,
  isOpenOfOwner,
  lockAssignment,
  lockInvitationOfOwner,
  type OwnerInvitationRow,
  revokeOwnerInvitations,
  updateInvitedNames,
} from './invitation-queries.ts'
import {
  completeInvitation,
  createInvitation,
  findInvitationUrl,
  invitationStatus,
  mailLeaves,
  refusalToSend,
  sendAnew,
} from './invitations.ts'
import { nameContact, usersById } from './users.ts'

/**
 * Assigns the account's owner and invites them; they get the role on acceptance, and until then another owner stays the
 * account's contact. Assigning the caller themselves counts as acceptance.
 */
export async function inviteOwner(tx: Transaction, install: Install, by: Author, accountId: string, owner: NewOwner) {
  const replaces = (await findPresentOwner(tx, accountId))?.userId ?? null
  const { id, userId } = await createInvitation(tx, install, by, {
    ...owner,
    kind: 'owner',
    replaces,
    accountId,
    partnerId: null,
  })
  if (!replaces) await nameContact(tx, accountId, userId)
  if (isSelf(by, userId)) await completeInvitation(tx, by, (await findInvitation(tx, id))!, userId)
  return userId
}

const isSelf = (by: Author, userId: string | null) => by.type === 'user' && by.id === userId

/**
 * Returns the status of the owner's invitation; null without an owner and once accepted. Only administrators see the
 * link.
 */
export async function invitationOfOwner(
  db: Queryable,
  install: Install,
  accountId: string,
): Promise<OwnerInvitation | null> {
  return (await invitationsOfOwners(db, install, [accountId])).get(accountId) ?? null
}

/** Invitations of owners by account; accounts without one are left out. */
export async function invitationsOfOwners(
  db: Queryable,
  install: Install,
  accountIds: string[],
): Promise<Map<string, OwnerInvitation>> {
  const rows = await findInvitationsOfOwners(db, accountIds)
  const open = rows.filter(({ status }) => status !== 'accepted')
  return new Map(open.map((row) => [row.accountId!, present(install, row, db.now)]))
}

/** E-mail of the person who is invited as the owner of account `t`, to search by. */
export const invitedOwnerEmail = sql`(
  select i.email from invitations i where i.account_id = t.id and ${isOpenOfOwner} limit 1)`

/** Returns the owner, also before acceptance. Refuses: `not_found` without one. */
export async function getOwner(db: Queryable, accountId: string): Promise<User> {
  const { ownerId } = await db.one<{ ownerId: string | null }>`select owner_id from accounts where id = ${accountId}`
  const owner = (await getOwners(db, [{ id: accountId, ownerId }])).get(accountId)
  if (!owner) throw notFound()
  return owner
}

/**
 * Returns owners by account, with their roles in it: its contact. In an account without an owner that is the invited one,
 * with the names given by the administrator, only here.
 */
export async function getOwners(
  db: Queryable,
  accounts: { id: string; ownerId: string | null }[],
): Promise<Map<string, User>> {
  const ids = accounts.map(({ id }) => id)
  const [users, rows] = await Promise.all([
    usersById(
      db,
      accounts.map(({ ownerId }) => ownerId),
    ),
    findInvitationsOfOwners(db, ids),
  ])
  const open = new Map(rows.filter(({ status }) => status !== 'accepted').map((row) => [row.accountId, row]))
  return new Map(
    accounts.flatMap(({ id, ownerId }) => {
      const user = ownerId && users.get(ownerId)
      const invited = open.get(id)
      if (!user) return []
      const isInvited = invited?.userId === user.id
      const { firstName, lastName } = isInvited ? invited : user
      // their roles elsewhere are other accounts' affair
      const roles = user.roles.filter((role) => 'accountId' in role && role.accountId === id)
      return [[id, { ...user, firstName, lastName, roles }]]
    }),
  )
}

/**
 * Assigns the account's owner. A new e-mail is invited, and the current owner stays until acceptance; another person's
 * open invitation is revoked. The current owner is reinstated at once, and so is a caller who assigns themselves. With
 * the same e-mail, changes the names on an open invitation, and sends a new one only if that was revoked.
 */
export async function assignOwner(tx: Transaction, install: Install, by: Author, accountId: string, owner: NewOwner) {
  const assigned = await lockAssignment(tx, accountId)
  if (assigned.email === owner.email) {
    const row = await lockInvitationOfOwner(tx, accountId)
    if (row && row.status !== 'revoked') {
      await updateInvitedNames(tx, row.id, owner)
      if (row.status !== 'accepted' && isSelf(by, row.userId)) await completeInvitation(tx, by, row, row.userId!)
      return
    }
  }
  await revokeOwnerInvitations(tx, accountId)
  const present = await findPresentOwner(tx, accountId)
  if (present?.email === owner.email && assigned.userId === present.userId) return
  const userId =
    present?.email === owner.email
      ? await nameContact(tx, accountId, present.userId)
      : await inviteOwner(tx, install, by, accountId, owner)
  await recordActivity(tx, by, accountId, 'account.owner-assigned', {
    id: accountId,
    changes: { ownerId: { old: assigned.userId, new: userId } },
  })
}

/**
 * Sends the owner a new link; the old one stops working.
 * Refuses: `not_found` without an owner; `invalid_state` once accepted; `rate_limited` within 60 s and beyond 5 a day.
 */
export async function retryOwnerInvitation(tx: Transaction, install: Install, accountId: string) {
  // excludes a concurrent assignment, which must not see the predecessor's invitation reopened
  await lockAssignment(tx, accountId)
  const row = await lockInvitationOfOwner(tx, accountId)
  if (!row) throw notFound()
  const refusal = refusalToSend(tx, row)
  if (refusal) throw refusal
  await sendAnew(tx, install, row)
}

function present(install: Install, row: OwnerInvitationRow, now: Date): OwnerInvitation {
  const { sentAt, expiresAt, presentOwner } = row
  const url = findInvitationUrl(install, row, now)
  const status = invitationStatus(row, now)
  return { status, email: row.email!, sentAt, expiresAt, mailed: mailLeaves(install), url, presentOwner }
}
