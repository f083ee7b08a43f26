import { moneyInWords } from '#contract/money.ts'
import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Refusal, refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { giveBack } from '../payouts/answers.ts'
import type { BankResult, Result } from '../payouts/methods/method.ts'
import { setBack } from '../payouts/undo-approval.ts'
import { type Judged, markPaid, rowOf } from './effects.ts'
import { type Found, isExactly, isOlder, type Known, type KnownFiling } from './known.ts'
import { noteRejected } from './payees.ts'

// A bank's report repeats our ids, which differ by file.

/** The method of files that are uploaded at a bank. */
const METHOD = 'sepa'

export type BankFind = { payout: Known; filed: KnownFiling }

/** Finds the payout by the reference that one of its files has. */
export function findOfBank({ payouts, filings }: Found, { reference }: Result): BankFind | undefined {
  // ours are in capitals
  const wanted = reference?.toUpperCase()
  const filed = filings.find((one) => one.reference === wanted)
  const payout = filed && payouts.find(({ id }) => id === filed.payoutId)
  return payout && { payout, filed }
}

/** Judges a result about a payout in this file of it. */
export function judgeOfBank(by: By, account: AccountFacts, result: Result, { payout, filed }: BankFind): Judged {
  const { row, outcome, said, paidOn } = result
  const bank = result.bank!
  const { status } = payout
  const reference = filed.reference!
  const { shown, refused, becomes } = rowOf(row, reference, payout, filed.payAmount)
  const isNewest = payout.filed!.turn === filed.turn && !payout.isFiledElsewhere
  const differs = differenceOf(result, bank, { payout, filed })
  if (differs) return refused(differs)
  if (outcome === 'open') return { shown }
  if (outcome === 'unclear') return refused(refusal('result_unclear'))
  const paidWith = { reference: payout.externalReference ?? reference }
  const isLive = isNewest && status === 'approved' && payout.method === METHOD && payout.isLive
  const isOfThis = payout.method === METHOD && payout.externalReference === reference
  const refuseLate = () => refused(refusal('result_too_late', { status }))
  const paid = { by, reference, paidOn, filed, method: METHOD }
  const because = `The bank ${outcome === 'over' ? 'rejected' : 'returned'} it: ${said}.`
  const note = async (tx: Transaction) => {
    if (bank.ofDetails) await noteRejected(tx, account.id, { ...payout, fileId: filed.fileId }, said)
  }

  if (status === 'paid' && !isOfThis && payout.method === 'manual') return refused(refusal('result_by_hand', paidWith))
  if (outcome === 'paid') {
    if (isLive && isOlder(account, payout, result)) return refused(refusal('result_before_approval'))
    const isDueAgain = status === 'gathering' && isNewest && filed.amount !== null
    if (isDueAgain && payout.refused) return refused(payout.refused)
    if (isLive || isDueAgain) {
      const leaves = { status: 'paid', method: METHOD, externalReference: reference, justPaid: true } as const
      return becomes('paid', leaves, (tx) => markPaid(tx, account, { ...payout, status }, paid))
    }
    if (status === 'paid')
      return isOfThis && !payout.justPaid
        ? { shown, leaves: { justPaid: true } }
        : refused(refusal('result_paid_twice', paidWith))
    if (status === 'returned' && isOfThis) return { shown }
    if (status === 'canceled') return refused(refusal('result_of_canceled'))
    return status === 'approved' || status === 'gathering' ? refused(refusal('result_of_earlier_file')) : refuseLate()
  }
  if (outcome === 'over') {
    if (status === 'paid' && isOfThis) return refuseLate()
    if (!isLive) return { shown }
    return becomes('due', { status: 'gathering', method: null }, async (tx) => {
      await note(tx)
      await setBack(tx, account, payout.id, because, by)
    })
  }
  if (!isLive && !(status === 'paid' && isOfThis)) {
    // it left, and came back, for a payout that is over or due again by now
    return status === 'paid' ? refused(refusal('result_of_earlier_file')) : { shown }
  }
  return becomes('returned', { status: 'returned', method: METHOD, externalReference: reference }, async (tx) => {
    await note(tx)
    if (status === 'approved') await markPaid(tx, account, { ...payout, status }, { ...paid, paidOn: null })
    await giveBack(tx, account, payout.id, { by, reason: because, change: { old: 'paid', new: said } })
  })
}

/** Returns how a result differs from what our file ordered. A statement must name account and amount. */
function differenceOf(result: Result, bank: BankResult, { payout, filed }: BankFind): Refusal | undefined {
  const { currency, details } = payout
  if (bank.messageId !== null && bank.messageId.toUpperCase() !== filed.messageId!.toUpperCase())
    return refusal('result_unknown')
  if ((bank.isStatement || bank.payer !== null) && (bank.payer === null || bank.payer !== filed.payer))
    return refusal('result_account_differs')
  const payee = details && 'iban' in details ? details.iban : null
  if (bank.payee !== null && payee !== null && bank.payee !== payee) return refusal('result_recipient_differs')
  if (bank.whole) return undefined
  const isGiven = result.source !== null || bank.isStatement
  const isSame = isExactly(result.source, filed.payAmount, currency) && bank.currency === currency
  return isGiven && !isSame
    ? refusal('result_amount_differs', { amount: moneyInWords(filed.payAmount ?? 0, currency) })
    : undefined
}
