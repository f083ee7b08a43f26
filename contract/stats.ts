import { z } from 'zod'
import { Amount, DateOnly } from './values.ts'

const counts = { numberOfPartners: z.int(), numberOfLeads: z.int(), numberOfSales: z.int() }
/** Revenue is null to a partner who may not see sale amounts, profit to every partner. */
const money = { salesRevenue: Amount.nullable(), salesRevenueShare: Amount, salesProfit: Amount.nullable() }

/** Of an account, a partner or a link blueprint, in the account's currency. */
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

export const LeadHistoricalStats = z
  .object({ ...history, deltas: z.array(z.object({ date: DateOnly, numberOfSales: z.int(), ...money })) })
  .meta({ id: 'LeadHistoricalStats' })
export type LeadHistoricalStats = z.infer<typeof LeadHistoricalStats>
