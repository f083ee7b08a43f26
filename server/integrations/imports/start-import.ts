import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  type ImportKind,
  type ImportPreview,
  importFields,
  type MappedColumn,
  type NewImport,
} from '#contract/imports.ts'
import type { By } from '../../platform/author.ts'
import { type Head, headOf } from '../../platform/csv/read-csv.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { formats, guessFormat } from './formats.ts'
import { dayOrders } from './map-row.ts'
import { presentImport } from './present-imports.ts'
import { insertFile, mappingUsedLast } from './queries.ts'
import { importQueue } from './queue.ts'
import { importJob, openImport } from './track.ts'

const compress = promisify(gzip)

/**
 * Stores a file, to be imported row by row by the queue.
 * Refuses: a file that cannot be parsed or mapped; `conflict` while another import of the account is running.
 */
export async function startImport(tx: Transaction, jobs: Jobs, by: By, account: AccountFacts, body: NewImport) {
  const { kind, format, csv, dryRun, settlePaid = true, sendInvitations = false } = body
  if (format !== 'csv' && !names.has(format))
    throw wrongField('format', 'import_format_unknown', {
      formats: ['csv', ...names.keys()].join(', '),
    })
  const head = headOf(csv)
  const { columns } = head
  const mapping = body.mapping ?? (await mappingFor(tx, account.id, kind, head)).mapping
  refuseWrongMapping(kind, mapping, columns)
  const opened = await openImport(tx, by, {
    accountId: account.id,
    kind,
    format,
    connectionId: null,
    dryRun,
    settings: { mapping, ...(kind === 'sales' && { settlePaid }), ...(kind === 'partners' && { sendInvitations }) },
    header: columns,
  })
  await insertFile(tx, opened, await compress(csv, { level: 1 }))
  await jobs.add(tx, importQueue, importJob(opened))
  return presentImport(tx, opened)
}

/**
 * Returns the columns and first rows of a file, and its likely mapping: that of the last file with these columns, or by
 * their names.
 */
export async function previewImport(
  db: Queryable,
  accountId: string,
  { csv, kind = null, format }: { csv: string; kind?: ImportKind | null | undefined; format?: string | undefined },
): Promise<ImportPreview> {
  const head = headOf(csv)
  const { columns, shown: rows } = head
  const guess = format
    ? dayFirstWhere(head, guessFormat(columns, kind, format))
    : await mappingFor(db, accountId, kind, head)
  const formatName = names.get(guess.format) ?? null
  return { columns, rows, formatName, ...guess, formats: [...names].map(([format, name]) => ({ format, name })) }
}

const names = new Map(formats.map(({ format, name }) => [format, name]))

type Mapping = Pick<ImportPreview, 'kind' | 'format' | 'sure' | 'mapping'>

async function mappingFor(db: Queryable, accountId: string, wanted: ImportKind | null, head: Head): Promise<Mapping> {
  const guess = guessFormat(head.columns, wanted)
  const used = guess.kind && (await mappingUsedLast(db, accountId, guess.kind, head.columns))
  return dayFirstWhere(
    head,
    used ? { ...guess, sure: 'saved', format: used.format, mapping: used.settings.mapping } : guess,
  )
}

/** Reads days with the day first where they fit no other order. */
function dayFirstWhere<M extends Mapping>({ columns, rows }: Head, guess: M): M {
  const orders = dayOrders(guess.mapping, columns)
  for (const cells of rows) orders.see(cells)
  const fields = orders.dayFirst()
  const mapping = guess.mapping.map((one) =>
    fields.includes(one.field) ? { ...one, transform: 'day-first-date' as const } : one,
  )
  return { ...guess, mapping }
}

function refuseWrongMapping(kind: ImportKind, mapping: MappedColumn[], columns: string[]) {
  const fields: readonly string[] = importFields[kind]
  if (mapping.length === 0) throw wrongField('mapping', 'import_unmapped')
  for (const [at, { field, column, transform }] of mapping.entries()) {
    if (!fields.includes(field))
      throw wrongField(`mapping.${at}.field`, 'incoming_field_unknown', { fields: fields.join(', ') })
    if (mapping.findIndex((one) => one.field === field) !== at)
      throw wrongField(`mapping.${at}.field`, 'incoming_field_twice')
    if (transform !== 'constant' && column && !columns.includes(column))
      throw wrongField(`mapping.${at}.column`, 'import_column_unknown', { column: column.slice(0, 100) })
  }
}
