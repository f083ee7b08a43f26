import { z } from 'zod'
import { InvitationStatus } from './accounts.ts'
import { apiLimit, endpoint } from './endpoint.ts'
import { Blocker } from './payouts.ts'
import { Entry, entryKinds, entryStatuses } from './sales.ts'
import { HistoricalStats, Stats } from './stats.ts'
import {
  Amount,
  anyId,
  anyOf,
  CommissionSettings,
  DateOnly,
  dateFilter,
  Email,
  flag,
  Id,
  IdParams,
  Instant,
  listOf,
  listQuery,
  MAX_AMOUNT,
  optionalName,
  optionalText,
  RangeParams,
  Reason,
  text,
} from './values.ts'

export const partnerStates = ['invited', 'active', 'suspended', 'archived'] as const
export const PartnerState = z.enum(partnerStates)
export type PartnerState = z.infer<typeof PartnerState>

/** Codes that would read as something else in a link. */
export const reservedReferralCodes: readonly string[] = [
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'click',
  'docs',
  'embed',
  'health',
  'hooks',
  'metrics',
  'none',
  'null',
  'undefined',
  'www',
]

/** Taken in any case, kept in lower case. */
export const ReferralCode = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]{3,32}$/, 'Use 3 to 32 lowercase letters, digits or hyphens')
  .refine((code) => !reservedReferralCodes.includes(code), 'This code is taken')

export const taxFormKinds = ['w-9', 'w-8ben', 'w-8ben-e'] as const
export const TaxForm = z.strictObject({ kind: z.enum(taxFormKinds), receivedOn: DateOnly })
export type TaxForm = z.infer<typeof TaxForm>

/** Years of payment, each once, rising. */
export const PayoutYears = z
  .array(z.int('Enter a year').min(2000, 'Enter a year from 2000').max(2100, 'Enter a year up to 2100'))
  .max(100, 'Use at most 100 years')
  .transform((years) => [...new Set(years)].sort((a, b) => a - b))

/**
 * `effectiveCommissionSettings` are the partner's own, else the account's. To any partner `taxForm` is null.
 * `note` is the owner's own words; to anyone else it is not there at all.
 * To a partner reading a descendant commission settings, approval and `balanceDue` are null and the e-mail is masked.
 */
export const Partner = z
  .object({
    id: Id,
    accountId: Id,
    parentPartnerId: Id.nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    displayName: z.string(),
    email: z.string(),
    note: z.string().nullable().optional(),
    referralCode: z.string(),
    commissionSettings: CommissionSettings.nullable(),
    effectiveCommissionSettings: CommissionSettings.nullable(),
    approvedPayoutYears: z.array(z.int()).nullable(),
    approvedForPayouts: z.boolean().nullable(),
    state: PartnerState,
    invitationStatus: InvitationStatus.nullable(),
    balanceDue: Amount.nullable(),
    taxForm: z.object({ kind: z.enum(taxFormKinds), receivedOn: DateOnly }).nullable(),
    stats: Stats,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Partner' })
export type Partner = z.infer<typeof Partner>

/** Created by a partner: names and e-mail alone, never rates or a code. */
export const NewSubPartner = z.strictObject({
  firstName: optionalName(100).optional(),
  lastName: optionalName(100).optional(),
  email: Email,
  note: optionalText(2000).optional(),
  referralCode: ReferralCode.nullish(),
  commissionSettings: CommissionSettings.nullish(),
  sendInvitation: z.boolean().default(true),
})
export type NewSubPartner = z.infer<typeof NewSubPartner>

export const NewPartner = z.strictObject({ ...NewSubPartner.shape, parentPartnerId: Id.nullish() })
export type NewPartner = z.infer<typeof NewPartner>

/** A parent changes names and e-mail of one they invited, until the invitation is accepted. */
export const PartnerChange = z.strictObject({
  firstName: optionalName(100).optional(),
  lastName: optionalName(100).optional(),
  email: Email.optional(),
  note: optionalText(2000).optional(),
  referralCode: ReferralCode.optional(),
  commissionSettings: CommissionSettings.nullish(),
  approvedPayoutYears: PayoutYears.optional(),
  parentPartnerId: Id.nullish(),
  taxForm: TaxForm.nullish(),
  state: z.enum(['active', 'suspended']).optional(),
  reason: optionalText(1000).optional(),
})
export type PartnerChange = z.infer<typeof PartnerChange>

const filters = {
  state: anyOf(partnerStates),
  parentPartnerId: anyId,
  approved: flag,
  from: dateFilter,
  to: dateFilter,
}
const sorts = ['name', 'salesRevenue'] as const

export const createPartner = endpoint({
  name: 'createPartner',
  method: 'POST',
  path: '/accounts/:id/partners',
  summary: 'Create a partner',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  body: NewPartner,
  status: 201,
  reply: Partner,
})

export const createSubPartner = endpoint({
  name: 'createSubPartner',
  method: 'POST',
  path: '/partners/:id/partners',
  summary: 'Create a sub-partner',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  body: NewSubPartner,
  status: 201,
  reply: Partner,
})

export const listPartners = endpoint({
  name: 'listPartners',
  method: 'GET',
  path: '/accounts/:id/partners',
  summary: 'List partners of every layer and state; from and to are creation dates',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  query: listQuery(filters, sorts),
  reply: listOf(Partner),
})

export const listSubPartners = endpoint({
  name: 'listSubPartners',
  method: 'GET',
  path: '/partners/:id/partners',
  summary: "List a partner's direct sub-partners",
  allow: ['owner', 'partner', 'ancestor'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  query: listQuery(filters, sorts),
  reply: listOf(Partner),
})

export const getPartner = endpoint({
  name: 'getPartner',
  method: 'GET',
  path: '/partners/:id',
  summary: 'Retrieve a partner; partners above them see a reduced one',
  allow: ['owner', 'partner', 'ancestor'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  reply: Partner,
})

export const changePartner = endpoint({
  name: 'changePartner',
  method: 'PUT',
  path: '/partners/:id',
  summary: 'Update a partner; only new sales are affected',
  allow: ['owner', 'ancestor', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  body: PartnerChange,
  reply: Partner,
})

export const deletePartner = endpoint({
  name: 'deletePartner',
  method: 'DELETE',
  path: '/partners/:id',
  summary: 'Delete a partner who has no history',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  status: 204,
})

export const PartnerArchiving = z
  .strictObject({
    subPartners: z.enum(['move-up', 'keep']).default('move-up'),
    balance: z.enum(['pay-out', 'void']).default('pay-out'),
    reason: optionalText(1000).optional(),
  })
  .refine(({ balance, reason }) => balance !== 'void' || reason, { path: ['reason'], message: 'Reason is required' })
export type PartnerArchiving = z.infer<typeof PartnerArchiving>

export const archivePartner = endpoint({
  name: 'archivePartner',
  method: 'POST',
  path: '/partners/:id/archive',
  summary: 'Archive a partner; past commissions never move',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  body: PartnerArchiving,
  reply: Partner,
})

/** `url` to owners only, while no mail server is set and the invited person is no user yet. */
export const Invitation = z
  .object({
    status: InvitationStatus,
    sentAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    acceptedAt: Instant.nullable(),
    sendCount: z.int(),
    lastError: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

export const getInvitation = endpoint({
  name: 'getInvitation',
  method: 'GET',
  path: '/partners/:id/invitation',
  summary: 'Retrieve the status of the invitation; 404 if never invited',
  allow: ['owner', 'ancestor'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  reply: Invitation,
})

export const revokeInvitation = endpoint({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: '/partners/:id/invitation',
  summary: 'Revoke the invitation',
  allow: ['owner', 'ancestor'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  status: 204,
})

export const retryInvitation = endpoint({
  name: 'retryInvitation',
  method: 'POST',
  path: '/partners/:id/invitation/retries',
  summary: 'Send the invitation, or send it again; the old link stops working',
  allow: ['owner', 'ancestor'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  reply: Invitation,
})

export const legalTypes = ['PRIVATE', 'BUSINESS'] as const
export const bankAccountTypes = ['CHECKING', 'SAVINGS'] as const

/** The 50 states, the District of Columbia and four territories. */
export const usStates: readonly { code: string; name: string }[] = [
  { code: 'al', name: 'Alabama' },
  { code: 'ak', name: 'Alaska' },
  { code: 'as', name: 'American Samoa' },
  { code: 'az', name: 'Arizona' },
  { code: 'ar', name: 'Arkansas' },
  { code: 'ca', name: 'California' },
  { code: 'co', name: 'Colorado' },
  { code: 'ct', name: 'Connecticut' },
  { code: 'de', name: 'Delaware' },
  { code: 'dc', name: 'District of Columbia' },
  { code: 'fl', name: 'Florida' },
  { code: 'ga', name: 'Georgia' },
  { code: 'gu', name: 'Guam' },
  { code: 'hi', name: 'Hawaii' },
  { code: 'id', name: 'Idaho' },
  { code: 'il', name: 'Illinois' },
  { code: 'in', name: 'Indiana' },
  { code: 'ia', name: 'Iowa' },
  { code: 'ks', name: 'Kansas' },
  { code: 'ky', name: 'Kentucky' },
  { code: 'la', name: 'Louisiana' },
  { code: 'me', name: 'Maine' },
  { code: 'md', name: 'Maryland' },
  { code: 'ma', name: 'Massachusetts' },
  { code: 'mi', name: 'Michigan' },
  { code: 'mn', name: 'Minnesota' },
  { code: 'ms', name: 'Mississippi' },
  { code: 'mo', name: 'Missouri' },
  { code: 'mt', name: 'Montana' },
  { code: 'ne', name: 'Nebraska' },
  { code: 'nv', name: 'Nevada' },
  { code: 'nh', name: 'New Hampshire' },
  { code: 'nj', name: 'New Jersey' },
  { code: 'nm', name: 'New Mexico' },
  { code: 'ny', name: 'New York' },
  { code: 'nc', name: 'North Carolina' },
  { code: 'nd', name: 'North Dakota' },
  { code: 'oh', name: 'Ohio' },
  { code: 'ok', name: 'Oklahoma' },
  { code: 'or', name: 'Oregon' },
  { code: 'pa', name: 'Pennsylvania' },
  { code: 'pr', name: 'Puerto Rico' },
  { code: 'ri', name: 'Rhode Island' },
  { code: 'sc', name: 'South Carolina' },
  { code: 'sd', name: 'South Dakota' },
  { code: 'tn', name: 'Tennessee' },
  { code: 'tx', name: 'Texas' },
  { code: 'ut', name: 'Utah' },
  { code: 'vt', name: 'Vermont' },
  { code: 'vi', name: 'Virgin Islands' },
  { code: 'va', name: 'Virginia' },
  { code: 'wa', name: 'Washington' },
  { code: 'wv', name: 'West Virginia' },
  { code: 'wi', name: 'Wisconsin' },
  { code: 'wy', name: 'Wyoming' },
]

export const Address = z.strictObject({
  country: z.literal('us', 'Only the United States is supported').default('us'),
  state: z
    .string()
    .trim()
    .toLowerCase()
    .refine((code) => usStates.some((state) => state.code === code), 'Choose a state'),
  city: text(100).min(1, 'City is required'),
  addressLine: text(200).min(1, 'Address is required'),
  zipCode: text(20).min(5, 'Enter at least 5 characters'),
})
export type Address = z.infer<typeof Address>

/** The check digit of the American Bankers Association: weights 3, 7, 1. */
const isRoutingNumber = (value: string) =>
  /^\d{9}$/.test(value) &&
  value !== '000000000' &&
  [...value].reduce((sum, digit, index) => sum + Number(digit) * [3, 7, 1][index % 3]!, 0) % 10 === 0

/** Where a partner's money goes: an account at a bank in the United States. */
export const DepositInfo = z
  .strictObject({
    legalType: z.enum(legalTypes),
    name: text(100).min(2, 'Use at least 2 characters'),
    routingNumber: z.string().trim().refine(isRoutingNumber, 'Enter a valid 9-digit routing number'),
    accountNumber: z
      .string()
      .trim()
      .regex(/^\d{4,17}$/, 'Enter 4 to 17 digits'),
    accountType: z.enum(bankAccountTypes),
    address: Address,
  })
  .refine(({ legalType, name }) => legalType === 'BUSINESS' || (/\S\s+\S/.test(name) && !/\p{Nd}/u.test(name)), {
    path: ['name'],
    message: 'Enter a first and last name without digits',
    when: ({ value }) => {
      const given = value as { legalType?: unknown; name?: unknown } | null
      return given?.legalType === 'PRIVATE' && typeof given.name === 'string'
    },
  })
export type DepositInfo = z.infer<typeof DepositInfo>

/** Of routing and account number only the last four digits are shown, after five dots. */
export const PayoutSettings = z
  .object({
    enabled: z.boolean(),
    depositInfo: z
      .object({
        legalType: z.enum(legalTypes),
        name: z.string(),
        routingNumber: z.string(),
        accountNumber: z.string(),
        accountType: z.enum(bankAccountTypes),
        address: z.object({
          country: z.string(),
          state: z.string(),
          city: z.string(),
          addressLine: z.string(),
          zipCode: z.string(),
        }),
      })
      .nullable(),
    updatedAt: Instant.nullable(),
  })
  .meta({ id: 'PayoutSettings' })
export type PayoutSettings = z.infer<typeof PayoutSettings>

export const getPayoutSettings = endpoint({
  name: 'getPayoutSettings',
  method: 'GET',
  path: '/partners/:id/payout-settings',
  summary: 'Retrieve the deposit details, masked',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  reply: PayoutSettings,
})

export const savePayoutSettings = endpoint({
  name: 'savePayoutSettings',
  method: 'POST',
  path: '/partners/:id/payout-settings',
  summary: 'Create or replace the deposit details',
  allow: ['partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  body: DepositInfo,
  reply: PayoutSettings,
})

export const deletePayoutSettings = endpoint({
  name: 'deletePayoutSettings',
  method: 'DELETE',
  path: '/partners/:id/payout-settings',
  summary: 'Remove the deposit details',
  allow: ['partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  status: 204,
})

export const getPartnerStats = endpoint({
  name: 'getPartnerStats',
  method: 'GET',
  path: '/partners/:id/stats',
  summary: 'Retrieve all-time statistics',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  reply: Stats,
})

export const getPartnerHistoricalStats = endpoint({
  name: 'getPartnerHistoricalStats',
  method: 'GET',
  path: '/partners/:id/historical-stats/:range',
  summary: 'Retrieve statistics by day, week or month; the range is {from}..{to}',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: RangeParams,
  reply: HistoricalStats,
})

/** Signed; held, due, on hold, in payout and paid add up to all entries. */
export const Balance = z
  .object({
    partnerId: Id,
    partnerName: z.string(),
    currency: z.string(),
    held: Amount,
    due: Amount,
    onHold: Amount,
    inPayout: Amount,
    paid: Amount,
    nextPayoutDate: DateOnly.nullable(),
    blockers: z.array(Blocker),
  })
  .meta({ id: 'Balance' })
export type Balance = z.infer<typeof Balance>

export const getBalance = endpoint({
  name: 'getBalance',
  method: 'GET',
  path: '/partners/:id/balance',
  summary: 'Retrieve what a partner has earned and where it stands',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  reply: Balance,
})

export const listBalances = endpoint({
  name: 'listBalances',
  method: 'GET',
  path: '/accounts/:id/balances',
  summary: 'List the balances of all partners',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: IdParams,
  query: listQuery({ partnerId: anyId, blocked: flag }, ['due', 'nextPayoutDate']),
  reply: listOf(Balance),
})

/** Signed: above zero for the partner, below against them. */
export const NewAdjustment = z.strictObject({
  amount: z
    .int('Enter a whole number of minor units')
    .min(-MAX_AMOUNT, 'Enter -1,000,000,000,000 or more')
    .max(MAX_AMOUNT, 'Enter 1,000,000,000,000 or less')
    .refine((amount) => amount !== 0, 'Enter an amount other than 0'),
  reason: Reason,
})
export type NewAdjustment = z.infer<typeof NewAdjustment>

export const adjustBalance = endpoint({
  name: 'adjustBalance',
  method: 'POST',
  path: '/partners/:id/adjustments',
  summary: 'Book an adjustment by hand; it is due at once',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  body: NewAdjustment,
  status: 201,
  reply: Entry,
})

export const listPartnerCommissions = endpoint({
  name: 'listPartnerCommissions',
  method: 'GET',
  path: '/partners/:id/commissions',
  summary: "List a partner's ledger entries",
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'partner',
  params: IdParams,
  query: listQuery(
    { status: anyOf(entryStatuses), kind: anyOf(entryKinds), saleId: anyId, from: dateFilter, to: dateFilter },
    ['availableAt', 'amount'],
  ),
  reply: listOf(Entry),
})
