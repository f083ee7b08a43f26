import type { Queryable } from '../../platform/database/pool.ts'

/** Settings of a payout method, as far as they may be read without a key. */
export type MethodSecret = {
  method: string
  hint: string | null
  /** Pays on paydays without a person. */
  automatic: boolean
  /** The provider's message when it refused the calls. */
  trouble: string | null
}

export const methodSecrets = (db: Queryable, accountId: string) => db.many<MethodSecret>`
  select method, hint, automatic, trouble from method_secrets where account_id = ${accountId} order by method`

/** Sealing context of a way's settings. */
export const methodSecretPlace = (method: string, accountId: string) =>
  `method_secrets|settings_sealed|${method}|${accountId}`

/** Returns the end of an IBAN, by which people and payment files know the account that pays. */
export const toHint = (iban: string) => iban.slice(-4)
