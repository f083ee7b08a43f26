import { type At, saveAttempt } from './attempts.ts'
import { type Wise, WiseError } from './client.ts'
import { confirmed, quoteDiffers } from './intent.ts'
import { reject } from './reject.ts'
import type { Work } from './work.ts'

/** Returns whether there is a quote to continue with. */
export async function ensureQuote(work: Work, { payout, attempt }: At): Promise<boolean> {
  const { wise, services, onStep } = work
  const fresh =
    attempt.quoteId &&
    (!attempt.quoteExpiresAt || Date.parse(attempt.quoteExpiresAt) - 60_000 > services.db.now.getTime())
  if (fresh) return true
  if (!(await work.hold((tx) => confirmed(tx, work)))) return false
  let quote: Awaited<ReturnType<Wise['createQuote']>>
  try {
    quote = await wise.createQuote(attempt.profileId, payout)
    const wrong = quote.blocked ?? quoteDiffers(quote, attempt)
    if (wrong) throw new WiseError('refused', wrong)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    await work.hold((tx) => reject(tx, work, payout, { attempt, words: error.message, ofRecipient: false }))
    return false
  }
  await onStep('quoted')
  const state = attempt.recipientId ? 'recipient-known' : 'quoted'
  const { id: quoteId, expiresAt: quoteExpiresAt, rate, fee } = quote
  await work.hold((tx) => saveAttempt(tx, attempt.id, { quoteId, quoteExpiresAt, rate, fee, state, error: null }))
  await onStep('quote-saved')
  return true
}
