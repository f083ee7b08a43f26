import { newId } from '../../../../platform/database/ids.ts'
import type { Transaction } from '../../../../platform/database/pool.ts'
import { yearIn } from '../../../../platform/time/days.ts'
import type { Carried } from '../method.ts'
import {
  type At,
  insertAttempt,
  isOver,
  isSilent,
  latestAttempt,
  readAt,
  saveAttempt,
  transactionId,
} from './attempts.ts'
import { applyVerdict, judge } from './intent.ts'
import type { Work } from './work.ts'

/** Saves the attempt and its transaction id before the first call; ends an attempt that no longer fits. */
export async function begin(work: Work): Promise<(At & { holds: boolean }) | undefined> {
  const begun = await work.hold((tx) => beginOrGoOn(tx, work))
  if (begun) await work.onStep('attempt-saved')
  return begun
}

async function beginOrGoOn(tx: Transaction, work: Work): Promise<(At & { holds: boolean }) | undefined> {
  const { payoutId, profileId, account } = work
  const payout = await work.read(tx)
  if (payout?.status !== 'approved' && payout?.status !== 'processing') return undefined
  const last = await latestAttempt(tx, payoutId)
  const live = last && !isOver(last) ? last : undefined
  const verdict = await judge(tx, work, payout, live)
  if (live && !isSilent(live)) return { payout, attempt: live, holds: verdict.holds }
  if (!verdict.holds) {
    if (live) await saveAttempt(tx, live.id, { state: 'abandoned' })
    if (!(await applyVerdict(tx, work, payout, verdict))) return undefined
  }
  const { status } = (await work.read(tx))!
  if (!profileId) return void (await waitFor(tx, work, status, NO_PROFILE))
  if (status === 'approved') await work.move(tx, 'begin')
  if (!live || !verdict.holds) {
    const number = (last?.number ?? 0) + 1
    const year = yearIn(account.timeZone, tx.now)
    await insertAttempt(tx, payout, {
      id: newId(),
      number,
      transactionId: transactionId(payoutId, number),
      profileId,
      year,
    })
  }
  await work.looked(tx)
  const at = await readAt(tx, work)
  return at && { ...at, holds: true }
}

const NO_PROFILE = 'No Wise profile is selected. Choose one, or cancel this payout.'
const NO_WISE = 'Wise isn’t connected. Connect it again, or cancel this payout.'
const NOT_TOLD = 'We don’t know yet whether Wise created the transfer. Connect Wise again to check.'
const UNREAD = 'Wise isn’t connected, so the transfer can’t be checked. Connect Wise again.'

/**
 * Handles a payout without a token: one that surely has no transfer can be canceled meanwhile, others show why they
 * wait.
 */
export async function withoutWise(tx: Transaction, carried: Carried) {
  const payout = await carried.read(tx)
  if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return
  await carried.looked(tx)
  const last = await latestAttempt(tx, payout.id)
  if (last && !isOver(last) && !isSilent(last)) {
    if (payout.status === 'processing') await carried.say(tx, last.transferId ? UNREAD : NOT_TOLD)
    return
  }
  const verdict = await carried.judge(tx, payout)
  if (!verdict.holds) await carried.undo(tx, payout, verdict)
  else await waitFor(tx, carried, payout.status, NO_WISE)
}

/** Sets the payout to approved, with the reason that it waits. */
async function waitFor(tx: Transaction, carried: Pick<Carried, 'move' | 'say'>, status: string, reason: string) {
  if (status === 'processing') await carried.move(tx, 'step-back', { reason })
  else await carried.say(tx, reason)
}
