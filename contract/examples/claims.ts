import type * as room from '../claims.ts'
import type { ExamplesOf } from './example.ts'
import { ids, lead, onlyPage, sale } from './objects.ts'

export const claim: room.Claim = {
  id: ids.claim,
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
}

const decided = { ...claim, credited: false, decidedAt: '2026-08-04T08:12:50.118Z', decidedBy: 'Elena Marsh' }
export const acceptedClaim: room.Claim = {
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

export const claims: ExamplesOf<typeof room> = {
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
}
