import { z } from 'zod'
import { attentionKinds } from './attention-kinds.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Sale } from './sales.ts'
import { HistoricalStats, Stats } from './stats.ts'
import { Amount, DateOnly, Id, Instant, RangeParams } from './values.ts'

export const checklistSteps = ['payment-provider', 'partner', 'link', 'embed-or-api', 'sale', 'payouts'] as const

/**
 * Everything on the owner's dashboard. Lists have at most five rows; `previous` covers the days to compare with, else
 * as many days just before, like `previousRevenue` and `previousClicks`; `current` counts the partners added in the
 * range, and `partnersInAll` all partners at its end; `amount` is the waiting money if known, and `since` the instant of
 * the oldest; `value` is the first external ID of different people, null for other kinds; `link` is the web application's path that lists exactly the counted rows.
 */
export const Dashboard = z
  .object({
    current: Stats,
    previous: Stats,
    history: HistoricalStats,
    partnersInAll: z.int(),
    topPartners: z.array(
      z.object({
        partnerId: Id,
        displayName: z.string(),
        numberOfSales: z.int(),
        salesRevenue: Amount,
        previousRevenue: Amount,
      }),
    ),
    topLinks: z.array(
      z.object({ blueprintId: Id, name: z.string(), clicks: z.int(), sales: z.int(), previousClicks: z.int() }),
    ),
    latestSales: z.array(Sale),
    attention: z.array(
      z.object({
        kind: z.enum(attentionKinds),
        count: z.int(),
        amount: Amount.nullable(),
        since: Instant.nullable(),
        value: z.string().nullable(),
        link: z.string(),
      }),
    ),
    checklist: z.array(z.object({ step: z.enum(checklistSteps), done: z.boolean() })),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof Dashboard>

export const getDashboard = endpoint('getDashboard', 'GET /accounts/:id/dashboard/:range', {
  tag: 'accounts',
  summary: 'Retrieve the owner’s dashboard in one call; range and compare are {from}..{to}',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  params: RangeParams,
  query: z.strictObject({ compare: z.string().max(64).optional() }),
  reply: Dashboard,
})

/** Revenue of this month so far, and of the same days last month. */
const bothMonths = { current: Amount, previous: Amount }

/** Leads with revenue on one side only, highest first. */
const LeadsOfOneSide = z.object({
  count: z.int(),
  amount: Amount,
  top: z.array(z.object({ leadId: Id, displayName: z.string(), amount: Amount })),
})

/**
 * This month's revenue compared with last month's up to the same day (its last day if it is shorter), and the causes of
 * the difference. `days` are running totals: this month's up to today, last month's to its end. `partners` are the
 * three largest gains and the three largest losses; with `otherPartners` they add up to both sums. `newLeads` have
 * revenue this month and none in the same days before, `lostLeads` the reverse; with `otherLeads` they also add up.
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

export const getPace = endpoint('getPace', 'GET /accounts/:id/dashboard/pace', {
  tag: 'accounts',
  summary: 'Compare this month’s revenue with last month’s up to the same day, and explain the difference',
  allow: rights.read,
  tool: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  reply: Pace,
})
