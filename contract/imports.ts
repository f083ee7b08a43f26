import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights, type TeamRole } from './endpoint.ts'
import { isEncoding } from './file-text.ts'
import { bothFields } from './former-names.ts'
import { transforms } from './incoming-webhooks.ts'
import { ownersTexts, partnerTexts } from './partners.ts'
import {
  anyOf,
  DateOnly,
  fieldNames,
  fileText,
  Id,
  Instant,
  listQuery,
  optionalText,
  pageSchema,
  requiredText,
} from './values.ts'

export const importKinds = ['partners', 'leads', 'sales', 'payouts'] as const
export type ImportKind = (typeof importKinds)[number]

/**
 * Fields of each kind, named as in the calls that create one such thing. `grossAmount` of a sale is all the customer
 * paid; a missing `amount` is derived from it. `group` of a partner is the name of an existing group;
 * a `referralCode` that can’t be one here becomes an earlier code, and `earlierCodes` are several in one cell. A row whose `rowType` is a refund or a chargeback, or whose amount is
 * negative, reverses the sale named by `saleExternalId`, else `orderId` or `externalId`.
 */
export const importFields = {
  partners: [
    ...fieldNames(partnerTexts),
    ...(['email', 'referralCode', 'earlierCodes', 'parentEmail', 'promotionCode', 'group'] as const),
    ...fieldNames(ownersTexts),
    ...(['externalId', 'payoutMethod', 'state'] as const),
  ],
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
 * The transforms of incoming webhooks, and more: `paid-or-not` reads 0, no, null or unpaid as not paid, a known status as
 * it is, and anything else, such as a payout's ID, as paid; `last-name` takes the last word of a full name, `first-name`
 * the words before it; `in-brackets` takes 7 of `Jane Doe (#7)`.
 */
export const importTransforms = [...transforms, 'paid-or-not', 'first-name', 'last-name', 'in-brackets'] as const

/** A field's column. A `constant` is its `default` in every row; otherwise the default fills empty cells. */
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

/** A column as it is returned. */
const ShownColumn = z.object({
  field: z.string(),
  column: z.string().nullable(),
  transform: z.enum(importTransforms),
  default: z.string().nullable(),
})
export type MappedColumn = z.infer<typeof ShownColumn>

export const importStates = ['waiting', 'running', 'done', 'failed', 'canceled', 'undoing', 'undone'] as const

const FileRead = z.object({
  columns: z.int(),
  headerRow: z.int(),
  encoding: z.string().nullable(),
  sheet: z.string().nullable(),
  days: z.array(z.object({ column: z.string(), written: z.string(), day: DateOnly })),
})
export type FileRead = z.infer<typeof FileRead>

/**
 * An import. `total` is null until counted; while it runs, `reason` is what it waits for. A row is `skipped` if it is
 * already known, repeats an earlier one or is owed nothing. `errors` and `skips` are the first hundred failed and
 * skipped rows, numbered as in the file, the header being row 1. `undone` of the rows it `created` were undone; it
 * stays below `created` if something depends on the rest. `totals` sums what was created, or would be, by currency;
 * `unattributed` of these sales have no partner. `undoableUntil` is null once there is nothing to undo. `settled` sums
 * the commission paid elsewhere and deducted from balances; `assigned` known leads got their partner, which an undo
 * also reverts. `warnings` are the first hundred, for a row or the whole file. `read` is how a file was understood: each
 * of its `days` is one of a column, as written and as read.
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
    read: FileRead.nullable(),
    from: DateOnly.nullable(),
    to: DateOnly.nullable(),
    undoableUntil: Instant.nullable(),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

/** Most characters of a file's text, or of a sheet's as a file: twenty megabytes. */
export const MOST_CHARACTERS = 21_000_000
/** Maximum bytes of a body: such a file in base64. */
const MAX_BYTES = 28_000_000

/**
 * A file as its text, or as its bytes in base64. Of the latter, `encoding` is found if it is left out, and `sheet` of a
 * workbook (.xlsx) is the first one. `headerRow` counts from 1, blank lines included; it is found if left out.
 */
const fileFields = {
  csv: fileText(MOST_CHARACTERS).optional(),
  file: z.string().min(1, 'Choose a file').max(MAX_BYTES, { error: 'This file is too large', abort: true }).optional(),
  encoding: requiredText(40).refine(isEncoding, 'Use the label of an encoding, such as windows-1252').optional(),
  sheet: requiredText(100).optional(),
  headerRow: z.int().min(1).max(1000).optional(),
}
type FileFields = { csv?: string | undefined; file?: string | undefined }
const hasOneFile = ({ csv, file }: FileFields) => (csv === undefined) !== (file === undefined)
const oneFile = { path: ['file'], message: 'Send either csv or file' }

export const NewImport = z
  .strictObject({
    kind: z.enum(importKinds),
    format: requiredText(50).default('csv'),
    ...fileFields,
    mapping: z.array(MappedColumn).max(100).optional(),
    dryRun: z.boolean(),
    /** For sales: amounts marked as paid are deducted from the balance again; false if the payouts are imported too. */
    settlePaid: z.boolean().optional(),
    /** For partners: each is invited, as `sendInvitation` of `createPartner` does; false if left out. */
    sendInvitations: z.boolean().optional(),
  })
  .refine(hasOneFile, oneFile)
export type NewImport = z.infer<typeof NewImport>

/** Roles of the team that may import each kind; payouts say what was paid. */
export const rightOfImport = {
  partners: rights.earn,
  leads: rights.earn,
  sales: rights.earn,
  payouts: rights.own,
} as const satisfies Record<ImportKind, readonly TeamRole[]>

export const createImport = endpoint('createImport', 'POST /accounts/:id/imports', {
  summary: 'Import a file of partners, leads, sales or payouts; a dry run only reports what would be created',
  allow: rights.earn,
  allowOf: ({ body }) => rightOfImport[body.kind],
  limit: { perMinute: 10, by: 'token' },
  subject: 'account',
  body: NewImport,
  maxBytes: MAX_BYTES,
  status: 202,
  reply: Import,
  // a workbook is unpacked first
  transaction: 'own',
})

/**
 * `confidence`: how sure in the format recognised by its columns; `saved` is the mapping last used for such a file.
 * `formats` are all formats with a known file of any kind. `top` are the first rows of the file, of which `headerRow` names
 * the columns. `sheets` are those of a workbook.
 */
export const ImportPreview = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    kind: z.enum(importKinds).nullable(),
    format: z.string(),
    formatName: z.string().nullable(),
    ...bothFields('confidence', z.enum(['certain', 'guess', 'saved'])),
    mapping: z.array(ShownColumn),
    formats: z.array(z.object({ format: z.string(), name: z.string() })),
    headerRow: z.int(),
    top: z.array(z.object({ row: z.int(), cells: z.array(z.string()) })),
    encoding: z.string().nullable(),
    sheet: z.string().nullable(),
    sheets: z.array(z.string()),
  })
  .meta({ id: 'ImportPreview' })
export type ImportPreview = z.infer<typeof ImportPreview>

/** The beginning of a text is enough, but a workbook must be whole. A given `format` is used whatever the columns look like; `csv` is any other. */
export const previewImport = endpoint('previewImport', 'POST /accounts/:id/imports/preview', {
  summary: 'Read the beginning of a file: its columns, first rows, and suggested mapping',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: z
    .strictObject({ ...fileFields, kind: z.enum(importKinds).optional(), format: requiredText(50).optional() })
    .refine(hasOneFile, oneFile),
  maxBytes: MAX_BYTES,
  reply: ImportPreview,
  writesNothing: true,
})

export const listImports = endpoint('listImports', 'GET /accounts/:id/imports', {
  summary: 'List imports',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ kind: anyOf([...importKinds, 'past-sales']), state: anyOf(importStates) }),
  reply: pageSchema(Import),
})

export const downloadImports = csvEndpoint(listImports, { summary: 'Download all imports', file: 'imports' })

/** The most rows of a file: those of some kinds wait in memory for others. */
export const MOST_IMPORTED_ROWS = 300_000

/** The most invitations that an import returns. */
export const MOST_INVITATIONS = 1000

/** A partner's invitation to pass on. */
export const ImportedInvitation = z
  .object({ partnerId: Id, displayName: z.string(), email: z.string(), url: z.string().nullable() })
  .meta({ id: 'ImportedInvitation' })

/**
 * `invitations`: of the partners it created, for the owner to pass on without a mail server; empty with one. `url` is
 * null by the rules of a partner's invitation.
 */
export const ImportResult = Import.extend({
  invitations: z.array(ImportedInvitation),
}).meta({ id: 'ImportResult' })
export type ImportResult = z.infer<typeof ImportResult>

export const getImport = endpoint('getImport', 'GET /imports/:id', {
  summary: 'Retrieve an import with its progress, and the invitation links of the partners it created',
  allow: rights.read,
  limit: apiLimit,
  subject: 'import',
  reply: ImportResult,
})

export const downloadImportErrors = endpoint('downloadImportErrors', 'GET /imports/:id/errors', {
  summary: 'Download the failed rows as they were in the file, each with its row number, field and message',
  allow: rights.read,
  limit: apiLimit,
  subject: 'import',
  produces: 'text/csv',
  reply: z.string(),
})

export const cancelImport = endpoint('cancelImport', 'POST /imports/:id/cancel', {
  summary: 'Stop an import; everything created so far remains until it is undone',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'import',
  reply: Import,
})

export const undoImport = endpoint('undoImport', 'POST /imports/:id/undo', {
  summary: 'Undo an import within a day, if nothing was paid from it and nothing else depends on it',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'import',
  status: 202,
  reply: Import,
})
