import type { Blocker, Payout } from '#contract/payouts.ts'
import { blockerLine, isByHand, isUnsure, soft } from './words.ts'

export type PayoutAction = 'approve' | 'retry' | 'markPaid' | 'cancel'

/** Returns the actions that the payout's status allows. */
export function payoutActions({
  status,
  method,
  attempts,
}: Pick<Payout, 'status' | 'method' | 'attempts'>): PayoutAction[] {
  if (isUnsure({ attempts })) return ['markPaid', 'cancel']
  const byHand = status === 'approved' && isByHand(method)
  // a person with the file may have paid it anyway
  const leftInFile = status === 'canceled' && (method === 'csv' || method === 'sepa')
  return [
    ...(status === 'due' ? (['approve'] as const) : []),
    ...(['failed', 'awaiting-funding'].includes(status) ? (['retry'] as const) : []),
    ...(['open', 'due', 'failed'].includes(status) || byHand || leftInFile ? (['markPaid'] as const) : []),
    ...(['approved', 'awaiting-funding', 'failed'].includes(status) ? (['cancel'] as const) : []),
  ]
}

/** Blockers that refuse a payment by any means on any day; those of the year depend on the day it was paid. */
const always: readonly Blocker['code'][] = ['partner-disabled', 'agreement-not-accepted', 'invoice-details-missing']

/** Returns why an action that the status allows would be refused. */
export function whyNot(
  action: PayoutAction,
  { blockers, firstApproval }: Pick<Payout, 'blockers' | 'firstApproval'>,
): string | undefined {
  if (action === 'retry' && blockers.length > 0) return blockerLine(blockers)
  if (action !== 'markPaid') return undefined
  return blockers.find(({ code }) => always.includes(code) || (code === 'second-approval' && !firstApproval))?.message
}

const MAIN: readonly PayoutAction[] = ['approve', 'retry', 'markPaid']

/** Blockers of the details: until the partner lifts them, only a person can pay. */
const ofDetails: readonly Blocker['code'][] = [
  'no-deposit-info',
  'wise-rejected-recipient',
  'details-rejected',
  'currency-unsupported',
]

/**
 * Returns the action that moves the payout on; none for a blocked one, whose next step is a blocker's remedy, unless only a
 * person can pay it.
 */
export function findMainAction(
  payout: Pick<Payout, 'status' | 'method' | 'attempts' | 'blockers' | 'firstApproval'>,
): PayoutAction | undefined {
  const hard = payout.blockers.filter(({ code }) => !soft.includes(code))
  // the dialog of a payment by a person approves the year too
  const isForPerson = hard.some(({ code }) => ofDetails.includes(code))
  const left = isForPerson ? hard.filter(({ code }) => code !== 'not-approved-this-year') : hard
  if (payout.status === 'open' && !left.every(({ code }) => ofDetails.includes(code))) return undefined
  const main = MAIN.find((action) => payoutActions(payout).includes(action))
  return main && !whyNot(main, payout) ? main : undefined
}
