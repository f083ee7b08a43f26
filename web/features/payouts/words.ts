import type { Balance } from '#contract/balances.ts'
import type { Blocker, Payout, PayoutMethod } from '#contract/payouts.ts'
import { formatDate, formatDateAt, formatMoney } from '../../format.ts'
import { waitsFor } from '../../shared/paydays.ts'
import { t } from '../../words.ts'

/** Returns 'PO-1060', the number used in statements and lists. */
export const numberOf = ({ statementNumber }: Pick<Payout, 'statementNumber'>) =>
  t('payouts.number', { number: statementNumber })

export type PayoutAction = 'approve' | 'retry' | 'cancel' | 'markPaid'

export const payoutActionLabel = (action: PayoutAction) => t(`payouts.actions.${action}`)

/** Returns the values that an action's texts name. */
export const wordsOf = (payout: Payout) => ({
  number: numberOf(payout),
  name: payout.partnerName,
  amount: formatMoney(payout.amount, payout.currency),
})

export const methodLabel = (method: PayoutMethod) => t(`payouts.methods.${method}`)

/** Blockers that only warn: a person may approve anyway. */
export const soft: readonly Blocker['code'][] = ['deposit-info-changed-recently', 'payouts-not-configured']
/** Blockers that only explain a balance: due amounts are paid anyway. */
const explains: readonly Blocker['code'][] = ['on-hold-fraud', 'negative-balance']

/** True if the partner's due amount can be approved. */
export const isPayable = ({ due, blockers }: Pick<Balance, 'due' | 'blockers'>) =>
  due > 0 && blockers.every(({ code }) => soft.includes(code) || explains.includes(code))

/**
 * Returns the first blocker and the number of others. Wise's message about bank details is shown on the payout itself.
 */
export function blockerLine([first, ...others]: readonly Blocker[]) {
  if (!first) return t('absent')
  const reason = first.code === 'wise-rejected-recipient' ? t('payouts.reasons.rejected') : first.message
  return others.length === 0 ? reason : t('payouts.reasons.more', { reason, count: others.length })
}

/** True if the partner's money will be paid when it falls due, as things are. */
export const willBePaid = ({ blockers }: Pick<Balance, 'blockers'>) =>
  blockers.every(({ code }) => soft.includes(code) || code === 'on-hold-fraud')

type Explained = Pick<
  Payout,
  'status' | 'method' | 'blockers' | 'scheduledFor' | 'failureReason' | 'sentAt' | 'paidOn' | 'externalReference'
>

/** Returns the reason for a payout's status in one line: its blocker, its failure, or its next move. */
export function reasonOf(payout: Explained, timeZone: string): string {
  const waiting = waitsFor(payout.blockers)
  if (waiting.length > 0) return blockerLine(waiting)
  const { status, failureReason, scheduledFor, sentAt, paidOn, externalReference } = payout
  switch (status) {
    case 'open':
    case 'due':
      return scheduledFor
        ? t('payouts.reasons.scheduled', { date: formatDate(scheduledFor) })
        : t('payouts.reasons.ready')
    case 'approved':
      if (payout.method === 'manual') return t('payouts.reasons.payByHand')
      return failureReason ?? t(`payouts.reasons.${payout.method === 'csv' ? 'inBatch' : 'approved'}`)
    case 'canceled':
      return failureReason?.replace(/\.$/, '') ?? t('payouts.reasons.canceled')
    case 'sent':
      return sentAt ? t('payouts.reasons.sent', { date: formatDateAt(sentAt, timeZone) }) : t('absent')
    case 'paid': {
      if (!paidOn) return t('absent')
      const date = formatDate(paidOn)
      return externalReference
        ? t('payouts.reasons.paidWith', { date, reference: externalReference })
        : t('payouts.reasons.paid', { date })
    }
    default:
      return failureReason?.replace(/\.$/, '') ?? t(`payouts.reasons.${status}`)
  }
}
