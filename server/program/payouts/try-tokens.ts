import { type Asking, type Carrier, ProviderError, type Unread } from './methods/method.ts'

/** `away`: why the provider could not be asked, in words; otherwise `refused` lists the rejected accounts. */
type Tried = { asked: number; away: string | null; refused: Unread[] }

/** Tries the credentials of each connected account that is not disabled; stops if the provider itself is unavailable. */
export async function tryTokens(services: Asking, carrier: Carrier): Promise<Tried> {
  const { db } = services
  const accounts = await db.many<{ id: string }>`
    select id from accounts where id = any(${await carrier.connected(db)}::uuid[]) and disabled_at is null order by id`
  const refused: Unread[] = []
  for (const { id: accountId } of accounts) {
    try {
      const connection = await carrier.connect(services, accountId)
      await connection?.check()
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'unknown')
        return { asked: accounts.length, away: error.message, refused }
      const reason = error instanceof ProviderError ? error.message : 'The token cannot be decrypted.'
      refused.push({ accountId, reason })
    }
  }
  return { asked: accounts.length, away: null, refused }
}
