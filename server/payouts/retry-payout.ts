import type { Payout } from '#contract/payouts.ts'
import { audit, byUser } from '../audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { Transaction } from '../database/pool.ts'
import type { AccountFacts } from '../http/access.ts'
import { Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { blocked } from './approve.ts'
import { lockPayout, wrongState } from './binding.ts'
import { presentPayout, readPayout } from './payouts.ts'
import { termsOf } from './terms.ts'

/**
 * Tries a failed payout again with a new attempt, or asks Wise once more to pay a transfer that waits for money.
 * Refuses: `payout_blocked` while the details are the ones that Wise rejected; `invalid_state` in any other state.
 */
export async function retryPayout(
  tx: Transaction,
  services: Services,
  actor: Actor,
  account: AccountFacts,
  id: string,
): Promise<Payout> {
  const payout = await lockPayout(tx, account.id, id)
  const terms = await termsOf(tx, account)
  if (payout.status === 'failed') {
    const shown = (await readPayout(tx, terms, payout.id))!
    if (shown.blockers.length > 0) throw blocked(terms, shown, shown.blockers)
    if (terms.method !== 'wise')
      throw new Refusal('invalid_state', 'Wise is not connected any more. Cancel this payout or mark it as paid.', {
        details: { status: payout.status },
      })
    await tx.run`
      update payouts set status = 'approved', failure_reason = null, updated_at = ${tx.now} where id = ${payout.id}`
  } else if (payout.status === 'awaiting-funding')
    await tx.run`update payouts set fund_again = true, updated_at = ${tx.now} where id = ${payout.id}`
  else throw wrongState((await presentPayout(tx, account, payout.id)).status, 'tried again')
  await services.jobs.add(tx, 'pay-out', { payoutId: payout.id })
  await audit(
    tx,
    byUser(actor),
    account.id,
    'payout.retried',
    { type: 'payout', id: payout.id },
    {
      status: { old: payout.status, new: payout.status === 'failed' ? 'approved' : payout.status },
    },
  )
  return presentPayout(tx, account, payout.id)
}
