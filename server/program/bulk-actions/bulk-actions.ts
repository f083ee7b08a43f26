import type { z } from 'zod'
import {
  type BulkAction,
  type listBulkActions as listCall,
  type NewBulkAction,
  refusalColumns,
  rightOfAction,
} from '#contract/bulk-actions.ts'
import type { TeamRole } from '#contract/endpoint.ts'
import { type Author, toActor } from '../../platform/author.ts'
import { csvLines } from '../../platform/csv/csv.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { listPage } from '../../platform/http/list.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { allRefusals, bulkActionTable, findBulkAction, lockProgress, saveProgress, shownColumns } from './queries.ts'
import { bulkActionQueue } from './queue.ts'

/** Starts an action; each of the many is judged when its turn comes. */
export async function startBulkAction(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  accountId: string,
  { action, ids, ...parameters }: NewBulkAction,
): Promise<BulkAction> {
  const id = newId()
  await bulkActionTable.insert(tx, {
    id,
    accountId,
    action,
    subjectIds: [...new Set(ids.map(asUuid))],
    reason: null,
    parameters,
    state: 'running',
    done: 0,
    refused: 0,
    links: 0,
    unsent: 0,
    refusals: [],
    createdBy: toActor(by),
  })
  await jobs.add(tx, bulkActionQueue, { accountId, bulkActionId: id })
  return getBulkAction(tx, accountId, id)
}

export const listBulkActions = (db: Queryable, accountId: string, query: z.output<typeof listCall.query & object>) =>
  listPage<BulkAction>(db, query, {
    columns: shownColumns,
    from: sql`bulk_actions t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [query.state && sql`t.state = any(${query.state})`],
  })

/** Refuses: `not_found`. */
export async function getBulkAction(db: Queryable, accountId: string, id: string): Promise<BulkAction> {
  const found = await findBulkAction(db, accountId, id)
  if (!found) throw notFound()
  return found
}

/** Returns the file of every refusal. Refuses: `not_found`. */
export async function refusalFile(db: Queryable, accountId: string, id: string): Promise<string> {
  const found = await allRefusals(db, accountId, id)
  if (!found) throw notFound()
  const rows = found.refusals.map(({ id, name, error }) => [{ text: name }, { plain: id }, { text: error.message }])
  return csvLines([refusalColumns.map((plain) => ({ plain })), ...rows])
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
  const locked = await lockProgress(tx, account.id, id)
  if (!locked) throw notFound()
  const { action } = await getBulkAction(tx, account.id, id)
  const may: readonly TeamRole[] = rightOfAction[action]
  if (teamRole && !may.includes(teamRole)) throw refusal('role_not_allowed')
  if (locked.state !== 'running') throw refusal('bulk_action_ended')
  await saveProgress(tx, { ...locked, state: 'canceled', finishedAt: tx.now.toISOString() })
  return getBulkAction(tx, account.id, id)
}
