import { leadStatuses } from '#contract/leads.ts'
import type { HistoricalStats } from '#contract/stats.ts'

/** States of commissions, as values of the list's filter: not yet payable, about to be paid, and coming. */
export const heldParts = 'held,on-hold'
export const dueParts = 'due,in-payout'
export const comingParts = 'held,due'

// Search parameters of the lists linked from figures: each list has as many rows, or adds up to the same.

/** The statuses of leads counted by figures: all but duplicates, as the list's filter value. */
export const countedStatuses = leadStatuses.filter((status) => status !== 'duplicate').join(',')

/** The partner or link of a figure, within the account. */
type Whose = { partnerId?: string; blueprintId?: string }
type Days = Pick<HistoricalStats, 'startDate' | 'endDate'>

const daysOf = (days: Days | undefined) => days && { from: days.startDate, to: days.endDate }

export const partnersBehind = (days: Days) => daysOf(days)

/** Leads of these days, or of all. */
export const leadsBehind = (days: Days | undefined, whose: Whose = {}) => ({
  status: countedStatuses,
  ...whose,
  ...daysOf(days),
})

/** Sales as counted by figures. */
export const salesBehind = (days: Days | undefined, whose: Whose = {}) => ({
  tab: 'sales' as const,
  kind: 'sale' as const,
  ...whose,
  ...daysOf(days),
})

/** Revenue, share and profit: sales and everything returned from any sale. */
export const revenueBehind = (days: Days | undefined, whose: Whose = {}) => ({
  tab: 'sales' as const,
  ...whose,
  ...daysOf(days),
})

/** Search parameters of the address `/leads`. */
export type BehindOnLeads = ReturnType<typeof leadsBehind | typeof salesBehind | typeof revenueBehind>
