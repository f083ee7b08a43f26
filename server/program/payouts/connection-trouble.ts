import type { Queryable } from '../../platform/database/pool.ts'
import type { Trouble } from './methods/method.ts'

/**
 * Records that the provider rejects the account's calls of this method: its automatic payouts pause until that ends.
 */
export async function noteMethodTrouble(db: Queryable, accountId: string, method: string, { kind, message }: Trouble) {
  await db.run`
    update payout_accounts set trouble = ${message}, trouble_kind = ${kind}, trouble_with = ${method},
      updated_at = ${db.now}
    where account_id = ${accountId}`
}

/** Records that the provider accepted a call. `proof` decides which trouble that ends. */
export async function clearTrouble(db: Queryable, accountId: string, method: string, proof: 'any-call' | 'payment') {
  await db.run`
    update payout_accounts set trouble = null, trouble_kind = null, trouble_with = null, updated_at = ${db.now}
    where account_id = ${accountId} and trouble_with = ${method}
      and (trouble_kind = 'unauthorized' or ${proof === 'payment'})`
}
