import { z } from 'zod'
import { endpoint, rights } from './endpoint.ts'
import { ofAccount, ofPartner } from './payouts.ts'
import { Amount, AmountFromZero, Instant, requiredText, text, word } from './values.ts'

export const reminderKinds = ['payout-settings', 'invitation'] as const
export const NewReminder = z.strictObject({ kind: z.enum(reminderKinds) })
export type NewReminder = z.infer<typeof NewReminder>

/** `nextAt`: when the partner can be sent the same reminder again. Nothing is `mailed` without a mail server. */
export const Reminder = NewReminder.extend({ nextAt: Instant, mailed: z.boolean() }).meta({ id: 'Reminder' })
export type Reminder = z.infer<typeof Reminder>

export const remindPartner = endpoint('remindPartner', 'POST /partners/:id/reminders', {
  tag: 'partners',
  summary: 'Remind a partner of their payout details or invitation, at most once a week each',
  ...ofPartner,
  allow: rights.earnOrPay,
  body: NewReminder,
  status: 202,
  reply: Reminder,
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
  state: word(2, 'Choose a state')
    .toLowerCase()
    .refine((code) => usStates.some((state) => state.code === code), 'Choose a state'),
  city: text(100).min(1, 'City is required'),
  addressLine: text(200).min(1, 'Address is required'),
  zipCode: text(20).min(5, 'Enter at least 5 characters'),
})
export type Address = z.infer<typeof Address>

/** Verifies the check digit of the American Bankers Association: weights 3, 7, 1. */
const isRoutingNumber = (value: string) =>
  /^\d{9}$/.test(value) &&
  value !== '000000000' &&
  [...value].reduce((sum, digit, index) => sum + Number(digit) * [3, 7, 1][index % 3]!, 0) % 10 === 0

const NO_ROUTING_NUMBER = 'Enter a valid 9-digit routing number'
const NO_ACCOUNT_NUMBER = 'Enter 4 to 17 digits'

/** A partner's account at a bank in the United States. */
export const DepositInfo = z
  .strictObject({
    legalType: z.enum(legalTypes),
    name: text(100).min(2, 'Use at least 2 characters'),
    routingNumber: word(9, NO_ROUTING_NUMBER).refine(isRoutingNumber, NO_ROUTING_NUMBER),
    accountNumber: word(17, NO_ACCOUNT_NUMBER).regex(/^\d{4,17}$/, NO_ACCOUNT_NUMBER),
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

/**
 * Routing and account number are shown as their last four digits after five dots. `formOnFile`: the owner has recorded
 * a tax form; the partner sees this, but not which form.
 */
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
    formOnFile: z.boolean(),
  })
  .meta({ id: 'PayoutSettings' })
export type PayoutSettings = z.infer<typeof PayoutSettings>

export const getPayoutSettings = endpoint('getPayoutSettings', 'GET /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Retrieve the payout details, masked',
  ...ofPartner,
  allow: [...rights.pay, 'partner'],
  reply: PayoutSettings,
})

export const savePayoutSettings = endpoint('savePayoutSettings', 'POST /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Create or replace the payout details',
  ...ofPartner,
  allow: ['partner'],
  whileInactive: true,
  body: DepositInfo,
  reply: PayoutSettings,
  transaction: 'own',
})

export const deletePayoutSettings = endpoint('deletePayoutSettings', 'DELETE /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Remove the payout details',
  ...ofPartner,
  allow: ['partner'],
  whileInactive: true,
  status: 204,
})

/** `type` is Wise's upper-case word. */
export const WiseProfile = z
  .object({
    id: z.string(),
    type: z.string(),
    fullName: z.string().nullable(),
    businessName: z.string().nullable(),
  })
  .meta({ id: 'WiseProfile' })
export type WiseProfile = z.infer<typeof WiseProfile>

/** How many people approve a payout above `maxPerPayout`. */
const ApprovalsAboveCeiling = z.literal([1, 2], 'Use 1 or 2')

/**
 * Payouts above a ceiling wait for a person. `wiseProfilesAvailable` were last seen with the stored token. `wiseError`
 * is Wise's message when it last refused the token: automatic payouts pause until it accepts one. While
 * `approvalsAboveCeiling` is 2, what loosens this is a `pendingChange` until `inForceAt`.
 */
export const AutoPayoutSettings = z
  .object({
    enabled: z.boolean(),
    wiseProfile: WiseProfile.nullable(),
    wiseProfilesAvailable: z.array(WiseProfile),
    wiseTokenHint: z.string().nullable(),
    wiseError: z.string().nullable(),
    maxPerPayout: Amount.nullable(),
    maxPerRun: Amount.nullable(),
    approvalsAboveCeiling: ApprovalsAboveCeiling,
    pendingChange: z
      .object({ maxPerPayout: Amount.nullable(), approvalsAboveCeiling: ApprovalsAboveCeiling, inForceAt: Instant })
      .nullable(),
  })
  .meta({ id: 'AutoPayoutSettings' })
export type AutoPayoutSettings = z.infer<typeof AutoPayoutSettings>

/**
 * `wiseToken: null` deletes the token and the profile. Saving the present `maxPerPayout` and `approvalsAboveCeiling`
 * withdraws a pending change.
 */
export const AutoPayoutSettingsChange = z.strictObject({
  enabled: z.boolean().optional(),
  wiseToken: requiredText(500).nullish(),
  wiseProfileId: requiredText(64).nullish(),
  maxPerPayout: AmountFromZero.nullish(),
  maxPerRun: AmountFromZero.nullish(),
  approvalsAboveCeiling: ApprovalsAboveCeiling.optional(),
})
export type AutoPayoutSettingsChange = z.infer<typeof AutoPayoutSettingsChange>

export const getAutoPayoutSettings = endpoint('getAutoPayoutSettings', 'GET /accounts/:id/auto-payout-settings', {
  tag: 'accounts',
  summary: 'Retrieve the settings of automatic payouts',
  ...ofAccount,
  allow: rights.pay,
  reply: AutoPayoutSettings,
})

export const changeAutoPayoutSettings = endpoint('changeAutoPayoutSettings', 'PUT /accounts/:id/auto-payout-settings', {
  tag: 'accounts',
  summary: 'Update automatic payouts; turning them on requires a profile that the token can access',
  ...ofAccount,
  allow: rights.own,
  body: AutoPayoutSettingsChange,
  reply: AutoPayoutSettings,
  transaction: 'own',
})

export const listWiseProfiles = endpoint('listWiseProfiles', 'GET /wise/profiles', {
  tag: 'accounts',
  summary: 'List the profiles that a Wise token can access; send `Authorization: wise:{token}`',
  allow: ['public'],
  reply: z.object({ items: z.array(WiseProfile) }),
  limit: { perMinute: 10, by: 'network', overall: 60 },
  transaction: 'own',
})
