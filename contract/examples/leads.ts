import type * as room from '../leads.ts'
import type { ExamplesOf } from './example.ts'
import { ids, lead, onlyPage, partner } from './objects.ts'

const who = {
  firstName: 'Hannah',
  lastName: 'Cole',
  email: 'hannah@brightline.example',
  phone: '+1 415 555 0142',
  company: 'Brightline Dental',
}
const none = { numberOfSales: 0, salesRevenue: 0, salesRevenueShare: 0, salesProfit: 0, currency: 'usd' }
const fresh = { ...lead, status: 'new', stats: none } as const
const byHand = {
  ...fresh,
  source: 'manual',
  blueprintId: null,
  clickId: null,
  landingUrl: null,
  referrer: null,
  country: null,
  attribution: { model: 'last-touch', matchedBy: 'manual', at: lead.createdAt },
} as const

export const leads: ExamplesOf<typeof room> = {
  listLeads: { query: { status: 'new,qualified', sort: '-createdAt' }, reply: onlyPage(fresh) },
  getLeadTotals: {
    query: { status: 'new,won' },
    reply: { count: 38, numberOfSales: 12, salesRevenue: 14_210_00, salesRevenueShare: 2_842_00, currency: 'usd' },
  },
  listPartnerLeads: {
    refused: ['sale_amounts_not_shown'],
    query: { from: '2026-07-01', to: '2026-07-31' },
    reply: onlyPage(lead),
  },
  findSimilarLeads: {
    query: { email: 'sam@brightline.example', company: 'Brightline Dental' },
    reply: {
      items: [
        {
          by: 'domain',
          value: 'brightline.example',
          total: 1,
          leads: [
            {
              id: lead.id,
              displayName: lead.displayName,
              partnerName: lead.partnerName,
              status: 'new',
              createdAt: lead.createdAt,
            },
          ],
        },
      ],
    },
  },
  createLead: {
    refused: ['lead_exists', 'partner_earns_nothing', 'unknown_partner'],
    body: { ...who, partnerId: ids.partner, externalId: lead.externalId, metadata: { plan: 'team' } },
    reply: byHand,
  },
  submitLead: {
    refused: ['leads_not_accepted'],
    body: { ...who, note: 'Asked for a demo next week' },
    reply: {
      verdict: 'new',
      lead: { ...byHand, source: 'partner', externalId: null, metadata: {}, sharedNote: null },
      registeredAt: lead.createdAt,
      protectedUntil: lead.protectedUntil,
    },
  },
  getLead: { reply: lead },
  changeLead: {
    refused: ['erased', 'lead_exists', 'lead_held', 'lead_unreachable'],
    body: { company: 'Brightline Dental', phone: '+1 415 555 0142' },
    reply: lead,
  },
  deleteLead: { refused: ['erased', 'lead_has_commissions', 'lead_has_sales'] },
  changeLeadStatus: {
    refused: ['erased', 'lead_held', 'lead_status_not_next', 'reopening_without_reason'],
    body: { status: 'qualified', note: 'Budget confirmed', sharedNote: 'We have booked a demo' },
    reply: { ...fresh, status: 'qualified', sharedNote: 'We have booked a demo' },
  },
  listLeadEvents: {
    reply: onlyPage({
      at: '2026-07-28T08:10:00.000Z',
      type: 'lead.status-changed',
      actor: 'Elena Marsh',
      text: 'Status changed from new to qualified',
      link: null,
    }),
  },
  listLeadSubmissions: {
    reply: onlyPage({
      at: lead.createdAt,
      source: 'embed',
      body: {
        firstName: 'Hannah',
        lastName: 'Cole',
        email: 'hannah@brightline.example',
        referralCode: partner.referralCode,
        pageUrl: 'https://acme.example/pricing',
      },
    }),
  },
  addLeadNote: {
    refused: ['erased'],
    body: { text: 'Asked for a quote for 40 seats', shared: false },
    reply: {
      at: '2026-07-28T08:12:00.000Z',
      type: 'note',
      actor: 'Elena Marsh',
      text: 'Asked for a quote for 40 seats',
      link: null,
    },
  },
  pushLeads: {
    refused: ['unknown_click', 'unknown_partner', 'unknown_referral_code'],
    body: { ...who, externalId: lead.externalId, referralCode: partner.referralCode, metadata: { plan: 'team' } },
    reply: { ...byHand, source: 'api', attribution: { ...byHand.attribution, matchedBy: 'code' } },
  },
}
