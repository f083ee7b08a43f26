import type { Payout } from '#contract/payouts.ts'
import type { StepState } from '../../ui/StepMark.tsx'

export const stepNames = ['open', 'due', 'approved', 'sent', 'paid'] as const
export type StepName = (typeof stepNames)[number]

/** A step that waits or failed is stopped by a blocker or a failure. */
export type Step = {
  name: StepName
  state: StepState
  /** An instant, or a day YYYY-MM-DD. */
  at: string | null
}

type Walked = Pick<
  Payout,
  'status' | 'method' | 'periodStart' | 'createdAt' | 'approvedAt' | 'sentAt' | 'paidAt' | 'updatedAt' | 'blockers'
>

/** Returns the payout's steps from its first entry to the money's arrival. One paid by hand has no 'sent'. */
export function stepsOf(payout: Walked): Step[] {
  const { status, method, periodStart, createdAt, approvedAt, sentAt, paidAt, updatedAt } = payout
  const ats: Record<StepName, string | null> = {
    open: periodStart,
    due: createdAt,
    approved: approvedAt,
    sent: sentAt,
    paid: paidAt,
  }
  const names = stepNames.filter((name) => name !== 'sent' || method === 'wise' || sentAt !== null)
  const current: StepName = status === 'canceled' && !approvedAt ? 'approved' : currentOf[status]
  const at = names.includes(current) ? names.indexOf(current) : names.indexOf('paid')
  return names.map((name, index) => {
    if (status === 'paid' || index < at) return { name, state: 'done', at: ats[name] }
    if (index > at) return { name, state: 'ahead', at: null }
    return { name, state: stateAt(payout), at: status === 'canceled' || status === 'returned' ? updatedAt : null }
  })
}

/** The next step that a payout in this status has to finish. */
const currentOf: Record<Payout['status'], StepName> = {
  open: 'approved',
  due: 'approved',
  approved: 'sent',
  processing: 'sent',
  'awaiting-funding': 'sent',
  sent: 'paid',
  paid: 'paid',
  failed: 'sent',
  returned: 'paid',
  canceled: 'sent',
}

function stateAt({ status }: Walked): Step['state'] {
  if (status === 'open' || status === 'awaiting-funding') return 'waits'
  if (status === 'failed' || status === 'returned' || status === 'canceled') return 'failed'
  return 'now'
}
