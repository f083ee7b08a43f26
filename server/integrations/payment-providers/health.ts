import { forEachIsolated } from '../../platform/jobs/each-alone.ts'
import type { Services } from '../../platform/services.ts'
import { markEventsStopped } from './connection-problems.ts'
import { tryConnection } from './connections.ts'
import { PaymentProviderError } from './provider.ts'
import { claimCheck, connectionsHeard, connectionsToCheck, silentSince, waitingEvents } from './queries.ts'

/**
 * Tries the key of every connection once a day, so that a rejected one is found without an event, and finds those that
 * no longer get events.
 */
export async function watchConnections(services: Services): Promise<void> {
  const { db, log } = services
  await forEachIsolated(log, 'watch-providers', await connectionsToCheck(db), async ({ connectionId }) => {
    const connection = await claimCheck(db, connectionId)
    if (!connection) return
    await tryConnection(services, connection, waitingEvents).catch((error: unknown) => {
      if (!(error instanceof PaymentProviderError)) throw error
      log.info({ connectionId, reason: error.message }, 'a provider did not answer the check of the day')
    })
  })
  await forEachIsolated(log, 'watch-providers', await connectionsHeard(db), async (connection) => {
    const since = await silentSince(db, connection)
    if (since) await markEventsStopped(db, connection.connectionId, since)
  })
}
