import { type At, readAt, saveAttempt } from './attempts.ts'
import { type Transfer, WiseError } from './client.ts'
import { follow, UNFUNDED } from './follow.ts'
import { awaitFunding, FORBIDDEN, isToBeFunded, refusedFunding } from './funding.ts'
import { judge, transferDiffers } from './intent.ts'
import type { Work } from './work.ts'

/** Reads the transfer and acts on its state. */
export const readBack = async (work: Work, transferId: string) => goOn(work, await work.wise.transfer(transferId))

/** Acts on a transfer just read; one that waits for money is cancelled if the approval no longer holds, else paid. */
export async function goOn(work: Work, transfer: Transfer) {
  const now = await followNow(work, transfer)
  if (!now || transfer.status !== UNFUNDED) return
  if (now.wrong || !now.holds) await stopTransfer(work, transfer.id, now.wrong)
  else if (isToBeFunded(now.payout, now.attempt)) await fund(work, now)
  else if (now.attempt.fundingProblem === 'forbidden') await work.hold((tx) => work.say(tx, FORBIDDEN))
}

/** Stores the state of a transfer, and judges the approval. */
const followNow = (work: Work, transfer: Transfer, known: string | null = null) =>
  work.hold(async (tx) => {
    const { services, payoutId } = work
    const before = await readAt(tx, work)
    if (!before || before.attempt.transferId !== transfer.id) return undefined
    const wrong = known ?? transferDiffers(transfer, before.attempt)
    if (wrong)
      services.log.error(
        { payoutId, transferId: transfer.id, wrong },
        'Wise returned a transfer that doesn’t match the payout',
      )
    const anew = await follow(tx, work, before.payout, { attempt: before.attempt, transfer, wrong })
    if (anew) await work.comeAgain(tx)
    const at = await readAt(tx, work)
    return at && { ...at, wrong, holds: (await judge(tx, work, at.payout, at.attempt)).holds }
  })

/** Pays the transfer, which was just read and waits for money. */
async function fund(work: Work, { payout, attempt }: At) {
  const { wise, onStep } = work
  const transferId = attempt.transferId!
  const holds = await work.hold(async (tx) => {
    await work.triesAgain(tx)
    const now = await readAt(tx, work)
    return now && (await judge(tx, work, now.payout, now.attempt)).holds
  })
  if (!holds) return stopTransfer(work, transferId, null)
  const wait = (problem: 'balance' | 'forbidden', words: string) =>
    work.hold((tx) => awaitFunding(tx, work, problem, words))
  try {
    const { completed, errorCode } = await wise.fund(attempt.profileId, transferId)
    await onStep('funded')
    if (!completed) return await wait('balance', refusedFunding(errorCode, payout.currency))
    await work.hold(async (tx) => {
      await saveAttempt(tx, attempt.id, { fundedAt: tx.now, fundingProblem: null, error: null })
      if (payout.status === 'awaiting-funding') await work.move(tx, 'go-on')
    })
    await onStep('funding-saved')
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind === 'unknown') throw error
    if (error.kind === 'forbidden') return await wait('forbidden', FORBIDDEN)
    if (error.kind === 'unauthorized') {
      await wait('balance', error.message)
      throw error
    }
    const again = await wise.transfer(transferId)
    if (again.status === UNFUNDED) return await wait('balance', error.message)
  }
  await followNow(work, await wise.transfer(transferId))
}

/**
 * Cancels the unfunded transfer at Wise because it is `wrong` or the approval no longer holds, unless it was paid
 * meanwhile. Then updates the payout from it.
 */
async function stopTransfer(work: Work, transferId: string, wrong: string | null) {
  const { wise } = work
  let transfer: Transfer
  try {
    transfer = await wise.cancelTransfer(transferId)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    transfer = await wise.transfer(transferId)
  }
  await followNow(work, transfer, wrong)
}
