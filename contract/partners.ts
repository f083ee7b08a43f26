import { z } from 'zod'
import { InvitationStatus } from './auth.ts'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { PushResult } from './push.ts'
import { Stats } from './stats.ts'
import { reaches } from './terms.ts'
import {
  Amount,
  anyId,
  anyOf,
  CommissionSettings,
  DateOnly,
  dateRange,
  Email,
  eachField,
  fieldNames,
  flag,
  Id,
  Instant,
  LanguageTag,
  listQuery,
  MOST_OF_CODE,
  optionalName,
  optionalText,
  orEmpty,
  pageSchema,
  plainText,
  requiredText,
  trimmedText,
} from './values.ts'

export const partnerStates = ['invited', 'active', 'suspended', 'archived'] as const
export const PartnerState = z.enum(partnerStates)
export type PartnerState = z.infer<typeof PartnerState>

/** Codes that would mean something else in a link. */
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

const NO_REFERRAL_CODE = 'Use 3 to 32 lowercase letters, digits or hyphens'

/** Accepted in any case, stored in lower case. */
export const ReferralCode = trimmedText(32, NO_REFERRAL_CODE)
  .toLowerCase()
  .regex(/^[a-z0-9-]{3,32}$/, NO_REFERRAL_CODE)
  .refine((code) => !reservedReferralCodes.includes(code), 'This code is taken')

/** Most earlier codes that a call sets for one partner. */
const MOST_EARLIER_CODES = 30

/** A code of another program, or an own former one: any characters except those that separate codes in a cell. */
export const EarlierCode = plainText(MOST_OF_CODE)
  .toLowerCase()
  .regex(/^[^\p{C},;|]{1,100}$/u, 'Use 1 to 100 characters without commas and semicolons')
  .refine((code) => !reservedReferralCodes.includes(code), 'This code is taken')

export const EarlierCodes = z
  .array(EarlierCode)
  .max(MOST_EARLIER_CODES, `Use at most ${MOST_EARLIER_CODES} codes`)
  .transform((codes) => [...new Set(codes)])

/** Latin letters that Unicode doesn't decompose into a plain letter and a mark, as their languages spell them. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ə: 'e',
}
const spelled = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'g')
const LONGEST_SUGGESTION = 20

/**
 * Returns the code suggested for a name: `lukasz-walesa`; empty if nothing in it can be spelled in Latin letters and
 * digits.
 */
export const codeFromName = (name: string) =>
  name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(spelled, (letter) => SPELLED[letter]!)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SUGGESTION)
    .replace(/^-|-$/g, '')

export const taxFormKinds = ['w-9', 'w-8ben', 'w-8ben-e'] as const
export const TaxForm = z.strictObject({ kind: z.enum(taxFormKinds), receivedOn: DateOnly })
export type TaxForm = z.infer<typeof TaxForm>

/** Signed here by the partner, or recorded by the owner who received it. */
export const taxFormSources = ['owner', 'partner'] as const
export type TaxFormSource = (typeof taxFormSources)[number]

/** The form on file. `tinLast4`: the last four characters of its number, if the partner signed it here. */
export const TaxFormOnFile = z
  .object({
    kind: z.enum(taxFormKinds),
    receivedOn: DateOnly,
    source: z.enum(taxFormSources),
    tinLast4: z.string().nullable(),
  })
  .meta({ id: 'TaxFormOnFile' })
export type TaxFormOnFile = z.infer<typeof TaxFormOnFile>

/** Ways to pay that an owner may choose for one partner. */
export const ownMethods = ['wise', 'paypal', 'sepa', 'manual'] as const
export type OwnMethod = (typeof ownMethods)[number]

/** A partner's id in the owner's own system. */
export const PartnerExternalId = requiredText(100)

/** Years of payment, unique and ascending. */
export const PayoutYears = z
  .array(z.int('Enter a year').min(2000, 'Enter a year from 2000').max(2100, 'Enter a year up to 2100'))
  .max(100, 'Use at most 100 years')
  .transform((years) => [...new Set(years)].sort((a, b) => a - b))

/**
 * Texts about a partner, as entered. They are fields of new and changed partners, of replies, files, imports and the
 * table, read by everyone in the partner's line.
 */
export const partnerTexts = {
  firstName: optionalName(100).optional(),
  lastName: optionalName(100).optional(),
}

/** Texts likewise, read by the owner alone. */
export const ownersTexts = { note: optionalText(2000).optional() }

/**
 * `effectiveCommissionSettings` are the partner's own, else the group's, else the account's. `groupId` is the account's
 * ID in the default group; only the owner reads it. Goals never move a partner with `keepInGroup`.
 * `agreementVersion` is the newest version of the agreement that the partner accepted. `taxForm` and `payoutMethod`,
 * how the owner chose to pay the partner, are null for any partner. `note` is
 * the owner's own text and absent for anyone else. `earlierCodes` credit the partner like `referralCode`, which links
 * show; only the owner reads them. `externalId` is the partner's id in the owner's own system. A partner reading a descendant gets null commission settings,
 * approval and `balanceDue`, and a masked e-mail.
 */
export const Partner = z
  .object({
    id: Id,
    accountId: Id,
    parentPartnerId: Id.nullable(),
    ...eachField(partnerTexts, z.string().nullable()),
    displayName: z.string(),
    /** Null once erased. */
    email: z.string().nullable(),
    ...eachField(ownersTexts, z.string().nullable().optional()),
    externalId: z.string().nullable(),
    /** Of their mails while their profile says none; only the owner reads it. */
    language: z.string().nullable(),
    referralCode: z.string(),
    earlierCodes: z.array(z.string()).nullable(),
    commissionSettings: CommissionSettings.nullable(),
    effectiveCommissionSettings: CommissionSettings.nullable(),
    groupId: Id.nullable(),
    groupName: z.string().nullable(),
    keepInGroup: z.boolean().nullable(),
    agreementVersion: z.int().nullable(),
    approvedPayoutYears: z.array(z.int()).nullable(),
    approvedForPayouts: z.boolean().nullable(),
    state: PartnerState,
    invitationStatus: InvitationStatus.nullable(),
    balanceDue: Amount.nullable(),
    taxForm: TaxFormOnFile.nullable(),
    payoutMethod: z.enum(ownMethods).nullable(),
    erasedAt: Instant.nullable(),
    stats: Stats,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Partner' })
export type Partner = z.infer<typeof Partner>

/** `application`: ticked on the form of the program page, by a person who confirmed their e-mail. */
export const acceptedThrough = ['application', 'sign-in'] as const

/**
 * The record that a partner accepted a version; it never changes. Name, e-mail and network of the person are null once
 * they are erased; `userId` is null of an application.
 */
export const Acceptance = z
  .object({
    partnerId: Id,
    version: z.int(),
    /** Of the text that was shown, as its hash. */
    language: z.string(),
    textHash: z.string(),
    at: Instant,
    through: z.enum(acceptedThrough),
    userId: Id.nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    network: z.string().nullable(),
  })
  .meta({ id: 'Acceptance' })
export type Acceptance = z.infer<typeof Acceptance>

/** Created by a partner: names and e-mail only, never rates, a group or a code. */
export const NewSubPartner = z.strictObject({
  ...partnerTexts,
  email: Email,
  ...ownersTexts,
  referralCode: ReferralCode.nullish(),
  earlierCodes: EarlierCodes.optional(),
  commissionSettings: CommissionSettings.nullish(),
  groupId: Id.nullish(),
  sendInvitation: z.boolean().default(true),
})
export type NewSubPartner = z.infer<typeof NewSubPartner>

export const NewPartner = z.strictObject({
  ...NewSubPartner.shape,
  externalId: orEmpty(PartnerExternalId).optional(),
  language: LanguageTag.nullish(),
  parentPartnerId: Id.nullish(),
})
export type NewPartner = z.infer<typeof NewPartner>

/**
 * A parent may change names and e-mail of a sub-partner they invited, until the invitation is accepted. `appliesTo` is
 * the reach of a move to `groupId`. `earlierCodes` is the whole list: a code left out no longer credits, except
 * the one that `referralCode` replaces.
 */
export const PartnerChange = z.strictObject({
  ...partnerTexts,
  email: Email.optional(),
  ...ownersTexts,
  externalId: orEmpty(PartnerExternalId).optional(),
  language: LanguageTag.nullish(),
  referralCode: ReferralCode.optional(),
  earlierCodes: EarlierCodes.optional(),
  commissionSettings: CommissionSettings.nullish(),
  groupId: Id.optional(),
  appliesTo: z.enum(reaches).optional(),
  keepInGroup: z.boolean().optional(),
  approvedPayoutYears: PayoutYears.optional(),
  parentPartnerId: Id.nullish(),
  taxForm: TaxForm.nullish(),
  payoutMethod: z.enum(ownMethods).nullish(),
  state: z.enum(['active', 'suspended']).optional(),
  reason: optionalText(1000).optional(),
})
export type PartnerChange = z.infer<typeof PartnerChange>
/** Fields that decide whether a partner is paid. */
const forPayouts = ['approvedPayoutYears', 'taxForm', 'payoutMethod']

const filters = {
  state: anyOf(partnerStates),
  parentPartnerId: anyId,
  approved: flag,
  ...dateRange,
}
const sorts = ['name', 'salesRevenue'] as const

/** The people in a group: partners, or customers who refer customers. */
export const groupKinds = ['partners', 'customers'] as const
export type GroupKind = (typeof groupKinds)[number]

/** Whether a partner accepted the newest version of the agreement; archived ones don’t wait. */
export const agreementStates = ['accepted', 'waiting'] as const

export const createPartner = endpoint('createPartner', 'POST /accounts/:id/partners', {
  summary: 'Create a partner',
  allow: [...rights.earn, 'partners'],
  writable: {
    partners: [
      'firstName',
      'lastName',
      'email',
      'externalId',
      'language',
      'referralCode',
      'parentPartnerId',
      'groupId',
      'sendInvitation',
    ],
  },
  limit: apiLimit,
  subject: 'account',
  body: NewPartner,
  status: 201,
  reply: Partner,
})

/** `invitationUrl`: the link to pass on by hand, as in Invitation. */
export const PartnerPushResult = PushResult.extend({ invitationUrl: z.string().nullable() }).meta({
  id: 'PartnerPushResult',
})

/** `sendInvitation` is the default for rows without their own. */
export const createPartners = endpoint('createPartners', 'POST /accounts/:id/partners/bulk', {
  summary: 'Create 1 to 100 partners, each with its own result',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: z.strictObject({
    partners: z.array(z.unknown()).min(1, 'Send at least one partner').max(100, 'Send at most 100 partners'),
    sendInvitation: z.boolean().optional(),
  }),
  // room for a hundred rows with every field and ten rates
  maxValues: 3000,
  reply: z.object({ results: z.array(PartnerPushResult) }),
})

/** Most partners of one move. */
export const MOST_MOVED = 100

export const PartnersMove = z.strictObject({
  partnerIds: z.array(Id).min(1, 'Choose at least one partner').max(MOST_MOVED, 'Choose at most 100 partners'),
  groupId: Id,
  appliesTo: z.enum(reaches).default('all-sales'),
})

export const movePartners = endpoint('movePartners', 'POST /accounts/:id/partners/move', {
  summary: 'Move 1 to 100 partners to a group, each with its own result; booked sales never change',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: PartnersMove,
  reply: z.object({ results: z.array(PushResult) }),
})

export const createSubPartner = endpoint('createSubPartner', 'POST /partners/:id/partners', {
  summary: 'Create a sub-partner',
  allow: [...rights.earn, ...rights.partner],
  limit: apiLimit,
  subject: 'partner',
  body: NewSubPartner,
  status: 201,
  reply: Partner,
})

const partnerQuery = listQuery(
  {
    ...filters,
    groupId: anyId,
    groupKind: z.enum(groupKinds).optional(),
    externalId: PartnerExternalId.optional(),
    agreement: anyOf(agreementStates),
  },
  sorts,
)

export const listPartners = endpoint('listPartners', 'GET /accounts/:id/partners', {
  summary: 'List partners of every layer and state; from and to are creation dates',
  allow: [...rights.read, 'partners'],
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: partnerQuery,
  reply: pageSchema(Partner),
})

/** Sums over all partners that a list finds, of all time and in the account's currency. */
export const PartnerTotals = z
  .object({
    count: z.int(),
    numberOfLeads: z.int(),
    numberOfSales: z.int(),
    salesRevenue: z.int(),
    salesRevenueShare: z.int(),
    balanceDue: z.int(),
    currency: z.string(),
  })
  .meta({ id: 'PartnerTotals' })
export type PartnerTotals = z.infer<typeof PartnerTotals>

export const getPartnerTotals = endpoint('getPartnerTotals', 'GET /accounts/:id/partners/totals', {
  summary: 'Add up all partners of a list over all its pages',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: partnerQuery.omit({ limit: true, cursor: true, sort: true }),
  reply: PartnerTotals,
})

/** The columns of each partner, in this order. */
const inFile = [
  ...['id', ...fieldNames(partnerTexts), 'email', 'referralCode', 'state', 'parentPartnerId'],
  ...['numberOfPartners', 'numberOfLeads', 'numberOfSales', 'salesRevenue', 'salesRevenueShare', 'balanceDue'],
  ...['currency', 'approvedForPayouts', 'invitationStatus', 'createdAt'],
]

export const downloadPartners = csvEndpoint(listPartners, {
  summary: 'Download all partners',
  file: 'partners',
  fields: inFile,
  more: [...fieldNames(ownersTexts), 'externalId', 'groupName', 'agreementVersion'],
})

export const listSubPartners = endpoint('listSubPartners', 'GET /partners/:id/partners', {
  summary: 'List a partner’s direct sub-partners',
  allow: [...rights.read, ...rights.partner, 'ancestor'],
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery(filters, sorts),
  reply: pageSchema(Partner),
})

export const downloadSubPartners = csvEndpoint(listSubPartners, {
  summary: 'Download the direct sub-partners of a partner; values masked for the parent are empty',
  file: 'partners',
  fields: inFile,
})

export const getPartner = endpoint('getPartner', 'GET /partners/:id', {
  summary: 'Retrieve a partner; partners above them see a reduced version',
  allow: [...rights.read, ...rights.partner, 'ancestor', 'partners'],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  subject: 'partner',
  reply: Partner,
})

export const changePartner = endpoint('changePartner', 'PUT /partners/:id', {
  summary: 'Update a partner; only new sales are affected',
  allow: [...rights.earnOrPay, ...rights.partner, 'ancestor', 'partners'],
  writable: {
    partners: ['firstName', 'lastName', 'email', 'externalId', 'language', 'groupId'],
    manager: Object.keys(PartnerChange.shape).filter((field) => !forPayouts.includes(field)),
    finance: forPayouts,
  },
  limit: apiLimit,
  subject: 'partner',
  body: PartnerChange,
  reply: Partner,
})

const PartnerByExternalId = z.strictObject({
  ...partnerTexts,
  email: Email,
  referralCode: ReferralCode.nullish(),
  parentPartnerId: Id.nullish(),
  groupId: Id.nullish(),
  language: LanguageTag.nullish(),
  sendInvitation: z.boolean().default(false),
  customer: z.strictObject({ connectionId: Id, customerId: requiredText(255) }).optional(),
})
export type PartnerByExternalId = z.infer<typeof PartnerByExternalId>

/** Changes the given fields of a known partner, except code and parent, which only count on creation. */
export const upsertPartner = endpoint('upsertPartner', 'PUT /accounts/:id/partners/by-external-id/:externalId', {
  summary: 'Create the partner with this id of your own system; a known one is updated and returns 200',
  allow: [...rights.earn, 'partners'],
  limit: apiLimit,
  subject: 'account',
  params: z.strictObject({ id: Id, externalId: z.string().max(1300) }),
  body: PartnerByExternalId,
  status: 201,
  orStatus: 200,
  reply: Partner,
})

export const deletePartner = endpoint('deletePartner', 'DELETE /partners/:id', {
  summary: 'Delete a partner who has no history',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'partner',
  status: 204,
})

/** `shown`: the open balance that a person saw, which is voided only if it is still that. */
export const PartnerArchiving = z
  .strictObject({
    subPartners: z.enum(['move-up', 'keep']).default('move-up'),
    balance: z.enum(['pay-out', 'void']).default('pay-out'),
    reason: optionalText(1000).optional(),
    shown: z.strictObject({ openBalance: Amount }).optional(),
  })
  .refine(({ balance, reason }) => balance !== 'void' || reason, { path: ['reason'], message: 'Reason is required' })
export type PartnerArchiving = z.infer<typeof PartnerArchiving>

export const archivePartner = endpoint('archivePartner', 'POST /partners/:id/archive', {
  summary: 'Archive a partner; past commissions never move',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'partner',
  body: PartnerArchiving,
  reply: Partner,
})
