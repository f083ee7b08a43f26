import type { Reach } from '#contract/terms.ts'
import type { Author } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import { addToLog } from './save-terms.ts'

/**
 * Moves a partner to a group of the account, unless they are in it with a reach as wide. The caller keeps bookings out.
 * Returns whether it did.
 * Refuses: `validation_failed` for a group that the account doesn't have.
 */
export async function moveToGroup(
  tx: Transaction,
  by: Author,
  accountId: string,
  partnerId: string,
  { groupId, appliesTo, goalId = null }: { groupId: string; appliesTo: Reach; goalId?: string | null },
): Promise<boolean> {
  const { id } = await getGroup(tx, accountId, groupId)
  const row = { subject: 'move', partnerId, groupId: id === accountId ? null : id, appliesTo, goalId } as const
  if (!(await addToLog(tx, by, accountId, row))) return false
  await tx.run`
    update partners set group_id = ${row.groupId}, updated_at = ${tx.now}
    where account_id = ${accountId} and id = ${partnerId}`
  return true
}

/** Returns a group of the account. Refuses: `validation_failed` for one that it doesn't have. */
export async function getGroup(db: Queryable, accountId: string, groupId: string, field = 'groupId') {
  const group = await db.maybe<{ id: string }>`
    select id from groups where account_id = ${accountId} and id = ${asUuid(groupId)} and deleted_at is null`
  if (!group) throw wrongField(field, 'unknown_group')
  return group
}

/** Returns the id of the group with this name, in any case. Refuses: `validation_failed` if there is none. */
export async function groupNamed(db: Queryable, accountId: string, name: string) {
  const group = await db.maybe<{ id: string }>`
    select id from groups where account_id = ${accountId} and lower(name) = lower(${name}) and deleted_at is null`
  if (!group) throw wrongField('group', 'unknown_group')
  return group.id
}

/** Adds the group of a new account that every partner is in without a move; its id is the account's. */
export const addDefaultGroup = (tx: Transaction, accountId: string) => tx.run`
  insert into groups (id, account_id, name, created_at, updated_at)
  values (${accountId}, ${accountId}, 'Default', ${tx.now}, ${tx.now}) on conflict do nothing`
