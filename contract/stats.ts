import { z } from 'zod'
import { apiLimit, endpoint, rights } from './endpoint.ts'
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

const read = { limit: apiLimit, fromReplica: true } as const
const allTime = { summary: 'Retrieve all-time statistics', ...read } as const
const byPeriod = {
  summary: 'Retrieve statistics by day, week or month; the range is {from}..{to}',
  params: RangeParams,
  ...read,
} as const

export const getAccountStats = endpoint('getAccountStats', 'GET /accounts/:id/stats', {
  ...allTime,
  tag: 'accounts',
  allow: ['admin', ...rights.read],
  tool: true,
  subject: 'account',
  reply: Stats,
})

export const getAccountHistoricalStats = endpoint(
  'getAccountHistoricalStats',
  'GET /accounts/:id/historical-stats/:range',
  {
    ...byPeriod,
    tag: 'accounts',
    allow: ['admin', ...rights.read],
    tool: true,
    subject: 'account',
    reply: HistoricalStats,
  },
)

export const getPartnerStats = endpoint('getPartnerStats', 'GET /partners/:id/stats', {
  ...allTime,
  tag: 'partners',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  subject: 'partner',
  reply: Stats,
})

export const getPartnerHistoricalStats = endpoint(
  'getPartnerHistoricalStats',
  'GET /partners/:id/historical-stats/:range',
  {
    ...byPeriod,
    tag: 'partners',
    allow: [...rights.read, ...rights.partner],
    tool: true,
    inPortal: true,
    subject: 'partner',
    reply: PartnerHistoricalStats,
  },
)

export const getLinkBlueprintStats = endpoint('getLinkBlueprintStats', 'GET /link-blueprints/:id/stats', {
  ...allTime,
  tag: 'links',
  allow: rights.read,
  tool: true,
  subject: 'link-blueprint',
  reply: Stats,
})

export const getLinkBlueprintHistoricalStats = endpoint(
  'getLinkBlueprintHistoricalStats',
  'GET /link-blueprints/:id/historical-stats/:range',
  {
    ...byPeriod,
    tag: 'links',
    allow: rights.read,
    subject: 'link-blueprint',
    reply: HistoricalStats,
  },
)

export const getLeadStats = endpoint('getLeadStats', 'GET /leads/:id/stats', {
  ...allTime,
  tag: 'leads',
  allow: [...rights.read, ...rights.partner],
  tool: true,
  inPortal: true,
  subject: 'lead',
  reply: LeadStats,
})

export const getLeadHistoricalStats = endpoint('getLeadHistoricalStats', 'GET /leads/:id/historical-stats/:range', {
  ...byPeriod,
  tag: 'leads',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  subject: 'lead',
  reply: LeadHistoricalStats,
})
