import { isSilent, readAt, saveAttempt } from './attempts.ts'
import type { WiseError } from './client.ts'
import type { Work } from './work.ts'

/**
 * Handles a failed call. Unknown result: recorded, and thrown so that the job is retried. No access: the account
 * pauses; a payout that surely has no transfer becomes approved again, so that it may be cancelled meanwhile. A
 * transfer that Wise does not show affects only its payout, which shows that and is checked less and less often.
 */
export async function handleFailure(work: Work, error: WiseError) {
  const { payoutId } = work
  const { log } = work.services
  const { kind, message, status } = error
  const denied = kind === 'unauthorized' || kind === 'forbidden' ? kind : null
  await work.hold(async (tx) => {
    const now = await readAt(tx, work)
    if (!now) return
    const { payout, attempt } = now
    await work.looked(tx)
    await saveAttempt(tx, attempt.id, { error: message })
    if (error.retryAfter !== null) await work.lookAfter(tx, error.retryAfter)
    if (kind === 'withheld') {
      await work.lookLater(tx)
      // a paid payout gets no message
      if (payout.status !== 'paid') await work.say(tx, message)
    }
    if (denied && payout.status === 'processing' && isSilent(attempt)) {
      const verdict = await work.judge(tx, payout)
      if (verdict.holds) await work.move(tx, 'step-back', { reason: message })
      else await work.undo(tx, payout, verdict)
    }
  })
  if (denied) {
    await work.pause({ kind: denied, message })
    return log.warn({ payoutId, status }, 'Wise refuses access; automatic payouts are paused')
  }
  if (kind === 'withheld') return log.info({ payoutId, status }, 'Wise does not show a transfer')
  throw error
}
