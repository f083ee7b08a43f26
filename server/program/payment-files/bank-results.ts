import { moneyInWords } from '#contract/money.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Refusal, refusal } from '../../platform/refusal.ts'
import { addDays } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { markReturned } from '../payouts/apply-transfer.ts'
import type { BankResult, Result } from '../payouts/methods/method.ts'
import { nameCheckInWords, saveNameCheck } from '../payouts/name-checks.ts'
import { payoutReasons } from '../payouts/reason-text.ts'
import { setBack } from '../payouts/undo-approval.ts'
import { alreadyPaid, type Judged, markPaid, paidByHand, toResultRow } from './effects.ts'
import { isExactly, isOlder, type Known, type KnownFiling, type KnownPayouts } from './known.ts'
import { markRejected } from './payees.ts'

// A bank's report repeats our ids, which differ by file.

/** The method of files that are uploaded at a bank. */
const METHOD = 'sepa'

export type BankFind = { payout: Known; filed: KnownFiling }

/** Finds the payout by the reference that one of its files has, or that its text alone mentions. */
export function findOfBank({ payouts, filings }: KnownPayouts, result: Result): BankFind | undefined {
  // ours are in capitals
  const wanted = result.reference?.toUpperCase()
  const { mentioned } = result.bank!
  const filed =
    mentioned.length > 0 ? theMentioned(filings, mentioned) : filings.find((one) => one.reference === wanted)
  const payout = filed && payouts.find(({ id }) => id === filed.payoutId)
  if (!payout) return undefined
  const found = { payout, filed }
  return mentioned.length > 0 && !isAsOrdered(result, found) ? undefined : found
}

/** Returns the one payment that these references name, if they name no other: a text may have its payout's name besides. */
function theMentioned(filings: KnownFiling[], mentioned: string[]): KnownFiling | undefined {
  const named = filings.filter(({ reference }) => mentioned.includes(reference!))
  const [one, ...others] = named.length > 1 ? named.filter(({ reference }) => /-.*-/.test(reference!)) : named
  return others.length === 0 && named.every(({ payoutId }) => payoutId === one?.payoutId) ? one : undefined
}

/** Judges a result about a payout in this file of it. */
export function judgeOfBank(by: Author, account: AccountFacts, result: Result, { payout, filed }: BankFind): Judged {
  const { row, outcome, reason, paidOn } = result
  const bank = result.bank!
  const { status } = payout
  const reference = filed.reference!
  const { shown, refused, becomes } = toResultRow(row, reference, payout, filed.payAmount)
  const isNewest = payout.filed!.turn === filed.turn && !payout.isFiledElsewhere
  const differs = differenceOf(result, bank, { payout, filed })
  if (differs) return refused(differs)
  if (outcome === 'open') {
    const { nameCheck } = bank
    if (nameCheck === null) return { shown }
    const remark = (tx: Transaction) => saveNameCheck(tx, account.id, filed, nameCheck)
    return { shown: { ...shown, note: nameCheckInWords(nameCheck) }, remark }
  }
  if (outcome === 'unclear') return refused(refusal('result_unclear'))
  const paidWith = { reference: payout.externalReference ?? reference }
  const already = { ...shown, note: alreadyPaid(payout) }
  const isLive = isNewest && status === 'approved' && payout.method === METHOD && payout.isLive
  const isOfThis = payout.method === METHOD && payout.externalReference === reference
  const refuseLate = () => refused(refusal('result_too_late', { status }))
  const paid = { by, reference, paidOn, filed, method: METHOD }
  const because = payoutReasons[outcome === 'over' ? 'bankRejected' : 'bankReturned']({ why: reason })
  const note = async (tx: Transaction) => {
    if (bank.ofDetails) await markRejected(tx, account.id, { ...payout, fileId: filed.fileId }, reason)
  }

  const keepByName = async (tx: Transaction) => {
    if (!bank.whole)
      await tx.run`update payment_file_payouts set by_name = true
        where account_id = ${account.id} and file_id = ${filed.fileId} and payout_id = ${payout.id}`
  }

  if (status === 'paid' && !isOfThis && payout.method === 'manual') return refused(paidByHand(payout, paidWith))
  if (outcome === 'paid') {
    if (isLive && isOlder(account, payout, result)) return refused(refusal('result_before_approval'))
    const isDueAgain = status === 'gathering' && isNewest && filed.amount !== null
    if (isDueAgain && payout.refused) return refused(payout.refused)
    if (isLive || isDueAgain) {
      const leaves = { status: 'paid', method: METHOD, externalReference: reference, justPaidBy: result } as const
      return becomes('paid', leaves, async (tx) => {
        await markPaid(tx, account, { ...payout, status }, paid)
        await keepByName(tx)
      })
    }
    if (status === 'paid')
      return isOfThis && isSameBooking(result, { payout, filed })
        ? { shown: already, leaves: { justPaidBy: result } }
        : refused(refusal('result_paid_twice', paidWith))
    // the report of the return came before that of the booking
    if (status === 'returned' && isOfThis) return { shown, remark: keepByName }
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
  // a customer may name their own order alike
  if (bank.mentioned.length > 0 && !bank.isReturn) return refused(refusal('result_looks_returned'))
  return becomes('returned', { status: 'returned', method: METHOD, externalReference: reference }, async (tx) => {
    await note(tx)
    if (status === 'approved') await markPaid(tx, account, { ...payout, status }, { ...paid, paidOn: null })
    await markReturned(tx, account, payout.id, { by, reason: because, change: { old: 'paid', new: reason } })
  })
}

/** Days by which banks' dates of one booking may differ. */
const MOST_DAYS_APART = 5

/** Whether a booking of a paid payout is the one that paid it, told once more; else the bank has paid it twice. */
function isSameBooking({ part, paidOn, bank }: Result, { payout, filed }: BankFind): boolean {
  const before = payout.justPaidBy
  // a person may have marked it before the bank had executed the file
  const days = [before ? before.paidOn : payout.paidOn, filed.executionDate].filter((day) => day !== null)
  const last = days.sort().at(-1)
  if (last !== undefined && paidOn !== null && paidOn > addDays(last, MOST_DAYS_APART)) return false
  if (before?.part !== part || !before?.bank) return true
  const { booking, statement } = before.bank
  if (booking !== null && bank!.booking !== null) return booking === bank!.booking
  return statement !== bank!.statement && before.paidOn === paidOn
}

/** Returns how a result differs from what our file ordered. A statement must name account and amount. */
function differenceOf(result: Result, bank: BankResult, { payout, filed }: BankFind): Refusal | undefined {
  if (bank.messageId !== null && bank.messageId.toUpperCase() !== filed.messageId!.toUpperCase())
    return refusal('result_unknown')
  if ((bank.isStatement || bank.payer !== null) && (bank.payer === null || !isSameAccount(bank.payer, filed.payer)))
    return refusal('result_account_differs')
  if (isOtherPayee(bank, payout)) return refusal('result_recipient_differs')
  if (bank.whole) return undefined
  const isGiven = result.source !== null || bank.isStatement
  return isGiven && !isAmountOf(result, { payout, filed })
    ? refusal('result_amount_differs', { amount: () => moneyInWords(filed.payAmount ?? 0, payout.currency) })
    : undefined
}

const isOtherPayee = (bank: BankResult, { details }: Known) => {
  const payee = details && 'iban' in details ? details.iban : null
  return bank.payee !== null && payee !== null && bank.payee !== payee
}

const isAmountOf = ({ source, bank }: Result, { payout: { currency }, filed }: BankFind) =>
  isExactly(source, filed.payAmount, currency) && bank!.currency === currency

/** Whether amount and payee are those of the payment: a text could mention it that is about another. */
const isAsOrdered = (result: Result, find: BankFind) =>
  isAmountOf(result, find) && !isOtherPayee(result.bank!, find.payout)

/** The fewest digits of an account's number that are sure. */
const FEWEST_DIGITS = 8

/** Whether an account as a bank writes it is this IBAN, perhaps with its currency, or a number of it, which ends it. */
function isSameAccount(reported: string, iban: string | null): boolean {
  if (iban === null) return false
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
  const whole = plain(reported)
  // a number may follow the bank's BIC or number
  const numbers = [whole, plain(reported.slice(reported.lastIndexOf('/') + 1))].map((one) => one.replace(/EUR$/, ''))
  const isEnd = new RegExp(`^\\d{${FEWEST_DIGITS},}$`)
  return numbers.some((one) => one === iban || (isEnd.test(one) && iban.endsWith(one)))
}

/**
 * Returns those of these payments that can be in a sum of the rest of their file: beside those that were booked by their
 * names, of which these are `alone`, or with them.
 */
export const selectRest = (payments: BankFind[], alone?: ReadonlySet<string>): BankFind[] =>
  payments.filter(({ payout, filed }) => {
    if (alone && (filed.byName || alone.has(filed.reference!))) return false
    const { status } = payout
    if (status === 'paid' || status === 'returned') return payout.externalReference === filed.reference
    return status === 'approved' && payout.filed!.turn === filed.turn && !payout.isFiledElsewhere && payout.isLive
  })
