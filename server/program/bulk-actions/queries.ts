import type { BulkAction, BulkActionKind } from '#contract/bulk-actions.ts'
import { MOST_REFUSALS } from '#contract/bulk-actions.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, table } from '../../platform/database/table.ts'

type Refusals = BulkAction['refusals']

export const bulkActionTable = table('bulk_actions', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  action: c.text<BulkActionKind>(),
  subjectIds: c.uuids,
  reason: c.text().null(),
  parameters: c.json<object>().null(),
  state: c.text<BulkAction['state']>(),
  done: c.integer,
  refused: c.integer,
  links: c.integer,
  unsent: c.integer,
  refusals: c.json<Refusals>(),
  createdBy: c.text(),
  createdAt: c.instant.fixed(),
  finishedAt: c.instant.null(),
})

/** The columns of `t` that are shown, with the first refusals. */
export const shownColumns = sql`t.id, t.account_id, t.action, t.state, cardinality(t.subject_ids) as total, t.done, t.refused,
  t.links, t.unsent, jsonb_path_query_array(t.refusals, ${`$[0 to ${MOST_REFUSALS - 1}]`}::jsonpath) as refusals,
  t.created_at, t.finished_at`

const byId = (accountId: string, id: string) => sql`t.id = ${asUuid(id)} and t.account_id = ${accountId}`

export const findBulkAction = (db: Queryable, accountId: string, id: string) => db.maybe<BulkAction>`
  select ${shownColumns} from bulk_actions t where ${byId(accountId, id)}`

export const allRefusals = (db: Queryable, accountId: string, id: string) => db.maybe<{ refusals: Refusals }>`
  select t.refusals from bulk_actions t where ${byId(accountId, id)}`

/** The unchanging part of a running action: an erasure empties it only once the action has ended. */
export type RunningAction = {
  id: string
  accountId: string
  action: BulkActionKind
  subjectIds: string[]
  reason: string | null
  parameters: object | null
  createdBy: string
  createdAt: string
}

/** Finds an action that is running. */
export const findRunningAction = (db: Queryable, accountId: string, id: string) => db.maybe<RunningAction>`
  select t.id, t.account_id, t.action, t.subject_ids, t.reason, t.parameters, t.created_by,
    t.created_at
  from bulk_actions t where ${byId(accountId, id)} and t.state = 'running'`

export type BulkCounts = Pick<
  BulkAction,
  'id' | 'accountId' | 'state' | 'done' | 'refused' | 'links' | 'unsent' | 'finishedAt'
>

export const lockProgress = (tx: Transaction, accountId: string, id: string) => tx.maybe<BulkCounts>`
  select t.id, t.account_id, t.state, t.done, t.refused, t.links, t.unsent, t.finished_at from bulk_actions t
  where ${byId(accountId, id)} for update`

/** Saves the counts of a locked action with the refusal of the last one, if it was refused. */
export const saveProgress = (tx: Transaction, row: BulkCounts, refusal?: Refusals[number]) => tx.run`
  update bulk_actions t set state = ${row.state}, done = ${row.done}, refused = ${row.refused}, links = ${row.links},
    unsent = ${row.unsent}, finished_at = ${row.finishedAt}
    ${refusal ? sql`, refusals = refusals || ${JSON.stringify([refusal])}::jsonb` : sql``}
  where ${byId(row.accountId, row.id)}`
