import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Events, Refusals } from '#contract/feature-parts.ts'
import { owner, ownerAndPartner, readableBy } from '#contract/field-readers.ts'
import { LeadStatus } from '#contract/leads.ts'
import { NewQuestion, questionFields } from '#contract/questions.ts'
import { matchRules, saleStatuses } from '#contract/sales.ts'
import {
  Amount,
  anyId,
  anyOf,
  Currency,
  DateOnly,
  dateRange,
  Email,
  EnteredAmount,
  ExternalId,
  eachField,
  Id,
  Instant,
  listQuery,
  optionalText,
  orEmpty,
  pageSchema,
  requiredText,
} from '#contract/values.ts'

export const claimStates = ['open', 'accepted', 'refused'] as const
export const ClaimState = z.enum(claimStates)
export type ClaimState = z.infer<typeof ClaimState>

/** Days before today that a partner may name as the day of a missing sale, and days before that which are searched. */
export const CLAIM_DAYS = 60
/** Most open claims of a partner, and most that one makes on a day. */
export const MOST_CLAIMS = 20

/**
 * A partner’s report that a sale is missing. It names an order, or the customer’s e-mail and the day they paid; e-mail,
 * note, question and answer are null once they are deleted. `credited`: an open claim whose sale is the partner’s by
 * now. `question` was mailed to the partner, and is open until `answeredAt`. A partner reads what they sent, the
 * question and their answer, the state, its time, and the reason of a refusal.
 */
export const Claim = z
  .object({
    id: Id,
    accountId: Id,
    partnerId: Id,
    partnerName: z.string(),
    orderId: z.string().nullable(),
    email: z.string().nullable(),
    day: DateOnly.nullable(),
    note: z.string().nullable(),
    state: ClaimState,
    reason: z.string().nullable(),
    credited: z.boolean().nullable(),
    saleId: Id.nullable(),
    leadId: Id.nullable(),
    leadName: z.string().nullable(),
    createdAt: Instant,
    decidedAt: Instant.nullable(),
    decidedBy: z.string().nullable(),
    ...questionFields,
  })
  .meta({ id: 'Claim' })
export type Claim = z.infer<typeof Claim>

/** Whether a candidate can be accepted, or why it can’t. `credited`: it is the partner’s already. */
export const candidateStates = [
  'ready',
  'credited',
  'of-other-partner',
  'void',
  'test',
  'rejected',
  'duplicate',
  'erased',
] as const
export type CandidateState = (typeof candidateStates)[number]

/**
 * A sale or lead that fits a claim. `named` are the ways in which it fits what the partner named; `fits` the rules of
 * attribution that lead to this partner, the strongest first; one that the product would not credit doesn’t count. In `score` a stronger rule outweighs all weaker ones
 * together; 0 if none leads to the partner.
 */
export const ClaimCandidate = z
  .object({
    kind: z.enum(['sale', 'lead']),
    id: Id,
    leadId: Id.nullable(),
    name: z.string(),
    partnerId: Id.nullable(),
    partnerName: z.string().nullable(),
    day: DateOnly,
    amount: Amount.nullable(),
    currency: z.string().nullable(),
    saleStatus: z.enum(saleStatuses).nullable(),
    leadStatus: LeadStatus.nullable(),
    state: z.enum(candidateStates),
    named: z.array(z.string()),
    fits: z.array(z.object({ rule: z.enum(matchRules), why: z.string(), counts: z.boolean() })),
    score: z.int(),
  })
  .meta({ id: 'ClaimCandidate' })
export type ClaimCandidate = z.infer<typeof ClaimCandidate>

/**
 * A claim with all that fits it, best first, at most 50 sales and 50 leads. `from` and `to` are the days searched, and
 * `clicks` those of the partner on them. `others` are claims, of any partner, that name the same.
 */
export const ClaimWithCandidates = Claim.extend({
  from: DateOnly,
  to: DateOnly,
  clicks: z.object({ count: z.int(), lastDay: DateOnly.nullable() }),
  candidates: z.array(ClaimCandidate),
  others: z.array(z.object({ id: Id, partnerId: Id, partnerName: z.string(), state: ClaimState, createdAt: Instant })),
}).meta({ id: 'ClaimWithCandidates' })
export type ClaimWithCandidates = z.infer<typeof ClaimWithCandidates>

/** A claim as events contain it: without the customer’s e-mail and what people wrote. */
export const ClaimSnapshot = Claim.omit({
  email: true,
  note: true,
  reason: true,
  leadName: true,
  decidedBy: true,
  credited: true,
  question: true,
  askedAt: true,
  answer: true,
  answeredAt: true,
}).meta({
  id: 'ClaimSnapshot',
})
export type ClaimSnapshot = z.infer<typeof ClaimSnapshot>

export const NewClaim = z
  .strictObject({
    orderId: orEmpty(
      requiredText(200).refine(
        (value) => !/\S@\S/.test(value),
        'Enter an order ID, or the email with the day of the sale',
      ),
    ).optional(),
    email: orEmpty(Email).optional(),
    day: orEmpty(DateOnly).optional(),
    note: optionalText(1000).optional(),
  })
  .refine(({ orderId, email }) => orderId || email, { path: ['orderId'], message: 'Enter an order ID or an email' })
  .refine(({ orderId, email, day }) => !orderId || !(email || day), {
    path: ['email'],
    message: 'Enter either an order ID, or an email and a day',
  })
  .refine(({ email, day }) => !email || day, { path: ['day'], message: 'Enter the day of the sale' })
export type NewClaim = z.infer<typeof NewClaim>

export const readers = [
  readableBy(Claim, {
    id: ownerAndPartner,
    accountId: ownerAndPartner,
    partnerId: ownerAndPartner,
    partnerName: ownerAndPartner,
    orderId: ownerAndPartner,
    email: ownerAndPartner,
    day: ownerAndPartner,
    note: ownerAndPartner,
    state: ownerAndPartner,
    reason: ownerAndPartner,
    credited: owner,
    saleId: owner,
    leadId: owner,
    leadName: owner,
    createdAt: ownerAndPartner,
    decidedAt: ownerAndPartner,
    decidedBy: owner,
    question: ownerAndPartner,
    askedAt: ownerAndPartner,
    answer: ownerAndPartner,
    answeredAt: ownerAndPartner,
  }),
  readableBy(ClaimWithCandidates, eachField(ClaimWithCandidates.shape, owner)),
]

export const refusals = {
  claim_day_too_early: ['validation_failed', 'Enter a day within the last {{days}} days'],
  claims_open: [
    'invalid_state',
    'You can have at most {{max}} open claims. Please wait until some of them are decided.',
  ],
  claims_today: ['invalid_state', 'You can make at most {{max}} claims a day. Make the next one tomorrow.'],
  claim_decided: ['invalid_state', 'This claim was already decided. Reload it to see how.'],
  claim_sale_of_other_partner: [
    'conflict',
    'This sale is credited to another partner and stays theirs. Accept another sale, or decline the claim.',
  ],
  claim_lead_of_other_partner: [
    'conflict',
    'This lead is another partner’s. Reassign the lead first, or decline the claim.',
  ],
  claim_lead_is_duplicate: ['invalid_state', 'This lead is a duplicate. Accept the lead that it duplicates.'],
  claim_partner_inactive: [
    'invalid_state',
    'This partner is suspended or archived. Restore them first, or decline the claim.',
  ],
  claim_question_asked: ['invalid_state', 'The partner was already asked about this claim. Reload it to see what.'],
} as const satisfies Refusals

export const createClaim = endpoint('createClaim', 'POST /partners/:id/claims', {
  summary: 'Report a missing sale; the same claim again returns the open one',
  allow: rights.partner,
  inPortal: true,
  limit: { perMinute: 30, by: 'token' },
  subject: 'partner',
  body: NewClaim,
  status: 201,
  reply: Claim,
})

export const listPartnerClaims = endpoint('listPartnerClaims', 'GET /partners/:id/claims', {
  summary: 'List a partner’s claims of missing sales',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({ state: anyOf(claimStates) }),
  reply: pageSchema(Claim),
})

export const downloadPartnerClaims = csvEndpoint(listPartnerClaims, {
  summary: 'Download a partner’s claims of missing sales',
  file: 'claims',
})

export const listClaims = endpoint('listClaims', 'GET /accounts/:id/claims', {
  summary: 'List partners’ claims of missing sales; from and to are the days on which they were made',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ state: anyOf(claimStates), partnerId: anyId, ...dateRange }),
  reply: pageSchema(Claim),
})

export const downloadClaims = csvEndpoint(listClaims, {
  summary: 'Download partners’ claims of missing sales',
  file: 'claims',
})

export const getClaim = endpoint('getClaim', 'GET /claims/:id', {
  summary: 'Retrieve a claim with the sales and leads that fit it',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  subject: 'claim',
  reply: ClaimWithCandidates,
})

/** A sale that was never recorded, of the customer with this e-mail, who may be new. */
export const ClaimedSale = z.strictObject({
  email: Email,
  amount: EnteredAmount,
  currency: Currency.optional(),
  saleDate: DateOnly.optional(),
  externalId: orEmpty(ExternalId).optional(),
  description: optionalText(1000).optional(),
})
export type ClaimedSale = z.infer<typeof ClaimedSale>

/**
 * The sale or lead that the claim is about, or a sale that is recorded with it; the reason goes to the lead’s timeline if
 * it gets the partner.
 */
export const AcceptedClaim = z
  .strictObject({
    saleId: Id.optional(),
    leadId: Id.optional(),
    sale: ClaimedSale.optional(),
    reason: optionalText(500).optional(),
  })
  .refine(({ saleId, leadId, sale }) => [saleId, leadId, sale].filter((one) => one !== undefined).length === 1, {
    path: ['saleId'],
    message: 'Choose a sale or a lead, or add the sale',
  })
export type AcceptedClaim = z.infer<typeof AcceptedClaim>

export const acceptClaim = endpoint('acceptClaim', 'POST /claims/:id/accept', {
  summary: 'Accept a claim: credit its partner with a sale, which may be recorded with it, or give them the lead',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'claim',
  body: AcceptedClaim,
  reply: ClaimWithCandidates,
})

export const RefusedClaim = z.strictObject({ reason: requiredText(500) })
export type RefusedClaim = z.infer<typeof RefusedClaim>

export const refuseClaim = endpoint('refuseClaim', 'POST /claims/:id/refuse', {
  summary: 'Refuse a claim; its partner reads the reason',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'claim',
  body: RefusedClaim,
  reply: ClaimWithCandidates,
})

export const askPartnerAboutClaim = endpoint('askPartnerAboutClaim', 'POST /claims/:id/question', {
  summary: 'Mail the partner of an open claim a question, once; the claim stays open',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'claim',
  body: NewQuestion,
  reply: ClaimWithCandidates,
})

export const recordedEvents = { 'claim.partner-asked': 'claim', 'claim.partner-answered': 'claim' } as const

export const events = {
  'claim.made': { object: ClaimSnapshot, description: 'A partner claimed a missing sale.' },
  'claim.decided': { object: ClaimSnapshot, description: 'A claim of a missing sale was accepted or refused.' },
} as const satisfies Events

export const mailKinds = ['claim-made', 'claim-decided'] as const
/** Items of an owner’s dashboard, each with the kind that it follows there. */
export const attention = { 'open-claims': 'waiting-applications' } as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'sales'

declare module '#contract/endpoint.ts' {
  interface Subjects {
    claim: 'claims'
  }
}
