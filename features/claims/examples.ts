import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, lead, onlyPage, sale } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const claim: room.Claim = {
  id: '0198a3d4-2b19-7c58-9d07-6a41e83f5c92',
  accountId: ids.account,
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  orderId: 'A-1001',
  email: null,
  day: null,
  note: 'They bought the yearly plan after my webinar',
  state: 'open',
  reason: null,
  credited: false,
  saleId: null,
  leadId: null,
  leadName: null,
  createdAt: '2026-08-03T09:41:17.302Z',
  decidedAt: null,
  decidedBy: null,
  question: null,
  askedAt: null,
  answer: null,
  answeredAt: null,
}

const decided = { ...claim, credited: false, decidedAt: '2026-08-04T08:12:50.118Z', decidedBy: 'Elena Marsh' }
const acceptedClaim: room.Claim = {
  ...decided,
  state: 'accepted',
  saleId: ids.sale,
  leadId: ids.lead,
  leadName: lead.displayName,
}
const refusal = 'We found no order with this ID.'

/** The claim as its partner reads it. */
const own: room.Claim = { ...claim, credited: null }

const candidate: room.ClaimCandidate = {
  kind: 'sale',
  id: ids.sale,
  leadId: ids.lead,
  name: lead.displayName,
  partnerId: null,
  partnerName: null,
  day: sale.saleDate,
  amount: sale.amount,
  currency: sale.currency,
  saleStatus: sale.status,
  leadStatus: null,
  state: 'ready',
  named: ['It has this order ID'],
  fits: [{ rule: 'coupon', why: 'The partner’s promotion code JANE20 was used', counts: true }],
  score: 2,
}

const found = {
  from: '2026-06-04',
  to: '2026-08-04',
  clicks: { count: 12, lastDay: '2026-07-29' },
  candidates: [candidate],
  others: [],
}

export const calls: ExamplesOf<typeof room> = {
  createClaim: {
    refused: ['claim_day_too_early', 'claims_open', 'claims_today', 'day_in_future'],
    body: { orderId: 'A-1001', note: claim.note },
    reply: own,
  },
  listPartnerClaims: { reply: onlyPage(own) },
  listClaims: { query: { state: 'open' }, reply: onlyPage(claim) },
  getClaim: { reply: { ...claim, ...found } },
  acceptClaim: {
    refused: [
      ...([
        'claim_decided',
        'claim_lead_is_duplicate',
        'claim_lead_of_other_partner',
        'claim_partner_inactive',
      ] as const),
      ...(['claim_sale_of_other_partner', 'erased', 'lead_is_rejected', 'payer_has_other_partner'] as const),
      ...(['sale_is_test', 'sale_is_void', 'unknown_lead_in_account', 'unknown_sale_in_account'] as const),
      ...(['day_in_future', 'day_too_early', 'lead_exists', 'sale_external_id_taken', 'total_too_large'] as const),
    ],
    body: { saleId: ids.sale },
    reply: {
      ...acceptedClaim,
      ...found,
      candidates: [{ ...candidate, partnerId: ids.partner, partnerName: claim.partnerName, state: 'credited' }],
    },
  },
  refuseClaim: {
    refused: ['claim_decided'],
    body: { reason: refusal },
    reply: { ...decided, state: 'refused', reason: refusal, ...found, candidates: [] },
  },
  askPartnerAboutClaim: {
    refused: ['claim_decided', 'claim_partner_inactive', 'claim_question_asked', 'erased'],
    body: { text: 'Which email did they buy with?' },
    reply: { ...claim, ...found, question: 'Which email did they buy with?', askedAt: '2026-08-03T14:20:00.000Z' },
  },
}

export const events = { 'claim.made': claim, 'claim.decided': acceptedClaim }

export const subjectIds = { claim: claim.id }
