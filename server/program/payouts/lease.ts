import { randomUUID } from 'node:crypto'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'

/** Seconds until a dead worker is replaced; one call to a provider takes at most 20. */
const LEASE_SECONDS = 30

/** Another worker has taken over: stop at once and write nothing. */
export class LeaseLost extends Error {}

export type Lease = {
  /** Runs a transaction in which this worker surely still has the payout; renews the lease. */
  hold<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/**
 * Admits one worker at a time to a payout. A row lock would have to stay open across the network, and a session's
 * advisory lock would occupy a database connection for each payout under way. A lease in the payout's row does neither,
 * lasts at most 30 seconds (by the database's clock), and every write checks it again. A worker frozen for longer may
 * still send a pending call: the one transfer id of the attempt makes that harmless.
 * Returns 'busy' when another worker has it.
 */
export async function withLease<T>(
  db: Database,
  { accountId, payoutId }: { accountId: string; payoutId: string },
  work: (lease: Lease) => Promise<T>,
): Promise<T | 'busy'> {
  const leaseId = randomUUID()
  const taken = await db.run`
    update payouts set lease_id = ${leaseId}, leased_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where account_id = ${accountId} and id = ${payoutId} and (leased_until is null or leased_until < statement_timestamp())`
  if (taken === 0) return 'busy'
  try {
    return await work({
      hold: (step) =>
        transaction(db, async (tx) => {
          // before the payout, as everybody locks them: freeing its entries reads whether their balance is void
          await tx.run`
            select from partners where account_id = ${accountId} and id = (
              select partner_id from payouts where account_id = ${accountId} and id = ${payoutId})
            for share`
          const still = await tx.run`
            update payouts set leased_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})
            where account_id = ${accountId} and id = ${payoutId} and lease_id = ${leaseId}`
          if (still === 0) throw new LeaseLost(`payout ${payoutId} is in other hands`)
          return step(tx)
        }),
    })
  } finally {
    await db.run`
      update payouts set lease_id = null, leased_until = null
      where account_id = ${accountId} and id = ${payoutId} and lease_id = ${leaseId}`.catch((error: Error) =>
      db.log.warn({ payoutId, error }, 'a lease could not be released and will expire'),
    )
  }
}
