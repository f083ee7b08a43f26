import type { Payout } from '#contract/payouts.ts'
import { audit, byUser } from '../../platform/audit.ts'
import type { Actor } from '../access/actor.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/access.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { refuseStanding } from './approve.ts'
import { lockForJudgement, wrongState } from './binding.ts'
import { move } from './move.ts'
import { presentPayout } from './payouts.ts'
import { termsOf } from './terms.ts'

/**
 * Tries a failed payout again with a new attempt, or asks Wise once more to pay a transfer that waits for money.
 * Refuses: `payout_blocked` where something stands against it now, as at an approval (its amount is fixed, so the
 * minimum does not count); `invalid_state` in any other state.
 */
export async function retryPayout(
  tx: Transaction,
  services: Services,
  actor: Actor,
  account: AccountFacts,
  id: string,
): Promise<Payout> {
  const { payout } = await lockForJudgement(tx, account.id, id)
  const terms = await termsOf(tx, account)
  if (payout.status !== 'failed' && payout.status !== 'awaiting-funding')
    throw wrongState((await presentPayout(tx, account, payout.id)).status, 'tried again')
  await refuseStanding(tx, terms, payout.partnerId)
  if (payout.status === 'failed') {
    if (terms.method !== 'wise')
      throw new Refusal('invalid_state', 'Wise is not connected any more. Cancel this payout or mark it as paid.', {
        details: { status: payout.status },
      })
    await move(tx, account, payout.id, 'retry', { by: byUser(actor) })
  } else {
    await tx.run`update payouts set fund_again = true, updated_at = ${tx.now} where id = ${payout.id}`
    await audit(tx, byUser(actor), account.id, 'payout.retried', { type: 'payout', id: payout.id })
  }
  await services.jobs.add(tx, 'pay-out', { payoutId: payout.id })
  return presentPayout(tx, account, payout.id)
}
