import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { oneOrMany, PushResults, pushCall } from './push.ts'
import { LeadStats } from './stats.ts'
import {
  AttributionModel,
  anyId,
  anyOf,
  broughtBy,
  dateRange,
  Email,
  EnteredDay,
  ExternalId,
  GivenClickId,
  GivenReferralCode,
  Id,
  Instant,
  listQuery,
  Metadata,
  onlyTrue,
  optionalText,
  orEmpty,
  Phone,
  pageSchema,
  plainText,
  requiredText,
} from './values.ts'

export const leadStatuses = ['new', 'qualified', 'won', 'lost', 'rejected', 'expired', 'duplicate'] as const
export const LeadStatus = z.enum(leadStatuses)
export type LeadStatus = z.infer<typeof LeadStatus>

/** Hours after which a lead that is still new counts as waiting for an answer. */
export const ANSWER_HOURS = 48

/** Reasons a lead was lost or rejected. */
export const leadReasons = [
  'duplicate',
  'existing-customer',
  'not-a-fit',
  'insufficient-info',
  'out-of-territory',
  'too-early',
  'no-response',
  'spam',
  'self-referral',
  'other',
] as const
export type LeadReason = (typeof leadReasons)[number]

export const leadSources = ['embed', 'manual', 'api', 'incoming-webhook', 'provider', 'import', 'partner'] as const
export type LeadSource = (typeof leadSources)[number]

/** Why a customer gets no reward for a friend: the friend is the customer, had paid before, or got all their money back. */
export const noRewardReasons = ['self-referral', 'paid-before', 'refunded'] as const
export type NoRewardReason = (typeof noRewardReasons)[number]

/** The rule that found the partner of a lead. */
export const leadMatchRules = ['click', 'code', 'coupon', 'manual', 'email'] as const
export type LeadMatchRule = (typeof leadMatchRules)[number]

/**
 * For a partner, names, e-mail, phone and company are masked as the account chose; `externalId`, `landingUrl`,
 * `referrer`, `statusReason` and `selfReferral` are null and `metadata` is empty. `selfReferral` is the strictest
 * outcome of the account's policy for a sale of this lead to its own partner: commission refused, held now, or only
 * flagged. `noReward`: why the customer who referred this lead gets no reward for it; null for other partners.
 */
export const Lead = z
  .object({
    id: Id,
    accountId: Id,
    partnerId: Id.nullable(),
    partnerName: z.string().nullable(),
    blueprintId: Id.nullable(),
    clickId: Id.nullable(),
    linkId: Id.nullable(),
    linkName: z.string().nullable(),
    subId: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    displayName: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    company: z.string().nullable(),
    externalId: z.string().nullable(),
    source: z.enum(leadSources),
    status: LeadStatus,
    statusReason: z.string().nullable(),
    sharedNote: z.string().nullable(),
    protectedUntil: Instant.nullable(),
    landingUrl: z.string().nullable(),
    referrer: z.string().nullable(),
    country: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    duplicateOfId: Id.nullable(),
    attribution: z.object({ model: AttributionModel, matchedBy: z.enum(leadMatchRules), at: Instant }).nullable(),
    selfReferral: z.enum(['refuse', 'hold', 'flag']).nullable(),
    noReward: z.enum(noRewardReasons).nullable(),
    stats: LeadStats,
    erasedAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Lead' })
export type Lead = z.infer<typeof Lead>

/** A lead's identity: the fields shared by every way in. */
export const leadFields = {
  firstName: optionalText(100).optional(),
  lastName: optionalText(100).optional(),
  email: orEmpty(Email).optional(),
  phone: orEmpty(Phone).optional(),
  company: optionalText(200).optional(),
  externalId: orEmpty(ExternalId).optional(),
  metadata: Metadata.optional(),
}

/** Returns whether a lead can be found again: it has an e-mail, a phone or an external id. */
export const isReachable = (lead: {
  email?: string | null | undefined
  phone?: string | null | undefined
  externalId?: string | null | undefined
}) => Boolean(lead.email || lead.phone || lead.externalId)

export const unreachable = { path: ['email'], message: 'Enter an email, phone or external ID' }

export const NewLead = z.strictObject({ partnerId: Id.nullish(), ...leadFields }).refine(isReachable, unreachable)
export type NewLead = z.infer<typeof NewLead>

/** One of e-mail, phone and external id must remain afterwards: the server checks the result. */
export const LeadChange = z.strictObject({ ...leadFields, protectedUntil: EnteredDay.nullish() })
export type LeadChange = z.infer<typeof LeadChange>

const filters = {
  status: anyOf(leadStatuses),
  source: anyOf(leadSources),
  ...dateRange,
}
const sorts = ['name', 'salesRevenue'] as const
/** Columns of files that come only on request: the own link and sub-ID of the visit. */
const OF_VISIT = ['linkId', 'linkName', 'subId']

const leadQuery = listQuery(
  { ...filters, broughtBy, partnerId: anyId, blueprintId: anyId, duplicateOfId: anyId, unanswered: onlyTrue },
  sorts,
)

export const listLeads = endpoint('listLeads', 'GET /accounts/:id/leads', {
  summary: 'List all leads; from and to are creation dates, and unanswered leads have been new for more than 48 hours',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: leadQuery,
  reply: pageSchema(Lead),
})

/** Sums over all leads that a list finds, of all time and in the account's currency; duplicates earn nothing. */
export const LeadTotals = z
  .object({
    count: z.int(),
    numberOfSales: z.int(),
    salesRevenue: z.int(),
    salesRevenueShare: z.int(),
    currency: z.string(),
  })
  .meta({ id: 'LeadTotals' })
export type LeadTotals = z.infer<typeof LeadTotals>

export const getLeadTotals = endpoint('getLeadTotals', 'GET /accounts/:id/leads/totals', {
  summary: 'Add up all leads of a list over all its pages',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: leadQuery.omit({ limit: true, cursor: true, sort: true }),
  reply: LeadTotals,
})

export const downloadLeads = csvEndpoint(listLeads, {
  summary: 'Download all leads',
  file: 'leads',
  more: OF_VISIT,
})

export const listPartnerLeads = endpoint('listPartnerLeads', 'GET /partners/:id/leads', {
  summary: 'List a partner’s own leads',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery(filters, sorts),
  reply: pageSchema(Lead),
})

export const downloadPartnerLeads = csvEndpoint(listPartnerLeads, {
  summary: 'Download the leads of a partner; values masked for them are empty',
  file: 'leads',
  more: OF_VISIT,
})

/** Leads that may be of one company: per match their number and the latest five. */
export const SimilarLeads = z
  .object({
    items: z.array(
      z.object({
        by: z.enum(['domain', 'company']),
        value: z.string(),
        total: z.int(),
        leads: z.array(
          z.object({
            id: Id,
            displayName: z.string(),
            partnerName: z.string().nullable(),
            status: LeadStatus,
            createdAt: Instant,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'SimilarLeads' })
export type SimilarLeads = z.infer<typeof SimilarLeads>

export const findSimilarLeads = endpoint('findSimilarLeads', 'GET /accounts/:id/leads/similar', {
  summary: 'Find leads of the same company by name and email domain; domains of public mail providers are ignored',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  query: z.strictObject({
    email: plainText(254).optional(),
    company: plainText(200).optional(),
    /** The lead being viewed, which is left out of the results. */
    leadId: Id.optional(),
  }),
  reply: SimilarLeads,
})

export const createLead = endpoint('createLead', 'POST /accounts/:id/leads', {
  summary: 'Create a lead by hand',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewLead,
  status: 201,
  reply: Lead,
})

/** A lead as a partner registers it; `note` goes to its timeline. */
export const SubmittedLead = z
  .strictObject({
    firstName: leadFields.firstName,
    lastName: leadFields.lastName,
    email: leadFields.email,
    phone: leadFields.phone,
    company: leadFields.company,
    note: optionalText(2000).optional(),
  })
  .refine(isReachable, { path: ['email'], message: 'Enter an email or phone' })
export type SubmittedLead = z.infer<typeof SubmittedLead>

/**
 * `registeredAt` and `protectedUntil` are of the partner's own registration, null without end. If someone else
 * registered the lead first nothing about it is disclosed: `lead` and `protectedUntil` are null.
 */
export const LeadSubmissionResult = z
  .object({
    verdict: z.enum(['new', 'yours', 'already-registered']),
    lead: Lead.nullable(),
    registeredAt: Instant,
    protectedUntil: Instant.nullable(),
  })
  .meta({ id: 'LeadSubmissionResult' })
export type LeadSubmissionResult = z.infer<typeof LeadSubmissionResult>

export const submitLead = endpoint('submitLead', 'POST /partners/:id/leads', {
  summary: 'Submit a lead as a partner, if the account allows it',
  allow: [...rights.earn, ...rights.partner],
  inPortal: true,
  subject: 'partner',
  body: SubmittedLead,
  status: 201,
  reply: LeadSubmissionResult,
  limit: { perMinute: 30, by: 'token' },
})

export const getLead = endpoint('getLead', 'GET /leads/:id', {
  summary: 'Retrieve a lead; its partner sees it masked',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  subject: 'lead',
  reply: Lead,
})

export const changeLead = endpoint('changeLead', 'PUT /leads/:id', {
  summary: 'Update a lead, including its protection',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'lead',
  body: LeadChange,
  reply: Lead,
})

export const deleteLead = endpoint('deleteLead', 'DELETE /leads/:id', {
  summary: 'Delete a lead that has no sales',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'lead',
  status: 204,
})

/**
 * Lost and rejected need one of the reasons; reopening accepts any words. `sharedNote` is also shown to the partner.
 */
export const LeadStatusChange = z
  .strictObject({
    status: LeadStatus,
    reason: plainText(1000).optional(),
    note: optionalText(1000).optional(),
    sharedNote: optionalText(1000).optional(),
  })
  .refine(
    ({ status, reason }) =>
      (status !== 'lost' && status !== 'rejected') || (leadReasons as readonly (string | undefined)[]).includes(reason),
    { path: ['reason'], message: 'Choose a reason' },
  )
export type LeadStatusChange = z.infer<typeof LeadStatusChange>

export const changeLeadStatus = endpoint('changeLeadStatus', 'POST /leads/:id/status', {
  summary: 'Change the status of a lead',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'lead',
  body: LeadStatusChange,
  reply: Lead,
})

/**
 * A step of the timeline: click, lead, status, sale, refund or payout. `actor` is a name, null for the product itself.
 */
export const LeadEvent = z
  .object({
    at: Instant,
    type: z.string(),
    actor: z.string().nullable(),
    text: z.string(),
    link: z.string().nullable(),
  })
  .meta({ id: 'LeadEvent' })
export type LeadEvent = z.infer<typeof LeadEvent>

export const listLeadEvents = endpoint('listLeadEvents', 'GET /leads/:id/events', {
  summary: 'List the timeline of a lead',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'lead',
  query: listQuery({}),
  reply: pageSchema(LeadEvent),
})

export const downloadLeadEvents = csvEndpoint(listLeadEvents, {
  summary: 'Download the timeline of a lead',
  file: 'timeline',
})

/** A lead's submission as received, without secrets; over 16 kB only its beginning, as text. */
export const LeadSubmission = z
  .object({ at: Instant, source: z.enum(leadSources), body: z.unknown() })
  .meta({ id: 'LeadSubmission' })
export type LeadSubmission = z.infer<typeof LeadSubmission>

export const listLeadSubmissions = endpoint('listLeadSubmissions', 'GET /leads/:id/submissions', {
  summary: 'List the submissions of a lead in the last 400 days, as received',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'lead',
  query: listQuery({}),
  reply: pageSchema(LeadSubmission),
})

export const downloadLeadSubmissions = csvEndpoint(listLeadSubmissions, {
  summary: 'Download the times and sources of a lead’s submissions',
  file: 'submissions',
})

/** A note added to the timeline; the partner reads it if it is shared. */
export const NewLeadNote = z.strictObject({ text: requiredText(2000), shared: z.boolean().optional() })
export type NewLeadNote = z.infer<typeof NewLeadNote>

export const addLeadNote = endpoint('addLeadNote', 'POST /leads/:id/notes', {
  summary: 'Add a note to the timeline of a lead; its partner sees it only if it is shared',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'lead',
  body: NewLeadNote,
  status: 201,
  reply: LeadEvent,
})

/**
 * An existing lead is matched by external id, else e-mail, else phone. If the partner is named in several ways, a click
 * wins, then the partner.
 */
export const NewPushedLead = z
  .strictObject({
    ...leadFields,
    referralCode: orEmpty(GivenReferralCode).optional(),
    partnerId: Id.nullish(),
    clickId: GivenClickId.nullish(),
  })
  .refine(isReachable, unreachable)
  .meta({ id: 'NewPushedLead' })
export type NewPushedLead = z.infer<typeof NewPushedLead>

export const pushLeads = endpoint('pushLeads', 'POST /push/leads', {
  ...pushCall,
  tag: 'push',
  summary: 'Create or update leads; a known lead returns 200',
  body: oneOrMany(NewPushedLead),
  reply: z.union([Lead, PushResults]),
})
