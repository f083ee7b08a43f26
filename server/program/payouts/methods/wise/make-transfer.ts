import type { UnderWay } from '../method.ts'
import { type At, type Attempt, readAt, saveAttempt } from './attempts.ts'
import { type Transfer, WiseError } from './client.ts'
import { findTransfer, keepTransfer } from './find-out.ts'
import { confirmed } from './intent.ts'
import { ensureQuote } from './quote.ts'
import { ensureRecipient, forgetRecipient, wasReused } from './recipient.ts'
import { referenceOf } from './reference.ts'
import { reject } from './reject.ts'
import type { Work } from './work.ts'

/** Creates quote, recipient and transfer, each only if the rows lack it. Undefined if the payout ended otherwise. */
export async function makeTransfer(work: Work, begun: At): Promise<Transfer | undefined> {
  let at: At | undefined = begun
  // a quote may expire, a recipient may be deleted: each is renewed once
  for (let round = 0; round < 3 && at; round++) {
    const askedBefore: boolean = at.attempt.state === 'transferring'
    if (!askedBefore) {
      if (!(await ensureQuote(work, at)) || !(await ensureRecipient(work))) return undefined
      at = await announceTransfer(work)
      if (!at) return undefined
      await work.onStep('transfer-announced')
    }
    const outcome = await askForTransfer(work, at, askedBefore)
    if (outcome === 'rejected') return undefined
    if (outcome !== 'again') return keepTransfer(work, at.attempt, outcome)
    at = await work.hold((tx) => readAt(tx, work))
  }
  throw new WiseError('unknown', 'Wise didn’t accept a quote for this payout in time.')
}

/** Records that a transfer may exist from now on, whatever Wise answers. */
const announceTransfer = (work: Work) =>
  work.hold(async (tx) => {
    const at = await confirmed(tx, work)
    if (!at) return undefined
    await saveAttempt(tx, at.attempt.id, { state: 'transferring', announcedAt: tx.now })
    return readAt(tx, work)
  })

async function askForTransfer(
  work: Work,
  { payout, attempt }: At,
  askedBefore: boolean,
): Promise<Transfer | 'again' | 'rejected'> {
  const { wise } = work
  const asking = {
    quote: attempt.quoteId!,
    recipient: attempt.recipientId!,
    transactionId: attempt.customerTransactionId,
  }
  try {
    const sourceOfFunds = payout.amount > LARGE ? await wise.sourceOfFunds(asking) : null
    return await wise.createTransfer({ ...asking, reference: referenceOf(payout), sourceOfFunds })
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind === 'unknown') throw error
    const approvalRule = error.kind === 'forbidden' && /approv/i.test(error.message)
    if (error.kind !== 'refused' && !approvalRule) {
      // access refused, so surely not created; unless by an earlier call
      if (!askedBefore) await work.hold((tx) => saveAttempt(tx, attempt.id, { state: 'recipient-known' }))
      throw error
    }
    // an earlier call with an unknown result may have created it
    if (askedBefore) {
      const found = await findTransfer(work, attempt)
      if (found) return found
    }
    return refusedTransfer(work, payout, attempt, error)
  }
}

/** Amount in minor units above which Wise asks for the source of funds: 80,000 of the currency, as in dollars. */
const LARGE = 80_000_00

/** Handles a proven refusal: no transfer exists. An expired quote is renewed; anything else is Wise's refusal. */
async function refusedTransfer(
  work: Work,
  payout: UnderWay,
  attempt: Attempt,
  error: WiseError,
): Promise<'again' | 'rejected'> {
  const quote = await work.wise
    .quote(attempt.profileId, attempt.quoteId!, payout.currency)
    .catch((failure: unknown) => {
      if (failure instanceof WiseError && failure.kind !== 'unknown') return null
      throw failure
    })
  if (quote?.status === 'EXPIRED') {
    const renewed = { quoteId: null, quoteExpiresAt: null, state: 'recipient-known' }
    await work.hold((tx) => saveAttempt(tx, attempt.id, renewed))
    return 'again'
  }
  const ofRecipient = error.complaints.some((complaint) => complaint.path === 'targetAccount')
  if (ofRecipient && (await wasReused(work.services.db, attempt))) {
    await work.hold(async (tx) => {
      await saveAttempt(tx, attempt.id, { recipientId: null, state: 'quoted' })
      await forgetRecipient(tx, payout.partnerId, attempt.recipientId!)
    })
    return 'again'
  }
  await work.hold((tx) => reject(tx, work, payout, { attempt, words: error.message, ofRecipient }))
  return 'rejected'
}
