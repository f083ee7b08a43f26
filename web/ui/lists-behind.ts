import { leadStatuses } from '#contract/leads.ts'
import type { HistoricalStats } from '#contract/stats.ts'

/** States of commissions, as the list's filter takes them: what isn't payable yet, what is about to be paid, and what comes. */
export const heldParts = 'held,on-hold'
export const dueParts = 'due,in-payout'
export const comingParts = 'held,due'

// The search parameters of the lists that stand behind figures: each has as many rows, or adds up to the same.

/** What figures count as a lead: all but duplicates, as the list's filter by status takes it. */
export const countedStatuses = leadStatuses.filter((status) => status !== 'duplicate').join(',')

/** Whose figure it is, beside the account's. */
type Whose = { partnerId?: string; blueprintId?: string }
type Days = Pick<HistoricalStats, 'startDate' | 'endDate'>

const daysOf = (days: Days | undefined) => days && { from: days.startDate, to: days.endDate }

export const partnersBehind = (days: Days) => daysOf(days)

/** Of these days, or of all. */
export const leadsBehind = (days: Days | undefined, whose: Whose = {}) => ({
  status: countedStatuses,
  ...whose,
  ...daysOf(days),
})

/** The number of sales. */
export const salesBehind = (days: Days | undefined, whose: Whose = {}) => ({
  tab: 'sales' as const,
  kind: 'sale' as const,
  ...whose,
  ...daysOf(days),
})

/** Revenue, share and profit: sales and all that was given back of any. */
export const revenueBehind = (days: Days | undefined, whose: Whose = {}) => ({
  tab: 'sales' as const,
  ...whose,
  ...daysOf(days),
})

/** Of the address `/leads`. */
export type BehindOnLeads = ReturnType<typeof leadsBehind | typeof salesBehind | typeof revenueBehind>
