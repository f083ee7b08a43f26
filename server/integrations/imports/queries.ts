import type { FileRead, Import, MappedColumn } from '#contract/imports.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Changed } from '../../program/leads/capture-lead.ts'

export type Total = Import['totals'][number]
export type Warning = Import['warnings'][number]
/** A warning about a partner is stored without the name, which `{partner}` in the message is replaced by. */
export type StoredWarning = Warning & { partnerId?: string }
export type ImportState = Import['state']

/** The request of an import: a file's mapping, or the dates to request from a provider. */
export type ImportSettings =
  | { mapping: MappedColumn[]; read?: FileRead; settlePaid?: boolean; sendInvitations?: boolean }
  | { from: string; to: string }

export type ImportRow = {
  id: string
  accountId: string
  kind: Import['kind']
  format: string | null
  connectionId: string | null
  dryRun: boolean
  state: ImportState
  reason: string | null
  total: number | null
  done: number
  created: number
  skipped: number
  failed: number
  totals: Total[]
  unattributed: number
  settled: Total[]
  assigned: number
  warnings: StoredWarning[]
  settings: ImportSettings
  header: string[] | null
  progress: unknown
  createdBy: string
  createdAt: string
  finishedAt: string | null
}

export type ImportKey = Pick<ImportRow, 'id' | 'accountId'>

/** An object that a row created or changed, for undoing it. */
export type Made =
  | { type: 'partner' | 'lead' | 'sale' | 'adjustment' | 'promotion-code' | 'refund'; id: string }
  | { type: 'payout'; id: string; partnerId: string; amount: number }
  /** This partner's commission, in addition to the sale's own. */
  | { type: 'share'; id: string; partnerId: string }
  /** The missing values that a lead got. */
  | { type: 'lead-change'; id: string; changed: Changed }

/** The outcome of a row. */
export type RowResult = { row: number; cells: string[] | null } & (
  | { outcome: 'created'; made: Made[]; message?: string | null }
  | { outcome: 'skipped'; message: string; made?: Made[] }
  | { outcome: 'failed'; field: string | null; message: string }
)

export const importColumns = sql`t.id, t.account_id, t.kind, t.format, t.connection_id, t.dry_run, t.state, t.reason,
  t.total, t.done, t.created, t.skipped, t.failed, t.totals, t.unattributed, t.settled, t.assigned, t.warnings, t.settings, t.header, t.progress, t.created_by, t.created_at,
  t.finished_at`

export const importById = (db: Queryable, { id, accountId }: ImportKey) => db.maybe<ImportRow>`
  select ${importColumns} from imports t where t.id = ${id} and t.account_id = ${accountId}`

export const lockImport = (tx: Transaction, { id, accountId }: ImportKey) => tx.maybe<ImportRow>`
  select ${importColumns} from imports t where t.id = ${id} and t.account_id = ${accountId} for update`

/** Finds the running import, of files or of this connection. */
export const importUnderWay = (db: Queryable, accountId: string, connectionId: string | null) => db.maybe<{
  id: string
}>`
  select id from imports
  where account_id = ${accountId} and coalesce(connection_id, account_id) = ${connectionId ?? accountId}
    and state in ('waiting', 'running', 'undoing')`

export type NewImportRow = Pick<
  ImportRow,
  'id' | 'accountId' | 'kind' | 'format' | 'connectionId' | 'dryRun' | 'settings' | 'header' | 'createdBy'
>

/** Inserts the import unless another is running; returns whether it did. */
export const insertImport = (tx: Transaction, row: NewImportRow) => tx.run`
  insert into imports (id, account_id, kind, format, connection_id, dry_run, state, settings, header, created_by, created_at)
  values (${row.id}, ${row.accountId}, ${row.kind}, ${row.format}, ${row.connectionId}, ${row.dryRun}, 'waiting',
    ${JSON.stringify(row.settings)}::jsonb, ${row.header}::text[], ${row.createdBy}, ${tx.now})
  on conflict (account_id, coalesce(connection_id, account_id)) where state in ('waiting', 'running', 'undoing')
    do nothing`

export const insertFile = (tx: Transaction, { id, accountId }: ImportKey, content: Buffer) => tx.run`
  insert into import_files (account_id, import_id, content) values (${accountId}, ${id}, ${content})`

export const findImportedFile = async (db: Queryable, { id, accountId }: ImportKey) => {
  const file = await db.maybe<{ content: Buffer }>`
    select content from import_files where import_id = ${id} and account_id = ${accountId}`
  return file?.content
}

export const deleteFile = (tx: Transaction, { id, accountId }: ImportKey) => tx.run`
  delete from import_files where import_id = ${id} and account_id = ${accountId}`

export const setState = (
  tx: Transaction,
  { id, accountId }: ImportKey,
  state: ImportState,
  reason: string | null = null,
) => tx.run`
  update imports set state = ${state}, reason = ${reason},
    finished_at = case when ${state} in ('waiting', 'running') then null else coalesce(finished_at, ${tx.now}) end
  where id = ${id} and account_id = ${accountId}`

export const setTotal = (tx: Transaction, { id, accountId }: ImportKey, total: number) => tx.run`
  update imports set total = ${total} where id = ${id} and account_id = ${accountId}`

export const insertRows = (tx: Transaction, { id, accountId }: ImportKey, rows: RowResult[]) => tx.run`
  insert into import_rows (account_id, import_id, row, outcome, field, message, made, cells)
  select ${accountId}, ${id}, r.row, r.outcome, r.field, r.message, r.made,
    case when r.cells is not null then array(select jsonb_array_elements_text(r.cells)) end
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r (row integer, outcome text, field text, message text, made jsonb, cells jsonb)`

/**
 * Returns a function that tells the rows whose outcome is known, of all or of these. They are asked for by their numbers,
 * as another version may take the rows in another order.
 */
export async function rowsDone(db: Queryable, { id, accountId }: ImportKey, among?: { row: number }[]) {
  const { rows } = await db.one<{ rows: number[] }>`
    select coalesce(array_agg(row), '{}') as rows from import_rows
    where account_id = ${accountId} and import_id = ${id}
      and ${among ? sql`row = any(${among.map(({ row }) => row)}::integer[])` : sql`true`}`
  const done = new Set(rows)
  return (row: number) => done.has(row)
}

/** The counts, the position to continue from, and the reason for a wait. */
export type ImportCounts = Pick<
  ImportRow,
  'created' | 'skipped' | 'failed' | 'totals' | 'unattributed' | 'settled' | 'assigned' | 'progress' | 'reason'
>

export const saveCounts = (tx: Transaction, { id, accountId }: ImportKey, to: ImportCounts) => tx.run`
  update imports set state = case when state = 'waiting' then 'running' else state end,
    done = ${to.created + to.skipped + to.failed}, created = ${to.created}, skipped = ${to.skipped},
    failed = ${to.failed}, totals = ${JSON.stringify(to.totals)}::jsonb, unattributed = ${to.unattributed},
    settled = ${JSON.stringify(to.settled)}::jsonb, assigned = ${to.assigned},
    progress = ${JSON.stringify(to.progress ?? null)}::jsonb,
    reason = case when finished_at is null then ${to.reason} else reason end
  where id = ${id} and account_id = ${accountId}`

/** Locks the running imports of this connection. */
export const lockRunningImports = (tx: Transaction, connection: ImportKey) => tx.many<ImportRow>`
  select ${importColumns} from imports t
  where t.account_id = ${connection.accountId} and t.connection_id = ${connection.id}
    and t.state in ('waiting', 'running') for update`

type RowError = { row: number; field: string | null; message: string }

/** Returns the first failed and the first skipped rows. */
export const firstLeftOut = (db: Queryable, accountId: string, importIds: string[], most: number) => db.many<
  RowError & { importId: string; outcome: 'failed' | 'skipped' }
>`
  select i.id as import_id, wanted.outcome, e.row, e.field, e.message
  from unnest(${importIds}::uuid[]) as i (id)
    cross join (values ('failed'), ('skipped')) as wanted (outcome)
    cross join lateral (
      select row, field, message from import_rows
      where account_id = ${accountId} and import_id = i.id and outcome = wanted.outcome order by row limit ${most}
    ) e
  order by i.id, e.row`

/** Returns the first warnings of created rows. */
export const firstWarnings = (db: Queryable, accountId: string, importIds: string[], most: number) => db.many<
  Warning & { importId: string }
>`
  select i.id as import_id, w.row, w.message
  from unnest(${importIds}::uuid[]) as i (id)
    cross join lateral (
      select row, message from import_rows
      where account_id = ${accountId} and import_id = i.id and outcome = 'created' and message is not null
      order by row limit ${most}
    ) w
  order by i.id, w.row`

/** Returns the sums of an import's payouts, by partner. */
export const paidByPartner = (tx: Transaction, { id, accountId }: ImportKey) => tx.many<{
  partnerId: string
  amount: number
}>`
  select made -> 0 ->> 'partnerId' as partner_id, sum((made -> 0 ->> 'amount')::bigint)::bigint as amount
  from import_rows
  where import_id = ${id} and account_id = ${accountId} and made -> 0 ->> 'type' = 'payout' and made -> 0 ? 'partnerId'
  group by 1`

export const setWarnings = (tx: Transaction, { id, accountId }: ImportKey, warnings: StoredWarning[]) => tx.run`
  update imports set warnings = ${JSON.stringify(warnings)}::jsonb where id = ${id} and account_id = ${accountId}`

/** Returns which of these rows were imported, in a dry run with nothing left of them. */
export async function rowsCreated(tx: Transaction, { id, accountId }: ImportKey, rows: number[]) {
  const created = await tx.many<{ row: number }>`
    select row from import_rows
    where import_id = ${id} and account_id = ${accountId} and row = any(${rows}::integer[]) and outcome = 'created'`
  return created.map(({ row }) => row)
}

/** Returns which of these rows were imported or skipped. */
export async function rowsNotFailed(tx: Transaction, { id, accountId }: ImportKey, rows: number[]) {
  const taken = await tx.many<{ row: number }>`
    select row from import_rows
    where import_id = ${id} and account_id = ${accountId} and row = any(${rows}::integer[]) and outcome <> 'failed'`
  return taken.map(({ row }) => row)
}

/** Returns failed rows after `row`, with their cells. */
export const errorsAfter = (db: Queryable, { id, accountId }: ImportKey, row: number, limit: number) => db.many<
  RowError & { cells: string[] | null }
>`
  select row, field, message, cells from import_rows
  where import_id = ${id} and account_id = ${accountId} and outcome = 'failed' and row > ${row}
  order by row limit ${limit}`

/** Returns the ids of the partners an import created, in the order of the file. */
export const partnersMade = (db: Queryable, { id, accountId }: ImportKey, most: number) => db.many<{ id: string }>`
  select made -> 0 ->> 'id' as id from import_rows
  where import_id = ${id} and account_id = ${accountId} and made -> 0 ->> 'type' = 'partner' order by row limit ${most}`

/** A row and the objects that it created or changed. */
export type MadeRow = { row: number; outcome: RowResult['outcome']; made: Made[] }

/**
 * Returns rows with the objects they created, the latest first; `inOrder`: rows were imported in the order of the file.
 * Only rows that made something `besides` objects of these types.
 */
export const rowsThatMade = (
  tx: Transaction,
  { id, accountId }: ImportKey,
  limit: number,
  { inOrder, besides }: { inOrder: boolean; besides: readonly Made['type'][] },
) => tx.many<MadeRow>`
  select row, outcome, made from import_rows
  where import_id = ${id} and account_id = ${accountId} and made is not null
    and (cardinality(${besides}::text[]) = 0
      or exists (select from jsonb_array_elements(made) m where m ->> 'type' <> all(${besides}::text[])))
  order by ${inOrder ? sql`row` : sql`made -> 0 ->> 'id'`} desc limit ${limit} for update`

/** Keeps what is left to undo of these rows. */
export const saveLeftToUndo = (tx: Transaction, { id, accountId }: ImportKey, rows: MadeRow[]) => tx.run`
  update import_rows t set made = r.made
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (row integer, made jsonb)
  where t.account_id = ${accountId} and t.import_id = ${id} and t.row = r.row`

export const deleteRows = (tx: Transaction, { id, accountId }: ImportKey, rows: number[]) => tx.run`
  delete from import_rows where import_id = ${id} and account_id = ${accountId} and row = any(${rows}::integer[])`

export const saveUndone = (tx: Transaction, { id, accountId }: ImportKey, undone: number) => tx.run`
  update imports set progress = ${JSON.stringify({ undone })}::jsonb where id = ${id} and account_id = ${accountId}`

/** Finds the mapping of the account's last file with these columns. */
export const mappingUsedLast = (db: Queryable, accountId: string, kind: string, header: string[]) => db.maybe<{
  settings: { mapping: MappedColumn[] }
  format: string
}>`
  select settings, format from imports
  where account_id = ${accountId} and kind = ${kind} and header = ${header}::text[] and state in ('done', 'undone') and not dry_run
  order by created_at desc limit 1`
