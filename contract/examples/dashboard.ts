import type * as room from '../dashboard.ts'
import type { ExamplesOf } from './example.ts'
import { ids, sale, stats } from './objects.ts'
import { history } from './stats.ts'

export const dashboard: ExamplesOf<typeof room> = {
  getDashboard: {
    refused: ['range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'],
    params: { range: '2026-07-27..2026-07-28' },
    query: { compare: '2026-07-25..2026-07-26' },
    reply: {
      current: stats,
      previous: { ...stats, numberOfSales: 8, salesRevenue: 3892_00, salesRevenueShare: 778_40, salesProfit: 3113_60 },
      history,
      partnersInAll: 38,
      topPartners: [
        {
          partnerId: ids.partner,
          displayName: 'Jane Whitfield',
          numberOfSales: 9,
          salesRevenue: 4391_00,
          previousRevenue: 3892_00,
        },
      ],
      topLinks: [{ blueprintId: ids.blueprint, name: 'Pricing page', clicks: 412, sales: 9, previousClicks: 380 }],
      latestSales: [sale],
      attention: [
        {
          kind: 'waiting-applications',
          count: 3,
          amount: null,
          since: '2026-07-27T12:04:51.302Z',
          value: null,
          link: '/partners?tab=applications&status=waiting',
        },
        { kind: 'unanswered-leads', count: 2, amount: null, since: null, value: null, link: '/leads?unanswered=true' },
        {
          kind: 'blocked-payouts',
          count: 3,
          amount: 1_625_00,
          since: null,
          value: null,
          link: '/payouts?tab=needs-action',
        },
      ],
      checklist: [
        { step: 'partner', done: true },
        { step: 'payouts', done: false },
      ],
    },
  },

  getPace: {
    reply: {
      currency: 'usd',
      startDate: '2026-07-01',
      endDate: '2026-07-03',
      previousStartDate: '2026-06-01',
      previousEndDate: '2026-06-03',
      current: 690_00,
      previous: 870_00,
      days: [
        { current: 240_00, previous: 480_00 },
        { current: 240_00, previous: 480_00 },
        { current: 690_00, previous: 870_00 },
        { current: null, previous: 960_00 },
      ],
      partners: [{ partnerId: ids.partner, displayName: 'Jane Whitfield', current: 690_00, previous: 480_00 }],
      otherPartners: { current: 0, previous: 390_00 },
      newLeads: { count: 1, amount: 450_00, top: [{ leadId: ids.lead, displayName: 'Hannah Cole', amount: 450_00 }] },
      lostLeads: { count: 1, amount: 390_00, top: [{ leadId: ids.lead, displayName: 'Hannah Cole', amount: 390_00 }] },
      otherLeads: { current: 240_00, previous: 480_00 },
    },
  },
}
