import { fromDecimal, moneyInWords } from '#contract/money.ts'
import { MOST_RESULTS, type PayoutResults, type PayoutResultsFile } from '#contract/payout-reconciliation.ts'
import { holderOf } from '#contract/payout-settings.ts'
import type { PayoutStatus } from '#contract/values.ts'
import type { By } from '../../platform/author.ts'
import { recordsOf } from '../../platform/csv/read-csv.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Refusal, refusal, rowError } from '../../platform/refusal.ts'
import { addDays, dayIn, startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { partnerNameSql } from '../partner-lookup/partner-names.ts'
import { giveBack } from './answers.ts'
import type { LockedPayout } from './binding.ts'
import { openDetails, payoutDetailsPlace } from './deposit-details.ts'
import { shareLimits } from './limits.ts'
import type { Result } from './methods/method.ts'
import { move } from './move.ts'
import { lockPartnersAlone, payAfterAll } from './pay-after-all.ts'
import { filedOf } from './payees.ts'
import { numberAsWritten, payoutName } from './payout-number.ts'
import { payoutTermsOf } from './payout-terms.ts'
import { refusedAfterAll } from './second-approval.ts'
import { noTax, type Tax } from './taxes.ts'
import { setBack } from './undo-approval.ts'
import { batched, carrierOf, refusalOf } from './ways.ts'

type Known = LockedPayout & {
  partnerName: string
  currency: string
  approvedAt: string | null
  externalReference: string | null
  recipient: string | null
  /** Amount in its file, with its tax. */
  filed: number | null
  /** The tax it was approved with into its file. */
  tax: Tax
  payee: string | null
  /** Transfers that its method requested by API. */
  transfers: string[]
  /** Why it may not be recorded as paid, once it is due again. */
  refused: Refusal | null
  /** Paid by an earlier row of this file. */
  justPaid?: true
}
type Shown = PayoutResults['rows'][number]
/**
 * The change that a row makes to its payout; none if the payout is already in that state or its transfer has not ended.
 */
type Act = (tx: Transaction) => Promise<void>
type Judged = { shown: Shown; act?: Act; leaves?: Partial<Known> }

/**
 * Applies the results of a batch file: paid payouts are marked as paid, those that ended before are due again, and one
 * whose money came back after an earlier file marked it as paid is returned. Each row must match our reference, amount
 * and recipient, else only it changes nothing. A paid payout changes only by rows about the transfer that paid it. All
 * rows share one transaction; a file that is applied again, or after a crash, finds its changes made. `dryRun` changes
 * nothing.
 */
export async function applyResults(
  tx: Transaction,
  secrets: Secrets,
  by: By,
  account: AccountFacts,
  { csv, dryRun }: PayoutResultsFile,
): Promise<PayoutResults> {
  const results = batched.batch.read(recordsOf(csv, { field: 'csv', most: MOST_RESULTS }))
  if ('wrong' in results) throw refusalOf(results)
  await shareLimits(tx, account.id)
  const known = await knownOf(tx, secrets, account, { results, dryRun, by })
  const found = results.map((result) => find(known, account, result))
  const judged = new Map<Result, Judged>()
  // a payment outweighs a failed transfer of the same payout, wherever it is in the file
  for (const result of results.toSorted((a, b) => rank(a) - rank(b))) {
    const payout = found[results.indexOf(result)]
    const one = judge(by, account, result, payout)
    judged.set(result, one)
    if (payout && one.act) Object.assign(payout, one.leaves)
  }
  let applied = 0
  for (const { act } of judged.values()) {
    if (!act || dryRun) continue
    await act(tx)
    applied++
  }
  return { rows: results.map((result) => judged.get(result)!.shown), applied }
}

const rank = ({ outcome }: Result) => (outcome === 'paid' ? 0 : 1)

/**
 * Returns the account's payouts that the rows name or whose recipients match; locked in one order if they may change.
 */
async function knownOf(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  { results, dryRun, by }: { results: Result[]; dryRun: boolean; by: By },
): Promise<Known[]> {
  const numbers = results.flatMap(({ reference }) => numberAsWritten(reference) ?? [])
  const unnamed = results.filter(({ reference }) => reference === null)
  const amounts = unnamed.flatMap((result) => amountIn(result, account.defaultCurrency) ?? [])
  const which = sql`o.account_id = ${account.id}
    and (o.statement_number = any(${numbers}::integer[]) or (o.pay_amount = any(${amounts}::bigint[]) and o.method = ${batched.name} and o.status <> 'canceled'))`
  if (!dryRun) {
    const partners = await tx.many<{ partnerId: string }>`select distinct partner_id from payouts o where ${which}`
    const partnerIds = partners.map(({ partnerId }) => partnerId)
    await lockPartnersAlone(tx, account.id, partnerIds)
  }
  const payouts = await tx.many<
    Omit<Known, 'recipient' | 'filed' | 'tax' | 'payee' | 'refused'> & { sealed: Buffer | null }
  >`
    select o.id, o.partner_id, o.status, o.amount, o.pay_amount, o.method, o.statement_number, o.currency, o.approved_at,
      o.external_reference,
      array(select a.transfer_id from payout_attempts a
        where a.account_id = ${account.id} and a.payout_id = o.id and a.transfer_id is not null) as transfers,
      case when o.method = ${batched.name} then o.details_sealed end as sealed,
      ${partnerNameSql(sql`n`)} as partner_name
    from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where ${which}
    order by o.id ${dryRun ? sql`` : sql`for update of o`}`
  const ids = payouts.map(({ id }) => id)
  const files = new Map((await filedOf(tx, account.id, ids)).map((one) => [one.payoutId, one]))
  const dueAgain = payouts.flatMap(({ id, partnerId, status }) => {
    const { amount = null, taxAmount = 0 } = (status === 'gathering' ? files.get(id) : undefined) ?? {}
    return amount === null ? [] : [{ id, partnerId, amount, payAmount: amount + taxAmount }]
  })
  const refused = await refusedAfterAll(
    tx,
    await payoutTermsOf(tx, account),
    by.type === 'user' ? by.id : null,
    dueAgain,
  )
  return payouts.map(({ sealed, ...payout }) => {
    const details = sealed && openDetails(secrets, sealed, payoutDetailsPlace(payout.id, account.id))
    const file = files.get(payout.id)
    // one that is due again has its file's amount
    const filed = file && file.amount !== null ? file.amount + file.taxAmount : null
    const isDueAgain = payout.status === 'gathering'
    return {
      ...payout,
      amount: isDueAgain ? (file?.amount ?? null) : payout.amount,
      payAmount: isDueAgain ? filed : payout.payAmount,
      recipient: file?.recipient ?? null,
      filed,
      tax: file ?? noTax,
      payee: details ? holderOf(details) : null,
      refused: refused.get(payout.id) ?? null,
    }
  })
}

/**
 * Finds the payout by our reference; without one by recipient and amount, if only one payout qualifies: one that waits
 * for the result, or that this transfer paid.
 */
function find(known: Known[], account: AccountFacts, result: Result): Known | undefined {
  if (result.reference !== null)
    return known.find(({ statementNumber }) => statementNumber === numberAsWritten(result.reference))
  if (result.recipient === null) return undefined
  const same = known.filter(
    (payout) => payout.method === batched.name && payout.recipient === result.recipient && isAmountOf(payout, result),
  )
  const [one] = same
  if (!one || same.length > 1) return undefined
  return (one.status === 'paid' ? isPaidBy(one, result) : !isOlder(account, one, result)) ? one : undefined
}

/** Whether the transfer of this row paid the payout. */
const isPaidBy = (payout: Known, { transfer }: Result) => payout.externalReference === (transfer ?? payoutName(payout))

/** Whether the transfer is certainly older than the approval, i.e. by two days: files give dates of any time zone. */
const isOlder = ({ timeZone }: AccountFacts, { approvedAt }: Known, { paidOn }: Result) =>
  paidOn !== null && approvedAt !== null && paidOn < addDays(dayIn(timeZone, new Date(approvedAt)), -1)

const amountIn = ({ target, source }: Result, currency: string) =>
  fromDecimal(currency === 'usd' ? target : source, currency)

const isAmountOf = ({ payAmount, currency }: Known, result: Result) =>
  payAmount !== null && amountIn(result, currency) === payAmount

function judge(by: By, account: AccountFacts, result: Result, payout: Known | undefined): Judged {
  const { row, reference, outcome, said } = result
  if (!payout) {
    const nothing = { payoutId: null, partnerName: null, amount: null, was: null, becomes: null }
    return { shown: { row, reference, ...nothing, error: rowError(refusal('result_unknown')) } }
  }
  const { id, partnerName, payAmount: amount, status, currency } = payout
  const was: PayoutStatus = status === 'gathering' ? 'due' : status
  const shown = { row, reference, payoutId: id, partnerName, amount, was, becomes: was, error: null }
  const refused = (error: Refusal): Judged => ({ shown: { ...shown, error: rowError(error) } })
  const becomes = (to: PayoutStatus, leaves: Partial<Known>, act: Act): Judged => ({
    ...{ shown: { ...shown, becomes: to }, leaves, act },
  })
  const paidWith = { reference: payout.externalReference ?? payoutName(payout) }

  const isOfFile = payout.recipient !== null && amount !== null
  if (isOfFile && status === 'paid' && payout.method === 'manual') return refused(refusal('result_by_hand', paidWith))
  if (result.transfer !== null && payout.transfers.includes(result.transfer)) return { shown }
  const isAskedForSince = carrierOf(payout.method) !== undefined
  if (isAskedForSince && isRecipientOf(payout, result) && isAmountOf({ ...payout, payAmount: payout.filed }, result)) {
    if (outcome !== 'paid') return { shown }
    const isPaid = status === 'sent' || status === 'paid'
    return refused(isPaid ? refusal('result_paid_twice', paidWith) : refusal('result_too_late', { status }))
  }
  const isDueAgain = status === 'gathering' && outcome === 'paid'
  if (!isOfFile || (payout.method !== batched.name && !isDueAgain && status !== 'canceled'))
    return refused(refusal('result_of_other_method'))
  if (!isRecipientOf(payout, result)) return refused(refusal('result_recipient_differs'))
  if (!isAmountOf(payout, result))
    return refused(refusal('result_amount_differs', { amount: moneyInWords(amount!, currency) }))
  if (outcome === 'paid') {
    if (status === 'approved' || isDueAgain) {
      if (isOlder(account, payout, result)) return refused(refusal('result_before_approval'))
      if (isDueAgain && payout.refused) return refused(payout.refused)
      const externalReference = result.transfer ?? payoutName(payout)
      const leaves = { status: 'paid', method: 'csv', externalReference, justPaid: true } as const
      return becomes('paid', leaves, (tx) => markPaid(tx, by, account, { ...payout, status }, result))
    }
    if (status === 'canceled') return refused(refusal('result_of_canceled'))
    if (status !== 'paid') return refused(refusal('result_too_late', { status }))
    const isNamed = result.transfer !== null && payout.externalReference !== payoutName(payout)
    const isSame = isNamed ? isPaidBy(payout, result) : !payout.justPaid
    return isSame ? { shown } : refused(refusal('result_paid_twice', paidWith))
  }
  if (outcome === 'over' || outcome === 'back') {
    const because = `The batch file came back: ${said}.`
    if (status === 'approved' && !isOlder(account, payout, result))
      return becomes('due', { status: 'gathering', method: null }, (tx) => setBack(tx, account, id, because, by))
    if (status === 'paid') {
      if (result.transfer === null && (outcome === 'over' || !isPaidBy(payout, result) || payout.justPaid))
        return refused(refusal('result_without_transfer', paidWith))
      if (isPaidBy(payout, result))
        return becomes('returned', { status: 'returned' }, (tx) =>
          giveBack(tx, account, id, { by, reason: because, change: { old: 'paid', new: said } }),
        )
    }
  }
  return { shown }
}

/** Compares the recipient by the id we gave; files without ids give a name. */
const isRecipientOf = (payout: Known, { recipient, name }: Result) =>
  recipient !== null ? recipient === payout.recipient : name !== null && alike(name) === alike(payout.payee ?? '')

/** Longest name of a payee, in characters. */
const LONGEST_NAME = 200

const alike = (name: string) =>
  name
    .slice(0, LONGEST_NAME + 1)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Marks as paid despite any blockers, since the money has left. */
async function markPaid(tx: Transaction, by: By, account: AccountFacts, payout: Known, result: Result) {
  const paidAt = paidAtOf(tx, account, payout, result.paidOn)
  const reference = result.transfer ?? payoutName(payout)
  const changes = { externalReference: { old: null, new: reference } }
  if (payout.status !== 'approved') {
    const paid = sql`external_reference = ${reference}, method = 'csv'`
    return payAfterAll(
      tx,
      account,
      { ...payout, amount: payout.amount! },
      { by, paidAt, paid, changes, tax: payout.tax },
    )
  }
  await move(tx, account, payout.id, 'mark-paid', {
    ...{ by, changes, set: sql`external_reference = ${reference}, paid_at = ${paidAt}` },
  })
}

/** Returns the date in the file, limited to the time between the approval and now. */
function paidAtOf({ now }: Transaction, { timeZone }: AccountFacts, { approvedAt }: Known, day: string | null) {
  if (!day || !Date.parse(day)) return now.toISOString()
  const earliest = approvedAt === null ? 0 : Date.parse(approvedAt)
  return new Date(Math.min(Math.max(startOfDay(day, timeZone).getTime(), earliest), now.getTime())).toISOString()
}
