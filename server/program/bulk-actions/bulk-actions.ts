import type { z } from 'zod'
import {
  type BulkAction,
  type listBulkActions as listCall,
  type NewBulkAction,
  rightOfAction,
} from '#contract/bulk-actions.ts'
import type { TeamRole } from '#contract/endpoint.ts'
import { actorOf, type By } from '../../platform/author.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { page } from '../../platform/http/list.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { type BulkActionRow, bulkActionById, bulkActionTable, lockBulkAction, saveProgress } from './queries.ts'
import { bulkActionQueue } from './queue.ts'

/** Starts an action; each of the many is judged when its turn comes. */
export async function startBulkAction(
  tx: Transaction,
  jobs: Jobs,
  by: By,
  accountId: string,
  { action, ids, reason }: NewBulkAction,
): Promise<BulkAction> {
  const id = newId()
  await bulkActionTable.insert(tx, {
    id,
    accountId,
    action,
    subjectIds: [...new Set(ids.map(asUuid))],
    reason,
    state: 'running',
    done: 0,
    refused: 0,
    links: 0,
    unsent: 0,
    refusals: [],
    createdBy: actorOf(by),
  })
  await jobs.add(tx, bulkActionQueue, { accountId, bulkActionId: id })
  return getBulkAction(tx, accountId, id)
}

export async function listBulkActions(
  db: Queryable,
  accountId: string,
  query: z.output<typeof listCall.query & object>,
) {
  const found = await page<BulkActionRow>(db, query, {
    columns: bulkActionTable.from('t'),
    from: sql`bulk_actions t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [query.state && sql`t.state = any(${query.state})`],
  })
  return { ...found, items: found.items.map(present) }
}

/** Refuses: `not_found`. */
export async function getBulkAction(db: Queryable, accountId: string, id: string): Promise<BulkAction> {
  const row = await bulkActionById(db, accountId, id)
  if (!row) throw notFound()
  return present(row)
}

/**
 * Stops an action before the next of the many. Refuses: `not_found`; `forbidden` without the right to start it;
 * `invalid_state` once it has ended.
 */
export async function cancelBulkAction(
  tx: Transaction,
  { account, teamRole }: Access,
  id: string,
): Promise<BulkAction> {
  const row = await lockBulkAction(tx, account.id, id)
  if (!row) throw notFound()
  const may: readonly TeamRole[] = rightOfAction[row.action]
  if (teamRole && !may.includes(teamRole)) throw refusal('role_not_allowed')
  if (row.state !== 'running') throw refusal('bulk_action_ended')
  const canceled: BulkActionRow = { ...row, state: 'canceled', finishedAt: tx.now.toISOString() }
  await saveProgress(tx, canceled)
  return present(canceled)
}

const present = ({ subjectIds, reason: _, createdBy: __, ...row }: BulkActionRow): BulkAction => ({
  ...row,
  total: subjectIds.length,
})
