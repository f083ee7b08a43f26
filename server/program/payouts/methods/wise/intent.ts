import type { Queryable, Transaction } from '../../../../platform/database/pool.ts'
import { yearIn } from '../../../../platform/time/days.ts'
import type { Carried, UnderWay, Undone } from '../method.ts'
import { type At, type Attempt, readAt, saveAttempt } from './attempts.ts'
import type { Quote, Transfer } from './client.ts'

type Given = Pick<Carried, 'account' | 'payoutId' | 'judge' | 'undo' | 'move' | 'read' | 'comeAgain'>

/** In addition to verdicts that undo the approval, `anew`: the approval holds, but not its attempt. */
export type Verdict = { holds: true } | Broken
export type Broken = Undone | { holds: false; end: 'anew'; because: string }

/** Returns whether the approval and its attempt still hold. */
export async function judge(
  tx: Transaction,
  carried: Given,
  payout: UnderWay,
  attempt: Attempt | undefined,
): Promise<Verdict> {
  const verdict = await carried.judge(tx, payout)
  if (!verdict.holds || !attempt) return verdict
  const anew = (because: string): Verdict => ({ holds: false, end: 'anew', because })
  const { id: accountId, timeZone } = carried.account
  if (attempt.profileId !== (await chosenProfile(tx, accountId)))
    return anew('A different Wise profile has been selected.')
  if (attempt.year !== yearIn(timeZone, tx.now))
    return anew('The payment would fall in a different year than was approved.')
  const same =
    attempt.method === 'wise' &&
    attempt.detailsVersion === payout.detailsVersion &&
    attempt.amount === payout.amount &&
    attempt.currency === payout.currency
  return same ? { holds: true } : anew('It was started for an earlier approval.')
}

async function chosenProfile(db: Queryable, accountId: string) {
  const row = await db.maybe<{ id: string | null }>`
    select profile ->> 'id' as id from wise_accounts where account_id = ${accountId}`
  return row?.id ?? null
}

/**
 * Carries out a verdict when nothing of the attempt is at Wise any more. Returns whether the payout is still approved
 * and waits for another attempt.
 */
export async function applyVerdict(
  tx: Transaction,
  carried: Given,
  payout: UnderWay,
  verdict: Broken,
): Promise<boolean> {
  if (verdict.end !== 'anew') {
    await carried.undo(tx, payout, verdict)
    return false
  }
  if (payout.status !== 'approved') await carried.move(tx, 'step-back', { because: verdict.because })
  return true
}

/**
 * Returns the current payout and attempt if the approval still holds; else ends the attempt, which has not requested a
 * transfer yet, and returns nothing.
 */
export async function confirmed(tx: Transaction, carried: Given): Promise<At | undefined> {
  const at = await readAt(tx, carried)
  if (!at) return undefined
  const verdict = await judge(tx, carried, at.payout, at.attempt)
  if (verdict.holds) return at
  await saveAttempt(tx, at.attempt.id, { state: 'abandoned' })
  if (await applyVerdict(tx, carried, at.payout, verdict)) await carried.comeAgain(tx)
  return undefined
}

/** Currency in which payouts arrive. */
const TARGET = 'usd'

/** Returns how Wise's quote differs from the request, in words; null if it does not. */
export function quoteDiffers(quote: Quote, attempt: Attempt): string | null {
  const fixed = attempt.currency === TARGET ? quote.targetAmount : quote.sourceAmount
  if (fixed !== null && fixed !== attempt.amount) return 'Wise quoted a different amount than was approved.'
  if (differs(quote.sourceCurrency, attempt.currency)) return 'Wise quoted a different currency than was approved.'
  return null
}

/** Returns how Wise's transfer differs from the attempt, in words; null if it does not. */
export function transferDiffers(transfer: Transfer, attempt: Attempt): string | null {
  if (differs(transfer.recipientId, attempt.recipientId))
    return 'The transfer in Wise goes to a different recipient than was approved.'
  if (differs(transfer.quoteId, attempt.quoteId)) return 'The transfer in Wise uses a different quote.'
  if (attempt.currency === TARGET && differs(transfer.targetValue, attempt.amount))
    return 'The transfer in Wise has a different amount than was approved.'
  return null
}

/** Whether two values differ; a missing one does not. */
const differs = (told: string | number | null, wanted: string | number | null) =>
  told !== null && wanted !== null && told !== wanted
