import { isDeepStrictEqual } from 'node:util'
import type { Reach } from '#contract/terms.ts'
import type { Author } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { customerGroups, rewardIn } from '../access/customer-groups.ts'
import { addToLog } from './save-terms.ts'

/**
 * Moves a partner to a group of the account, unless they are in it with a reach as wide. The caller keeps bookings out.
 * Returns whether it did.
 * Refuses: `validation_failed` for a group that the account doesn't have; a move between groups with different rewards
 * that isn't for all sales, or that a balance, a payout under way, or commissions in the way of whole units forbid; a
 * parent or sub-partners in a group of customers.
 */
export async function moveToGroup(
  tx: Transaction,
  by: Author,
  accountId: string,
  partnerId: string,
  { groupId, appliesTo, goalId = null }: { groupId: string; appliesTo: Reach; goalId?: string | null },
): Promise<boolean> {
  const { id } = await getGroup(tx, accountId, groupId)
  await refuseOtherReward(tx, accountId, partnerId, { groupId: id, appliesTo })
  const row = { subject: 'move', partnerId, groupId: id === accountId ? null : id, appliesTo, goalId } as const
  if (!(await addToLog(tx, by, accountId, row))) return false
  await tx.run`
    update partners set group_id = ${row.groupId}, updated_at = ${tx.now}
    where account_id = ${accountId} and id = ${partnerId}`
  return true
}

async function refuseOtherReward(
  tx: Transaction,
  accountId: string,
  partnerId: string,
  { groupId, appliesTo }: { groupId: string; appliesTo: Reach },
) {
  const groups = await customerGroups(tx, accountId)
  if (groups.length === 0) return
  const partner = await tx.one<{ groupId: string | null; isErased: boolean; isInTree: boolean }>`
    select p.group_id, p.erased_at is not null as is_erased, p.parent_partner_id is not null or exists (
      select from partners c where c.account_id = ${accountId} and c.parent_partner_id = p.id) as is_in_tree
    from partners p where p.account_id = ${accountId} and p.id = ${partnerId}`
  const [from, to] = [rewardIn(groups, partner.groupId), rewardIn(groups, groupId)]
  if (to && partner.isInTree) throw wrongField('groupId', 'one_layer_only')
  if (partner.isErased || isDeepStrictEqual(from, to)) return
  if (appliesTo !== 'all-sales') throw wrongField('appliesTo', 'reward_moves_all')
  const { hasSales, isOpen } = await tx.one<{ hasSales: boolean; isOpen: boolean }>`
    select exists (select from sales where account_id = ${accountId} and partner_id = ${partnerId})
        or exists (select from commission_entries where account_id = ${accountId} and partner_id = ${partnerId}) as has_sales,
      coalesce((
        select sum(e.amount) from commission_entries e
        where e.account_id = ${accountId} and e.partner_id = ${partnerId} and (
          select o.status from payout_entries b join payouts o on o.account_id = b.account_id and o.id = b.payout_id
          where b.account_id = ${accountId} and b.entry_id = e.id and b.live) is distinct from 'paid'), 0) <> 0
        or exists (
          select from payouts o where o.account_id = ${accountId} and o.partner_id = ${partnerId}
            and o.status not in ('gathering', 'paid', 'canceled')) as is_open`
  if (isOpen) throw refusal('balance_not_zero')
  if (hasSales && (from?.as === 'units' || to?.as === 'units')) throw refusal('partner_has_commissions')
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
