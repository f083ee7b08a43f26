import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Events, Refusals } from '#contract/feature-parts.ts'
import { fraudRules } from '#contract/fraud.ts'
import { NewQuestion, questionFields } from '#contract/questions.ts'
import { Amount, anyId, anyOf, Id, Instant, listQuery, pageSchema, Reasoned } from '#contract/values.ts'

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
  ...questionFields,
}).meta({ id: 'FraudCase' })
export type FraudCase = z.infer<typeof FraudCase>

/** `shown` is what the deciding person saw of the case: a value that is left out isn't compared. */
export const ShownCase = z.strictObject({ heldSales: z.int(), heldAmount: Amount }).partial()
export const CaseDecision = Reasoned.extend({ shown: ShownCase.optional() })
export type CaseDecision = z.infer<typeof CaseDecision>

/** Over all pages, in the account’s currency: the number of cases, and the commission that they hold. */
export const CaseTotals = z
  .object({ count: z.int(), heldAmount: Amount, currency: z.string() })
  .meta({ id: 'CaseTotals' })

export const refusals = {
  case_decided: ['invalid_state', 'This case was already decided.'],
  case_decided_by: ['invalid_state', 'This case was decided by {{name}}.'],
  case_expired: ['invalid_state', 'The hold of this case ended after 30 days without a decision.'],
  case_holds_many_sales: [
    'invalid_state',
    'This case holds more than {{max}} sales. Void some of them in the list of sales first.',
  ],
  case_question_asked: ['invalid_state', 'The partner was already asked about this case.'],
  case_changed: ['conflict', 'This case holds {{sales}} and {{amount}} in commission now. Review it again.'],
} as const satisfies Refusals

export const listCases = endpoint('listCases', 'GET /accounts/:id/cases', {
  summary: 'List cases of possible fraud; open ones unless asked for others',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ state: anyOf(caseStates), rule: anyOf(fraudRules), partnerId: anyId }, ['heldUntil']),
  reply: pageSchema(FraudCase).extend({ totals: CaseTotals }),
})

export const downloadCases = csvEndpoint(listCases, { summary: 'Download all cases', file: 'cases' })

export const getCase = endpoint('getCase', 'GET /cases/:id', {
  summary: 'Retrieve a case with its findings',
  allow: rights.read,
  tool: true,
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

export const recordedEvents = { 'case.partner-asked': 'case', 'case.partner-answered': 'case' } as const

export const events = {
  'case.opened': { object: FraudCaseSnapshot, description: 'A case was opened.' },
  'case.decided': { object: FraudCaseSnapshot, description: 'A case was decided.' },
} as const satisfies Events

/** Items of an owner’s dashboard, each with the kind that it follows there. */
export const attention = { 'open-cases': 'unattributed-leads' } as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'sales'

declare module '#contract/endpoint.ts' {
  interface Subjects {
    case: 'cases'
  }
}
