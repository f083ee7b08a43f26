import { type Author, system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { dayInWords } from '../../platform/format-values.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { businessDaysAfter } from './business-days.ts'
import { isMoneyOut } from './cash-ledger.ts'
import { applyVerdict, checkApproval, judgeAttempt } from './check-approval.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { hasEnded, type TransferReading } from './methods/method.ts'
import type { ApiMethod } from './methods/registry.ts'
import { type ActivePayout, type Attempt, readActiveAttempt, readUnderWay, saveAttempt } from './payout-attempts.ts'
import { payoutReasons } from './reason-text.ts'
import { paymentUnclaimed } from './signals.ts'
import { recordCheckSuccess } from './status-checks.ts'
import { releaseEntries, setReason, transitionPayout } from './transitions.ts'

/** A payout being paid by its method. */
export type Paid = { account: AccountFacts; payoutId: string; method: ApiMethod }

/**
 * Updates a payout from its transfer, however it was read: by the pay-out job, the poll, a signed event, a person. A
 * provider's states can go back, so each is taken as the current one; repeated or late readings change nothing. The
 * caller has the payout's lease, so that two readings never overtake each other. Returns whether the payout is still
 * approved and waits for another attempt.
 */
export async function applyReading(
  tx: Transaction,
  paid: Paid,
  payout: ActivePayout,
  { attempt, reading }: { attempt: Attempt; reading: Omit<TransferReading, 'transferId'> },
): Promise<boolean> {
  const { account, payoutId, method } = paid
  const {
    label,
    provider: { site },
  } = method
  const { standing, state, wrong, claimBy } = reading
  const unclaimed = claimBy ? payoutReasons.unclaimed({ provider: label, day: dayInWords(claimBy) }) : null
  const notice = reading.notice ?? unclaimed
  await recordCheckSuccess(tx, account.id, payoutId)
  const stage = hasEnded(standing) ? 'over' : 'open'
  const funded = ['moving', 'sent', 'arrived', 'bounced', 'back'].includes(standing) && !attempt.fundedAt
  const text = wrong ?? notice
  const known = attempt.memo.notice ?? null
  const isNews = state !== attempt.state || stage !== attempt.stage || funded || text !== known
  if (isNews || payout.looksRefused > 0)
    await saveAttempt(tx, attempt, {
      state,
      stage,
      error: text,
      ...receivedIn(reading),
      memo: {
        ...(text !== known && { notice: text }),
        ...(claimBy !== undefined && { claimBy }),
      },
      ...(funded && { fundedAt: tx.now, fundingProblem: null }),
    })
  if (known !== null && known !== text) await clearReason(tx, account.id, payoutId, known)
  if (await isFreed(tx, payout)) {
    if (standing !== 'other' && stage === 'open')
      await setReason(tx, account.id, payoutId, payoutReasons.movingAgain({ provider: label, site }))
    return false
  }
  const { status } = payout
  if (standing === 'moving' && status !== 'processing') await transitionPayout(tx, account, payoutId, 'resume')
  if (standing === 'sent' || standing === 'arrived') await followSent(tx, paid, payout, standing === 'arrived')
  if (standing === 'bounced' && status !== 'returned')
    await transitionPayout(tx, account, payoutId, 'return', {
      reason: payoutReasons.bounced({ provider: label }),
    })
  if (notice !== null && stage === 'open' && status !== 'paid') await setReason(tx, account.id, payoutId, notice)
  if (claimBy && !attempt.memo.claimBy)
    await sendSignal(tx, account.id, paymentUnclaimed, { partnerId: payout.partnerId, payoutId, claimBy })
  if (standing === 'refused' || standing === 'short') await followRefusal(tx, paid, payout, { attempt, reading })
  return (standing === 'over' || standing === 'back') && followEnd(tx, paid, payout, { attempt, reading })
}

const receivedIn = ({ fee, payee }: Pick<TransferReading, 'fee' | 'payee'>) => ({
  ...(fee !== undefined && { fee }),
  ...(payee && { payeeAmount: payee.amount, payeeCurrency: payee.currency }),
})

async function followSent(tx: Transaction, paid: Paid, payout: ActivePayout, hasArrived: boolean) {
  const { account, payoutId, method } = paid
  if (payout.status === 'paid') return
  if (payout.status !== 'sent') await transitionPayout(tx, account, payoutId, 'send')
  const { sentAt } = (await readUnderWay(tx, paid))!
  const days = method.provider.settlesAfterBusinessDays
  if (hasArrived || (days !== null && businessDaysAfter(new Date(sentAt!), days) <= tx.now))
    await transitionPayout(tx, account, payoutId, 'confirm-paid')
}

/**
 * Handles a transfer that was refused after it was requested: nothing has left, unless it is known to have, perhaps
 * before the provider took the payment up again.
 */
async function followRefusal(
  tx: Transaction,
  paid: Paid,
  payout: ActivePayout,
  {
    attempt,
    reading: { standing, state, words, ofDetails },
  }: { attempt: Attempt; reading: Omit<TransferReading, 'transferId'> },
) {
  const { account, payoutId } = paid
  if (payout.status === 'returned' || (await isMoneyOut(tx, account.id, payoutId)))
    return markReturned(tx, account, payoutId, { reason: words, change: { old: attempt.state, new: state } })
  if (payout.status !== 'processing' && payout.status !== 'awaiting-funding') return
  if (standing === 'short') await awaitFunding(tx, paid, { problem: 'balance', words })
  else await handleRejection(tx, paid, payout, { attempt, words, ofDetails: ofDetails === true })
}

/** Handles the end of a transfer: money that had left is due again; otherwise the current approval decides. */
async function followEnd(
  tx: Transaction,
  paid: Paid,
  payout: ActivePayout,
  {
    attempt,
    reading: { standing, state, wrong, words },
  }: { attempt: Attempt; reading: Omit<TransferReading, 'transferId'> },
): Promise<boolean> {
  const { account, payoutId, method } = paid
  if (payout.status === 'failed') return false
  const left = standing === 'back' || Boolean(attempt.fundedAt) || ['sent', 'paid', 'returned'].includes(payout.status)
  if (!left) {
    const verdict = await judgeAttempt(tx, paid, payout, attempt)
    if (!wrong && !verdict.isValid) return applyVerdict(tx, account, payout, verdict)
    await transitionPayout(tx, account, payoutId, 'fail', {
      reason: wrong ?? payoutReasons.canceledThere({ provider: method.label }),
    })
    return false
  }
  await markReturned(tx, account, payoutId, { reason: words, change: { old: attempt.state, new: state } })
  return false
}

/** Handles a proven refusal: the payout fails with the provider's words; details it rejects are not tried again. */
export async function handleRejection(
  tx: Transaction,
  paid: Paid,
  payout: ActivePayout,
  { attempt, words, ofDetails }: { attempt: Attempt; words: string; ofDetails: boolean },
) {
  const { account, payoutId } = paid
  await saveAttempt(tx, attempt, { state: 'rejected', stage: 'over', error: words })
  if (ofDetails)
    await tx.run`
      update payout_settings set rejected_reason = ${words}
      where account_id = ${account.id} and partner_id = ${payout.partnerId} and version = ${payout.detailsVersion}`
  const now = (await readUnderWay(tx, paid))!
  const verdict = await checkApproval(tx, account, now)
  if (verdict.isValid) await transitionPayout(tx, account, payoutId, 'fail', { reason: words })
  else await applyVerdict(tx, account, now, verdict)
}

/** Records that the transfer waits for money, or for the owner. */
export async function awaitFunding(
  tx: Transaction,
  paid: Paid,
  { problem, words }: { problem: 'balance' | 'forbidden'; words: string },
) {
  const at = await readActiveAttempt(tx, paid)
  if (!at) return
  await saveAttempt(tx, at.attempt, { fundingProblem: problem, error: words })
  await holdWithReason(tx, paid, at.payout.status, 'wait', words)
}

/** Moves a payout that is processing, with the reason that it waits; one in another state only gets the reason. */
export async function holdWithReason(
  tx: Transaction,
  { account, payoutId }: Paid,
  status: string,
  name: 'wait' | 'requeue',
  reason: string,
) {
  if (status === 'processing') await transitionPayout(tx, account, payoutId, name, { reason })
  else await setReason(tx, account.id, payoutId, reason)
}

/** Marks the payout as returned after the money came back for good; its entries are due again. */
export async function markReturned(
  tx: Transaction,
  account: AccountFacts,
  payoutId: string,
  { by = system, reason, change }: { by?: Author; reason: string; change: { old: string; new: string } },
) {
  const { status, partnerId } = await tx.one<{ status: string; partnerId: string }>`
    select status, partner_id from payouts where account_id = ${account.id} and id = ${payoutId} for update`
  if (status === 'returned') await setReason(tx, account.id, payoutId, reason)
  else await transitionPayout(tx, account, payoutId, 'return', { by, reason })
  await releaseEntries(tx, account, payoutId, partnerId)
  await gatherPayouts(tx, account, [partnerId])
  await recordActivity(tx, by, account.id, 'payout.entries-released', { id: payoutId, changes: { transfer: change } })
}

/**
 * Whether the payout is returned and its entries are free, maybe paid by another payout: this one no longer changes.
 */
async function isFreed(tx: Transaction, { id, accountId, status }: ActivePayout): Promise<boolean> {
  if (status !== 'returned') return false
  const { bound } = await tx.one<{ bound: boolean }>`
    select exists (select from payout_entries where account_id = ${accountId} and payout_id = ${id} and live) as bound`
  return !bound
}

/** Removes these words, which no longer apply. */
const clearReason = (tx: Transaction, accountId: string, payoutId: string, words: string) => tx.run`
  update payouts set failure_reason = null
  where account_id = ${accountId} and id = ${payoutId} and failure_reason = ${words}`
