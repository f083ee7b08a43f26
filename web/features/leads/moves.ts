import type { LeadStatus } from '#contract/leads.ts'

/** Where a person may move a lead; the rest happens by itself. The server has the last word. */
const moves: Partial<Record<LeadStatus, readonly LeadStatus[]>> = {
  new: ['qualified', 'lost', 'rejected'],
  qualified: ['lost', 'rejected'],
  lost: ['new', 'qualified'],
  rejected: ['new', 'qualified'],
  expired: ['new', 'qualified'],
}

export const movesFrom = (status: LeadStatus): readonly LeadStatus[] => moves[status] ?? []

/** A lead that is given up needs one of the reasons. */
export const isNegative = (status: LeadStatus): status is 'lost' | 'rejected' =>
  status === 'lost' || status === 'rejected'

/** Whoever opens one again that was given up says why, in any words. */
export const isClosed = (status: LeadStatus) => isNegative(status) || status === 'expired'
