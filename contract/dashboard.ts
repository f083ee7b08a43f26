import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { Sale } from './sales.ts'
import { HistoricalStats, Stats } from './stats.ts'
import { Amount, Id, RangeParams } from './values.ts'

export const attentionKinds = [
  'unanswered-leads',
  'blocked-payouts',
  'unhealthy-provider',
  'failing-webhook',
  'unattributed-leads',
  'sales-on-hold',
] as const

export const checklistSteps = ['payment-provider', 'partner', 'link', 'embed-or-api', 'sale', 'payouts'] as const

/**
 * Everything the owner's dashboard shows. Lists have five rows at most; `previous` is of the days to compare with, else
 * of as many days just before; `link` is the path of the web application that lists exactly as many as are counted.
 */
export const Dashboard = z
  .object({
    current: Stats,
    previous: Stats,
    history: HistoricalStats,
    topPartners: z.array(
      z.object({ partnerId: Id, displayName: z.string(), numberOfSales: z.int(), salesRevenue: Amount }),
    ),
    topLinks: z.array(z.object({ blueprintId: Id, name: z.string(), clicks: z.int(), sales: z.int() })),
    latestSales: z.array(Sale),
    attention: z.array(z.object({ kind: z.enum(attentionKinds), count: z.int(), link: z.string() })),
    checklist: z.array(z.object({ step: z.enum(checklistSteps), done: z.boolean() })),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof Dashboard>

export const getDashboard = endpoint({
  name: 'getDashboard',
  method: 'GET',
  path: '/accounts/:id/dashboard/:range',
  tag: 'accounts',
  summary: "Retrieve the owner's dashboard in one call; range and compare are {from}..{to}",
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  params: RangeParams,
  query: z.strictObject({ compare: z.string().max(64).optional() }),
  reply: Dashboard,
})
