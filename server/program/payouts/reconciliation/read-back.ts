import type { PayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { newId } from '../../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../../platform/database/pool.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import { refusal } from '../../../platform/refusal.ts'
import type { Services } from '../../../platform/services.ts'
import { type AccountFacts, accountFacts } from '../../access/account-facts.ts'
import { ProviderError } from '../methods/method.ts'
import { apiMethodNames } from '../methods/registry.ts'
import { pausedSince } from '../payout-terms.ts'
import { type ReadBackJob, readBackQueue } from '../queue.ts'
import { reserveNumbers } from './by-number.ts'
import { presentReconciliation } from './compare.ts'
import { carryForgotten, readTransfers, saveTransfers } from './read-transfers.ts'
import { readSince } from './reconcile-transfers.ts'

/** Reads past payments again, from the beginning. Refuses: `invalid_state` while payouts are not paused. */
export async function startReading(tx: Transaction, jobs: Jobs, account: AccountFacts): Promise<PayoutReconciliation> {
  if (!(await pausedSince(tx, account.id))) throw refusal('payouts_not_paused')
  const readingId = newId()
  await tx.run`
    update payout_reconciliations set reading_id = ${readingId}, read_at = null, problem = null, updated_at = ${tx.now}
    where account_id = ${account.id}`
  await jobs.add(tx, readBackQueue, { accountId: account.id, readingId, from: null })
  return presentReconciliation(tx, account)
}

/**
 * Runs the job of one page: its rows are saved together with the next page's job, so that a reading continues after a
 * crash, and after the provider asked to wait. Without access it records that and ends; the owner starts another.
 */
export async function readBack(services: Services, job: ReadBackJob): Promise<void> {
  const { db, jobs } = services
  const { accountId, readingId } = job
  const reading = await currentReading(db, job)
  if (!reading) return
  const { restored, paysByCarrier, ...account } = reading
  try {
    const page = paysByCarrier
      ? await readTransfers(services, account, { since: readSince(db.now), from: job.from })
      : restored && NOTHING_TO_READ
    if (!page) return await setProblem(db, job, 'Nobody can be asked: connect the account that pays again.')
    await transaction(db, async (tx) => {
      if (!(await holdReading(tx, job))) return
      await carryForgotten(tx, job)
      await saveTransfers(tx, job, page.transfers)
      if (paysByCarrier) await reserveNumbers(tx, accountId, page.transfers)
      if (page.next !== null) return jobs.add(tx, readBackQueue, { ...job, from: page.next })
      await tx.run`
        update payout_reconciliations set read_at = ${tx.now}, problem = null, updated_at = ${tx.now}
        where account_id = ${accountId}`
      await tx.run`
        delete from transfers_read
        where account_id = ${accountId} and reading_id <> ${readingId} and decision is null`
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await setProblem(db, job, error.message)
    const { retryAfter } = error
    if (error.noAccess) return
    if (retryAfter === null) throw error
    await transaction(db, (tx) => jobs.add(tx, readBackQueue, job, { startAfter: retryAfter }))
  }
}

/** An account that pays by hand has no provider to read; after a restore its owner confirms a review. */
const NOTHING_TO_READ = { transfers: [], next: null }

/** Finds the account of a reading that is still current and enabled. */
const currentReading = (db: Database, { accountId, readingId }: ReadBackJob) =>
  db.maybe<AccountFacts & { paysByCarrier: boolean; restored: boolean }>`
    select ${accountFacts}, pa.methods && ${apiMethodNames}::text[] as pays_by_carrier, r.restored
    from payout_reconciliations r join accounts a on a.id = r.account_id
      join payout_accounts pa on pa.account_id = r.account_id
    where r.account_id = ${accountId} and r.reading_id = ${readingId} and r.read_at is null and a.disabled_at is null`

const holdReading = (tx: Transaction, { accountId, readingId }: ReadBackJob) =>
  tx.maybe`
    select from payout_reconciliations
    where account_id = ${accountId} and reading_id = ${readingId} and read_at is null for update`

const setProblem = async (db: Database, { accountId, readingId }: ReadBackJob, problem: string) => {
  await db.run`
    update payout_reconciliations set problem = ${problem}, updated_at = ${db.now}
    where account_id = ${accountId} and reading_id = ${readingId} and read_at is null`
}
