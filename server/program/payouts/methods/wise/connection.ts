import type { AutoPayoutSettings } from '#contract/payouts.ts'
import type { Queryable } from '../../../../platform/database/pool.ts'
import type { Services } from '../../../../platform/services.ts'
import type { Carrier } from '../method.ts'
import { createWise, type Wise } from './client.ts'
import { call, told } from './steps.ts'

/** An account's connection to Wise. */
export type Connection = {
  tokenSealed: Buffer | null
  tokenHint: string | null
  profile: AutoPayoutSettings['wiseProfile']
  /** The profiles that the token could access when last read. */
  profiles: AutoPayoutSettings['wiseProfilesAvailable']
  /** In the order of the kinds of events; an account that subscribed long ago has only the first. */
  subscriptionIds: string[]
}

export const notConnected: Connection = {
  tokenSealed: null,
  tokenHint: null,
  profile: null,
  profiles: [],
  subscriptionIds: [],
}

export const findConnection = async (db: Queryable, accountId: string): Promise<Connection> =>
  (await db.maybe<Connection>`
    select token_sealed, token_hint, profile, profiles, subscription_ids from wise_accounts
    where account_id = ${accountId}`) ?? notConnected

/**
 * Sealing context of the token, named after the table that first stored it, since older tokens open only with that
 * name.
 */
export const tokenPlace = (accountId: string) => `payout_accounts|wise_token_sealed|${accountId}|${accountId}`

/** Services needed to call Wise. */
export type Reach = Pick<Services, 'config' | 'outbound' | 'log'>

/** Creates a client with this token. */
export const wiseWith = ({ config, outbound, log }: Reach, token: string): Wise =>
  createWise({ apiUrl: config.wise.apiUrl, apiVersion: config.wise.apiVersion, token, outbound, log })

/** Returns services whose calls to a provider have this timeout. */
export const hasty = (services: Services, timeoutMs: () => number): Services => ({
  ...services,
  outbound: {
    ...services.outbound,
    provider: (url, request) => services.outbound.provider(url, { timeoutMs: timeoutMs(), ...request }),
  },
})

/** Creates a client with the account's stored token; null if there is none. */
export function wiseOf(
  services: Reach & Pick<Services, 'secrets'>,
  accountId: string,
  { tokenSealed }: Pick<Connection, 'tokenSealed'>,
): Wise | null {
  if (!tokenSealed) return null
  return wiseWith(services, services.secrets.open(tokenSealed, tokenPlace(accountId)))
}

export const connect: Carrier['connect'] = async (services, accountId) => {
  const connection = await findConnection(services.db, accountId)
  const wise = wiseOf(services, accountId, connection)
  return (
    wise && {
      profileId: connection.profile?.id ?? null,
      ask: (step, told) => call(wise, step, told),
      check: () => wise.profiles(),
      page: async (profile, { since, offset, currency }) => {
        const { transfers, next } = await wise.transfersPage(profile, since, offset)
        return { transfers: transfers.map((transfer) => told(transfer, profile, currency)), next }
      },
    }
  )
}

export async function connected(db: Queryable): Promise<string[]> {
  const accounts = await db.many<{ id: string }>`
    select account_id as id from wise_accounts where token_sealed is not null`
  return accounts.map(({ id }) => id)
}

export const paysFrom = async (db: Queryable, accountId: string) =>
  (await findConnection(db, accountId)).profile?.id ?? null
