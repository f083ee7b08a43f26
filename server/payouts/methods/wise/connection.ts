import type { Queryable } from '../../../platform/database/pool.ts'
import type { Services } from '../../../platform/services.ts'
import type { PayoutAccount } from '../../../program/payouts/terms.ts'
import { createWise, type Wise } from '../../../program/payouts/methods/wise/client.ts'

export const tokenPlace = (accountId: string) => `payout_accounts|wise_token_sealed|${accountId}|${accountId}`

/** Wise, asked with this token. */
export const wiseWith = ({ config, outbound }: Services, token: string): Wise =>
  createWise({ apiUrl: config.wise.apiUrl, apiVersion: config.wise.apiVersion, token, outbound })

/** Wise, asked with the account's stored token; null where there is none. */
export function wiseOf(
  services: Services,
  accountId: string,
  { wiseTokenSealed }: Pick<PayoutAccount, 'wiseTokenSealed'>,
): Wise | null {
  if (!wiseTokenSealed) return null
  return wiseWith(services, services.secrets.open(wiseTokenSealed, tokenPlace(accountId)))
}

/** Wise does not accept the token, or not for this: automatic payouts pause until it does. */
export const noteWiseError = (
  db: Queryable,
  accountId: string,
  { kind, message }: { kind: 'unauthorized' | 'forbidden'; message: string },
) => db.run`
  update payout_accounts set wise_error = ${message}, wise_error_kind = ${kind}, updated_at = ${db.now}
  where account_id = ${accountId}`

/** Wise took a call. `proof` says which errors that disproves. */
export const clearWiseError = (db: Queryable, accountId: string, proof: 'any-call' | 'transfer') => db.run`
  update payout_accounts set wise_error = null, wise_error_kind = null, updated_at = ${db.now}
  where account_id = ${accountId} and wise_error is not null
    and (wise_error_kind = 'unauthorized' or ${proof === 'transfer'})`
