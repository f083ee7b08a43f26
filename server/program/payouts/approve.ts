import { moneyInWords } from '#contract/money.ts'
import type { ApprovalPreview, ApprovalResults, BlockerCode, Payout } from '#contract/payouts.ts'
import { type By, byUser, system } from '../../platform/by.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { concernsAll, savepoint, type Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound, Refusal, refusal, rowError } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { lockDue, lockForJudgement, wrongState } from './binding.ts'
import { balanceBlockers, isHard, isOfMethod, isStanding, presentBlockers } from './blockers.ts'
import { openDetails, payoutDetailsPlace, settingsPlace } from './deposit-details.ts'
import type { Method, Payee } from './methods/method.ts'
import { move } from './move.ts'
import { type PayoutRow, presentPayout, readPayout } from './payouts.ts'
import { payOutQueue } from './queue.ts'
import { factsOf, type Standing, standingsOf } from './standing.ts'
import { isFresh } from './step-up.ts'
import { lockPayoutAccount, type Terms, termsOf } from './terms.ts'

/** What an approval opens the details with, hands the payout on by, and tells the operator of its mishaps in. */
export type ApprovalMeans = Pick<Services, 'secrets' | 'jobs' | 'log'>

type Approver = { by: By; userId: string | null; fresh: boolean; automatic: boolean }

const approverOf = (actor: Actor, now: Date): Approver => ({
  by: byUser(actor),
  userId: actor.userId,
  fresh: isFresh(actor, now),
  automatic: false,
})
const automaticRun: Approver = { by: system, userId: null, fresh: false, automatic: true }

/**
 * Approves a due payout: binds what has fallen due at this moment, fixes amount and payout details, and has it paid.
 * Refuses: `payout_blocked` with what stands against it; `recent_sign_in_required` above a ceiling without a fresh
 * password; `invalid_state` when it is approved already or payouts are paused.
 */
export async function approvePayout(
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  id: string,
): Promise<Payout> {
  await approveOne(tx, { means, terms: await termsOf(tx, account), approver: approverOf(actor, tx.now) }, id, 0)
  return presentPayout(tx, account, id)
}

/** Approves many, each for itself: one that is refused stops no other. Together they are one run. */
export async function approvePayouts(
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  ids: string[],
): Promise<ApprovalResults> {
  const terms = await termsOf(tx, account)
  const approver = approverOf(actor, tx.now)
  const outcomes = new Map<string, Refusal | undefined>()
  let sum = 0
  // in one order, so that two such calls never wait for each other in a circle
  for (const id of [...new Set(ids)].sort()) {
    const outcome = await approveAlone(tx, { means, terms, approver }, id, sum)
    if (!(outcome instanceof Refusal)) sum += outcome
    outcomes.set(id, outcome instanceof Refusal ? outcome : undefined)
  }
  const results = []
  for (const id of ids) {
    const payout = await readPayout(tx, terms, asUuid(id))
    const refusal = outcomes.get(id)
    results.push({ id, status: payout?.status ?? null, error: refusal ? rowError(refusal) : null })
  }
  return { results }
}

/** What approving these would do; does nothing. The fee is what the method takes as a rule, where that is known. */
export async function previewApproval(
  tx: Transaction,
  actor: Actor,
  account: AccountFacts,
  ids: string[],
): Promise<ApprovalPreview> {
  const terms = await termsOf(tx, account)
  const approver = approverOf(actor, tx.now)
  const excluded: ApprovalPreview['excluded'] = []
  let count = 0
  let amount = 0
  for (const id of new Set(ids)) {
    try {
      const payout = await readPayout(tx, terms, asUuid(id))
      if (!payout) throw notFound()
      if (payout.status !== 'due' && payout.status !== 'open') throw wrongState(payout.status, 'payout_not_approvable')
      refusePaused(terms)
      refuseBlocked(terms, payout, approver, isHard)
      refuseAboveCeilings(terms, payout.amount, amount, approver)
      count++
      amount += payout.amount
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      excluded.push({ id, error: rowError(error) })
    }
  }
  const fee = count > 0 ? ((await terms.method.carrier?.usualFee(tx, account.id)) ?? null) : null
  return { count, amount, feeEstimate: fee === null ? null : Math.round(fee * count), excluded }
}

/**
 * The automatic run of an account: approves every due payout below the ceilings whose details have rested. What was
 * approved by itself earlier today counts in the run, so that asking again does not lift the ceiling. `daily` marks
 * the day as done. Answers how many were approved.
 */
export async function runAutomaticPayouts(
  tx: Transaction,
  means: ApprovalMeans,
  account: AccountFacts,
  { daily }: { daily: boolean },
): Promise<number> {
  await lockPayoutAccount(tx, account.id)
  const terms = await termsOf(tx, account)
  if (!terms.automatic || terms.trouble || account.disabledAt || (daily && !terms.runIsDue)) return 0
  const { approved } = await tx.one<{ approved: number }>`
    select coalesce(sum(amount), 0)::bigint as approved from payouts
    where account_id = ${account.id} and approved_by is null and status not in ('gathering', 'canceled')
      and approved_at >= (${terms.today}::date::timestamp at time zone ${account.timeZone})`
  const payouts = await tx.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} and status = 'gathering' order by statement_number`
  let sum = approved
  let count = 0
  for (const { id } of payouts) {
    const outcome = await approveAlone(tx, { means, terms, approver: automaticRun }, id, sum)
    if (outcome instanceof Refusal) continue
    sum += outcome
    count++
  }
  if (daily)
    await tx.run`
      update payout_accounts set last_run_on = ${terms.today}, updated_at = ${tx.now} where account_id = ${account.id}`
  return count
}

type IntoBatch = { method: Method; ids: string[]; byPartner: Map<string, Pick<Payee, 'detailsVersion'>> }

/**
 * Approves these into a file of this method, for the details that it was prepared with; what a person would be warned of
 * is left due. Answers those that were approved. Refuses: `recent_sign_in_required` for all where one is above a ceiling.
 */
export async function approveIntoBatch(
  tx: Transaction,
  means: ApprovalMeans,
  actor: Actor,
  account: AccountFacts,
  { method, ids, byPartner }: IntoBatch,
): Promise<{ id: string; partnerId: string }[]> {
  const terms = { ...(await termsOf(tx, account)), method }
  const approver = { ...approverOf(actor, tx.now), automatic: true }
  const run = { means, terms, approver, versionOf: (partnerId: string) => byPartner.get(partnerId)?.detailsVersion }
  let sum = 0
  const approved: string[] = []
  for (const id of [...ids].sort()) {
    const outcome = await approveAlone(tx, run, id, sum)
    if (outcome instanceof Refusal && outcome.code === 'recent_sign_in_required') throw outcome
    if (outcome instanceof Refusal) continue
    sum += outcome
    approved.push(id)
  }
  return tx.many`select id, partner_id from payouts where id = any(${approved}::uuid[])`
}

/** What an approval is made with: each of a run by the same terms, and of these details where they are given. */
type Run = {
  means: ApprovalMeans
  terms: Terms
  approver: Approver
  versionOf?: (partnerId: string) => string | undefined
}

/** Approves one of many: what goes wrong with it undoes its own part alone. Answers its amount, or why it was refused. */
async function approveAlone(tx: Transaction, run: Run, id: string, runSum: number): Promise<number | Refusal> {
  try {
    return await savepoint(tx, () => approveOne(tx, run, id, runSum))
  } catch (error) {
    if (error instanceof Refusal) return error
    if (concernsAll(error)) throw error
    run.means.log.error({ payoutId: id, err: error }, 'a payout could not be approved; the others continue')
    return refusal('payout_failed')
  }
}

async function approveOne(
  tx: Transaction,
  { means, terms, approver, versionOf }: Run,
  id: string,
  runSum: number,
): Promise<number> {
  const { account } = terms
  const { payout, details } = await lockForJudgement(tx, account.id, id)
  if (versionOf && versionOf(payout.partnerId) !== details?.version) throw refusal('payout_changed')
  if (payout.status !== 'gathering') throw wrongState(payout.status, 'payout_not_approvable')
  refusePaused(terms)
  // first the entries are locked, then they are judged: what is taken back in between counts
  const due = await lockDue(tx, account.id, payout.partnerId)
  const shown = await readPayout(tx, terms, payout.id)
  if (!shown || due.amount <= 0) throw notFound()
  refuseBlocked(terms, { ...shown, blockers: blockersOf(shown.blockers, due.amount, account) }, approver, isHard)
  refuseAboveCeilings(terms, due.amount, runSum, approver)
  const sealed = details?.detailsSealed ? sealAgain(means.secrets, shown, details.detailsSealed) : null
  await move(tx, account, payout.id, 'approve', {
    by: approver.by,
    set: sql`amount = ${due.amount}, method = ${terms.method.name}, period_start = ${due.periodStart},
      period_end = ${due.periodEnd}, details_sealed = ${sealed}, details_version = ${details?.version ?? null},
      approved_by = ${approver.userId}, approved_at = ${tx.now}`,
    entries: due.ids,
    changes: { amount: { old: null, new: due.amount } },
  })
  if (terms.method.carrier) await means.jobs.add(tx, payOutQueue, { payoutId: payout.id })
  return due.amount
}

/** The minimum is judged by the very amount that is approved. */
const blockersOf = (codes: BlockerCode[], amount: number, { minimumPayout }: AccountFacts): BlockerCode[] => [
  ...codes.filter((code) => code !== 'below-minimum'),
  ...(amount < minimumPayout ? (['below-minimum'] as const) : []),
]

/** The details as this approval fixes them. Refuses: `invalid_state` where they cannot be opened. */
function sealAgain(secrets: Secrets, { id, accountId, partnerId, partnerName }: PayoutRow, sealed: Buffer): Buffer {
  const details = openDetails(secrets, sealed, settingsPlace(partnerId, accountId))
  if (!details) throw refusal('partner_payout_details_unreadable', { partner: partnerName }, { details: { partnerId } })
  return secrets.seal(JSON.stringify(details), payoutDetailsPlace(id, accountId))
}

/** What was paid before may be due here again. */
export function refusePaused({ paused }: Terms) {
  if (paused) throw refusal('payouts_paused')
}

type Judged = Pick<Standing, 'heldUntil' | 'detailsChangedAt' | 'rejectedReason'> & { blockers: BlockerCode[] }

function refuseBlocked(terms: Terms, judged: Judged, approver: Approver, counts: (code: BlockerCode) => boolean) {
  const stopping = judged.blockers.filter(
    (code) => !balanceBlockers.includes(code) && (approver.automatic || counts(code)),
  )
  if (stopping.length > 0) throw blocked(terms, judged, stopping)
}

/** Refuses: `payout_blocked` where something stands against a payout that was approved before. */
export async function refuseStanding(tx: Transaction, terms: Terms, partnerId: string): Promise<void> {
  const [standing] = await standingsOf(tx, terms, [partnerId])
  const stopping = standing!.blockers.filter(isStanding)
  if (stopping.length > 0) throw blocked(terms, standing!, stopping)
}

/** What stands against the partner themselves, whatever way the money goes; `approved` is for the year of payment. */
export const blockersByHand = (codes: BlockerCode[], approved: boolean): BlockerCode[] => [
  ...(approved ? [] : (['not-approved-this-year'] as const)),
  ...codes.filter(
    (code) => isHard(code) && code !== 'not-approved-this-year' && !balanceBlockers.includes(code) && !isOfMethod(code),
  ),
]

/** The refusal that names these blockers. */
export function blocked(terms: Terms, judged: Judged, codes: BlockerCode[]): Refusal {
  const blockers = presentBlockers(codes, factsOf(terms, judged), 'owner', terms.method)
  const sentences = blockers.map(({ message }) => message.replace(/\.$/, ''))
  return refusal('payout_blocked', { blockers: sentences.join('. ') }, { details: { blockers } })
}

function refuseAboveCeilings(
  { account, maxPerPayout, maxPerRun }: Terms,
  amount: number,
  runSum: number,
  by: Approver,
) {
  if (by.fresh) return
  const above = (ceiling: number | null, sum: number) => ceiling !== null && sum > ceiling
  if (above(maxPerPayout, amount))
    throw refusal('payout_above_limit', { limit: moneyInWords(maxPerPayout!, account.defaultCurrency) })
  if (above(maxPerRun, runSum + amount))
    throw refusal('run_above_limit', { limit: moneyInWords(maxPerRun!, account.defaultCurrency) })
}
