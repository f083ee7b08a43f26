import type { Asking, Tried } from '../method.ts'
import { WiseError } from './client.ts'
import { findConnection, wiseOf } from './connection.ts'

/** Reads the profiles with each account's token; stops if Wise itself is unavailable. */
export async function tryTokens(services: Asking): Promise<Tried> {
  const accounts = await services.db.many<{ accountId: string }>`
    select w.account_id from wise_accounts w join accounts a on a.id = w.account_id
    where w.token_sealed is not null and a.disabled_at is null order by w.account_id`
  const refused: Tried['refused'] = []
  for (const { accountId } of accounts) {
    try {
      await wiseOf(services, accountId, await findConnection(services.db, accountId))!.profiles()
    } catch (error) {
      if (error instanceof WiseError && error.kind === 'unknown')
        return { asked: accounts.length, away: error.message, refused }
      refused.push({ accountId, reason: error instanceof WiseError ? error.message : 'The token cannot be decrypted.' })
    }
  }
  return { asked: accounts.length, away: null, refused }
}
