import type { Carried } from '../method.ts'
import { latestAttempt } from './attempts.ts'
import { begin, withoutWise } from './begin.ts'
import { WiseError } from './client.ts'
import { findConnection, wiseOf } from './connection.ts'
import { findOut } from './find-out.ts'
import { goOn, readBack } from './go-on.ts'
import { handleFailure } from './handle-failure.ts'
import { makeTransfer } from './make-transfer.ts'
import type { Work } from './work.ts'

/**
 * Creates a payout's transfer at Wise and funds it, or reads it back and follows it. Every result is committed before
 * the next call, so that after a crash at any line the rows show how to continue. The approval is judged again before
 * each call. An unknown result (a time-out, a reset, a 5xx) is retried with the same transaction id, never treated as
 * failed.
 */
export async function advance(carried: Carried): Promise<void> {
  const { services, account } = carried
  const connection = await findConnection(services.db, account.id)
  const wise = wiseOf(services, account.id, connection)
  if (!wise) return carried.hold((tx) => withoutWise(tx, carried))
  const work: Work = { ...carried, wise, profileId: connection.profile?.id ?? null }
  try {
    if (await bringOn(work)) await carried.resume('any-call')
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    await handleFailure(work, error)
  }
}

/** Advances by the payout's status; returns whether Wise accepted a call. */
async function bringOn(work: Work): Promise<boolean> {
  const { db } = work.services
  const payout = await work.read(db)
  switch (payout?.status) {
    case 'approved':
    case 'processing':
      return payOut(work)
    case 'awaiting-funding':
    case 'sent':
    case 'paid':
    case 'returned': {
      const attempt = await latestAttempt(db, work.payoutId)
      if (!attempt?.transferId) return false
      await readBack(work, attempt.transferId)
      return true
    }
    default:
      return false
  }
}

async function payOut(work: Work): Promise<boolean> {
  const at = await begin(work)
  if (!at) return false
  if (at.attempt.transferId) await readBack(work, at.attempt.transferId)
  else if (at.holds) {
    const transfer = await makeTransfer(work, at)
    if (!transfer) return false
    await work.resume('payment')
    await goOn(work, transfer)
  } else await findOut(work, at)
  return true
}
