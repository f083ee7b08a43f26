import { z } from 'zod'
import { csvOf } from './csv.ts'
import { apiLimit, endpoint } from './endpoint.ts'
import { transforms } from './incoming-webhooks.ts'
import {
  anyOf,
  DateOnly,
  fileText,
  Id,
  IdParams,
  Instant,
  listOf,
  listQuery,
  optionalText,
  requiredText,
} from './values.ts'

export const importKinds = ['partners', 'leads', 'sales', 'payouts'] as const
export type ImportKind = (typeof importKinds)[number]

/**
 * What each kind's fields are called, as the calls name them that create such things one by one. Of a sale `grossAmount` is
 * all that the customer paid, from which `amount` follows where it is left out; a row whose `rowType` is a refund or a
 * chargeback, or whose amount is negative, takes back the sale that `saleExternalId`, else `orderId` or `externalId` names.
 */
export const importFields = {
  partners: ['firstName', 'lastName', 'email', 'referralCode', 'parentEmail', 'promotionCode', 'note', 'state'],
  leads: ['firstName', 'lastName', 'email', 'phone', 'company', 'externalId', 'partnerEmail', 'referralCode'],
  sales: [
    'externalId',
    'orderId',
    'email',
    'leadExternalId',
    'partnerEmail',
    'referralCode',
    'amount',
    'grossAmount',
    'currency',
    'taxAmount',
    'shippingAmount',
    'saleDate',
    'subscriptionId',
    'description',
    'commission',
    'commissionStatus',
    'status',
    'rowType',
    'saleExternalId',
  ],
  payouts: ['externalId', 'partnerEmail', 'referralCode', 'amount', 'currency', 'paidOn', 'status'],
} as const satisfies Record<ImportKind, readonly string[]>

/**
 * As incoming webhooks read values; `day-first-date` reads `31/01/2026`, which `date` takes for month first, and
 * `paid-or-not` what is 0, no or unpaid as not paid, and everything else, such as the ID of a payout, as paid. Of one
 * column with whole names `last-name` takes the last word, and `first-name` those before it.
 */
export const importTransforms = [...transforms, 'day-first-date', 'paid-or-not', 'first-name', 'last-name'] as const

/** Which column holds a field. A `constant` is its `default` in every row; elsewhere it stands where the cell is empty. */
export const MappedColumn = z
  .strictObject({
    field: requiredText(50),
    column: optionalText(200).default(null),
    transform: z.enum(importTransforms).default('none'),
    default: optionalText(1000).default(null),
  })
  .refine(({ column, transform, default: fallback }) => (transform === 'constant' ? fallback : column), {
    path: ['column'],
    message: 'Choose a column, or enter a default for a constant',
  })

/** The same as it is answered. */
const ShownColumn = z.object({
  field: z.string(),
  column: z.string().nullable(),
  transform: z.enum(importTransforms),
  default: z.string().nullable(),
})
export type MappedColumn = z.infer<typeof ShownColumn>

export const importStates = ['waiting', 'running', 'done', 'failed', 'canceled', 'undoing', 'undone'] as const

/**
 * An import. `total` is null until it was counted; while it moves, `reason` says what it waits for. A row that is known
 * already, repeats an earlier one or is owed nothing for is `skipped`. `errors` and `skips` are the first hundred rows that
 * failed and that were skipped; the row is the file's, the header being row 1. `undone` of those it `created` were taken
 * back again, which an undo that is stopped by what depends on the rest leaves at less than all. `totals` sums what was created, or would
 * be, by currency; `unattributed` of these sales have no partner. `undoableUntil` is null where there is nothing to undo
 * any more. `settled` sums the commission that was paid elsewhere and is taken from balances; `assigned` known leads got
 * their partner, which an undo takes back, too. `warnings` are the first hundred, of a row or of the whole.
 */
export const Import = z
  .object({
    id: Id,
    kind: z.enum([...importKinds, 'past-sales']),
    format: z.string().nullable(),
    connectionId: Id.nullable(),
    state: z.enum(importStates),
    reason: z.string().nullable(),
    dryRun: z.boolean(),
    total: z.int().nullable(),
    done: z.int(),
    created: z.int(),
    undone: z.int(),
    skipped: z.int(),
    failed: z.int(),
    totals: z.array(z.object({ currency: z.string(), count: z.int(), amount: z.int() })),
    unattributed: z.int(),
    settled: z.array(z.object({ currency: z.string(), count: z.int(), amount: z.int() })),
    assigned: z.int(),
    warnings: z.array(z.object({ row: z.int().nullable(), message: z.string() })),
    errors: z.array(z.object({ row: z.int(), field: z.string().nullable(), message: z.string() })),
    skips: z.array(z.object({ row: z.int(), message: z.string() })),
    mapping: z.array(ShownColumn).nullable(),
    from: DateOnly.nullable(),
    to: DateOnly.nullable(),
    undoableUntil: Instant.nullable(),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

/** Twenty megabytes of file, as text in JSON. */
const MAX_BYTES = 21_000_000

export const NewImport = z.strictObject({
  kind: z.enum(importKinds),
  format: requiredText(50).default('csv'),
  csv: fileText(MAX_BYTES),
  mapping: z.array(MappedColumn).max(100).optional(),
  dryRun: z.boolean(),
  /** Of sales: what is marked as paid is taken from the balance again; false where the payouts are imported too. */
  settlePaid: z.boolean().optional(),
})
export type NewImport = z.infer<typeof NewImport>

export const createImport = endpoint({
  name: 'createImport',
  method: 'POST',
  path: '/accounts/:id/imports',
  summary: 'Import a file of partners, leads, sales or payouts; a dry run only says what would be created',
  allow: ['owner'],
  limit: { perMinute: 10, by: 'token' },
  subject: 'account',
  params: IdParams,
  body: NewImport,
  maxBytes: MAX_BYTES,
  status: 202,
  reply: Import,
})

/**
 * `sure`: how well the file's maker is known to write these columns; `saved` is the mapping used last for such a file.
 * `formats` are those whose files of any kind are known.
 */
export const ImportPreview = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    kind: z.enum(importKinds).nullable(),
    format: z.string(),
    formatName: z.string().nullable(),
    sure: z.enum(['certain', 'guess', 'saved']),
    mapping: z.array(ShownColumn),
    formats: z.array(z.object({ format: z.string(), name: z.string() })),
  })
  .meta({ id: 'ImportPreview' })
export type ImportPreview = z.infer<typeof ImportPreview>

/** The beginning of a file is enough. A `format` that is named is taken for it, whatever its columns look like; `csv` is any other. */
export const previewImport = endpoint({
  name: 'previewImport',
  method: 'POST',
  path: '/accounts/:id/imports/preview',
  summary: 'Read the beginning of a file: its columns, first rows, and how they would be mapped',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  body: z.strictObject({
    csv: NewImport.shape.csv,
    kind: z.enum(importKinds).optional(),
    format: requiredText(50).optional(),
  }),
  reply: ImportPreview,
  writesNothing: true,
})

export const listImports = endpoint({
  name: 'listImports',
  method: 'GET',
  path: '/accounts/:id/imports',
  summary: 'List imports',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  params: IdParams,
  query: listQuery({ kind: anyOf([...importKinds, 'past-sales']), state: anyOf(importStates) }),
  reply: listOf(Import),
})

export const downloadImports = csvOf(listImports, {
  name: 'downloadImports',
  summary: 'Download all imports',
  file: 'imports',
})

export const getImport = endpoint({
  name: 'getImport',
  method: 'GET',
  path: '/imports/:id',
  summary: 'Retrieve an import with its progress',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'import',
  params: IdParams,
  reply: Import,
})

export const downloadImportErrors = endpoint({
  name: 'downloadImportErrors',
  method: 'GET',
  path: '/imports/:id/errors',
  summary: 'Download the rows that failed, as they were in the file, each with its row, field and message',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'import',
  params: IdParams,
  produces: 'text/csv',
  reply: z.string(),
})

export const cancelImport = endpoint({
  name: 'cancelImport',
  method: 'POST',
  path: '/imports/:id/cancel',
  summary: 'Stop an import; what it has created stays, until it is undone',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'import',
  params: IdParams,
  reply: Import,
})

export const undoImport = endpoint({
  name: 'undoImport',
  method: 'POST',
  path: '/imports/:id/undo',
  summary: 'Undo an import within a day, while nothing was paid from it and nothing else depends on it',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'import',
  params: IdParams,
  status: 202,
  reply: Import,
})
