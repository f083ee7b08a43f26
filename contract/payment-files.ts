import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { endpoint, rights } from './endpoint.ts'
import { ApprovalPreview, accountCall, shownPayouts } from './payouts.ts'
import { Amount, DateOnly, fileText, Id, Instant, listQuery, PayoutStatus, pageSchema, RowError } from './values.ts'

/** Methods that pay by a file, which a person uploads: `sepa` at any bank of the euro scheme, `csv` at Wise. */
export const fileMethods = ['sepa', 'csv'] as const
export type FileMethod = (typeof fileMethods)[number]

/**
 * `open`: every payout waits to be paid by it; it can be downloaded while their approvals hold. `done`: every payout was
 * paid or left it. `spent`: some were, and others still wait.
 */
export const fileStates = ['open', 'done', 'spent'] as const

/**
 * Payouts in one file, approved by being in it. `messageId` is the file's own id, in a SEPA file also of its order;
 * `executionDate` the day on which the bank is to carry it out. `count` and `amount` are as it was made.
 */
export const PaymentFile = z
  .object({
    id: Id,
    accountId: Id,
    number: z.int(),
    method: z.enum(fileMethods),
    messageId: z.string(),
    executionDate: DateOnly.nullable(),
    count: z.int(),
    amount: Amount,
    currency: z.string(),
    state: z.enum(fileStates),
    createdAt: Instant,
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'PaymentFile' })
export type PaymentFile = z.infer<typeof PaymentFile>

/** Maximum payouts in one file. */
export const MOST_IN_FILE = 1000

/** Header of a new file: how many due payouts are left out of it, because another person must approve them. */
export const LEFT_OUT = 'x-payouts-left-out'

/**
 * Either `ids` or `all` that wait for this method. `executionDate` is at most 30 days from now, by default the next
 * payday. `preview` only returns what the file would approve: its `payouts` are what the person sees, and are sent as
 * `shown`. The file is refused if it would hold others, or other amounts or details. Only `ids` need no `shown`.
 */
export const NewPaymentFile = z
  .strictObject({
    method: z.enum(fileMethods),
    ids: z
      .array(Id)
      .min(1, 'Choose at least one payout')
      .max(MOST_IN_FILE, `Choose at most ${MOST_IN_FILE} payouts`)
      .optional(),
    all: z.literal(true).optional(),
    executionDate: DateOnly.optional(),
    preview: z.boolean().optional(),
    shown: shownPayouts(MOST_IN_FILE).optional(),
  })
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
    path: ['ids'],
    message: 'Send either ids or all',
  })
  .refine(({ all, shown, preview }) => !all || shown || preview, {
    path: ['shown'],
    message: 'Send the payouts of the preview',
  })
export type NewPaymentFile = z.infer<typeof NewPaymentFile>

/**
 * A preview has what a file would approve and, of a SEPA file, the day that it would ask for: `movedFrom` is the wished
 * one if banks don't carry out transfers then.
 */
export const FilePreview = ApprovalPreview.extend({
  executionDate: DateOnly.nullable(),
  movedFrom: DateOnly.nullable(),
}).meta({ id: 'FilePreview' })
export type FilePreview = z.infer<typeof FilePreview>

export const listPaymentFiles = endpoint('listPaymentFiles', 'GET /accounts/:id/payment-files', {
  tag: 'payouts',
  summary: 'List payment files, newest first',
  ...accountCall,
  allow: rights.read,
  inPerson: true,
  fromReplica: true,
  query: listQuery({}),
  reply: pageSchema(PaymentFile),
})

export const downloadPaymentFiles = csvEndpoint(listPaymentFiles, {
  summary: 'Download the list of payment files',
  file: 'payment-files',
})

export const createPaymentFile = endpoint('createPaymentFile', 'POST /accounts/:id/payment-files', {
  tag: 'payouts',
  summary: 'Approve due payouts into a payment file, or preview it',
  ...accountCall,
  allow: rights.pay,
  body: NewPaymentFile,
  // the ids, and four values of each payout
  maxValues: 6 * MOST_IN_FILE + 100,
  status: 201,
  orStatus: 200,
  reply: z.union([PaymentFile, FilePreview]),
  transaction: 'own',
})

export const getPaymentFile = endpoint('getPaymentFile', 'GET /payment-files/:id', {
  tag: 'payouts',
  summary: 'Retrieve a payment file',
  ...accountCall,
  subject: 'payment-file',
  allow: rights.read,
  inPerson: true,
  reply: PaymentFile,
})

export const downloadPaymentFile = endpoint('downloadPaymentFile', 'GET /payment-files/:id/download', {
  tag: 'payouts',
  summary: 'Download a payment file, always the same bytes, while all its payouts wait to be paid by it',
  ...accountCall,
  subject: 'payment-file',
  allow: rights.pay,
  inPerson: true,
  freshProof: true,
  produces: 'application/octet-stream',
})

/** Maximum rows read from a results file, and of its characters. */
export const MOST_RESULTS = 5000
export const LONGEST_FILE = 1_000_000

/** Most bytes of a zip, in base64. */
const LONGEST_ZIP = 4 * Math.ceil(LONGEST_FILE / 3)

const resultsText = fileText(LONGEST_FILE).refine((text) => !text.includes('\u0000'), 'Remove unsupported characters')

/**
 * A bank's report on a SEPA file (pain.002, camt.052, camt.053, camt.054 or MT940), or Wise's results of a batch, whose
 * columns are recognised by name. The kind is detected. `zip` holds several files, in base64: at most 50 files, together
 * at most 5 MB. `csv` is an earlier name of `file`.
 */
export const PayoutResultsFile = z
  .strictObject({
    csv: resultsText.optional(),
    file: resultsText.optional(),
    zip: z.base64().min(1, 'Choose a file').max(LONGEST_ZIP, 'This file is too large').optional(),
    dryRun: z.boolean(),
  })
  .refine(({ csv, file, zip }) => [csv, file, zip].filter((one) => one !== undefined).length === 1, {
    path: ['file'],
    message: 'Send either file, zip or csv',
  })
export type PayoutResultsFile = z.infer<typeof PayoutResultsFile>

/**
 * The content of each row and its consequence: `was` and `becomes` differ if the payout changes status; `was` is null
 * if no approved payout was found. A row with an error changes nothing; `note` is
 * what a bank says of a payee's name, or since when the payout is paid, which change nothing either.
 */
export const PayoutResults = z
  .object({
    rows: z.array(
      z.object({
        row: z.int(),
        reference: z.string().nullable(),
        payoutId: Id.nullable(),
        partnerName: z.string().nullable(),
        amount: Amount.nullable(),
        was: PayoutStatus.nullable(),
        becomes: PayoutStatus.nullable(),
        error: RowError.nullable(),
        note: z.string().nullable(),
      }),
    ),
    applied: z.int(),
  })
  .meta({ id: 'PayoutResults' })
export type PayoutResults = z.infer<typeof PayoutResults>

export const applyPayoutResults = endpoint('applyPayoutResults', 'POST /accounts/:id/payouts/results', {
  tag: 'payouts',
  summary: 'Apply a bank’s or Wise’s results of a payment file; dryRun changes nothing',
  ...accountCall,
  allow: rights.pay,
  body: PayoutResultsFile,
  reply: PayoutResults,
  maxBytes: 2_200_000,
})
