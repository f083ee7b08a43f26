import type { Application } from '#contract/applications.ts'
import { applicationWords as words } from '../../words/applications.ts'

type Named = Pick<Application, 'firstName' | 'lastName' | 'email'>

/** Returns the applicant's name, else their email; both are empty once they are deleted. */
export const applicantName = ({ firstName, lastName, email }: Named) =>
  [firstName, lastName].filter(Boolean).join(' ') || email || words.emptied

type Waiting = Pick<Application, 'status' | 'appliedAt'>

/** The time since which an application waits for a decision; null if it doesn't. */
export const waitsSince = ({ status, appliedAt }: Waiting) => (status === 'waiting' ? appliedAt : null)

const A_DAY = 24 * 3600_000

/** Returns whether an application has waited for so long that it is marked. */
export const isOverdue = (since: string, now = new Date()) => now.getTime() - Date.parse(since) >= A_DAY

export const canApprove = ({ status, email }: Pick<Application, 'status' | 'email'>) =>
  email !== null && (status === 'waiting' || status === 'rejected')
export const canReject = ({ status }: Pick<Application, 'status'>) => status === 'waiting'
