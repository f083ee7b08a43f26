import { leadStatuses } from '#contract/leads.ts'
import type { HistoricalStats } from '#contract/stats.ts'

/** What figures count as a lead: all but duplicates, as the list's filter by status takes it. */
export const countedStatuses = leadStatuses.filter((status) => status !== 'duplicate').join(',')

/** The search parameters of the list that stands behind the number of leads in these days. */
export const leadsBehind = (
  { startDate, endDate }: Pick<HistoricalStats, 'startDate' | 'endDate'>,
  { partnerId }: { partnerId?: string } = {},
) => ({ status: countedStatuses, ...(partnerId && { partnerId }), from: startDate, to: endDate })
