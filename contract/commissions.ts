import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Amount, Id, Instant, listQuery, MAX_AMOUNT, pageSchema, Reason } from './values.ts'

export const entryKinds = ['earned', 'reversal', 'restoration', 'adjustment', 'bonus'] as const
export type EntryKind = (typeof entryKinds)[number]

export const entryStatuses = ['held', 'due', 'in-payout', 'paid', 'on-hold', 'void'] as const
export type EntryStatus = (typeof entryStatuses)[number]

/**
 * A commission entry, a row of the ledger: signed, never edited. An adjustment has no sale, layer or rate; a sale paid
 * as an amount has `flat` instead of a rate, and one paid by several rules neither. `rule` is the name of a single rule.
 * Pay for a lead has `leadId` and `paidFor` instead of a sale, and no base; a bonus has its `goalId`.
 * `baseAmount` is null for a partner who may not see sale amounts.
 */
export const CommissionEntry = z
  .object({
    id: Id,
    saleId: Id.nullable(),
    leadId: Id.nullable(),
    paidFor: z.enum(['qualified-lead', 'new-customer']).nullable(),
    goalId: Id.nullable(),
    refundId: Id.nullable(),
    partnerId: Id,
    partnerName: z.string(),
    layer: z.int().nullable(),
    rate: z.number().nullable(),
    flat: Amount.nullable(),
    rule: z.string().nullable(),
    baseAmount: Amount.nullable(),
    amount: Amount,
    currency: z.string(),
    kind: z.enum(entryKinds),
    status: z.enum(entryStatuses),
    availableAt: Instant,
    payoutId: Id.nullable(),
    reason: z.string().nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'CommissionEntry' })
export type CommissionEntry = z.infer<typeof CommissionEntry>

/** An entry in a list; `linkId` and `subId` are of the lead's visit, for its own partner's entries. */
export const ListedEntry = CommissionEntry.extend({ linkId: Id.nullable(), subId: z.string().nullable() }).meta({
  id: 'ListedEntry',
})
export type ListedEntry = z.infer<typeof ListedEntry>

export const listSaleCommissions = endpoint('listSaleCommissions', 'GET /sales/:id/commissions', {
  tag: 'sales',
  summary: 'List the ledger entries of a sale; partners see only their own',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'sale',
  query: listQuery({}),
  reply: pageSchema(ListedEntry),
})

export const downloadSaleCommissions = csvEndpoint(listSaleCommissions, {
  summary: 'Download the ledger entries of a sale',
  file: 'commissions',
  more: ['linkId', 'subId'],
})

export const listLeadCommissions = endpoint('listLeadCommissions', 'GET /leads/:id/commissions', {
  tag: 'leads',
  summary: 'List the ledger entries that pay for a lead itself; partners see only their own',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'lead',
  query: listQuery({}),
  reply: pageSchema(ListedEntry),
})

export const downloadLeadCommissions = csvEndpoint(listLeadCommissions, {
  summary: 'Download the ledger entries that pay for a lead itself',
  file: 'commissions',
  more: ['linkId', 'subId'],
})

/** Positive for the partner, negative against them. */
export const NewAdjustment = z.strictObject({
  amount: z
    .int('Enter a whole number of minor units')
    .min(-MAX_AMOUNT, 'Enter -1,000,000,000,000 or more')
    .max(MAX_AMOUNT, 'Enter 1,000,000,000,000 or less')
    .refine((amount) => amount !== 0, 'Enter an amount other than 0'),
  reason: Reason,
})
export type NewAdjustment = z.infer<typeof NewAdjustment>

export const adjustBalance = endpoint('adjustBalance', 'POST /partners/:id/adjustments', {
  tag: 'partners',
  summary: 'Book an adjustment by hand; it is due immediately',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'partner',
  body: NewAdjustment,
  status: 201,
  reply: CommissionEntry,
})
