import { isDeepStrictEqual } from 'node:util'
import { type OpenCredits, openCredits } from '#server/integrations/payment-providers/credits.ts'
import { type MadeCredit, PaymentProviderError } from '#server/integrations/payment-providers/provider.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { forEachIsolated } from '#server/platform/jobs/each-alone.ts'
import type { Services } from '#server/platform/services.ts'
import { yearIn } from '#server/platform/time/days.ts'
import { type AccountFacts, getAccountFacts } from '#server/program/access/account-facts.ts'
import { LeaseLost, withLease } from '#server/program/payouts/lease.ts'
import type { CustomerProblem } from '#server/program/payouts/methods/method.ts'
import { creditMethod } from '#server/program/payouts/methods/registry.ts'
import {
  type ActivePayout,
  type Attempt,
  insertAttempt,
  isFinished,
  latestAttempt,
  readUnderWay,
  saveAttempt,
  transactionId,
} from '#server/program/payouts/payout-attempts.ts'
import { payoutName } from '#server/program/payouts/payout-number.ts'
import { arePayoutsPaused } from '#server/program/payouts/payout-terms.ts'
import { payoutReasons } from '#server/program/payouts/reason-text.ts'
import { backOffNextCheck, delayNextCheck } from '#server/program/payouts/status-checks.ts'
import { setReason, transitionPayout } from '#server/program/payouts/transitions.ts'
import { setBack } from '#server/program/payouts/undo-approval.ts'

/**
 * Hours in which a call with an unknown answer is repeated with its key. Stripe may drop a key after 24: by then the
 * complete list of the customer's credits decides.
 */
const REPEATED_HOURS = 20
const HOUR = 3_600_000

const { credit: reasons } = payoutReasons

type Options = {
  /** Called between steps so tests can kill the process there. */
  onStep?: (step: string) => void | Promise<void>
}

/** Adds the credit of each approved payout whose next look is due. */
export async function addCredits(services: Services): Promise<void> {
  const { db, log } = services
  const due = await db.many<{ id: string; accountId: string }>`
    select o.id, o.account_id from payouts o join accounts a on a.id = o.account_id
    where o.method = ${creditMethod.name} and o.status in ('approved', 'processing') and a.disabled_at is null
      and (o.look_after is null or o.look_after <= ${db.now})
      and a.id in (select account_id from groups where kind = 'customers')
    order by o.approved_at, o.id limit 500`
  await forEachIsolated(log, 'add-credits', due, (payout) => addCredit(services, payout))
}

/** The customer who gets a payout’s credit, and the connection that adds it. */
type Target = { connectionId: string; customerId: string }
type Work = {
  services: Services
  account: AccountFacts
  payoutId: string
  hold<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  onStep(step: string): void | Promise<void>
}
/** A payout, its unfinished attempt and its customer; `isStopped`: nothing may be requested for it now. */
type State = { payout: ActivePayout; live: Attempt | undefined; target: Target | null; isStopped: boolean }

/**
 * Adds a payout's credit to its customer's balance, one worker at a time, and exactly once: before each call the
 * customer's own credits are read, and the attempt with its key is committed before it is used. An unknown answer is
 * never taken as a failure.
 */
export async function addCredit(
  services: Services,
  { id: payoutId, accountId }: { id: string; accountId: string },
  { onStep = () => {} }: Options = {},
): Promise<void> {
  const account = (await getAccountFacts(services.db, [accountId])).get(accountId)
  if (!account) return
  await withLease(services.db, { accountId, payoutId }, async ({ hold }) => {
    const work: Work = { services, account, payoutId, hold, onStep }
    try {
      await advance(work)
    } catch (error) {
      if (error instanceof LeaseLost) return
      if (!(error instanceof PaymentProviderError)) throw error
      await hold((tx) => noteFailure(tx, work, error))
    }
  })
}

async function advance(work: Work) {
  const { services, account, payoutId, hold } = work
  const state = await hold((tx) => readState(tx, work))
  if (!state) return
  const { live, target } = state
  if (!target) return hold((tx) => setBack(tx, account, payoutId, reasons.noCustomer))
  const open = await openCredits(services, account.id, target.connectionId)
  if (!open) return hold((tx) => wait(tx, work, reasons.notConnected))
  const customer = await open.credits.findCustomer(open.credentials, open.reach, target.customerId)
  if (!customer && live) return hold((tx) => requireReview(tx, work, state, target, reasons.deletedEarly))
  if (!customer) return refuseCustomer(work, target, 'customer-deleted')
  if (!live && customer.currency !== null && customer.currency !== state.payout.currency)
    return refuseCustomer(work, target, 'customer-currency-differs')
  const made = await open.credits.listCredits(open.credentials, open.reach, target.customerId)
  const own = made.find((one) => one.payoutId === payoutId)
  if (own) return hold((tx) => finish(tx, work, target, own))
  await addOnce(work, open, state, { target, made })
}

async function readState(tx: Transaction, { account, payoutId }: Work): Promise<State | undefined> {
  const payout = await readUnderWay(tx, { account, payoutId, method: creditMethod })
  if (!payout || !['approved', 'processing'].includes(payout.status)) return undefined
  if (await arePayoutsPaused(tx, account.id)) return undefined
  const last = await latestAttempt(tx, { account, payoutId })
  const live = last && !isFinished(last) ? last : undefined
  const now = await tx.one<{ target: Target | null; isSuspended: boolean }>`
    select n.state = 'suspended' as is_suspended, (
      select jsonb_build_object('connectionId', k.connection_id, 'customerId', k.customer_id) from partner_customers k
      where k.account_id = n.account_id and k.partner_id = n.id and k.problem is null and k.connection_id = (
        select (g.reward ->> 'connectionId')::uuid from groups g where g.account_id = n.account_id and g.id = n.group_id)) as target
    from partners n where n.account_id = ${account.id} and n.id = ${payout.partnerId}`
  const target = live ? { connectionId: live.profileId, customerId: live.memo.customerId! } : now.target
  return { payout, live, target, isStopped: now.isSuspended }
}

/**
 * Blocks further credit for the customer until the company names another, and makes the entries due again. If another is
 * named by now, the next look gives it to them.
 */
const refuseCustomer = ({ account, payoutId, hold }: Work, target: Target, problem: CustomerProblem) =>
  hold(async (tx) => {
    const blocked = await tx.run`
      update partner_customers k set problem = ${problem}, updated_at = ${tx.now}
      where k.account_id = ${account.id} and k.connection_id = ${target.connectionId} and k.customer_id = ${target.customerId}
        and k.partner_id = (select partner_id from payouts where account_id = ${account.id} and id = ${payoutId})`
    if (blocked === 0) return
    const words = problem === 'customer-deleted' ? reasons.deleted : reasons.otherCurrency
    await setBack(tx, account, payoutId, words)
  })

/** Makes the call that adds the credit, or decides that an earlier one added none. */
async function addOnce(work: Work, open: OpenCredits, before: State, found: { target: Target; made: MadeCredit[] }) {
  const { account, payoutId, hold, onStep } = work
  const { target } = found
  const attempt = await hold(async (tx) => {
    const state = await readState(tx, work)
    // another customer may be named by now
    if (!state || state.live?.id !== before.live?.id || !isDeepStrictEqual(state.target, target)) return undefined
    const unknown = await findForgotten(tx, work, found.made)
    if (unknown.length > 0) {
      await requireReview(tx, work, state, target, forgottenWords(unknown), unknown)
      return undefined
    }
    if (state.live) return (await mayRepeat(tx, work, state)) ? state.live : undefined
    if (state.isStopped) {
      await setBack(tx, account, payoutId, payoutReasons.suspended)
      return undefined
    }
    return startAttempt(tx, work, state, target)
  })
  if (!attempt) return
  await onStep('attempt-saved')
  const { credentials, reach, credits } = open
  const given = await credits
    .addCredit(credentials, reach, {
      customerId: target.customerId,
      payoutId,
      accountId: before.payout.accountName,
      amount: attempt.amount!,
      currency: attempt.currency!,
      key: attempt.customerTransactionId,
      description: payoutName(before.payout),
    })
    .catch(async (error: unknown) => {
      const isProof = error instanceof PaymentProviderError && error.kind !== 'unavailable'
      // only the first call proves that there is nothing
      if (isProof && !before.live) await hold((tx) => endRefused(tx, work, attempt, error.message))
      throw error
    })
  await onStep('credit-added')
  const { amount, currency } = attempt
  await hold((tx) =>
    finish(tx, work, target, { id: given, payoutId, accountId: '', amount: amount!, currency: currency! }),
  )
}

/** Saves an attempt with its key: from now on there may be a credit, whatever the answer. */
async function startAttempt(tx: Transaction, { account, payoutId }: Work, { payout }: State, target: Target) {
  const last = await latestAttempt(tx, { account, payoutId })
  const number = (last?.number ?? 0) + 1
  // no details are needed: the payout’s id takes their place
  if (payout.status === 'approved')
    await transitionPayout(tx, account, payoutId, 'start', { set: sql`details_version = o.id` })
  await insertAttempt(
    tx,
    { payout: { ...payout, detailsVersion: payout.id }, method: creditMethod },
    {
      id: newId(),
      number,
      transactionId: transactionId(payoutId, number),
      profileId: target.connectionId,
      year: yearIn(account.timeZone, tx.now),
    },
  )
  const attempt = (await latestAttempt(tx, { account, payoutId }))!
  await saveAttempt(tx, attempt, {
    state: 'adding',
    stage: 'open',
    announcedAt: tx.now,
    memo: { customerId: target.customerId },
  })
  return (await latestAttempt(tx, { account, payoutId }))!
}

/**
 * Returns whether a call whose answer is unknown, and of which the list has no credit, is repeated with its key now. Once
 * the key may have been dropped there is no credit: the attempt ends, and the next look makes another.
 */
async function mayRepeat(tx: Transaction, { account, payoutId }: Work, { payout, live, isStopped }: State) {
  const age = tx.now.getTime() - Date.parse(live!.announcedAt ?? live!.at)
  if (age < REPEATED_HOURS * HOUR) {
    if (live!.state === 'unsure') await saveAttempt(tx, live!, { state: 'adding', error: null })
    return !isStopped
  }
  await saveAttempt(tx, live!, { state: 'absent', stage: 'over' })
  if (payout.status === 'processing') await transitionPayout(tx, account, payoutId, 'requeue')
  if (isStopped) await setBack(tx, account, payoutId, payoutReasons.suspended)
  return false
}

/** Returns our credits of payouts that this database lacks: it is an older copy. Those that a person has seen don't count. */
async function findForgotten(tx: Transaction, { account }: Work, made: MadeCredit[]): Promise<MadeCredit[]> {
  const { publicId } = await tx.one<{ publicId: string }>`select public_id from accounts where id = ${account.id}`
  const ours = made.filter(({ accountId }) => accountId === publicId)
  if (ours.length === 0) return []
  const known = await tx.many<{ id: string }>`
    select id::text from payouts where account_id = ${account.id} and id::text = any(${ours.map((one) => one.payoutId)})
    union all
    select unnest(string_to_array(memo ->> 'forgotten', ',')) from payout_attempts
    where account_id = ${account.id} and method = ${creditMethod.name} and state = 'decided' and memo ? 'forgotten'`
  const ids = new Set(known.map(({ id }) => id))
  return ours.filter(({ id, payoutId }) => !ids.has(payoutId) && !ids.has(id))
}

const forgottenWords = (credits: MadeCredit[]) => reasons.forgotten({ credit: credits.map(({ id }) => id).join(', ') })

/** Shows on the payout that only a person can find out whether its credit was added. */
async function requireReview(
  tx: Transaction,
  work: Work,
  state: State,
  target: Target,
  words: string,
  forgotten: MadeCredit[] = [],
) {
  const { account, payoutId } = work
  const attempt = state.live ?? (await startAttempt(tx, work, state, target))
  const notice = reasons.decide({ why: words })
  await saveAttempt(tx, attempt, {
    state: 'unsure',
    error: notice,
    ...(forgotten.length > 0 && { memo: { forgotten: forgotten.map(({ id }) => id).join(',') } }),
  })
  await setReason(tx, account.id, payoutId, notice)
  await backOffNextCheck(tx, account.id, payoutId)
}

/** Ends an attempt whose first call was refused: there is no credit of it. */
async function endRefused(tx: Transaction, { account, payoutId }: Work, attempt: Attempt, words: string) {
  await saveAttempt(tx, attempt, { state: 'refused', stage: 'over', error: words })
  await transitionPayout(tx, account, payoutId, 'requeue', { reason: words })
}

/** Records the credit that exists, also one of an attempt that this database lacks. */
async function finish(tx: Transaction, work: Work, target: Target, own: MadeCredit) {
  const { account, payoutId } = work
  const state = await readState(tx, work)
  if (!state) return
  const { payout } = state
  if (own.amount !== payout.payAmount || own.currency !== payout.currency)
    return requireReview(tx, work, state, target, reasons.otherAmount({ credit: own.id }))
  const attempt = state.live ?? (await startAttempt(tx, work, state, target))
  await saveAttempt(tx, attempt, {
    state: 'given',
    memo: { transferId: own.id },
    error: null,
    payeeAmount: own.amount,
    payeeCurrency: own.currency,
  })
  await transitionPayout(tx, account, payoutId, 'send', { set: sql`external_reference = ${own.id}` })
  await transitionPayout(tx, account, payoutId, 'confirm-paid')
}

async function wait(tx: Transaction, { account, payoutId }: Work, words: string) {
  await setReason(tx, account.id, payoutId, words)
  await delayNextCheck(tx, account.id, payoutId, 3600)
}

/** Records a failed call. What no repeat mends is tried less and less often. */
async function noteFailure(
  tx: Transaction,
  { account, payoutId }: Work,
  { kind, message, retryAfterMs }: PaymentProviderError,
) {
  const last = await latestAttempt(tx, { account, payoutId })
  if (last && !isFinished(last)) await saveAttempt(tx, last, { error: message })
  if (kind === 'unavailable') await delayNextCheck(tx, account.id, payoutId, Math.max(60, (retryAfterMs ?? 0) / 1000))
  else {
    await setReason(tx, account.id, payoutId, message)
    await backOffNextCheck(tx, account.id, payoutId)
  }
}
