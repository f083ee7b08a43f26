import type { GroupReward } from '#contract/groups.ts'
import { moneyInWords } from '#contract/money.ts'
import type {
  ApprovalPreview,
  ApprovalResults,
  ApprovedPayouts,
  BlockerCode,
  Payout,
  PayoutMethod,
  ShownPayout,
} from '#contract/payouts.ts'
import { isAsShown } from '../../platform/as-shown.ts'
import { type Author, system, userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { concernsAll, type Transaction, withSavepoint } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound, Refusal, refusal, rowError } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { blockerFacts } from './blocker-conditions.ts'
import { balanceBlockers, isHard, isOfMethod, needsPerson, outlastsApproval, presentBlockers } from './blockers.ts'
import { nightlyMethods, runningMethods } from './chosen-method.ts'
import { openDetails, payoutDetailsPlace, settingsPlace } from './deposit-details.ts'
import { shareLimits } from './limits.ts'
import type { Method } from './methods/method.ts'
import { findPayoutProvider, getPayoutMethod, rewardMethodNames } from './methods/registry.ts'
import { type PartnerBalance, readBalances } from './partner-balances.ts'
import { estimateFees } from './payout-attempts.ts'
import {
  type Due,
  type ForJudgement,
  type LockedPayout,
  lockAllDue,
  lockAllForJudgement,
  wrongState,
} from './payout-entries.ts'
import { getPayoutTerms, lockPayoutAccount, type PayoutTerms } from './payout-terms.ts'
import { findCountingApprovals, isUnapproved, type PayoutRow, presentPayout, readThese } from './payouts.ts'
import { payOutQueue } from './queue.ts'
import {
  completeFirst,
  deleteFirstApprovals,
  type FirstApproval,
  firstApprovals,
  judgeApproval,
  lockApprovingPerson,
  lockFirst,
  needsTwo,
  recordFirst,
  type Seen,
  stillCounting,
} from './second-approval.ts'
import { createTaxCalculator, type Tax } from './taxes.ts'
import { transitionPayouts } from './transitions.ts'

/** The services an approval needs: to open the details, to queue the payout, to log errors. */
export type ApprovalMeans = Pick<Services, 'secrets' | 'jobs' | 'log'>

type Approver = {
  by: Author
  userId: string | null
  fresh: boolean
  automatic: boolean
  intoFile?: true
  /** The nightly run of customers' rewards. */
  nightly?: true
}

const approverOf = (actor: Actor, now: Date): Approver => ({
  by: userAuthor(actor),
  userId: actor.userId,
  fresh: isFresh(actor, now),
  automatic: false,
})
/** Warnings stop the approval into a file, since one look covers all of it. */
const intoFileBy = (actor: Actor, now: Date): Approver => ({
  ...approverOf(actor, now),
  automatic: true,
  intoFile: true,
})
const automaticRun: Approver = { by: system, userId: null, fresh: false, automatic: true }

/**
 * Approves a due payout: binds the entries due now, fixes amount and payout details, and queues the payment. Where two
 * people must approve it, the first leaves it due.
 * Refuses: `second_person_needed` to the person who approved first; `payout_blocked` with its blockers;
 * `recent_sign_in_required` above a ceiling without a fresh password; `payout_changed` when amount or details differ
 * from those shown; `invalid_state` when it is already approved or payouts are paused.
 */
export async function approvePayout(
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  id: string,
  shown: ShownPayout = {},
): Promise<Payout> {
  await shareLimits(tx, account.id)
  const run = await runOf(tx, means, actor, account, [{ id, ...shown }])
  const outcome = (await approveAll(tx, run, [asUuid(id)], 0)).get(asUuid(id))!
  if (outcome instanceof Refusal) throw outcome
  return presentPayout(tx, account, id)
}

/** Approves many separately: a refused one does not stop the others. Together they count as one run. */
export async function approvePayouts(
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  ids: string[],
  shown: ApprovedPayouts['shown'] = [],
): Promise<ApprovalResults> {
  await shareLimits(tx, account.id)
  const run = await runOf(tx, means, actor, account, shown)
  const outcomes = await approveEach(tx, run, [...new Set(ids.map(asUuid))].sort())
  const payouts = await payoutsById(tx, run.terms, ids)
  const results = ids.map((id) => {
    const outcome = outcomes.get(asUuid(id))
    const error = outcome instanceof Refusal ? rowError(outcome) : null
    return { id, status: payouts.get(asUuid(id))?.status ?? null, error }
  })
  return { results }
}

const payoutsById = async (tx: Transaction, terms: PayoutTerms, ids: string[]) =>
  new Map((await readThese(tx, terms, ids.map(asUuid))).map((row) => [row.id, row]))

/**
 * Previews an approval, or one into a file that is paid in a year, without changing anything. The fee is the method's
 * usual one, if known.
 */
export async function previewApproval(
  tx: Transaction,
  actor: Actor,
  account: AccountFacts,
  ids: string[],
  into?: Required<Pick<PayoutTerms, 'into' | 'year'>>,
): Promise<ApprovalPreview> {
  const terms: PayoutTerms = { ...(await getPayoutTerms(tx, account)), ...into }
  const approver = into ? intoFileBy(actor, tx.now) : approverOf(actor, tx.now)
  const excluded: ApprovalPreview['excluded'] = []
  const chosen: PayoutMethod[] = []
  const included: ApprovalPreview['payouts'] = []
  let payAmount = 0
  let firstOnes = 0
  const payouts = await payoutsById(tx, terms, ids)
  const twice = [...payouts.values()].filter((payout) => isUnapproved(payout) && needsTwo(terms, payout.payAmount))
  const person = twice.length > 0 ? await lockApprovingPerson(tx, account.id, actor.userId) : null
  const firsts = await findCountingApprovals(tx, terms, twice)
  for (const id of new Set(ids)) {
    try {
      const payout = payouts.get(asUuid(id))
      if (!payout) throw notFound()
      if (payout.status !== 'due' && payout.status !== 'open') throw wrongState(payout.status, 'payout_not_approvable')
      refusePaused(terms)
      refuseBlocked(terms, payout, approver)
      refuseAboveCeilings(terms, payout.payAmount, payAmount, approver)
      if (needsTwo(terms, payout.payAmount) && !judgeApproval(terms, tx.now, person, firsts.get(payout.id))) {
        firstOnes++
        continue
      }
      included.push(asInPreview(payout))
      payAmount += payout.payAmount
      chosen.push(payout.method)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      excluded.push({ id, error: rowError(error) })
    }
  }
  const feeEstimate = await estimateFees(tx, account.id, countEach(chosen))
  return { ...sumPayouts(included), firstApprovals: firstOnes, feeEstimate, excluded }
}

const countEach = (methods: PayoutMethod[]): Partial<Record<PayoutMethod, number>> =>
  Object.fromEntries([...Map.groupBy(methods, (one) => one)].map(([method, { length }]) => [method, length]))

/** Returns a payout as a preview has it. */
export const asInPreview = ({ id, amount, payAmount, detailsVersion }: ApprovalPreview['payouts'][number]) => ({
  id,
  amount,
  payAmount,
  detailsVersion,
})

/** The payouts of a preview, with their number and sums. */
export const sumPayouts = (payouts: ApprovalPreview['payouts']) => ({
  payouts,
  count: payouts.length,
  amount: payouts.reduce((sum, { amount }) => sum + amount, 0),
  payAmount: payouts.reduce((sum, { payAmount }) => sum + payAmount, 0),
})

/**
 * Approves the due rewards of customers whose group gives them by itself, every night. The ceilings of automatic payouts
 * hold, and approvals of earlier today count. Units of an erased customer
 * wait: the company no longer has their id.
 */
export async function approveRewards(tx: Transaction, means: ApprovalMeans, account: AccountFacts): Promise<void> {
  await lockPayoutAccount(tx, account.id)
  const terms = await getPayoutTerms(tx, account)
  const groups = terms.customerGroups.flatMap(({ id, automatic }) => (automatic ? [id] : []))
  if (terms.paused || account.disabledAt) return
  const payouts = await tx.many<{ id: string }>`
    select o.id from payouts o join partners n on n.account_id = ${account.id} and n.id = o.partner_id
    where o.account_id = ${account.id} and o.status = 'gathering' and n.group_id = any(${groups}::uuid[])
      and n.erased_at is null
    order by o.statement_number`
  const ids = payouts.map(({ id }) => id)
  const approved = await approvedToday(tx, terms)
  await approveEach(tx, { means, terms, approver: { ...automaticRun, nightly: true } }, ids, approved)
}

const approvedToday = (tx: Transaction, { account, today }: PayoutTerms) => tx.value<number>`
  select coalesce(sum(pay_amount), 0)::bigint as approved from payouts
  where account_id = ${account.id} and approved_by is null and status not in ('gathering', 'canceled')
    and approved_at >= ${startOfDay(today, account.timeZone)}`

/**
 * Runs an account's automatic payouts: approves every due payout below the ceilings whose details have passed the
 * cool-off. Automatic approvals of earlier today count, so that running again does not lift the ceiling. With `method`,
 * only that one's. Returns the number of approvals; null if automatic payouts are off, or can't be made now.
 */
export async function runAutomaticPayouts(
  tx: Transaction,
  means: ApprovalMeans,
  account: AccountFacts,
  method?: string,
): Promise<number | null> {
  await lockPayoutAccount(tx, account.id)
  const all = await getPayoutTerms(tx, account)
  const ways = all.ways.map((way) => ({ ...way, automatic: way.automatic && (!method || way.method.name === method) }))
  const terms = { ...all, ways }
  if (runningMethods(terms).length === 0 || account.disabledAt) return null
  const approved = await approvedToday(tx, terms)
  const payouts = await tx.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} and status = 'gathering' order by statement_number`
  const ids = payouts.map(({ id }) => id)
  const outcomes = await approveEach(tx, { means, terms, approver: automaticRun }, ids, approved)
  return [...outcomes.values()].filter((outcome) => !(outcome instanceof Refusal)).length
}

type IntoBatch = { method: Method; year: number; ids: string[]; byPartner: Map<string, { detailsVersion: string }> }

/**
 * Approves these into a file of this method that is paid in this year, with the details it was prepared for; those that
 * would warn a person, or that another person must approve, stay due. Returns the approved ones, and how many lack the
 * other person.
 * Refuses: `recent_sign_in_required` for all if one is above a ceiling. The caller has locked the limits.
 */
export async function approveIntoBatch(
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  { method, year, ids, byPartner }: IntoBatch,
): Promise<{ approved: { id: string; partnerId: string }[]; lacking: number }> {
  const terms: PayoutTerms = { ...(await getPayoutTerms(tx, account)), into: method, year }
  const run = {
    means,
    terms,
    approver: intoFileBy(actor, tx.now),
    versionOf: (partnerId: string) => byPartner.get(partnerId)?.detailsVersion,
  }
  const ready: string[] = []
  let lacking = 0
  for (const [id, outcome] of await approveEach(tx, run, [...ids].sort())) {
    if (outcome instanceof Refusal && outcome.code === 'recent_sign_in_required') throw outcome
    if (!(outcome instanceof Refusal)) ready.push(id)
    else if (outcome.reason === 'second_person_needed' || outcome.reason === 'pay_too_new') lacking++
  }
  const approved = await tx.many<{ id: string; partnerId: string }>`
    select id, partner_id from payouts where account_id = ${account.id} and id = any(${ready}::uuid[])`
  return { approved, lacking }
}

/** The context of an approval: one set of terms for the run, and each payout as shown or prepared, if known. */
type Run = {
  means: ApprovalMeans
  terms: PayoutTerms
  approver: Approver
  asShown?: ReadonlyMap<string, ShownPayout>
  versionOf?: (partnerId: string) => string | undefined
}

const runOf = async (
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  shown: (ShownPayout & { id: string })[],
): Promise<Run> => ({
  means,
  terms: await getPayoutTerms(tx, account),
  approver: approverOf(actor, tx.now),
  asShown: new Map(shown.map(({ id, ...facts }) => [asUuid(id), facts])),
})

/** The approved amount with its tax, 0 for one that was only approved first, or the refusal. */
type Outcome = number | Refusal

/**
 * Approves these in this order, as one run of which `runSum` was approved before. If a write fails, each is approved
 * separately, so that an error undoes only its own part.
 */
async function approveEach(tx: Transaction, run: Run, ids: string[], runSum = 0): Promise<Map<string, Outcome>> {
  try {
    return await withSavepoint(tx, () => approveAll(tx, run, ids, runSum))
  } catch (error) {
    if (concernsAll(error)) throw error
    const [id] = ids
    if (ids.length === 1) {
      run.means.log.error({ payoutId: id, err: error }, 'a payout could not be approved; the others continue')
      return new Map([[id!, refusal('payout_failed')]])
    }
  }
  const outcomes = new Map<string, Outcome>()
  let sum = runSum
  for (const id of ids)
    for (const [, outcome] of await approveEach(tx, run, [id], sum)) {
      if (!(outcome instanceof Refusal)) sum += outcome
      outcomes.set(id, outcome)
    }
  return outcomes
}

type Approved = Due &
  Tax & {
    id: string
    method: PayoutMethod
    givenAs: GroupReward | null
    details: FixedDetails | null
    version: string | null
    first: FirstApproval | undefined
  }

async function approveAll(tx: Transaction, run: Run, ids: string[], runSum: number): Promise<Map<string, Outcome>> {
  const { means, terms, approver } = run
  const { account } = terms
  const locked = await lockAllForJudgement(tx, account.id, ids)
  // lock the entries before judging them, so that concurrent reversals count
  const gathering = [...locked.values()].filter(({ payout }) => payout.status === 'gathering')
  const partnerIds = gathering.map(({ payout }) => payout.partnerId)
  const dueTo = await lockAllDue(tx, account.id, partnerIds)
  const taxOf = await createTaxCalculator(tx, terms, partnerIds)
  const payOf = ({ partnerId }: LockedPayout) => {
    const { amount } = dueTo(partnerId)
    return amount + taxOf(partnerId, amount).taxAmount
  }
  const gatheringIds = gathering.map(({ payout }) => payout.id)
  const shown = await payoutsById(tx, terms, gatheringIds)
  const twice = gathering.filter(({ payout }) => needsTwo(terms, payOf(payout))).map(({ payout }) => payout.id)
  const open = await firstApprovals(tx, account.id, twice)
  if (open.size > 0) await lockFirst(tx, account.id, open.values())
  // read again under the lock of their roles
  const firsts = open.size > 0 ? await firstApprovals(tx, account.id, twice) : open
  const person = twice.length > 0 && approver.userId ? await lockApprovingPerson(tx, account.id, approver.userId) : null
  const outcomes = new Map<string, Outcome>()
  const approved: Approved[] = []
  const first: { payoutId: string; seen: Seen }[] = []
  let sum = runSum
  for (const id of ids) {
    try {
      const found = locked.get(id)
      if (!found) throw notFound()
      const due = dueTo(found.payout.partnerId)
      const pay = payOf(found.payout)
      const { method, givenAs, details } = judgeOne(run, found, { due, pay, shown: shown.get(id), sum })
      const version = rewardMethodNames.includes(method) ? null : (found.details?.version ?? null)
      const tax = taxOf(found.payout.partnerId, due.amount)
      const seen = { ...due, taxAmount: tax.taxAmount, version }
      const before = stillCounting(firsts.get(id), seen)
      if (needsTwo(terms, pay) && !judgeApproval(terms, tx.now, person, before)) {
        if (approver.intoFile) throw refusal('second_person_needed')
        first.push({ payoutId: id, seen })
        outcomes.set(id, 0)
        continue
      }
      approved.push({ ...due, ...tax, id, method, givenAs, details, version, first: before })
      sum += pay
      outcomes.set(id, pay)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.set(id, error)
    }
  }
  await recordFirst(tx, approver.by, account.id, first)
  if (approved.length === 0) return outcomes
  if (terms.limits.everTwo) {
    await completeFirst(
      tx,
      account.id,
      approved.flatMap((one) => one.first ?? []),
    )
    await deleteFirstApprovals(
      tx,
      account.id,
      approved.map(({ id }) => id),
    )
  }
  await transitionPayouts(
    tx,
    account,
    approved.map(({ id, ids, amount }) => ({ id, entries: ids, changes: { amount: { old: null, new: amount } } })),
    'approve',
    {
      by: approver.by,
      set: sql`amount = v.amount, method = v.method, reward = v.reward, period_start = v.period_start,
        period_end = v.period_end, details_sealed = v.details_sealed, details_version = v.details_version,
        payee_kind = v.kind, payee_country = v.country, payee_currency = v.currency, payee_hint = v.hint,
        tax_amount = v.tax_amount, invoice_terms = v.invoice_terms, approved_by = ${approver.userId}, approved_at = ${tx.now}`,
      from: sql`unnest(${approved.map((one) => one.id)}::uuid[], ${approved.map((one) => one.amount)}::bigint[],
          ${approved.map((one) => one.periodStart)}::date[], ${approved.map((one) => one.periodEnd)}::date[],
          ${approved.map((one) => one.details?.sealed ?? null)}::bytea[], ${approved.map((one) => one.version)}::uuid[],
          ${approved.map((one) => one.method)}::text[], ${approved.map((one) => one.details?.kind ?? null)}::text[],
          ${approved.map((one) => one.details?.country ?? null)}::text[],
          ${approved.map((one) => one.details?.currency ?? null)}::text[],
          ${approved.map((one) => one.details?.hint ?? null)}::text[], ${approved.map((one) => one.taxAmount)}::bigint[],
          ${approved.map((one) => one.invoiceTerms && JSON.stringify(one.invoiceTerms))}::jsonb[],
          ${approved.map((one) => one.givenAs && JSON.stringify(one.givenAs))}::jsonb[])
        as v (id, amount, period_start, period_end, details_sealed, details_version, method, kind, country, currency, hint,
          tax_amount, invoice_terms, reward)`,
    },
  )
  const jobs = approved.filter(({ method }) => findPayoutProvider(method)).map(({ id }) => ({ payoutId: id }))
  if (jobs.length > 0) await means.jobs.addAll(tx, payOutQueue, jobs)
  return outcomes
}

type FixedDetails = NonNullable<ForJudgement['details']>['shown'] & { sealed: Buffer }

/** Refuses a payout that may not be approved. Returns its method, and the details as the approval fixes them. */
function judgeOne(
  { means, terms, approver, asShown, versionOf }: Run,
  { payout, details }: ForJudgement,
  { due, pay, shown, sum }: { due: Due; pay: number; shown: PayoutRow | undefined; sum: number },
): { method: PayoutMethod; givenAs: GroupReward | null; details: FixedDetails | null } {
  if (versionOf && versionOf(payout.partnerId) !== details?.version) throw refusal('payout_changed')
  if (payout.status !== 'gathering') throw wrongState(payout.status, 'payout_not_approvable')
  refusePaused(terms)
  if (!shown || due.amount <= 0) throw notFound()
  const { method, givenAs } = shown
  // the run leaves what a person pays
  const taken = approver.nightly ? nightlyMethods(terms) : runningMethods(terms)
  if (approver.automatic && !approver.intoFile && !taken.includes(method)) throw notFound()
  const seen = asShown?.get(payout.id)
  const now = { amount: due.amount, payAmount: pay, detailsVersion: shown.detailsVersion }
  if (seen && !isAsShown(seen, now)) throw refusal('payout_changed')
  refuseBlocked(terms, { ...shown, blockers: blockersOf(shown, due.amount, terms.account) }, approver)
  refuseAboveCeilings(terms, pay, sum, approver)
  // a reward goes nowhere that its payee entered
  if (!details?.detailsSealed || rewardMethodNames.includes(method)) return { method, givenAs, details: null }
  return {
    method,
    givenAs,
    details: { ...details.shown, sealed: sealAgain(means.secrets, shown, details.detailsSealed) },
  }
}

/** Judges the minimum by the exact amount approved. */
const blockersOf = (
  { blockers, givenAs }: Pick<PayoutRow, 'blockers' | 'givenAs'>,
  amount: number,
  { minimumPayout }: AccountFacts,
): BlockerCode[] => [
  ...blockers.filter((code) => code !== 'below-minimum'),
  ...(amount < minimumPayout && !givenAs ? (['below-minimum'] as const) : []),
]

/** Returns the details as this approval fixes them. Refuses: `invalid_state` if they cannot be opened. */
function sealAgain(secrets: Secrets, { id, accountId, partnerId, partnerName }: PayoutRow, sealed: Buffer): Buffer {
  const details = openDetails(secrets, sealed, settingsPlace(partnerId, accountId))
  if (!details) throw refusal('partner_payout_details_unreadable', { partner: partnerName }, { details: { partnerId } })
  return secrets.seal(JSON.stringify(details), payoutDetailsPlace(id, accountId))
}

/** Refuses while payouts are paused: after a restore, payouts made since the backup may be due here again. */
export function refusePaused({ paused }: PayoutTerms) {
  if (paused) throw refusal('payouts_paused')
}

type Judged = Pick<PartnerBalance, 'method' | 'heldUntil' | 'detailsChangedAt' | 'rejectedReason' | 'adjustedBy'> & {
  blockers: BlockerCode[]
}

function refuseBlocked(terms: PayoutTerms, judged: Judged, { automatic, intoFile }: Approver) {
  const stopping = judged.blockers.filter(
    (code) => !balanceBlockers.includes(code) && (isHard(code) || (automatic && !(intoFile && needsPerson(code)))),
  )
  if (stopping.length > 0) throw blockedRefusal(terms, judged, stopping)
}

/** Refuses: `payout_blocked` if a blocker applies to a payout that was approved before. */
export async function refuseBlockedPartner(tx: Transaction, terms: PayoutTerms, partnerId: string): Promise<void> {
  const [balance] = await readBalances(tx, terms, [partnerId])
  const stopping = balance!.blockers.filter(outlastsApproval)
  if (stopping.length > 0) throw blockedRefusal(terms, balance!, stopping)
}

/** Blockers of the partner, independent of the payout method; `approved` refers to the year of payment. */
export const blockersByHand = (codes: BlockerCode[], approved: boolean): BlockerCode[] => [
  ...(approved ? [] : (['not-approved-this-year'] as const)),
  ...codes.filter(
    (code) => isHard(code) && code !== 'not-approved-this-year' && !balanceBlockers.includes(code) && !isOfMethod(code),
  ),
]

/** Returns the refusal that names these blockers. */
export function blockedRefusal(terms: PayoutTerms, judged: Judged, codes: BlockerCode[]): Refusal {
  const blockers = presentBlockers(codes, blockerFacts(terms, judged), 'owner', getPayoutMethod(judged.method))
  const sentences = blockers.map(({ message }) => message.replace(/\.$/, ''))
  return refusal('payout_blocked', { blockers: sentences.join('. ') }, { details: { blockers } })
}

function refuseAboveCeilings(
  { account, limits: { maxPerPayout }, maxPerRun }: PayoutTerms,
  pay: number,
  runSum: number,
  by: Approver,
) {
  if (by.fresh) return
  const above = (ceiling: number | null, sum: number) => ceiling !== null && sum > ceiling
  if (above(maxPerPayout, pay))
    throw refusal('payout_above_limit', { limit: () => moneyInWords(maxPerPayout!, account.defaultCurrency) })
  if (above(maxPerRun, runSum + pay))
    throw refusal('run_above_limit', { limit: () => moneyInWords(maxPerRun!, account.defaultCurrency) })
}
