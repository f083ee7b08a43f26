import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { z } from 'zod'
import { bothNames } from '#contract/former-names.ts'
import {
  type FileRead,
  type ImportKind,
  type ImportPreview,
  importFields,
  type MappedColumn,
  type NewImport,
  type previewImport as preview,
} from '#contract/imports.ts'
import type { Author } from '../../platform/author.ts'
import { type Head, parseHead } from '../../platform/csv/read-csv.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { providerOfResults } from '../../program/payouts/methods/registry.ts'
import { formats, guessFormat } from './formats.ts'
import { dayOrders, daysRead } from './map-row.ts'
import { type OpenedFile, openFile } from './open-file.ts'
import { presentImport } from './present-imports.ts'
import { insertFile, mappingUsedLast } from './queries.ts'
import { importQueue } from './queue.ts'
import { importJob, openImport } from './track.ts'

const compress = promisify(gzip)

/**
 * Stores a file, to be imported row by row by the queue.
 * Refuses: a file that cannot be parsed or mapped; `conflict` while another import of the account is running.
 */
export async function startImport(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  account: AccountFacts,
  file: OpenedFile,
  body: Omit<NewImport, 'csv' | 'file'>,
) {
  const { kind, format, dryRun, settlePaid = true, sendInvitations = false } = body
  if (format !== 'csv' && !names.has(format))
    throw wrongField('format', 'import_format_unknown', {
      formats: ['csv', ...names.keys()].join(', '),
    })
  const head = parseTable(file)
  const { columns } = head
  const mapping = body.mapping ?? (await mappingFor(tx, account.id, kind, head)).mapping
  refuseWrongMapping(kind, mapping, columns)
  const opened = await openImport(tx, by, {
    accountId: account.id,
    kind,
    format,
    connectionId: null,
    dryRun,
    settings: {
      mapping,
      read: readOf(file, head, mapping),
      ...(kind === 'sales' && { settlePaid }),
      ...(kind === 'partners' && { sendInvitations }),
    },
    header: columns,
  })
  await insertFile(tx, opened, await compress(file.csv, { level: 1 }))
  await jobs.add(tx, importQueue, importJob(opened))
  return presentImport(tx, opened)
}

/** Refuses: what is no table, and the results of payments, which belong to the payouts. */
function parseTable({ csv, layout }: OpenedFile): Head {
  const head = parseHead(csv, layout)
  const provider = providerOfResults(head.columns)
  if (provider) throw refusal('import_transfers', { provider })
  return head
}

/** Returns how a file is understood, with days from its first rows. */
const readOf = (
  { encoding, sheet }: OpenedFile,
  { columns, headerRow, rows }: Head,
  mapping: MappedColumn[],
): FileRead => ({
  columns: columns.length,
  headerRow,
  encoding,
  sheet,
  days: daysRead(mapping, columns, rows),
})

/**
 * Returns the columns and first rows of a file, and its likely mapping: that of the last file with these columns, or by
 * their names.
 */
export async function previewImport(
  db: Queryable,
  accountId: string,
  { kind: wanted, format, ...sent }: z.output<typeof preview.body & object>,
): Promise<ImportPreview> {
  const kind = wanted ?? null
  const file = await openFile(sent, 'head')
  const { encoding, sheet, sheets } = file
  const head = parseTable(file)
  const { columns, shown: rows, headerRow, top } = head
  const guess = format
    ? dayFirstWhere(head, guessFormat(columns, kind, format))
    : await mappingFor(db, accountId, kind, head)
  const formatName = names.get(guess.format) ?? null
  return {
    columns,
    rows,
    formatName,
    ...guess,
    ...bothNames('confidence', guess.confidence),
    formats: [...names].map(([format, name]) => ({ format, name })),
    headerRow,
    top,
    encoding,
    sheet,
    sheets,
  }
}

const names = new Map(formats.map(({ format, name }) => [format, name]))

type Mapping = Pick<ImportPreview, 'kind' | 'format' | 'confidence' | 'mapping'>

async function mappingFor(db: Queryable, accountId: string, wanted: ImportKind | null, head: Head): Promise<Mapping> {
  const guess = guessFormat(head.columns, wanted)
  const used = guess.kind && (await mappingUsedLast(db, accountId, guess.kind, head.columns))
  return dayFirstWhere(
    head,
    used ? { ...guess, confidence: 'saved', format: used.format, mapping: used.settings.mapping } : guess,
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
