import type * as room from '../sales.ts'
import type { ExamplesOf } from './example.ts'
import { entry, entryWithSale, ids, lead, onlyPage, refund, sale } from './objects.ts'
import { mistakesInTerms } from './terms.ts'

const saleTerms: room.SaleTermsSummary = {
  source: 'account',
  sourceName: 'Acme',
  version: 2,
  appliesTo: 'new-customers',
  place: null,
  cap: null,
  savedAt: '2026-07-01T09:12:05.731Z',
  referredAt: '2026-07-27T20:41:55.118Z',
  parts: [{ rule: null, name: null, lines: [], base: 499_00, percent: 20, flat: null, earned: 99_80, above: [] }],
}

const byHand = {
  ...sale,
  provider: 'manual',
  externalId: null,
  subscriptionId: null,
  payerEmail: null,
  providerCustomerId: null,
  matchedBy: 'manual',
} as const
const refunded: room.Sale = {
  ...sale,
  status: 'partially-refunded',
  refundedAmount: 99_80,
  refunds: [{ ...refund, externalId: null }],
  commissions: [
    entry,
    {
      ...entry,
      id: '01988a22-b158-7c11-8e3f-70d2a95b6c30',
      refundId: ids.refund,
      baseAmount: -99_80,
      amount: -19_96,
      kind: 'reversal',
      reason: 'Two seats fewer',
      createdAt: refund.at,
    },
  ],
}

export const sales: ExamplesOf<typeof room> = {
  listLeadSales: { refused: ['sale_amounts_not_shown'], reply: onlyPage(sale) },
  createSale: {
    refused: [
      'day_in_future',
      'day_too_early',
      'erased',
      'lines_do_not_add_up',
      'sale_external_id_taken',
      'total_too_large',
    ],
    body: { amount: 499_00, taxAmount: 39_92, saleDate: '2026-07-27', description: 'Team plan, 10 seats' },
    reply: byHand,
  },
  previewCommission: {
    refused: ['lines_do_not_add_up', 'unknown_lead_in_account', 'unknown_partner_in_account', ...mistakesInTerms],
    body: { partnerId: ids.partner, amount: 499_00, currency: 'usd' },
    reply: {
      currency: 'usd',
      accountAmount: 499_00,
      entries: [
        { partnerId: ids.partner, displayName: 'Jane Whitfield', layer: 0, rate: 20, flat: null, amount: 99_80 },
      ],
      total: 99_80,
      profit: 399_20,
      unearned: null,
      terms: saleTerms,
      dueOn: '2026-08-26',
    },
  },
  previewRates: {
    refused: ['unknown_partner_in_account', 'unknown_link', ...mistakesInTerms],
    body: { commissionSettings: { layerRates: [25, 5] }, partnerId: ids.partner },
    reply: {
      currency: 'usd',
      from: '2026-06-01',
      to: '2026-06-30',
      sales: 42,
      paid: 4816_40,
      leads: 0,
      wouldHavePaid: 6020_50,
      partial: false,
    },
  },
  listSales: {
    query: { status: 'completed', from: '2026-07-01', to: '2026-07-31', sort: '-saleDate' },
    reply: onlyPage(sale),
  },
  listRevenueLines: {
    query: { from: '2026-07-01', to: '2026-07-31' },
    reply: {
      ...onlyPage({
        id: ids.sale,
        kind: 'sale',
        day: '2026-07-27',
        saleId: ids.sale,
        leadId: ids.lead,
        leadName: 'Hannah Cole',
        partnerId: ids.partner,
        partnerName: 'Jane Whitfield',
        blueprintId: ids.blueprint,
        provider: 'api',
        externalId: sale.externalId,
        livemode: null,
        payerEmail: sale.payerEmail,
        providerCustomerId: sale.providerCustomerId,
        providerUrl: null,
        status: 'completed',
        onHold: false,
        hold: null,
        amount: 499_00,
        share: 99_80,
        profit: 399_20,
      } as const),
      totals: { count: 1, sales: 1, revenue: 499_00, share: 99_80, profit: 399_20 },
    },
  },
  listProducts: {
    reply: {
      items: [
        { kind: 'product', id: 'prod_team', name: 'Team plan' },
        { kind: 'price', id: 'price_team_year', name: 'Team plan' },
      ],
    },
  },
  getSale: { reply: sale },
  changeSale: { refused: ['erased'], body: { description: 'Team plan, 10 seats' }, reply: sale },
  refundSale: {
    refused: ['refund_above_rest', 'sale_already_refunded', 'sale_refunded_elsewhere', 'void_sale_not_refunded'],
    body: { amount: 99_80, reason: 'Two seats fewer' },
    reply: refunded,
  },
  voidSale: {
    refused: ['sale_already_void'],
    body: { reason: 'Entered twice' },
    reply: { ...byHand, status: 'void', voidReason: 'Entered twice' },
  },
  restoreSale: {
    refused: ['erased', 'sale_not_void', 'sale_recorded_again', 'sale_taken_back'],
    body: { reason: 'Two orders, not one' },
    reply: byHand,
  },
  releaseSale: {
    refused: ['sale_not_on_hold', 'sale_held_by_case'],
    body: { reason: 'Checked by phone' },
    reply: {
      ...sale,
      hold: {
        rule: 'self-referral',
        policy: 'hold',
        reason: "The lead has the partner's own email",
        until: null,
      },
    },
  },
  attributeSale: {
    refused: [
      'earlier_sales_changed',
      'erased',
      'lead_is_rejected',
      'lead_without_partner',
      'partner_earns_nothing',
      'payer_has_other_partner',
      'sale_has_partner',
      'sale_is_test',
      'sale_is_void',
      'unknown_lead_in_account',
      'unknown_partner_in_account',
    ],
    params: { id: ids.pendingSale },
    body: { partnerId: ids.partner, reason: 'Jane introduced them by email' },
    reply: { ...byHand, id: ids.pendingSale },
  },
  getSaleMatch: {
    reply: {
      rule: 'external-id',
      why: 'The customer ID matches the lead’s external ID',
      others: [
        { rule: 'click', why: 'The sale came without a click', partnerId: null, partnerName: null, code: null },
        {
          rule: 'coupon',
          why: 'SPRING20 of Sam Ortiz was used too; the customer ID goes first',
          partnerId: ids.subPartner,
          partnerName: 'Sam Ortiz',
          code: 'SPRING20',
        },
      ],
    },
  },
  listLeadsSimilarToPayer: {
    reply: {
      items: [
        {
          id: ids.lead,
          displayName: 'Hannah Cole',
          email: 'hannah@brightline.example',
          partnerId: ids.partner,
          partnerName: 'Jane Whitfield',
          status: 'won',
          reasons: ['mailbox', 'company'],
          referredLater: false,
          createdAt: lead.createdAt,
        },
      ],
    },
  },
  listExchangeRates: {
    reply: {
      ...onlyPage<room.ExchangeRate>({ currency: 'chf', date: '2026-07-27', rate: 1.2468, source: 'entered' }),
      currencies: ['chf'],
    },
  },
  enterExchangeRate: {
    refused: ['own_currency'],
    body: { currency: 'chf', date: '2026-07-27', rate: 1.2468 },
    reply: { currency: 'chf', date: '2026-07-27', rate: 1.2468, source: 'entered' },
  },
  reassignLead: {
    refused: ['earlier_sales_changed', 'erased', 'partner_earns_nothing', 'unknown_partner_in_account'],
    body: { partnerId: ids.subPartner, reason: 'Sam takes over the region', creditEarlierSales: false },
    reply: { ...lead, partnerId: ids.subPartner, partnerName: 'Sam Ortiz' },
  },
  pushSales: {
    refused: [
      'day_in_future',
      'day_too_early',
      'lines_do_not_add_up',
      'total_too_large',
      'unknown_lead_in_account',
      'unknown_lead_without_code',
      'unknown_referral_code',
    ],
    body: {
      externalId: 'invoice-2026-0318',
      leadExternalId: 'customer-1042',
      promotionCode: 'SPRING20',
      amount: 499_00,
      currency: 'usd',
      taxAmount: 39_92,
      saleDate: '2026-07-27',
      subscriptionId: 'subscription-88',
      description: 'Team plan, 10 seats',
      country: 'US',
      lines: [{ productId: 'team', priceId: 'team-year', name: 'Team plan', quantity: 10, amount: 499_00 }],
    },
    reply: sale,
  },
  pushRefunds: {
    refused: [
      'refund_above_rest',
      'refund_external_id_taken',
      'refund_lines_above_refund',
      'sale_already_refunded',
      'sale_refunded_elsewhere',
      'several_pushed_sales',
      'unknown_line',
      'unknown_pushed_sale',
      'void_sale_not_refunded',
    ],
    body: {
      externalId: 'refund-77',
      saleExternalId: 'invoice-2026-0318',
      amount: 99_80,
      lines: [{ id: '1', amount: 99_80 }],
      reason: 'Two seats fewer',
    },
    reply: refund,
  },
  listPartnerCommissions: {
    query: { status: 'held,due', sort: '-availableAt' },
    reply: { ...onlyPage(entryWithSale), totals: { count: 1, amount: entryWithSale.amount } },
  },
  getReceipt: {
    reply: {
      accountId: ids.account,
      entry,
      sale,
      lead,
      click: {
        id: ids.click,
        at: '2026-07-27T16:02:44.100Z',
        blueprintId: ids.blueprint,
        linkName: 'Pricing page',
        referrer: 'https://blog.whitfield.example/tools',
        landingPath: '/pricing',
      },
      match: { rule: 'external-id', why: 'The customer ID matches the lead’s external ID', others: [] },
      terms: saleTerms,
      rate: { percent: 20, source: 'account', layer: 0 },
      goal: null,
      hold: { until: entry.availableAt, reason: 'Held for 30 days after the sale' },
      payout: null,
      earlierPayouts: [],
      openEvents: [],
      corrections: [],
    },
  },
}
