import type { ProviderConnection } from '#contract/payment-providers.ts'
import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import { type Author, userAuthor } from '../../platform/author.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { newToken, tokenHash } from '../../platform/database/secrets.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { Actor } from '../../program/access/actor.ts'
import { applyCredentials, isDuplicate, providerFailed, saveConnection, shopIdentity, toKeep } from './connections.ts'
import { presentConnection } from './present-connections.ts'
import { type Granted, PaymentProviderError, type ProviderAccount, type ProviderAdapter } from './provider.ts'
import {
  type ConnectionRow,
  insertConsent,
  lockConnection,
  lockConsent,
  markConsentUsed,
  renewConsent,
  replaceCredentials,
  setRefresh,
  standingConnection,
} from './queries.ts'
import { findAdapter } from './registry.ts'
import { findOAuth, getProviderAccess } from './secrets.ts'

export const CONSENT_FOR_MS = 10 * 60_000

/** The parameters with which an owner returns from the provider. */
type Answer = { provider: PaymentProvider; code: string; state: string }

const redirectUriOf = ({ config }: Services, provider: PaymentProvider) => `${config.appUrl}/oauth/${provider}`

function consentAt({ config }: Services, provider: PaymentProvider) {
  const adapter = findAdapter(provider)
  const oauth = adapter && findOAuth(adapter, config)
  if (!oauth) throw refusal('provider_needs_key', { provider: paymentProviderNames[provider] })
  return { adapter, oauth }
}

/**
 * Returns the address at which the owner consents to the connection. The return is valid once, for ten minutes, for the
 * same user and account, which its `state` names for the page they return to. Refuses: `invalid_state` if the operator
 * has no application at the provider.
 */
export async function connectUrl(services: Services, { userId }: Actor, accountId: string, provider: PaymentProvider) {
  const { oauth } = consentAt(services, provider)
  const state = `${newToken()}.${accountId}`
  await insertConsent(services.db, { stateHash: tokenHash(state), accountId, userId, provider, forMs: CONSENT_FOR_MS })
  return {
    url: oauth.authorizeUrl(getProviderAccess(services, provider), {
      state,
      redirectUri: redirectUriOf(services, provider),
    }),
  }
}

/**
 * Connects with the owner's consent; also renews a connection that the provider no longer accepts. The `state` is used
 * up before the provider is called, so after any failure the owner must start again. Refuses: a `state` that is not
 * theirs, expired or used; a `code` that the provider refuses, in its words; `duplicate` for an account that is already
 * connected; `provider_failed` without a usable answer.
 */
export async function connectByConsent(
  services: Services,
  actor: Actor,
  accountId: string,
  { provider, code, state }: Answer,
): Promise<ProviderConnection> {
  const { adapter, oauth } = consentAt(services, provider)
  await consumeState(services.db, { stateHash: tokenHash(state), accountId, userId: actor.userId, provider })
  const reach = getProviderAccess(services, provider)
  const { granted, account } = await asking(adapter, async () => {
    const granted = await oauth.exchange(reach, { code, redirectUri: redirectUriOf(services, provider) })
    return { granted, account: await adapter.readAccount(granted.credentials, reach) }
  })
  const standing = await standingConnection(services.db, shopIdentity(adapter, accountId, account))
  if (standing && !mayBeRenewed(standing)) throw isDuplicate(adapter, account)
  if (standing) return renew(services, userAuthor(actor), standing, { adapter, account, granted })
  return saveConnection(services, userAuthor(actor), accountId, { adapter, account, method: 'oauth', ...granted })
}

async function consumeState(db: Database, consent: Parameters<typeof lockConsent>[1]) {
  const provider = { provider: paymentProviderNames[consent.provider] }
  await transaction(db, async (tx) => {
    const known = await lockConsent(tx, consent)
    if (!known) throw wrongField('state', 'consent_unknown', provider)
    if (known.isUsed) throw wrongField('state', 'consent_used', provider)
    if (known.isExpired) throw wrongField('state', 'consent_expired', provider)
    await markConsentUsed(tx, consent.stateHash)
  })
}

async function asking<T>(adapter: ProviderAdapter, question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'unavailable') throw providerFailed(adapter, error)
    throw wrongField('code', 'consent_refused', { provider: adapter.name, said: error.message })
  }
}

const mayBeRenewed = ({ method, trouble, silentSince }: ConnectionRow) =>
  method === 'oauth' && (trouble !== null || silentSince !== null)

/** Renews a connection by OAuth. */
async function renew(
  services: Services,
  by: Author,
  { id, accountId }: ConnectionRow,
  { adapter, account, granted }: { adapter: ProviderAdapter; account: ProviderAccount; granted: Granted },
): Promise<ProviderConnection> {
  await transaction(services.db, async (tx) => {
    const connection = await lockConnection(tx, id)
    if (connection.disconnectedAt) throw refusal('connection_ended')
    await replaceCredentials(tx, id, toKeep(services, adapter, connection, granted.credentials))
    await renewConsent(tx, id)
    await setRefresh(tx, id, granted.refreshAt)
    await applyCredentials(tx, services.jobs, by, connection, account)
  })
  return presentConnection(services.db, accountId, id)
}
