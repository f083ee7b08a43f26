import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { Amount, DateOnly, RangeParams } from './values.ts'

const counts = { numberOfPartners: z.int(), numberOfLeads: z.int(), numberOfSales: z.int() }
/** Revenue is null for a partner who may not see sale amounts, profit for every partner. */
const money = { salesRevenue: Amount.nullable(), salesRevenueShare: Amount, salesProfit: Amount.nullable() }

/** Statistics of an account, a partner or a link blueprint, in the account's currency. */
export const Stats = z
  .object({ ...counts, ...money, numberOfClicks: z.int(), currency: z.string() })
  .meta({ id: 'Stats' })
export type Stats = z.infer<typeof Stats>

export const LeadStats = z.object({ numberOfSales: z.int(), ...money, currency: z.string() }).meta({ id: 'LeadStats' })
export type LeadStats = z.infer<typeof LeadStats>

/** Day up to 31 days, week (from Monday) up to 92, month beyond. */
export const periods = ['day', 'week', 'month'] as const

const history = { startDate: DateOnly, endDate: DateOnly, period: z.enum(periods), currency: z.string() }

/** Every period of the range, zeros included; `date` is the period's first day inside the range. */
export const HistoricalStats = z
  .object({ ...history, deltas: z.array(z.object({ date: DateOnly, ...counts, ...money, numberOfClicks: z.int() })) })
  .meta({ id: 'HistoricalStats' })
export type HistoricalStats = z.infer<typeof HistoricalStats>

/** `subPartnersShare` is the part of a period's share that was earned on the sales of sub-partners. */
export const PartnerHistoricalStats = HistoricalStats.extend({
  deltas: z.array(HistoricalStats.shape.deltas.element.extend({ subPartnersShare: Amount })),
}).meta({ id: 'PartnerHistoricalStats' })
export type PartnerHistoricalStats = z.infer<typeof PartnerHistoricalStats>

export const LeadHistoricalStats = z
  .object({ ...history, deltas: z.array(z.object({ date: DateOnly, numberOfSales: z.int(), ...money })) })
  .meta({ id: 'LeadHistoricalStats' })
export type LeadHistoricalStats = z.infer<typeof LeadHistoricalStats>

export const getAccountStats = endpoint('getAccountStats', 'GET /accounts/:id/stats', {
  tag: 'accounts',
  summary: 'Retrieve all-time statistics',
  allow: ['admin', 'owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  reply: Stats,
})

export const getAccountHistoricalStats = endpoint(
  'getAccountHistoricalStats',
  'GET /accounts/:id/historical-stats/:range',
  {
    tag: 'accounts',
    summary: 'Retrieve statistics by day, week or month; the range is {from}..{to}',
    allow: ['admin', 'owner'],
    limit: apiLimit,
    fromReplica: true,
    subject: 'account',
    params: RangeParams,
    reply: HistoricalStats,
  },
)

export const getPartnerStats = endpoint('getPartnerStats', 'GET /partners/:id/stats', {
  tag: 'partners',
  summary: 'Retrieve all-time statistics',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  reply: Stats,
})

export const getPartnerHistoricalStats = endpoint(
  'getPartnerHistoricalStats',
  'GET /partners/:id/historical-stats/:range',
  {
    tag: 'partners',
    summary: 'Retrieve statistics by day, week or month; the range is {from}..{to}',
    allow: ['owner', 'partner'],
    limit: apiLimit,
    fromReplica: true,
    subject: 'partner',
    params: RangeParams,
    reply: PartnerHistoricalStats,
  },
)

export const getLinkBlueprintStats = endpoint('getLinkBlueprintStats', 'GET /link-blueprints/:id/stats', {
  tag: 'links',
  summary: 'Retrieve all-time statistics',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'link-blueprint',
  reply: Stats,
})

export const getLinkBlueprintHistoricalStats = endpoint(
  'getLinkBlueprintHistoricalStats',
  'GET /link-blueprints/:id/historical-stats/:range',
  {
    tag: 'links',
    summary: 'Retrieve statistics by day, week or month; the range is {from}..{to}',
    allow: ['owner'],
    limit: apiLimit,
    fromReplica: true,
    subject: 'link-blueprint',
    params: RangeParams,
    reply: HistoricalStats,
  },
)

export const getLeadStats = endpoint('getLeadStats', 'GET /leads/:id/stats', {
  tag: 'leads',
  summary: 'Retrieve all-time statistics',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'lead',
  reply: LeadStats,
})

export const getLeadHistoricalStats = endpoint('getLeadHistoricalStats', 'GET /leads/:id/historical-stats/:range', {
  tag: 'leads',
  summary: 'Retrieve statistics by day, week or month; the range is {from}..{to}',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'lead',
  params: RangeParams,
  reply: LeadHistoricalStats,
})
