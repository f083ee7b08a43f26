import type { Payout } from '#contract/payouts.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { refuseBlockedPartner, refusePaused } from './approve.ts'
import { methodsOn } from './chosen-method.ts'
import { getPayoutMethod } from './methods/registry.ts'
import { lockForJudgement, wrongState } from './payout-entries.ts'
import { getPayoutTerms } from './payout-terms.ts'
import { presentPayout } from './payouts.ts'
import { payOutQueue } from './queue.ts'
import { transitionPayout } from './transitions.ts'

/**
 * Retries a failed payout with a new attempt, or funds a waiting transfer again.
 * Refuses: `payout_blocked` if a blocker applies now, as at an approval (its amount is fixed, so the minimum does not
 * count); `invalid_state` in any other state, or while payouts are paused.
 */
export async function retryPayout(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  account: AccountFacts,
  id: string,
): Promise<Payout> {
  const { payout } = await lockForJudgement(tx, account.id, id)
  const terms = await getPayoutTerms(tx, account)
  if (payout.status !== 'failed' && payout.status !== 'awaiting-funding')
    throw wrongState((await presentPayout(tx, account, payout.id)).status, 'payout_not_retriable')
  refusePaused(terms)
  await refuseBlockedPartner(tx, terms, payout.partnerId)
  if (payout.status === 'failed') {
    const method = getPayoutMethod(payout.method!)
    if (!methodsOn(terms).includes(method))
      throw refusal('payout_carrier_gone', { carrier: method.label }, { details: { status: payout.status } })
    await transitionPayout(tx, account, payout.id, 'retry', { by })
  } else {
    await tx.run`update payouts set fund_again = true, updated_at = ${tx.now}
      where account_id = ${account.id} and id = ${payout.id}`
    await recordActivity(tx, by, account.id, 'payout.retried', { id: payout.id })
  }
  await jobs.add(tx, payOutQueue, { payoutId: payout.id })
  return presentPayout(tx, account, payout.id)
}
