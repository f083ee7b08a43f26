import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { fraudRules } from './fraud.ts'
import { Amount, anyId, anyOf, Id, Instant, listQuery, pageSchema, Reasoned, requiredText } from './values.ts'

export const caseSubjects = ['sale', 'lead', 'partner'] as const
export const caseStates = ['open', 'decided'] as const
/** `expired`: its hold ended after 30 days without a decision. */
export const caseDecisions = ['released', 'voided', 'expired'] as const

/** A rule’s finding, in words for the account’s team. `partnerId`: another partner that it is about. */
export const FraudFinding = z
  .object({ rule: z.enum(fraudRules), evidence: z.string(), partnerId: Id.nullable() })
  .meta({ id: 'FraudFinding' })
export type FraudFinding = z.infer<typeof FraudFinding>

/** A case as events contain it: by its ids. */
export const FraudCaseSnapshot = z
  .object({
    id: Id,
    accountId: Id,
    subject: z.enum(caseSubjects),
    saleId: Id.nullable(),
    leadId: Id.nullable(),
    partnerId: Id,
    action: z.enum(['flag', 'hold']),
    findings: z.array(FraudFinding),
    openedAt: Instant,
    heldUntil: Instant.nullable(),
    state: z.enum(caseStates),
    decision: z.enum(caseDecisions).nullable(),
    decidedAt: Instant.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'FraudCaseSnapshot' })
export type FraudCaseSnapshot = z.infer<typeof FraudCaseSnapshot>

/**
 * Findings about a sale, a lead or a partner, which wait for a decision. With the action `hold`, the sale, or new sales
 * of the lead or partner, are on hold until `heldUntil`; `heldSales` is their number, `heldAmount` their commission, of all
 * layers. `question` was mailed to the partner.
 */
export const FraudCase = FraudCaseSnapshot.extend({
  leadName: z.string().nullable(),
  partnerName: z.string(),
  partnerState: z.enum(['active', 'suspended', 'archived']),
  rules: z.array(z.enum(fraudRules)),
  saleAmount: Amount.nullable(),
  saleCurrency: z.string().nullable(),
  heldSales: z.int(),
  heldAmount: Amount,
  currency: z.string(),
  decidedBy: z.string().nullable(),
  question: z.string().nullable(),
  askedAt: Instant.nullable(),
  answer: z.string().nullable(),
  answeredAt: Instant.nullable(),
}).meta({ id: 'FraudCase' })
export type FraudCase = z.infer<typeof FraudCase>

/** A question of the account to a partner, without its subject. */
export const PartnerQuestion = z
  .object({
    id: Id,
    question: z.string(),
    askedAt: Instant,
    answer: z.string().nullable(),
    answeredAt: Instant.nullable(),
  })
  .meta({ id: 'PartnerQuestion' })
export type PartnerQuestion = z.infer<typeof PartnerQuestion>

export const NewQuestion = z.strictObject({ text: requiredText(1000) })
export const NewAnswer = z.strictObject({ questionId: Id, text: requiredText(1000) })

/** `shown` is what the deciding person saw of the case: a value that is left out isn't compared. */
export const CaseDecision = Reasoned.extend({
  shown: z.strictObject({ heldSales: z.int(), heldAmount: Amount }).partial().optional(),
})
export type CaseDecision = z.infer<typeof CaseDecision>

export const listCases = endpoint('listCases', 'GET /accounts/:id/cases', {
  summary: 'List cases of possible fraud; open ones unless asked for others',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ state: anyOf(caseStates), rule: anyOf(fraudRules), partnerId: anyId }, ['heldUntil']),
  reply: pageSchema(FraudCase),
})

export const downloadCases = csvEndpoint(listCases, { summary: 'Download all cases', file: 'cases' })

export const getCase = endpoint('getCase', 'GET /cases/:id', {
  summary: 'Retrieve a case with its findings',
  allow: rights.read,
  limit: apiLimit,
  subject: 'case',
  reply: FraudCase,
})

export const releaseCase = endpoint('releaseCase', 'POST /cases/:id/release', {
  summary: 'Close a case and release what it holds',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'case',
  body: CaseDecision,
  reply: FraudCase,
})

export const voidCase = endpoint('voidCase', 'POST /cases/:id/void', {
  summary: 'Close a case and void its sale, or the sales it holds',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'case',
  body: CaseDecision,
  reply: FraudCase,
})

export const suspendPartnerForCase = endpoint('suspendPartnerForCase', 'POST /cases/:id/suspend', {
  summary: 'Suspend the partner of an open case; the case stays open',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'case',
  body: Reasoned,
  reply: FraudCase,
})

export const askPartnerAboutCase = endpoint('askPartnerAboutCase', 'POST /cases/:id/question', {
  summary: 'Mail the partner of an open case a question, once',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'case',
  body: NewQuestion,
  reply: FraudCase,
})

export const listQuestions = endpoint('listQuestions', 'GET /partners/:id/questions', {
  summary: 'List the open questions of the account to a partner',
  tag: 'partners',
  allow: rights.partner,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({}),
  reply: pageSchema(PartnerQuestion),
})

export const answerQuestion = endpoint('answerQuestion', 'POST /partners/:id/answers', {
  summary: 'Answer a question of the account, once',
  tag: 'partners',
  allow: rights.partner,
  inPortal: true,
  whileInactive: true,
  limit: apiLimit,
  subject: 'partner',
  body: NewAnswer,
  reply: PartnerQuestion,
})
