import type * as room from '../stats.ts'
import type { ExamplesOf } from './example.ts'
import { lead, stats, subPartner } from './objects.ts'

const range = '2026-07-27..2026-07-28'
const { currency, ...numbers } = stats
const { currency: _, ...ofLead } = lead.stats
const { currency: _none, ...nothing } = subPartner.stats
const days = { startDate: '2026-07-27', endDate: '2026-07-28', period: 'day', currency } as const

export const history: room.HistoricalStats = {
  ...days,
  deltas: [
    { date: '2026-07-27', ...numbers },
    { date: '2026-07-28', ...nothing },
  ],
}

const partnerHistory: room.PartnerHistoricalStats = {
  ...history,
  deltas: history.deltas.map((delta) => ({ ...delta, subPartnersShare: 0 })),
}

const leadHistory: room.LeadHistoricalStats = { ...days, deltas: [{ date: '2026-07-27', ...ofLead }] }

export const statsExamples: ExamplesOf<typeof room> = {
  getAccountStats: { reply: stats },
  getAccountHistoricalStats: {
    refused: ['range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'],
    params: { range },
    reply: history,
  },
  getPartnerStats: { reply: stats },
  getPartnerHistoricalStats: {
    refused: ['range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'],
    params: { range },
    reply: partnerHistory,
  },
  getLinkBlueprintStats: { reply: stats },
  getLinkBlueprintHistoricalStats: {
    refused: ['range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'],
    params: { range },
    reply: history,
  },
  getLeadStats: { reply: lead.stats },
  getLeadHistoricalStats: {
    refused: ['range_backwards', 'range_out_of_bounds', 'range_too_long', 'range_unreadable'],
    params: { range },
    reply: leadHistory,
  },
}
