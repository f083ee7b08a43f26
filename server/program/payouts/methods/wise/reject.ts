import type { Transaction } from '../../../../platform/database/pool.ts'
import type { UnderWay } from '../method.ts'
import { type Attempt, saveAttempt } from './attempts.ts'
import type { Work } from './work.ts'

/** Handles a proven refusal: the payout fails with Wise's words, and details that Wise rejects are not tried again. */
export async function reject(
  tx: Transaction,
  work: Work,
  payout: UnderWay,
  { attempt, words, ofRecipient }: { attempt: Attempt; words: string; ofRecipient: boolean },
) {
  await saveAttempt(tx, attempt.id, { state: 'rejected', error: words })
  if (ofRecipient) await work.rejectDetails(tx, payout, words)
  const now = (await work.read(tx))!
  const verdict = await work.judge(tx, now)
  if (verdict.holds) await work.move(tx, 'fail', { reason: words })
  else await work.undo(tx, now, verdict)
}
