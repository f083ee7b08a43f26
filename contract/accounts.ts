import { z } from 'zod'
import { InvitationStatus, User } from './auth.ts'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, publicLimit, rights } from './endpoint.ts'
import type { Paydays } from './paydays.ts'
import { Stats } from './stats.ts'
import {
  Amount,
  AmountFromZero,
  AttributionModel,
  AttributionOrder,
  anyOf,
  CommissionSettings,
  Currency,
  Email,
  Id,
  Instant,
  LanguageTag,
  listQuery,
  OptionalReason,
  optionalName,
  ParameterName,
  pageSchema,
  ReturningCustomers,
  trimmedText,
} from './values.ts'

export const accountStatuses = ['enabled', 'disabled'] as const

/** Days from sale until an entry falls due. */
export const payoutDelays = [0, 7, 14, 30, 45, 60, 90] as const
const PayoutDelay = z.literal(payoutDelays, 'Choose 0, 7, 14, 30, 45, 60 or 90 days')

export const selfReferralPolicies = ['allow', 'flag', 'hold', 'refuse'] as const

/** Any zone name in the runtime's time zone data, including `UTC`. */
export const TimeZone = trimmedText(100).refine((zone) => {
  try {
    // an offset such as +02:00 is not a time zone: it has no daylight saving time
    return !/^[+-]/.test(zone) && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}, 'Enter a time zone such as America/New_York')

/**
 * `email` is the invited owner's. `url` is set only while there is no mail server and they are not yet a user;
 * `presentOwner`, the account's `owner`, has the role until they accept.
 */
export const OwnerInvitation = z
  .object({
    email: z.string(),
    status: InvitationStatus,
    sentAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    mailed: z.boolean(),
    url: z.string().nullable(),
    presentOwner: z.string().nullable(),
  })
  .meta({ id: 'OwnerInvitation' })
export type OwnerInvitation = z.infer<typeof OwnerInvitation>

export const PartnerVisibility = z.object({ leadNames: z.boolean(), leadEmails: z.boolean(), saleAmounts: z.boolean() })
export type PartnerVisibility = z.infer<typeof PartnerVisibility>

/** Whose sessions on the account need a second factor: no one’s, the team’s, or partners’ too. */
export const secondFactorScopes = ['off', 'team', 'everyone'] as const

/**
 * How long data is kept: raw data in days, leads without a sale and without an event in months (null: for ever), and
 * the names and addresses in records of payments in full calendar years after the payment.
 */
export const Retention = z
  .object({ rawDataDays: z.int(), idleLeadMonths: z.int().nullable(), payeeYears: z.int() })
  .meta({ id: 'Retention' })
export type Retention = z.infer<typeof Retention>

const within = (least: number, most: number, unit: string) => {
  const message = `Enter ${least} to ${most} ${unit}`
  return z.int(message).min(least, message).max(most, message)
}

/** The days on which payouts are sent. Their numbers are judged by `areDays`. */
const AccountPaydays = z
  .discriminatedUnion('every', [
    z.strictObject({ every: z.literal('day') }),
    z.strictObject({ every: z.literal('week'), weekday: z.int() }),
    z.strictObject({ every: z.literal('month'), days: z.array(z.int()).min(1).max(2) }),
  ])
  .meta({ id: 'Paydays' }) satisfies z.ZodType<Paydays>

/**
 * States of an account's own domain. `unproven`: no record proves that the name is the account's. `proven`: its TXT
 * record does. `ready`: it also leads to this install, so addresses given to partners begin with it. `attention`: it
 * was ready, and failed for a week.
 */
export const hostStates = ['unproven', 'proven', 'ready', 'attention'] as const

/**
 * `owner` is the account's contact, with their roles in it: the owner who accepted first, or the invited one of an account
 * without an owner.
 * `apiKey` is returned to owners only, `ownerInvitation` to administrators only.
 */
export const Account = z
  .object({
    id: Id,
    name: z.string().nullable(),
    displayName: z.string(),
    publicId: z.string(),
    apiKey: z.string().nullable(),
    defaultCurrency: z.string(),
    defaultCommissionSettings: CommissionSettings,
    invitationsFromPartners: z.boolean(),
    autoPayoutsEnabled: z.boolean(),
    payoutDelay: z.int(),
    minimumPayout: Amount,
    paydays: AccountPaydays,
    timeZone: z.string(),
    /** The one in which its texts are written. */
    language: z.string(),
    /** Further languages of the program page. */
    pageLanguages: z.array(z.string()),
    leadProtectionDays: z.int(),
    attributionModel: AttributionModel,
    attributionOrder: AttributionOrder,
    returningCustomers: ReturningCustomers,
    /** Parameters that carry the code in links of another program, beside those of the account’s own links. */
    oldLinkParameters: z.array(z.string()),
    partnerVisibility: PartnerVisibility,
    partnerLeadSubmission: z.boolean(),
    recurringMonths: z.int().nullable(),
    selfReferralPolicy: z.enum(selfReferralPolicies),
    requireSecondFactor: z.enum(secondFactorScopes),
    retention: Retention,
    owner: User.nullable(),
    ownerInvitation: OwnerInvitation.nullable(),
    supportEmail: z.string().nullable(),
    /** The account’s own domain. */
    host: z.object({ name: z.string(), state: z.enum(hostStates) }).nullable(),
    /** Whether it has groups of customers, who refer others. */
    hasCustomerGroups: z.boolean(),
    disabledAt: Instant.nullable(),
    disabledReason: z.string().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

/** The fields of their account that a partner may read. */
export const AccountForPartner = z
  .object({
    id: Id,
    name: z.string().nullable(),
    displayName: z.string(),
    defaultCurrency: z.string(),
    timeZone: z.string(),
    language: z.string(),
    invitationsFromPartners: z.boolean(),
    partnerLeadSubmission: z.boolean(),
    payoutDelay: z.int(),
    minimumPayout: Amount,
    paydays: AccountPaydays,
    supportEmail: z.string().nullable(),
    /** Address of the account's public page; null unless it takes applications. */
    programUrl: z.string().nullable(),
    logoUrl: z.string().nullable(),
    accent: z.string().nullable(),
    disabledAt: Instant.nullable(),
  })
  .meta({ id: 'AccountForPartner' })
export type AccountForPartner = z.infer<typeof AccountForPartner>

export const AccountWithStats = Account.extend({ stats: Stats }).meta({ id: 'AccountWithStats' })
export type AccountWithStats = z.infer<typeof AccountWithStats>

export const NewOwner = z.strictObject({
  email: Email,
  firstName: optionalName(100).optional(),
  lastName: optionalName(100).optional(),
})
export type NewOwner = z.infer<typeof NewOwner>

export const NewAccount = z.strictObject({
  name: optionalName(100).optional(),
  defaultCurrency: Currency.optional(),
  timeZone: TimeZone.optional(),
  defaultCommissionSettings: CommissionSettings.optional(),
  owner: NewOwner.nullish(),
})
export type NewAccount = z.infer<typeof NewAccount>

/** The parameter with the code in links of another program. */
export const OldLinkParameter = ParameterName.refine(
  (name) => name.toLowerCase() !== 'sub',
  'This parameter is for sub-IDs',
)

/** An owner may change any of these, an administrator only the name. */
export const AccountChange = z.strictObject({
  name: optionalName(100).optional(),
  defaultCurrency: Currency.optional(),
  defaultCommissionSettings: CommissionSettings.optional(),
  invitationsFromPartners: z.boolean().optional(),
  payoutDelay: PayoutDelay.optional(),
  minimumPayout: AmountFromZero.optional(),
  paydays: AccountPaydays.optional(),
  timeZone: TimeZone.optional(),
  language: LanguageTag.optional(),
  pageLanguages: z
    .array(LanguageTag)
    .max(20, 'Use at most 20 languages')
    .transform((languages) => [...new Set(languages)])
    .optional(),
  leadProtectionDays: within(0, 365, 'days').optional(),
  attributionModel: AttributionModel.optional(),
  attributionOrder: AttributionOrder.optional(),
  returningCustomers: ReturningCustomers.optional(),
  oldLinkParameters: z
    .array(OldLinkParameter)
    .max(10, 'Use at most 10 parameters')
    .transform((names) => [...new Set(names)])
    .optional(),
  partnerVisibility: z
    .strictObject({
      leadNames: z.boolean().optional(),
      leadEmails: z.boolean().optional(),
      saleAmounts: z.boolean().optional(),
    })
    .optional(),
  partnerLeadSubmission: z.boolean().optional(),
  recurringMonths: within(1, 120, 'months').nullish(),
  selfReferralPolicy: z.enum(selfReferralPolicies).optional(),
  requireSecondFactor: z.enum(secondFactorScopes).optional(),
  retention: z
    .strictObject({
      rawDataDays: within(7, 400, 'days').optional(),
      idleLeadMonths: within(3, 60, 'months').nullish(),
      payeeYears: within(0, 12, 'years').optional(),
    })
    .optional(),
})
export type AccountChange = z.infer<typeof AccountChange>

export const createAccount = endpoint('createAccount', 'POST /accounts', {
  summary: 'Create an account and invite its owner; administrators who name themselves own it immediately',
  allow: ['admin'],
  limit: apiLimit,
  body: NewAccount,
  status: 201,
  reply: Account,
})

export const listAccounts = endpoint('listAccounts', 'GET /accounts', {
  summary: 'List all accounts with their statistics',
  allow: ['admin'],
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  query: listQuery({ status: anyOf(accountStatuses) }, ['name']),
  reply: pageSchema(AccountWithStats),
})

export const downloadAccounts = csvEndpoint(listAccounts, {
  summary: 'Download all accounts',
  file: 'accounts',
  fields: [
    ...['id', 'name', 'displayName', 'publicId', 'ownerEmail', 'ownerFirstName', 'ownerLastName', 'defaultCurrency'],
    ...['timeZone', 'payoutDelay', 'minimumPayout', 'autoPayoutsEnabled', 'invitationsFromPartners'],
    ...['partnerLeadSubmission', 'leadProtectionDays', 'attributionModel', 'recurringMonths', 'selfReferralPolicy'],
    ...['disabledAt', 'disabledReason', 'numberOfPartners', 'numberOfLeads', 'numberOfSales', 'numberOfClicks'],
    ...['salesRevenue', 'salesRevenueShare', 'salesProfit', 'currency', 'createdAt', 'updatedAt', 'attributionOrder'],
    ...['returningCustomers'],
  ],
})

export const getAccount = endpoint('getAccount', 'GET /accounts/:id', {
  summary: 'Retrieve an account; its partners see a reduced version',
  allow: ['admin', ...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  subject: 'account',
  whileDisabled: true,
  whileFactorMissing: true,
  reply: z.union([Account, AccountForPartner]),
})

export const changeAccount = endpoint('changeAccount', 'PATCH /accounts/:id', {
  summary: 'Update settings; amounts already booked don’t change',
  allow: ['admin', ...rights.earnOrPay],
  writable: {
    manager: [
      ...['defaultCommissionSettings', 'recurringMonths', 'selfReferralPolicy', 'attributionModel', 'attributionOrder'],
      ...['oldLinkParameters', 'leadProtectionDays', 'partnerVisibility', 'partnerLeadSubmission'],
      ...['invitationsFromPartners', 'returningCustomers'],
    ],
    finance: ['payoutDelay', 'minimumPayout', 'paydays'],
  },
  limit: apiLimit,
  subject: 'account',
  body: AccountChange,
  reply: Account,
})

export const enableAccount = endpoint('enableAccount', 'POST /accounts/:id/enable', {
  summary: 'Enable a disabled account',
  allow: ['admin'],
  limit: apiLimit,
  subject: 'account',
  body: OptionalReason,
  reply: Account,
})

export const disableAccount = endpoint('disableAccount', 'POST /accounts/:id/disable', {
  summary: 'Disable an account',
  allow: ['admin'],
  limit: apiLimit,
  subject: 'account',
  body: OptionalReason,
  reply: Account,
})

export const getAccountOwner = endpoint('getAccountOwner', 'GET /accounts/:id/owner', {
  summary: 'Retrieve the owner, even before they accept the invitation; 404 if there is none',
  allow: ['admin', ...rights.read],
  limit: apiLimit,
  subject: 'account',
  reply: User,
})

export const assignAccountOwner = endpoint('assignAccountOwner', 'PUT /accounts/:id/owner', {
  summary: 'Assign the owner; the previous owner keeps the role until the new one accepts',
  allow: ['admin'],
  limit: apiLimit,
  subject: 'account',
  body: NewOwner,
  reply: Account,
})

export const retryOwnerInvitation = endpoint('retryOwnerInvitation', 'POST /accounts/:id/owner/invitation/retries', {
  summary: 'Send the owner a new setup link',
  allow: ['admin'],
  limit: apiLimit,
  subject: 'account',
  reply: OwnerInvitation,
})

export const renewApiKey = endpoint('renewApiKey', 'PUT /accounts/:id/api-key', {
  summary: 'Create a new API key; the old one stops working immediately',
  allow: rights.own,
  freshProof: true,
  limit: apiLimit,
  subject: 'account',
  reply: Account,
})

/** The public view of an account; without a display name it has none here. */
export const PublicBrand = z
  .object({
    displayName: z.string().nullable(),
    logoUrl: z.string().nullable(),
    accent: z.string().nullable(),
    programUrl: z.string().nullable(),
    language: z.string(),
    signInUrl: z.string(),
  })
  .meta({ id: 'PublicBrand' })
export type PublicBrand = z.infer<typeof PublicBrand>

export const getPublicBrand = endpoint('getPublicBrand', 'GET /brand', {
  summary: 'Retrieve an account’s name, logo and color by its public id; at its own domain without it',
  allow: ['public'],
  limit: publicLimit,
  query: z.strictObject({ account: z.string().min(1).max(64).optional() }),
  reply: PublicBrand,
})
