import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { Sale } from './sales.ts'
import { HistoricalStats, Stats } from './stats.ts'
import { Amount, DateOnly, Id, IdParams, RangeParams } from './values.ts'

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
 * of as many days just before; `amount` is the money that waits, where it is known; `link` is the path of the web application that lists exactly as many as are counted.
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
    attention: z.array(
      z.object({ kind: z.enum(attentionKinds), count: z.int(), amount: Amount.nullable(), link: z.string() }),
    ),
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
  fromReplica: true,
  subject: 'account',
  params: RangeParams,
  query: z.strictObject({ compare: z.string().max(64).optional() }),
  reply: Dashboard,
})

/** Revenue of this month so far, and of the same days of the month before. */
const bothMonths = { current: Amount, previous: Amount }

/** Leads that stand on one side only, those with the most first. */
const LeadsOfOneSide = z.object({
  count: z.int(),
  amount: Amount,
  top: z.array(z.object({ leadId: Id, displayName: z.string(), amount: Amount })),
})

/**
 * This month's revenue beside last month's up to the same day, which is its last where it is shorter, and what explains the
 * difference. `days` are running totals: of this month up to today, of the month before up to its end. `partners` are the
 * three that grew most and the three that fell most, and with `otherPartners` they add up to both sums. `newLeads` have revenue
 * this month and none in the same days before, `lostLeads` the other way round; with `otherLeads` they do as well.
 */
export const Pace = z
  .object({
    currency: z.string(),
    startDate: DateOnly,
    endDate: DateOnly,
    previousStartDate: DateOnly,
    previousEndDate: DateOnly,
    ...bothMonths,
    days: z.array(z.object({ current: Amount.nullable(), previous: Amount.nullable() })),
    partners: z.array(z.object({ partnerId: Id, displayName: z.string(), ...bothMonths })),
    otherPartners: z.object(bothMonths),
    newLeads: LeadsOfOneSide,
    lostLeads: LeadsOfOneSide,
    otherLeads: z.object(bothMonths),
  })
  .meta({ id: 'Pace' })
export type Pace = z.infer<typeof Pace>

export const getPace = endpoint({
  name: 'getPace',
  method: 'GET',
  path: '/accounts/:id/dashboard/pace',
  tag: 'accounts',
  summary: "Compare this month's revenue with last month's up to the same day, and what explains the difference",
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  params: IdParams,
  reply: Pace,
})
