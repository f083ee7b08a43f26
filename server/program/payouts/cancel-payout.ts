import { setTimeout as sleep } from 'node:timers/promises'
import type { Payout } from '#contract/payouts.ts'
import { type Author, userAuthor } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { ProviderError } from './methods/method.ts'
import { getPayoutMethod } from './methods/registry.ts'
import { decideUnsure } from './payout-attempts.ts'
import { lockPayout, wrongState } from './payout-entries.ts'
import { getPayoutTerms } from './payout-terms.ts'
import { presentPayout, readPayout } from './payouts.ts'
import { advancePayout } from './process-payout.ts'
import { payOutQueue } from './queue.ts'
import { endAsCanceled } from './undo-approval.ts'

/**
 * Cancels a payout before money may have left: its entries are due again. A transfer waiting for money is stopped by
 * its method first; if it was paid meanwhile, the payout continues. An unsure one ends by this as not paid. Refuses:
 * `invalid_state` once money may have left; `provider_failed` while the provider does not respond: it is then cancelled
 * once it does.
 */
export async function cancelPayout(
  services: Services,
  actor: Actor,
  account: AccountFacts,
  id: string,
): Promise<Payout> {
  const { db } = services
  const waits = await transaction(db, (tx) => cancelOrStop(tx, services.jobs, userAuthor(actor), account, id))
  if (waits) await stopNow(() => advancePayout(services, id))
  const payout = await presentPayout(db, account, id)
  if (payout.status === 'canceled') return payout
  if (payout.status === 'awaiting-funding')
    throw refusal(
      'payout_not_canceled_yet',
      { carrier: getPayoutMethod(payout.method!).label },
      { details: { status: payout.status, reason: payout.attempts.at(-1)?.error ?? null } },
    )
  throw wrongState(payout.status, 'payout_not_cancelable')
}

/** Cancels the payout, or returns that its transfer waits for money and must be cancelled first. */
async function cancelOrStop(tx: Transaction, jobs: Jobs, by: Author, account: AccountFacts, id: string) {
  const payout = await lockPayout(tx, account.id, id)
  if (payout.status === 'gathering') {
    const shown = await readPayout(tx, await getPayoutTerms(tx, account), payout.id)
    if (!shown) throw notFound()
    await endAsCanceled(tx, by, account, payout.id, shown.amount)
    return false
  }
  const isDecided = await decideUnsure(tx, account.id, payout.id)
  if (isDecided || payout.status === 'approved' || payout.status === 'failed') {
    await endAsCanceled(tx, by, account, payout.id, payout.amount!)
    return false
  }
  if (payout.status !== 'awaiting-funding') throw wrongState(payout.status, 'payout_not_cancelable')
  await tx.run`
    update payouts set stop_reason = 'canceled', updated_at = ${tx.now}
    where account_id = ${account.id} and id = ${payout.id}`
  await recordActivity(tx, by, account.id, 'payout.cancel-asked', { id: payout.id })
  await jobs.add(tx, payOutQueue, { payoutId: payout.id })
  return true
}

/** Asks the provider now, so that the caller gets the result; on failure the job continues. */
async function stopNow(ask: () => ReturnType<typeof advancePayout>) {
  for (let turn = 0; turn < 50; turn++) {
    try {
      if ((await ask()) === 'done') return
    } catch (error) {
      if (error instanceof ProviderError) return
      throw error
    }
    await sleep(100)
  }
}
