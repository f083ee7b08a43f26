import type { AutoPayoutSettingsChange } from '#contract/payout-settings.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import {
  apiWith,
  buildApi,
  findConnection,
  notConnected,
  type StoredConnection,
  saveConnection,
  saveSubscriptions,
  tokenPlace,
} from './connections.ts'
import { type Profile, ProviderError } from './methods/method.ts'
import { connecting, refusalOfWrong } from './methods/registry.ts'

const { name, label, provider, settings, events } = connecting

/**
 * Returns the profiles that a token can access; the token is neither stored nor logged. Refuses: `unauthenticated` if
 * the provider rejects it.
 */
export async function listProfiles(
  services: Pick<Services, 'db' | 'config' | 'outbound' | 'log'>,
  authorization: string,
): Promise<{ items: Profile[] }> {
  const token = settings.tokenIn(authorization)
  if (!token) throw refusalOfWrong(settings.wrong.tokenNotSent)
  try {
    return { items: await provider.profiles(apiWith(services, name, token)) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw refusalOfWrong(settings.unread(error, true))
  }
}

/**
 * Reads the profiles of the given token, else of the stored one: before the token or the profile changes, or payouts are
 * enabled; null if the change needs none. Refuses: `validation_failed` for a token that the provider rejects;
 * `provider_failed` while it does not respond.
 */
export async function readProfiles(
  services: Services,
  accountId: string,
  change: AutoPayoutSettingsChange,
): Promise<Profile[] | null> {
  const { token, profileId } = settings.given(change)
  if (token === null) return null
  if (token === undefined && !profileId && change.enabled !== true) return null
  const api = token
    ? apiWith(services, name, token)
    : buildApi(services, accountId, await findConnection(services.db, accountId))
  if (!api && profileId) throw refusalOfWrong(settings.wrong.tokenMissing)
  if (!api) return null
  try {
    return await provider.profiles(api)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw refusalOfWrong(settings.unread(error, false))
  }
}

export type ChangedConnection = {
  former: StoredConnection
  next: StoredConnection
  /** Null if payouts of the account can be sent now; else why automatic ones cannot be enabled. */
  missing: Refusal | null
  /** Whether the change clears the connection's trouble. */
  clears: boolean
}

/**
 * Saves the connection after a change, for which `profiles` were read. Refuses: `validation_failed` for a profile that
 * the token cannot access.
 */
export async function changePayoutConnection(
  tx: Transaction,
  { secrets }: Pick<Services, 'secrets'>,
  accountId: string,
  { change, profiles }: { change: AutoPayoutSettingsChange; profiles: Profile[] | null },
): Promise<ChangedConnection> {
  const { wrong } = settings
  const { token, profileId } = settings.given(change)
  const former = await findConnection(tx, accountId)
  let next = former
  if (token === null) next = { ...notConnected, subscriptionIds: former.subscriptionIds }
  else if (profiles || profileId !== undefined) {
    next = { ...former }
    if (token) {
      next.tokenSealed = secrets.seal(token, tokenPlace(accountId))
      next.tokenHint = token.slice(-4)
    }
    if (profiles) {
      next.profiles = profiles
      next.profile = profiles.find((profile) => profile.id === former.profile?.id) ?? null
    }
    if (profileId) {
      next.profile = profiles!.find((profile) => profile.id === profileId) ?? null
      if (!next.profile) throw refusalOfWrong(wrong.profileOutOfReach)
    }
    if (profileId === null) next.profile = null
  }
  if (next !== former) await saveConnection(tx, accountId, next)
  const tokenMissing = token === null ? wrong.tokenNeeded : wrong.tokenMissing
  const missing = !next.tokenSealed ? tokenMissing : next.profile ? null : wrong.profileMissing
  return { former, next, missing: missing && refusalOfWrong(missing), clears: profiles !== null || token === null }
}

/**
 * Subscribes to the provider's events about transfers if the public address is https. Only a hint beside the poll:
 * payouts work without them. Missing kinds are requested at the next change of the settings.
 */
export async function renewSubscriptions(
  services: Services,
  accountId: string,
  { former, next }: ChangedConnection,
): Promise<void> {
  if (!events) return
  const moved = former.profile?.id !== next.profile?.id
  if (moved) await endSubscriptions(services, accountId, former)
  const { appUrl } = services.config
  const ids = moved ? [] : [...former.subscriptionIds]
  if (!next.profile || !appUrl.startsWith('https://')) return
  const api = buildApi(services, accountId, next)!
  try {
    for (const kind of events.kinds.slice(ids.length)) {
      ids.push(await events.subscribe(api, next.profile.id, kind, `${appUrl}/hooks/${name}`))
      await saveSubscriptions(services.db, accountId, ids)
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    services.log.warn(
      { accountId, status: error.status },
      `${label} does not send all events for this account; its transfers are polled too`,
    )
  }
}

async function endSubscriptions(services: Services, accountId: string, former: StoredConnection) {
  const { profile, subscriptionIds } = former
  if (subscriptionIds.length === 0 || !profile) return
  const api = buildApi(services, accountId, former)
  try {
    await saveSubscriptions(services.db, accountId, [])
    for (const id of subscriptionIds) if (api) await events!.unsubscribe(api, profile.id, id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    services.log.info({ accountId, status: error.status }, `a previous ${label} subscription was left in place`)
  }
}
