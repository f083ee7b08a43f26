import { type At, type Attempt, readAt, saveAttempt } from './attempts.ts'
import { type Transfer, WiseError } from './client.ts'
import { goOn } from './go-on.ts'
import { applyVerdict, judge } from './intent.ts'
import type { Work } from './work.ts'

/** Seconds after the announcement until no call can be pending; a call takes at most 20 s. */
const QUIET_SECONDS = 60

/**
 * Looks for a transfer whose approval ended after Wise was asked for it; it is not requested again. If found it is
 * cancelled; if there is none, the attempt is over.
 */
export async function findOut(work: Work, { attempt }: At) {
  const found = await findTransfer(work, attempt)
  if (found) return goOn(work, await keepTransfer(work, attempt, found))
  const quietAt = Date.parse(attempt.announcedAt ?? attempt.at) + QUIET_SECONDS * 1000
  if (work.services.db.now.getTime() < quietAt)
    throw new WiseError('unknown', 'Wise may still be creating the transfer.', { retryAfter: QUIET_SECONDS })
  await work.hold(async (tx) => {
    const at = await readAt(tx, work)
    if (!at || at.attempt.id !== attempt.id || at.attempt.transferId) return
    await saveAttempt(tx, attempt.id, { state: 'abandoned' })
    const verdict = await judge(tx, work, at.payout, attempt)
    if (verdict.holds) await work.move(tx, 'step-back')
    const stays = verdict.holds || (await applyVerdict(tx, work, at.payout, verdict))
    if (stays) await work.comeAgain(tx)
  })
}

export const findTransfer = ({ wise }: Work, { profileId, customerTransactionId, at }: Attempt) =>
  wise.findTransfer(profileId, customerTransactionId, new Date(at))

export async function keepTransfer(work: Work, attempt: Attempt, transfer: Transfer): Promise<Transfer> {
  const { id: transferId, status: state, customerTransactionId } = transfer
  if (customerTransactionId !== null && customerTransactionId !== attempt.customerTransactionId)
    throw new WiseError('unknown', 'Wise returned a transfer that belongs to a different payout.')
  await work.onStep('transfer-made')
  await work.hold((tx) => saveAttempt(tx, attempt.id, { transferId, state, error: null }))
  await work.onStep('transfer-saved')
  return transfer
}
