import type { ApprovalResults, PaidPayout, PaidPayouts, Payout } from '#contract/payouts.ts'
import { isAsShown } from '../../platform/as-shown.ts'
import { type Author, userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { type Transaction, withSavepoint } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound, Refusal, refusal, rowError, wrongField } from '../../platform/refusal.ts'
import { dayIn, startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { rewardsOfPartners } from '../access/customer-groups.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { blockedRefusal, blockersByHand } from './approve.ts'
import { outlastsApproval } from './blockers.ts'
import { shareLimits } from './limits.ts'
import { findPayoutProvider } from './methods/registry.ts'
import { readBalances } from './partner-balances.ts'
import { decideUnsure } from './payout-attempts.ts'
import { type ForJudgement, type LockedPayout, lockAllForJudgement, lockDue, wrongState } from './payout-entries.ts'
import { payoutName } from './payout-number.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'
import { presentPayout, readPayout, readThese } from './payouts.ts'
import { findPayoutsInFiles, type PayoutInFile } from './payouts-in-files.ts'
import { lockPartnersAlone, payAfterAll } from './record-external-payment.ts'
import { completeApproval } from './second-approval.ts'
import { formCounts } from './tax-form-on-file.ts'
import { createTaxCalculator, noTax, taxColumns } from './taxes.ts'
import { transitionPayout } from './transitions.ts'

/**
 * Records that a payout was paid by other means: a due or open one gets the entries due by now, one canceled out of a
 * batch file the file's entries.
 * Refuses: `second_person_needed` without a first approval by another person where two must approve; `payout_changed`
 * if its amount differs from the one shown; `payout_in_payment_file` if a file may still pay it and `inFile` does not say
 * whether it did; `invalid_state` once its method may pay it, unless only a person can find
 * out whether it did; `payout_blocked` if a blocker
 * concerns the partner themselves (details, minimum, currency and recipient do not count); `validation_failed` for a
 * date in the future. An API key marks only an approved payout that is paid by hand: it approves nothing.
 */
export async function markPayoutPaidBy(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  body: PaidPayout,
): Promise<Payout> {
  await shareLimits(tx, account.id)
  const locked = await lockForMarking(tx, account.id, [asUuid(id)])
  await markOne(tx, by, await getPayoutTerms(tx, account), locked.get(asUuid(id)), body)
  await tx.finish()
  return presentPayout(tx, account, id)
}

/** The person who reports the payment. */
type Person = Pick<Actor, 'userId' | 'from'>

/**
 * Returns the payout's partner, and the year whose approval its payment at `paidAt` needs; undefined for a payout of
 * another account. Locks the limits, which marking it locks first.
 */
export async function findApprovalNeeded(tx: Transaction, account: AccountFacts, id: string, paidAt?: string) {
  const year = yearOfPayment(account, instantOf(tx, account, paidAt))
  await shareLimits(tx, account.id)
  const payout = await tx.maybe<{ partnerId: string }>`
    select partner_id from payouts where account_id = ${account.id} and id = ${asUuid(id)}`
  return payout && { ...payout, year }
}

/** Records a payment that a person reports, like `markPayoutPaidBy`. */
export const markPayoutPaid = (tx: Transaction, actor: Person, account: AccountFacts, id: string, body: PaidPayout) =>
  markPayoutPaidBy(tx, userAuthor(actor), account, id, body)

/** Marks many separately: a refused one does not stop the others. */
export async function markPayoutsPaid(
  tx: Transaction,
  actor: Person,
  account: AccountFacts,
  { ids = [], reference = '', paidAt, inFile, items = [] }: PaidPayouts,
): Promise<ApprovalResults> {
  if (ids.length > 0) instantOf(tx, account, paidAt)
  const wanted =
    ids.length > 0
      ? ids.map((id) => ({ id, reference, paidAt, inFile, amount: undefined, payAmount: undefined }))
      : items
  const payoutIds = wanted.map(({ id }) => asUuid(id))
  await shareLimits(tx, account.id)
  const locked = await lockForMarking(tx, account.id, [...new Set(payoutIds)])
  const terms = await getPayoutTerms(tx, account)
  const errors: (ReturnType<typeof rowError> | null)[] = []
  for (const [at, item] of wanted.entries()) {
    const one = locked.get(payoutIds[at]!)
    try {
      await withSavepoint(tx, () => markOne(tx, userAuthor(actor), terms, one, item))
      if (one) one.payout.status = 'paid'
      errors.push(null)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push(rowError(error))
    }
  }
  await tx.finish()
  const states = new Map((await readThese(tx, terms, payoutIds)).map(({ id, status }) => [id, status]))
  return {
    results: wanted.map(({ id }, at) => ({
      id,
      status: states.get(payoutIds[at]!) ?? null,
      error: errors[at] ?? null,
    })),
  }
}

async function markOne(
  tx: Transaction,
  by: Author,
  terms: PayoutTerms,
  found: ForMarking | undefined,
  body: PaidPayout,
) {
  if (!found) throw notFound()
  const { payout, filed } = found
  const { account } = terms
  const paidAt = instantOf(tx, account, body.paidAt)
  const userId = by.type === 'user' ? by.id : null
  const isDecided = userId !== null && (await decideUnsure(tx, account.id, payout.id))
  const byHand = isDecided || (payout.status === 'approved' && !findPayoutProvider(payout.method))
  if (!userId && !byHand) throw wrongState(payout.status, 'payout_not_markable')
  // canceled out of a file, which may be paid by anyone who has it
  const wasInFile = payout.status === 'canceled' && filed !== undefined && payout.amount !== null
  if (payout.status !== 'gathering' && payout.status !== 'failed' && !byHand && !wasInFile)
    throw wrongState(payout.status, 'payout_not_markable')
  const isPaidByFile = await decideInFile(tx, account, found, body)
  const reference = isPaidByFile ? (filed?.reference ?? payoutName(payout)) : body.reference!
  const changes = { externalReference: { old: null, new: reference } }
  if (wasInFile) {
    refuseChanged({ amount: payout.amount!, payAmount: payout.payAmount! }, body)
    // despite any blockers: the money has left
    const paid = sql`external_reference = ${reference}, method = 'manual'`
    return payAfterAll(tx, account, { ...payout, amount: payout.amount! }, { by, paidAt, paid, changes })
  }
  const due = payout.status === 'gathering' ? await dueNow(tx, terms, payout) : null
  const reward = due && ((await rewardsOfPartners(tx, account.id, [payout.partnerId])).get(payout.partnerId) ?? null)
  const tax = due ? (await createTaxCalculator(tx, terms, [payout.partnerId]))(payout.partnerId, due.amount) : null
  const payAmount = due && tax ? due.amount + tax.taxAmount : payout.payAmount!
  refuseChanged({ amount: due?.amount ?? payout.amount!, payAmount }, body)
  // what a person found out was paid: the money has left
  if (!isDecided && !isPaidByFile)
    await refuseByHand(tx, terms, payout.partnerId, { paidAt, wasApproved: due === null })
  if (due)
    await completeApproval(tx, terms, userId!, payout.id, {
      ...due,
      taxAmount: payAmount - due.amount,
      version: found.details?.version ?? null,
    })
  const paidOn = dayIn(account.timeZone, new Date(paidAt))
  const paid = sql`external_reference = ${reference}, paid_at = ${paidAt}, paid_on = ${paidOn}`
  await transitionPayout(tx, account, payout.id, 'mark-paid', {
    by,
    set: due
      ? sql`${paid}, method = 'manual', reward = ${reward && JSON.stringify(reward)}::jsonb, amount = ${due.amount}, period_start = ${due.periodStart},
          period_end = ${due.periodEnd}, approved_by = ${userId}, approved_at = ${tx.now}, ${taxColumns(tax ?? noTax)}`
      : isPaidByFile
        ? paid
        : // also out of a payment file, whose results no longer concern a manually paid payout
          sql`${paid}, method = 'manual'`,
    ...(due && { entries: due.ids }),
    changes,
  })
}

/** A payout that is locked, and the newest of its files. */
type ForMarking = ForJudgement & { filed: PayoutInFile | undefined }

/** Locks partners of canceled payouts first: a concurrent approval may be about to bind the same entries. */
async function lockForMarking(tx: Transaction, accountId: string, ids: string[]) {
  const canceled = await tx.many<{ partnerId: string }>`
    select distinct partner_id from payouts
    where id = any(${ids}::uuid[]) and account_id = ${accountId} and status = 'canceled'`
  const partnerIds = canceled.map(({ partnerId }) => partnerId)
  if (partnerIds.length > 0) await lockPartnersAlone(tx, accountId, partnerIds)
  const locked = await lockAllForJudgement(tx, accountId, ids)
  const filed = new Map((await findPayoutsInFiles(tx, accountId, ids)).map((one) => [one.payoutId, one]))
  return new Map([...locked].map(([id, one]): [string, ForMarking] => [id, { ...one, filed: filed.get(id) }]))
}

/** Refuses if the amounts changed since they were shown: the person paid what was shown. */
function refuseChanged(now: { amount: number; payAmount: number }, { amount, payAmount }: PaidPayout) {
  if (!isAsShown({ amount, payAmount }, now)) throw refusal('payout_changed')
}

/**
 * Returns whether the file that the payout is in paid it. Then it is recorded as by the bank's report, with the method and
 * the reference of the file, so that a later report finds it paid and may still return it; otherwise it leaves the file.
 * Refuses: `payout_in_payment_file` if the person does not say which, `payout_not_in_payment_file` for one that no file pays.
 */
async function decideInFile(
  tx: Transaction,
  account: AccountFacts,
  { payout, filed }: ForMarking,
  { inFile }: PaidPayout,
): Promise<boolean> {
  const isLive = payout.status === 'approved' && filed?.live === true
  const number = payout.statementNumber
  if (isLive && inFile === undefined) {
    const partner = (await partnerNames(tx, [account.id], [payout.partnerId])).get(payout.partnerId)!
    throw refusal('payout_in_payment_file', { number, file: filed.fileNumber ?? '–', partner })
  }
  if (!isLive && inFile === 'paid') throw refusal('payout_not_in_payment_file', { number })
  return inFile === 'paid'
}

/** Earliest date accepted; no payout can be older. */
const EARLIEST = '2000-01-01'

/**
 * Converts a date to its first moment in the account's time zone; defaults to now. Refuses: a date in the future, or
 * too long ago.
 */
function instantOf(tx: Transaction, { timeZone }: AccountFacts, given: string | undefined): string {
  if (given === undefined) return tx.now.toISOString()
  const at = (given.length > 10 ? new Date(given) : startOfDay(given, timeZone)).toISOString()
  if (at < EARLIEST) throw wrongField('paidAt', 'paid_day_wrong')
  if (Date.parse(at) > tx.now.getTime()) throw wrongField('paidAt', 'day_in_future')
  return at
}

/** Returns the calendar year, in the account's time zone, in which a payment at this instant was made. */
const yearOfPayment = ({ timeZone }: AccountFacts, at: string) => Number(dayIn(timeZone, new Date(at)).slice(0, 4))

async function dueNow(tx: Transaction, terms: PayoutTerms, payout: LockedPayout) {
  const due = await lockDue(tx, terms.account.id, payout.partnerId)
  if (due.amount <= 0 || !(await readPayout(tx, terms, payout.id))) throw notFound()
  return due
}

/**
 * Refuses a partner who may not be paid, in the year of `paidAt` and now; for an approved payout by blockers that outlast
 * its approval.
 */
async function refuseByHand(
  tx: Transaction,
  terms: PayoutTerms,
  partnerId: string,
  { paidAt, wasApproved }: { paidAt: string; wasApproved: boolean },
) {
  const year = yearOfPayment(terms.account, paidAt)
  const { approved, hasForm } = await tx.one<{ approved: boolean; hasForm: boolean }>`
    select ${year}::integer = any(n.approved_payout_years) as approved, ${formCounts(terms.account.id, sql`n`, year)} as has_form
    from partners n where n.account_id = ${terms.account.id} and n.id = ${partnerId}`
  // what isn't money needs no papers
  const isMoney =
    ((await rewardsOfPartners(tx, terms.account.id, [partnerId])).get(partnerId)?.as ?? 'money') === 'money'
  const [balance] = await readBalances(tx, terms, [partnerId])
  const codes = balance!.blockers.filter(
    (code) => (!wasApproved || outlastsApproval(code)) && !(code === 'tax-form-missing' && hasForm),
  )
  if (isMoney && terms.invoicing.taxForms === 'required' && !hasForm && !codes.includes('tax-form-missing'))
    codes.push('tax-form-missing')
  const stopping = blockersByHand(codes, approved || !isMoney)
  if (stopping.length > 0) throw blockedRefusal({ ...terms, year }, balance!, stopping)
}
