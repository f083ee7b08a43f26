import type { LeadStatus } from '#contract/leads.ts'

/** Status changes a person may make; the others are automatic. The server decides. */
const moves: Partial<Record<LeadStatus, readonly LeadStatus[]>> = {
  new: ['qualified', 'lost', 'rejected'],
  qualified: ['lost', 'rejected'],
  lost: ['new', 'qualified'],
  rejected: ['new', 'qualified'],
  expired: ['new', 'qualified'],
}

export const movesFrom = (status: LeadStatus): readonly LeadStatus[] => moves[status] ?? []

/** True for statuses that need one of the predefined reasons. */
export const isNegative = (status: LeadStatus): status is 'lost' | 'rejected' =>
  status === 'lost' || status === 'rejected'

/** True for statuses that need a free-text reason to reopen the lead. */
export const isClosed = (status: LeadStatus) => isNegative(status) || status === 'expired'
