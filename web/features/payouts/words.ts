import type { Balance, Blocker, Payout, PayoutMethod } from '#contract/payouts.ts'
import { formatDate, formatDay } from '../../format.ts'
import { waitsFor } from '../../ui/paydays.ts'
import { t } from '../../words.ts'

/** 'PO-1060', as statements and lists call it. */
export const numberOf = ({ statementNumber }: Pick<Payout, 'statementNumber'>) =>
  t('payouts.number', { number: statementNumber })

export const methodLabel = (method: PayoutMethod) => t(`payouts.methods.${method}`)

/** These warn; a person may approve all the same. */
export const soft: readonly Blocker['code'][] = ['deposit-info-changed-recently', 'payouts-not-configured']
/** These explain a balance; what is due is paid all the same. */
const explains: readonly Blocker['code'][] = ['on-hold-fraud', 'negative-balance']

/** Whether what is due to a partner can be approved. */
export const isPayable = ({ due, blockers }: Pick<Balance, 'due' | 'blockers'>) =>
  due > 0 && blockers.every(({ code }) => soft.includes(code) || explains.includes(code))

/** The first blocker, and how many more there are. What Wise said of bank details stands on the payout itself. */
export function blockerLine([first, ...others]: readonly Blocker[]) {
  if (!first) return t('absent')
  const reason = first.code === 'wise-rejected-recipient' ? t('payouts.reasons.rejected') : first.message
  return others.length === 0 ? reason : t('payouts.reasons.more', { reason, count: others.length })
}

/** Whether what falls due to a partner will be paid as things are. */
export const willBePaid = ({ blockers }: Pick<Balance, 'blockers'>) =>
  blockers.every(({ code }) => soft.includes(code) || code === 'on-hold-fraud')

type Explained = Pick<
  Payout,
  'status' | 'method' | 'blockers' | 'scheduledFor' | 'failureReason' | 'sentAt' | 'paidOn' | 'externalReference'
>

/** Why a payout stands where it stands, in one line: what blocks it, what went wrong, or when it moves next. */
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
      return sentAt ? t('payouts.reasons.sent', { date: formatDay(sentAt, timeZone) }) : t('absent')
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
