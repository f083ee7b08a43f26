import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import { rewardsOfPartners } from '../access/customer-groups.ts'
import { findPartner } from '../partner-directory/find-partner.ts'
import { count } from '../stats/count.ts'
import { getSubtreeHeight, lineAbove } from './queries.ts'

/** Most partners in a line, equal to the layers of commissions. */
export const MAX_DEPTH = 10

/**
 * Checks the parent named by a body for a new partner or, with `partnerId`, for one that moves with its subtree. Call
 * it under the account's lock. Refuses in `parentPartnerId`: unknown or foreign, a circle, a line of more than 10.
 */
export async function checkedParent(db: Queryable, accountId: string, parentId: string, partnerId: string | null) {
  const parent = await findPartner(db, accountId, parentId)
  if (!parent) throw wrongField('parentPartnerId', 'unknown_partner')
  const ofCustomers = await rewardsOfPartners(db, accountId, [parent.id, ...(partnerId ? [partnerId] : [])])
  if (ofCustomers.size > 0) throw wrongField('parentPartnerId', 'one_layer_only')
  const above = await lineAbove(db, accountId, parent.id)
  if (partnerId && above.some(({ id }) => id === partnerId)) throw wrongField('parentPartnerId', 'partner_below_itself')
  const height = partnerId ? await getSubtreeHeight(db, accountId, partnerId) : 1
  if (above.length + height > MAX_DEPTH) throw wrongField('parentPartnerId', 'too_many_layers', { max: MAX_DEPTH })
  return parent.id
}

/** Moves partners from one parent's count of partners to another's, on the days they were created. */
export const countMove = (
  tx: Transaction,
  accountId: string,
  moved: { createdOn: string }[],
  { from, to }: { from: string | null; to: string | null },
) =>
  count(
    tx,
    moved.flatMap(({ createdOn }) => [
      { accountId, day: createdOn, partnerId: from, partners: -1 },
      { accountId, day: createdOn, partnerId: to, partners: 1 },
    ]),
  )
