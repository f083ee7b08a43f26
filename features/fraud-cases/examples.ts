import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, lead, onlyPage, owner, partner } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const caseTold: room.FraudCaseSnapshot = {
  id: ids.case,
  accountId: ids.account,
  subject: 'sale',
  saleId: ids.sale,
  leadId: ids.lead,
  partnerId: ids.partner,
  action: 'hold',
  findings: [{ rule: 'self-referral', evidence: 'The payer’s email is the referring partner’s own.', partnerId: null }],
  openedAt: '2026-08-20T10:04:11.000Z',
  heldUntil: '2026-09-19T10:04:11.000Z',
  state: 'open',
  decision: null,
  decidedAt: null,
  reason: null,
}

const open: room.FraudCase = {
  ...caseTold,
  leadName: lead.displayName,
  partnerName: partner.displayName,
  partnerState: 'active',
  rules: ['self-referral'],
  saleAmount: 499_00,
  saleCurrency: 'usd',
  heldSales: 1,
  heldAmount: 99_80,
  currency: 'usd',
  decidedBy: null,
  question: null,
  askedAt: null,
  answer: null,
  answeredAt: null,
}

const decided = { decidedAt: '2026-08-21T08:00:00.000Z', decidedBy: `${owner.firstName} ${owner.lastName}` }
const reason = 'They share an office'
const released: room.FraudCase = {
  ...open,
  state: 'decided',
  decision: 'released',
  reason,
  heldSales: 0,
  heldAmount: 0,
  ...decided,
}
const question = { question: 'How did you meet this customer?', askedAt: '2026-08-20T12:00:00.000Z' }

const openCaseTold = { ...caseTold, leadId: null }
const decidedCaseTold: room.FraudCaseSnapshot = {
  ...openCaseTold,
  state: 'decided',
  decision: 'released',
  reason,
  decidedAt: decided.decidedAt,
}

const decidedOnce = ['case_decided', 'case_decided_by', 'case_expired'] as const

export const calls: ExamplesOf<typeof room> = {
  listCases: {
    reply: { ...onlyPage(open), totals: { count: 1, heldAmount: open.heldAmount, currency: open.currency } },
  },
  getCase: { reply: open },
  releaseCase: { refused: [...decidedOnce, 'case_changed'], body: { reason }, reply: released },
  voidCase: {
    refused: [...decidedOnce, 'case_changed', 'case_holds_many_sales'],
    body: { reason: 'The partner bought this' },
    reply: { ...released, decision: 'voided', reason: 'The partner bought this' },
  },
  suspendPartnerForCase: {
    refused: [...decidedOnce, 'partner_is_archived', 'erased'],
    body: { reason: 'Until this is clear' },
    reply: { ...open, partnerState: 'suspended' },
  },
  askPartnerAboutCase: {
    refused: [...decidedOnce, 'case_question_asked', 'erased'],
    body: { text: question.question },
    reply: { ...open, ...question },
  },
}

export const events = { 'case.opened': openCaseTold, 'case.decided': decidedCaseTold }

export const subjectIds = { case: ids.case }
