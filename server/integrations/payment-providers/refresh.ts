import { transaction } from '../../platform/database/pool.ts'
import { forEachIsolated } from '../../platform/jobs/each-alone.ts'
import type { Services } from '../../platform/services.ts'
import { markConnectionFailing } from './connection-problems.ts'
import { type Granted, PaymentProviderError } from './provider.ts'
import {
  type ConnectionRow,
  claimRefresh,
  connectionsToRefresh,
  lockConnection,
  replaceCredentials,
  setRefresh,
} from './queries.ts'
import { findAdapter } from './registry.ts'
import { findOAuth, getProviderAccess, openCredentials, sealCredentials } from './secrets.ts'

/** Renews every token that is due. */
export async function renewDueTokens(services: Services): Promise<void> {
  const due = await connectionsToRefresh(services.db)
  await forEachIsolated(services.log, 'renew-provider-tokens', due, ({ connectionId }) =>
    renewTokens(services, connectionId),
  )
}

/**
 * Renews the tokens of a connection when due. The process that claims it has five minutes without other tries: the
 * refresh token may be valid for one use. If the process ends before storing the answer, the same token is tried again,
 * since there is no other.
 */
export async function renewTokens(services: Services, id: string): Promise<void> {
  const { db } = services
  const connection = await claimRefresh(db, id)
  const adapter = connection && findAdapter(connection.provider)
  const refresh = adapter && findOAuth(adapter, services.config)?.refresh
  const credentials = connection && openCredentials(services.secrets, connection)
  if (!refresh || !credentials) return
  let granted: Granted
  try {
    granted = await refresh(credentials, getProviderAccess(services, connection.provider))
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'unavailable') {
      const { message: reason } = error
      services.log.info({ connectionId: id, reason }, 'a provider did not renew its tokens; it is asked again')
      return
    }
    await markConnectionFailing(db, id, error.message)
    await saveTokens(services, connection, { credentials, refreshAt: null })
    return
  }
  await saveTokens(services, connection, granted)
}

/** Stores renewed tokens unless the owner has consented again, or ended the connection. */
const saveTokens = ({ db, secrets }: Services, before: ConnectionRow, { credentials, refreshAt }: Granted) =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, before.id)
    if (!connection.credentialsSealed?.equals(before.credentialsSealed!)) return
    const credentialsSealed = sealCredentials(secrets, connection, credentials)
    await replaceCredentials(tx, connection.id, { credentialsSealed, webhookSecretSet: connection.webhookSecretSet })
    await setRefresh(tx, connection.id, refreshAt)
  })
