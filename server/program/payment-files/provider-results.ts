import { moneyInWords } from '#contract/money.ts'
import { getHolder } from '#contract/payout-settings.ts'
import type { Author } from '../../platform/author.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { plainName } from '../partner-directory/partner-names.ts'
import { markReturned } from '../payouts/apply-transfer.ts'
import type { Result } from '../payouts/methods/method.ts'
import { findPayoutProvider, type PaymentFileMethod } from '../payouts/methods/registry.ts'
import { numberAsWritten, payoutName } from '../payouts/payout-number.ts'
import { payoutReasons } from '../payouts/reason-text.ts'
import { setBack } from '../payouts/undo-approval.ts'
import { alreadyPaid, type Judged, markPaid, paidByHand, toResultRow } from './effects.ts'
import { isExactly, isOlder, type Known } from './known.ts'

/** The method of files that are uploaded at a provider, whose results are a table. */
const METHOD = 'csv'

/**
 * Finds the payout by our reference; without one by recipient and amount, if only one payout qualifies: one that waits
 * for the result, or that this transfer paid.
 */
export function findPayout(
  known: Known[],
  account: AccountFacts,
  method: PaymentFileMethod,
  result: Result,
): Known | undefined {
  if (result.reference !== null) {
    const number = numberAsWritten(result.reference)
    return known.find(({ statementNumber }) => statementNumber === number)
  }
  if (result.recipient === null) return undefined
  const same = known.filter(
    (payout) =>
      payout.method === method.name && payout.filed?.recipient === result.recipient && isAmountOf(payout, result),
  )
  const [one] = same
  if (!one || same.length > 1) return undefined
  return (one.status === 'paid' ? isPaidBy(one, result) : !isOlder(account, one, result)) ? one : undefined
}

/** Whether the transfer of this row paid the payout. */
const isPaidBy = (payout: Known, { transfer }: Result) => payout.externalReference === (transfer ?? payoutName(payout))

/** Our files fix the payee's amount in the account's own currency, otherwise the amount debited. */
const isAmountOf = (
  { payAmount, currency, payeeCurrency }: Pick<Known, 'payAmount' | 'currency' | 'payeeCurrency'>,
  { target, source }: Result,
) => isExactly(currency === payeeCurrency ? target : source, payAmount, currency)

/** Judges a row of a provider's results about a payout of its file. */
export function judgeResult(by: Author, account: AccountFacts, result: Result, payout: Known): Judged {
  const { row, reference, outcome, reason } = result
  const { id, payAmount: amount, status, currency, filed } = payout
  const { shown, refused, becomes } = toResultRow(row, reference, payout, amount)
  const paidWith = { reference: payout.externalReference ?? payoutName(payout) }

  const isOfFile = filed !== null && filed.recipient !== null && amount !== null
  if (isOfFile && status === 'paid' && payout.method === 'manual') return refused(paidByHand(payout, paidWith))
  if (result.transfer !== null && payout.transfers.includes(result.transfer)) return { shown }
  const isAskedForSince = findPayoutProvider(payout.method) !== undefined
  if (
    isAskedForSince &&
    isRecipientOf(payout, result) &&
    isAmountOf({ ...payout, payAmount: filed?.payAmount ?? null }, result)
  ) {
    if (outcome !== 'paid') return { shown }
    const isPaid = status === 'sent' || status === 'paid'
    return refused(isPaid ? refusal('result_paid_twice', paidWith) : refusal('result_too_late', { status }))
  }
  const isDueAgain = status === 'gathering' && outcome === 'paid'
  if (!isOfFile || (payout.method !== METHOD && !isDueAgain && status !== 'canceled'))
    return refused(refusal('result_of_other_method'))
  if (payout.isFiledElsewhere) return refused(refusal('result_of_earlier_file'))
  if (!isRecipientOf(payout, result)) return refused(refusal('result_recipient_differs'))
  if (!isAmountOf(payout, result))
    return refused(refusal('result_amount_differs', { amount: () => moneyInWords(amount!, currency) }))
  if (outcome === 'paid') {
    if (status === 'approved' || isDueAgain) {
      if (isOlder(account, payout, result)) return refused(refusal('result_before_approval'))
      if (isDueAgain && payout.refused) return refused(payout.refused)
      const externalReference = result.transfer ?? payoutName(payout)
      const leaves = { status: 'paid', method: METHOD, externalReference, justPaidBy: result } as const
      const paid = { by, reference: externalReference, paidOn: result.paidOn, filed, method: METHOD }
      return becomes('paid', leaves, (tx) => markPaid(tx, account, { ...payout, status }, paid))
    }
    if (status === 'canceled') return refused(refusal('result_of_canceled'))
    if (status !== 'paid') return refused(refusal('result_too_late', { status }))
    const isNamed = result.transfer !== null && payout.externalReference !== payoutName(payout)
    const isSame = isNamed ? isPaidBy(payout, result) : payout.justPaidBy === undefined
    return isSame ? { shown: { ...shown, note: alreadyPaid(payout) } } : refused(refusal('result_paid_twice', paidWith))
  }
  if (outcome === 'over' || outcome === 'back') {
    const because = payoutReasons.fileCameBack({ why: reason })
    if (status === 'approved' && !isOlder(account, payout, result))
      return becomes('due', { status: 'gathering', method: null }, (tx) => setBack(tx, account, id, because, by))
    if (status === 'paid') {
      if (
        result.transfer === null &&
        (outcome === 'over' || !isPaidBy(payout, result) || payout.justPaidBy !== undefined)
      )
        return refused(refusal('result_without_transfer', paidWith))
      if (isPaidBy(payout, result))
        return becomes('returned', { status: 'returned' }, (tx) =>
          markReturned(tx, account, id, { by, reason: because, change: { old: 'paid', new: reason } }),
        )
    }
  }
  return { shown }
}

/** Compares the recipient by the id we gave; files without ids give a name. */
const isRecipientOf = (payout: Known, { recipient, name }: Result) =>
  recipient !== null
    ? recipient === payout.filed?.recipient
    : name !== null && alike(name) === alike(payout.details ? getHolder(payout.details) : '')

/** Longest name of a payee, in characters. */
const LONGEST_NAME = 200

const alike = (name: string) => plainName(name.slice(0, LONGEST_NAME + 1))
