import type { Balance } from '#contract/balances.ts'
import { formatNumber } from '#contract/format.ts'
import type { Blocker, Payout, PayoutMethod } from '#contract/payouts.ts'
import { formatDate, formatDateAt, formatMoney } from '../../format.ts'
import { delayingBlockers } from '../../shared/paydays.ts'
import { basicWords } from '../../words/basic.ts'
import { ruleWords } from '../../words/forms.ts'
import { payoutWords } from '../../words/payouts.ts'
import { rewardWords } from '../../words/rewards.ts'
import { twoApprovalsWords } from '../../words/two-approvals.ts'

/** Returns what is wrong with a day of payment; undefined for today or an earlier one. */
export const findPaidOnError = (day: string, today: string) =>
  day ? (day > today ? ruleWords.notFuture : undefined) : ruleWords.date

/** Returns 'PO-1060', the number used in statements and lists. */
export const numberOf = ({ statementNumber }: Pick<Payout, 'statementNumber'>) =>
  payoutWords.number({ number: statementNumber })

/** Returns the values that an action's texts name. */
export const toPayoutValues = (payout: Payout) => ({
  number: numberOf(payout),
  name: payout.partnerName,
  amount: formatMoney(payout.payAmount, payout.currency),
  provider: providerLabel(payout.method),
})

export const methodLabel = (method: PayoutMethod) => payoutWords.methods[method]
/** Returns '500 credits' for a reward in units, null for any other payout. */
export const formatUnits = ({ reward }: Pick<Payout, 'reward'>) =>
  reward?.units == null ? null : `${formatNumber(reward.units)} ${reward.unitName}`
/** Returns the name of the provider that sends the money: Wise, also for its batch files. */
export const providerLabel = (method: PayoutMethod) => methodLabel(method === 'csv' ? 'wise' : method)

/** Whether a person pays by this method, rather than a provider by itself. */
export const isByHand = (method: PayoutMethod) => method !== 'wise' && method !== 'paypal'
/** Whether only a person can find out if it was paid. */
export const isUnsure = ({ attempts }: Pick<Payout, 'attempts'>) => attempts.at(-1)?.state === 'unsure'

/** Blockers that only warn: a person may approve anyway. */
export const soft: readonly Blocker['code'][] = [
  'deposit-info-changed-recently',
  'payouts-not-configured',
  'no-method',
  'adjusted-by-hand',
  'second-approval',
]
/** Blockers that only explain a balance: due amounts are paid anyway. */
const explains: readonly Blocker['code'][] = ['on-hold-fraud', 'negative-balance', 'not-approved-next-year']

/** True if the partner's due amount can be approved. */
export const isPayable = ({ due, blockers }: Pick<Balance, 'due' | 'blockers'>) =>
  due > 0 && blockers.every(({ code }) => soft.includes(code) || explains.includes(code))

/** Returns who approved a payout: one person, two, or the automatic run. */
export const formatApprovers = ({ approvedBy, firstApproval }: Pick<Payout, 'approvedBy' | 'firstApproval'>) =>
  firstApproval && approvedBy
    ? twoApprovalsWords.approvedByTwo({ first: firstApproval.name, second: approvedBy })
    : (approvedBy ?? payoutWords.events.automatic)

/**
 * Returns the first blocker and the number of others. Wise's message about bank details is shown on the payout itself.
 */
export function blockerLine([first, ...others]: readonly Blocker[]) {
  if (!first) return basicWords.absent
  const reason = first.code === 'wise-rejected-recipient' ? payoutWords.reasons.rejected : first.message
  return others.length === 0 ? reason : payoutWords.reasons.more({ reason, count: others.length })
}

/** Reasons of approved payouts that a file pays. */
const filed: Partial<Record<PayoutMethod, 'inBatch' | 'byFile'>> = { csv: 'inBatch', sepa: 'byFile' }

const toFund = (method: PayoutMethod) =>
  method === 'wise' ? payoutWords.reasons.fund : payoutWords.reasons.topUp({ provider: providerLabel(method) })

/** The amount column is that of the commissions: what leaves with VAT is named here. */
const payByHand = ({ taxAmount, payAmount, currency }: Pick<Payout, 'taxAmount' | 'payAmount' | 'currency'>) =>
  taxAmount > 0
    ? payoutWords.reasons.payWithVat({ amount: formatMoney(payAmount, currency) })
    : payoutWords.reasons.payByHand

type Explained = Pick<
  Payout,
  | 'status'
  | 'method'
  | 'taxAmount'
  | 'payAmount'
  | 'currency'
  | 'blockers'
  | 'scheduledFor'
  | 'failureReason'
  | 'nameCheck'
  | 'sentAt'
  | 'claimBy'
  | 'paidOn'
  | 'externalReference'
>

/** Whether the bank found another name on the payee's account. */
export const isNameDoubted = ({ nameCheck }: Pick<Payout, 'nameCheck'>) =>
  nameCheck !== null && nameCheck.result !== 'not-checked'

const ways = {
  wise: 'byWise',
  paypal: 'byPaypal',
  sepa: 'byFile',
  units: 'byUnits',
  credit: 'byCredit',
  manual: 'byHand',
} as const

/** Returns how these payouts are paid once they are approved, by each of their methods. */
export const howPaid = (payouts: readonly Pick<Payout, 'method'>[]) =>
  Object.entries(ways)
    .filter(([method]) => payouts.some((payout) => payout.method === method))
    .map(([, way]) => payoutWords.review[way])
    .join(' · ')

/** Returns the reason for a payout's status in one line: its blocker, its failure, or its next move. */
export function formatReason(payout: Explained, timeZone: string): string {
  const waiting = delayingBlockers(payout.blockers)
  if (waiting.length > 0) return blockerLine(waiting)
  const { status, method, failureReason, scheduledFor, sentAt, claimBy, paidOn, externalReference } = payout
  const provider = providerLabel(method)
  switch (status) {
    case 'open':
    case 'due':
      return scheduledFor
        ? payoutWords.reasons.scheduled({ date: formatDate(scheduledFor) })
        : payoutWords.reasons[method === 'sepa' ? 'readyForFile' : 'ready']
    case 'approved':
      if (method === 'manual') return payByHand(payout)
      if (method === 'credit') return failureReason ?? rewardWords.toCredit
      if (method === 'units') return rewardWords.toAcknowledge
      if (isNameDoubted(payout)) return payout.nameCheck!.message
      if (failureReason) return failureReason
      return filed[method] ? payoutWords.reasons[filed[method]] : payoutWords.reasons.approved({ provider })
    case 'canceled':
      return failureReason?.replace(/\.$/, '') ?? payoutWords.reasons.canceled
    case 'sent':
      if (claimBy) return payoutWords.reasons.unclaimed({ provider, date: formatDate(claimBy) })
      if (!sentAt) return basicWords.absent
      return payoutWords.reasons[method === 'paypal' ? 'sentOn' : 'sent']({ date: formatDateAt(sentAt, timeZone) })
    case 'paid': {
      if (!paidOn) return basicWords.absent
      const date = formatDate(paidOn)
      return externalReference
        ? payoutWords.reasons.paidWith({ date, reference: externalReference })
        : payoutWords.reasons.paid({ date })
    }
    case 'failed':
    case 'returned':
      return failureReason?.replace(/\.$/, '') ?? payoutWords.reasons[status]
    case 'processing':
      return failureReason?.replace(/\.$/, '') ?? payoutWords.reasons.processing({ provider })
    case 'awaiting-funding':
      return failureReason?.replace(/\.$/, '') ?? toFund(method)
  }
}
