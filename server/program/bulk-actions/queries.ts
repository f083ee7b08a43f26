import type { BulkAction, BulkActionKind } from '#contract/bulk-actions.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'

export const bulkActionTable = table('bulk_actions', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  action: c.text<BulkActionKind>(),
  subjectIds: c.uuids,
  reason: c.text().null(),
  state: c.text<BulkAction['state']>(),
  done: c.integer,
  refused: c.integer,
  links: c.integer,
  unsent: c.integer,
  refusals: c.json<BulkAction['refusals']>(),
  createdBy: c.text(),
  createdAt: c.instant.fixed(),
  finishedAt: c.instant.null(),
})

export type BulkActionRow = RowOf<typeof bulkActionTable>

export const bulkActionById = (db: Queryable, accountId: string, id: string) => db.maybe<BulkActionRow>`
  select ${bulkActionTable.from('t')} from bulk_actions t where t.id = ${asUuid(id)} and t.account_id = ${accountId}`

export const lockBulkAction = (tx: Transaction, accountId: string, id: string) => tx.maybe<BulkActionRow>`
  select ${bulkActionTable.from('t')} from bulk_actions t
  where t.id = ${asUuid(id)} and t.account_id = ${accountId} for update`

/** Saves the counts of a locked action, and its end if it has one. */
export const saveProgress = (tx: Transaction, row: BulkActionRow) => tx.run`
  update bulk_actions set state = ${row.state}, done = ${row.done}, refused = ${row.refused}, links = ${row.links},
    unsent = ${row.unsent}, refusals = ${JSON.stringify(row.refusals)}::jsonb, finished_at = ${row.finishedAt}
  where id = ${row.id} and account_id = ${row.accountId}`
