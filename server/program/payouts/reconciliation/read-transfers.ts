import type { Queryable } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import { type Asking, openConnection } from '../connections.ts'
import { ProviderError, type ToldTransfer } from '../methods/method.ts'
import type { Carrying } from '../ways.ts'

type TransferPage = { transfers: ToldTransfer[]; next: string | null }

/**
 * Returns a page of the transfers requested since then, whatever is stored here about them, with the start of the next
 * page; null without a connection to ask. Reads one profile after the other: the selected one, then those paid from.
 */
export async function readTransfers(
  services: Asking,
  { id: accountId, defaultCurrency: currency }: AccountFacts,
  { name, carrier }: Carrying,
  { since, from }: { since: Date; from: string | null },
): Promise<TransferPage | null> {
  const connection = await openConnection(services, accountId)
  const chosen = connection?.profileId
  if (!connection || !chosen) return null
  const used = await profilesPaidFrom(services.db, accountId, name, since)
  const profiles = [chosen, ...used.filter((id) => id !== chosen)]
  const [at, offset] = from ? placeOf(from, profiles) : [0, 0]
  const profile = profiles[at]
  if (!profile) return { transfers: [], next: null }
  const { transfers, next } = await carrier
    .page(connection.api, profile, { since, offset, currency })
    .catch((error: unknown) => {
      // a profile that only another token could access is skipped
      if (error instanceof ProviderError && error.kind === 'withheld' && profile !== chosen)
        return { transfers: [], next: null }
      throw error
    })
  const nextProfile = profiles[at + 1]
  return { transfers, next: next !== null ? `${profile}:${next}` : nextProfile ? `${nextProfile}:0` : null }
}

function placeOf(from: string, profiles: string[]): [at: number, offset: number] {
  const [profile, offset] = from.split(':')
  const at = profiles.indexOf(profile!)
  // the profile was changed meanwhile: start again
  return at < 0 ? [0, 0] : [at, Number(offset)]
}

/** Returns the profiles that this method's attempts since then paid from; those of earlier releases name no method. */
export async function profilesPaidFrom(
  db: Queryable,
  accountId: string,
  method: string,
  since: Date,
): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select distinct a.paid_from as id from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId} and coalesce(a.method, ${method}) = ${method} and a.paid_from is not null
      and a.at >= ${since}
    order by 1`
  return rows.map(({ id }) => id)
}
