import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { isReachable, Lead, leadFields, unreachable } from './leads.ts'
import { Refund, Sale } from './sales.ts'
import {
  AmountFromZero,
  Currency,
  DateOnly,
  Email,
  EnteredAmount,
  EnteredInstant,
  ExternalId,
  GivenReferralCode,
  Id,
  IdParams,
  Instant,
  listOf,
  listQuery,
  Metadata,
  optionalText,
  orEmpty,
  RowError,
  text,
} from './values.ts'

const shared = {
  allow: ['push'],
  limit: { perMinute: 120, by: 'token' },
  maxBytes: 1_000_000,
  maxValues: 10_000,
} as const

/** One row alone, or 1 to 100 whose rows are checked one by one, so that none fails another. */
const oneOrMany = <T extends z.ZodType>(row: T) =>
  z.union([row, z.array(z.unknown()).min(1, 'Send at least one row').max(100, 'Send at most 100 rows')])

/** A row of a bulk push: `status` is the HTTP status that row alone would get. */
export const PushResult = z
  .object({ status: z.int(), id: Id.nullable(), error: RowError.nullable() })
  .meta({ id: 'PushResult' })
export type PushResult = z.infer<typeof PushResult>

export const PushResults = z.object({ results: z.array(PushResult) }).meta({ id: 'PushResults' })
export type PushResults = z.infer<typeof PushResults>

/** Known again by external id, else e-mail, else phone. Of several ways to name the partner a click wins, then the partner. */
export const NewPushedLead = z
  .strictObject({
    ...leadFields,
    referralCode: orEmpty(GivenReferralCode).optional(),
    partnerId: Id.nullish(),
    clickId: Id.nullish(),
  })
  .refine(isReachable, unreachable)
  .meta({ id: 'NewPushedLead' })
export type NewPushedLead = z.infer<typeof NewPushedLead>

/** `amount` is net. A `referralCode` beside an unknown lead makes that lead. */
export const NewPushedSale = z
  .strictObject({
    externalId: ExternalId,
    leadExternalId: orEmpty(ExternalId).optional(),
    email: orEmpty(Email).optional(),
    leadId: Id.nullish(),
    referralCode: orEmpty(GivenReferralCode).optional(),
    amount: EnteredAmount,
    currency: Currency.nullish(),
    saleDate: DateOnly.nullish(),
    taxAmount: AmountFromZero.nullish(),
    subscriptionId: optionalText(255).optional(),
    description: optionalText(1000).optional(),
    metadata: Metadata.nullish(),
  })
  .refine(({ leadExternalId, email, leadId, referralCode }) => leadExternalId || email || leadId || referralCode, {
    path: ['leadExternalId'],
    message: 'Identify the lead by external ID, email or ID, or send a referral code',
  })
  .meta({ id: 'NewPushedSale' })
export type NewPushedSale = z.infer<typeof NewPushedSale>

/** `amount` is gross; all that is left where left out. */
export const NewPushedRefund = z
  .strictObject({
    externalId: ExternalId,
    saleExternalId: ExternalId,
    amount: EnteredAmount.nullish(),
    reason: optionalText(1000).optional(),
  })
  .meta({ id: 'NewPushedRefund' })
export type NewPushedRefund = z.infer<typeof NewPushedRefund>

export const NewPushedClick = z
  .strictObject({
    blueprintKey: orEmpty(text(64)).optional(),
    referralCode: GivenReferralCode,
    url: optionalText(2048).optional(),
    referrer: optionalText(2048).optional(),
    ip: orEmpty(z.union([z.ipv4(), z.ipv6()], 'Enter an IP address')).optional(),
    userAgent: optionalText(1000).optional(),
    at: EnteredInstant.nullish(),
  })
  .meta({ id: 'NewPushedClick' })
export type NewPushedClick = z.infer<typeof NewPushedClick>

export const PushedClick = z
  .object({ id: Id, partnerId: Id, blueprintId: Id.nullable(), at: Instant })
  .meta({ id: 'PushedClick' })
export type PushedClick = z.infer<typeof PushedClick>

export const pushLeads = endpoint({
  ...shared,
  name: 'pushLeads',
  method: 'POST',
  path: '/push/leads',
  summary: 'Create or update leads; a known lead answers 200',
  body: oneOrMany(NewPushedLead),
  status: 201,
  reply: z.union([Lead, PushResults]),
})

export const pushSales = endpoint({
  ...shared,
  name: 'pushSales',
  method: 'POST',
  path: '/push/sales',
  summary: 'Record sales; a known sale answers 200 with the one first recorded',
  body: oneOrMany(NewPushedSale),
  status: 201,
  reply: z.union([Sale, PushResults]),
  transaction: 'group',
})

export const pushRefunds = endpoint({
  ...shared,
  name: 'pushRefunds',
  method: 'POST',
  path: '/push/refunds',
  summary: 'Record refunds of pushed sales; a known refund answers 200 with the one first recorded',
  body: oneOrMany(NewPushedRefund),
  status: 201,
  reply: z.union([Refund, PushResults]),
})

export const pushClicks = endpoint({
  ...shared,
  name: 'pushClicks',
  method: 'POST',
  path: '/push/clicks',
  summary: 'Record clicks that were counted elsewhere',
  body: oneOrMany(NewPushedClick),
  status: 201,
  reply: z.union([PushedClick, PushResults]),
})

/** One push call and what it was answered. `rows` and `failedRows` are counts, of a list only. */
export const PushRequest = z
  .object({
    id: Id,
    path: z.string(),
    status: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    rows: z.int().nullable(),
    failedRows: z.int().nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'PushRequest' })
export type PushRequest = z.infer<typeof PushRequest>

export const listPushRequests = endpoint({
  name: 'listPushRequests',
  method: 'GET',
  path: '/accounts/:id/push-requests',
  summary: 'List the last 100 push calls, including refused ones',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  query: listQuery({}),
  reply: listOf(PushRequest),
})
