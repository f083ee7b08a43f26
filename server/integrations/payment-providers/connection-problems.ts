import { system } from '../../platform/author.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import { presentConnection } from './present-connections.ts'
import {
  type ConnectionRow,
  eraseRevoked,
  lockConnection,
  setEndpointTrouble,
  setSilence,
  setTrouble,
} from './queries.ts'

/** Records why the provider no longer accepts the connection, and notifies once. */
export const markConnectionFailing = (db: Database, connectionId: string, words: string): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    if (connection.disconnectedAt || connection.revokedAt || connection.trouble === words) return
    await setTrouble(tx, connectionId, words)
    if (connection.trouble === null) await notify(tx, connection, words)
  })

/**
 * Records that an owner withdrew their consent at the provider at `at`; no calls are made from then on. Ignored if the
 * owner has consented again since.
 */
export const markConsentRevoked = (db: Database, connectionId: string, words: string, at: Date): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    const { disconnectedAt, revokedAt, authorizedAt, method } = connection
    if (disconnectedAt || revokedAt) return
    // providers report whole seconds
    if (authorizedAt && at.getTime() < Math.floor(Date.parse(authorizedAt) / 1000) * 1000) return
    if (method === 'oauth') await eraseRevoked(tx, connectionId)
    await setTrouble(tx, connectionId, words)
    if (connection.trouble === null) await notify(tx, connection, words)
  })

/** Records a problem with the endpoint at the provider, or null for none, and notifies once. */
export async function setEndpointProblem(
  tx: Transaction,
  connection: ConnectionRow,
  words: string | null,
): Promise<void> {
  if (connection.disconnectedAt || connection.endpointTrouble === words) return
  await setEndpointTrouble(tx, connection.id, words)
  if (words !== null && connection.endpointTrouble === null) await notify(tx, connection, words)
}

/** Records that events have stopped, and notifies once. */
export const markEventsStopped = (db: Database, connectionId: string, since: string): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    if (connection.disconnectedAt || connection.silentSince) return
    await setSilence(tx, connectionId, since)
    await notify(tx, connection, `No events since ${since}`)
  })

const notify = async (tx: Transaction, { id, accountId }: ConnectionRow, words: string) =>
  emitEvent(tx, system, accountId, 'payment-provider.unhealthy', {
    id,
    object: await presentConnection(tx, accountId, id),
    changes: { reason: { old: null, new: words } },
  })
