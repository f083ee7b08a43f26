import { z } from 'zod'
import { type DetailKind, detailKinds } from './detail-kinds.ts'
import { endpoint, rights } from './endpoint.ts'
import {
  Bic,
  EuroAddress,
  HolderName,
  holderNameRule,
  Iban,
  IbanDetails,
  isHolderName,
  LocalBankDetails,
  legalTypes,
  PayPalDetails,
} from './payout-details.ts'
import { accountCall, NameCheck, partnerCall, payoutMethods } from './payouts.ts'
import { Amount, AmountFromZero, Instant, otherKind, plainText, requiredText, trimmedText } from './values.ts'

export const reminderKinds = ['payout-settings', 'invitation'] as const
export const NewReminder = z.strictObject({ kind: z.enum(reminderKinds) })
export type NewReminder = z.infer<typeof NewReminder>

/** `nextAt`: when the partner can be sent the same reminder again. Nothing is `mailed` without a mail server. */
export const Reminder = NewReminder.extend({ nextAt: Instant, mailed: z.boolean() }).meta({ id: 'Reminder' })
export type Reminder = z.infer<typeof Reminder>

export const remindPartner = endpoint('remindPartner', 'POST /partners/:id/reminders', {
  tag: 'partners',
  summary: 'Remind a partner of their payout details or invitation, at most once a week each',
  ...partnerCall,
  allow: rights.earnOrPay,
  body: NewReminder,
  status: 202,
  reply: Reminder,
})

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
  state: trimmedText(2, 'Choose a state')
    .toLowerCase()
    .refine((code) => usStates.some((state) => state.code === code), 'Choose a state'),
  city: plainText(100).min(1, 'City is required'),
  addressLine: plainText(200).min(1, 'Address is required'),
  zipCode: plainText(20).min(5, 'Enter at least 5 characters'),
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
    kind: z.literal('us-bank').optional(),
    legalType: z.enum(legalTypes),
    name: HolderName,
    routingNumber: trimmedText(9, NO_ROUTING_NUMBER).refine(isRoutingNumber, NO_ROUTING_NUMBER),
    accountNumber: trimmedText(17, NO_ACCOUNT_NUMBER).regex(/^\d{4,17}$/, NO_ACCOUNT_NUMBER),
    accountType: z.enum(bankAccountTypes),
    address: Address,
  })
  .refine(isHolderName, holderNameRule)
export type DepositInfo = z.infer<typeof DepositInfo>

/** A partner's payout details, of one kind. */
export const PayoutDetails = z.discriminatedUnion(
  'kind',
  [DepositInfo, IbanDetails, LocalBankDetails, PayPalDetails],
  otherKind(`Use ${detailKinds.slice(0, -1).join(', ')} or ${detailKinds.at(-1)}`),
)
export type PayoutDetails = z.infer<typeof PayoutDetails>

export const getDetailKind = ({ kind = 'us-bank' }: { kind?: DetailKind | undefined }): DetailKind => kind

/**
 * The person or business that details belong to, and which of the two; empty and null if Wise's fields don't contain
 * it.
 */
export const getHolder = (details: PayoutDetails): string =>
  details.kind === 'paypal'
    ? details.email
    : details.kind === 'local-bank'
      ? (details.fields.accountHolderName ?? '')
      : details.name
export const getLegalType = (details: PayoutDetails): string | null =>
  details.kind === 'paypal'
    ? null
    : details.kind === 'local-bank'
      ? (details.fields.legalType ?? null)
      : details.legalType

const MaskedDeposit = z.object({
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

/**
 * Details as they are shown: numbers as their last four digits after five dots, an e-mail as its first letter and domain.
 * `number` is the account's, if one of the `fields` is known to be that.
 */
export const MaskedDetails = z.union([
  MaskedDeposit,
  z.object({
    kind: z.literal('iban'),
    legalType: z.enum(legalTypes),
    name: z.string(),
    iban: z.string(),
    bic: z.string().nullable(),
    address: z.object({ country: z.string(), city: z.string(), addressLine: z.string(), zipCode: z.string() }),
  }),
  z.object({
    kind: z.literal('local-bank'),
    country: z.string(),
    currency: z.string(),
    type: z.string(),
    number: z.string().nullable(),
    fields: z.record(z.string(), z.string()),
  }),
  z.object({ kind: z.literal('paypal'), email: z.string() }),
])
export type MaskedDetails = z.infer<typeof MaskedDetails>

/**
 * `method` is how the partner is paid now; null for the partner, whose choice it is not, and without details. `country`
 * in capitals and `currency` in lower case are the details', null without any. `formOnFile`: there is a tax form; the
 * partner sees this, but not which form.
 */
export const PayoutSettings = z
  .object({
    enabled: z.boolean(),
    depositInfo: MaskedDetails.nullable(),
    method: z.enum(payoutMethods).nullable(),
    country: z.string().nullable(),
    currency: z.string().nullable(),
    updatedAt: Instant.nullable(),
    formOnFile: z.boolean(),
    nameCheck: NameCheck.nullable(),
  })
  .meta({ id: 'PayoutSettings' })
export type PayoutSettings = z.infer<typeof PayoutSettings>

export const getPayoutSettings = endpoint('getPayoutSettings', 'GET /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Retrieve the payout details, masked',
  ...partnerCall,
  allow: [...rights.pay, 'partner'],
  inPerson: true,
  reply: PayoutSettings,
})

export const savePayoutSettings = endpoint('savePayoutSettings', 'POST /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Create or replace the payout details',
  ...partnerCall,
  allow: ['partner'],
  whileInactive: true,
  body: PayoutDetails,
  reply: PayoutSettings,
  transaction: 'own',
})

export const deletePayoutSettings = endpoint('deletePayoutSettings', 'DELETE /partners/:id/payout-settings', {
  tag: 'partners',
  summary: 'Remove the payout details',
  ...partnerCall,
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
  ...accountCall,
  allow: rights.pay,
  inPerson: true,
  reply: AutoPayoutSettings,
})

export const changeAutoPayoutSettings = endpoint('changeAutoPayoutSettings', 'PUT /accounts/:id/auto-payout-settings', {
  tag: 'accounts',
  summary: 'Update automatic payouts; turning them on requires a profile that the token can access',
  ...accountCall,
  allow: rights.own,
  body: AutoPayoutSettingsChange,
  reply: AutoPayoutSettings,
  transaction: 'own',
})

/** Methods that an owner puts in order; by hand always comes last. */
export const orderedMethods = ['wise', 'paypal', 'sepa'] as const
export type OrderedMethod = (typeof orderedMethods)[number]

/** How a bank books a SEPA file: each transfer by itself, or all of them in one sum. */
export const fileBookings = ['single', 'batch'] as const
export type FileBooking = (typeof fileBookings)[number]

/**
 * The payout methods in the owner's order, those that are off last. `on` once it is set up; not `ready` while its provider
 * refuses it, and why is its `trouble`. `pays` are the kinds of payout details it reaches, `kinds` those offered to
 * partners. `hint` shows what it pays from; `booking` is that of SEPA files while they are on.
 */
export const PayoutMethods = z
  .object({
    methods: z.array(
      z.object({
        name: z.enum([...orderedMethods, 'manual']),
        on: z.boolean(),
        ready: z.boolean(),
        automatic: z.boolean(),
        pays: z.array(z.enum(detailKinds)),
        hint: z.string().nullable(),
        booking: z.enum(fileBookings).nullable(),
        trouble: z.string().nullable(),
      }),
    ),
    kinds: z.array(z.enum(detailKinds)),
  })
  .meta({ id: 'PayoutMethods' })
export type PayoutMethods = z.infer<typeof PayoutMethods>

export const getPayoutMethods = endpoint('getPayoutMethods', 'GET /accounts/:id/payout-methods', {
  tag: 'accounts',
  summary: 'Retrieve the payout methods, in order',
  ...accountCall,
  allow: rights.pay,
  inPerson: true,
  reply: PayoutMethods,
})

export const MethodOrder = z.strictObject({ order: z.array(z.enum(orderedMethods)).max(orderedMethods.length) })

export const reorderPayoutMethods = endpoint('reorderPayoutMethods', 'PUT /accounts/:id/payout-methods', {
  tag: 'accounts',
  summary: 'Put the payout methods in order: all that are on, without manual',
  ...accountCall,
  allow: rights.own,
  body: MethodOrder,
  reply: PayoutMethods,
})

/** The account that euro transfers are debited from, and how its bank is asked to book a file: `single` if left out. */
export const SepaDebtor = z.strictObject({
  name: plainText(70).min(2, 'Use at least 2 characters'),
  iban: Iban,
  bic: Bic,
  address: EuroAddress,
  booking: z.enum(fileBookings).default('single'),
})
export type SepaDebtor = z.infer<typeof SepaDebtor>

export const saveSepaMethod = endpoint('saveSepaMethod', 'PUT /accounts/:id/payout-methods/sepa', {
  tag: 'accounts',
  summary: 'Set up SEPA files, or replace the account they debit',
  ...accountCall,
  allow: rights.own,
  body: SepaDebtor,
  reply: PayoutMethods,
})

export const removeSepaMethod = endpoint('removeSepaMethod', 'DELETE /accounts/:id/payout-methods/sepa', {
  tag: 'accounts',
  summary: 'Stop paying by SEPA file',
  ...accountCall,
  allow: rights.own,
  status: 204,
})

const PayPalKey = requiredText(200).regex(/^[A-Za-z0-9_-]+$/, 'Use letters, digits, hyphens and underscores')

/**
 * The app of a PayPal account, with the right to make payouts; both are kept if left out. `automatic`: payouts by PayPal
 * are sent on paydays without a person.
 */
export const PayPalApp = z
  .strictObject({
    clientId: PayPalKey.optional(),
    clientSecret: PayPalKey.optional(),
    automatic: z.boolean(),
  })
  .superRefine(({ clientId, clientSecret }, { addIssue }) => {
    if ((clientId === undefined) === (clientSecret === undefined)) return
    const path = [clientId === undefined ? 'clientId' : 'clientSecret']
    addIssue({ code: 'custom', path, message: 'Enter the client ID and the secret' })
  })
export type PayPalApp = z.infer<typeof PayPalApp>

export const savePayPalMethod = endpoint('savePayPalMethod', 'PUT /accounts/:id/payout-methods/paypal', {
  tag: 'accounts',
  summary: 'Connect PayPal, replace its app, or change whether it pays automatically',
  ...accountCall,
  allow: rights.own,
  body: PayPalApp,
  reply: PayoutMethods,
  transaction: 'own',
})

export const removePayPalMethod = endpoint('removePayPalMethod', 'DELETE /accounts/:id/payout-methods/paypal', {
  tag: 'accounts',
  summary: 'Stop paying by PayPal, and delete the credentials of its app',
  ...accountCall,
  allow: rights.own,
  status: 204,
})

export const listWiseProfiles = endpoint('listWiseProfiles', 'GET /wise/profiles', {
  tag: 'accounts',
  summary: 'List the profiles that a Wise token can access; send `Authorization: wise:{token}`',
  allow: ['public'],
  reply: z.object({ items: z.array(WiseProfile) }),
  limit: { perMinute: 10, by: 'network', overall: 60 },
  transaction: 'own',
})
