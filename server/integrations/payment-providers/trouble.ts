import { system } from '../../platform/by.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { happened } from '../../platform/events/happened.ts'
import { presentConnection } from './present-connections.ts'
import {
  type ConnectionRow,
  eraseRevoked,
  lockConnection,
  setEndpointTrouble,
  setSilence,
  setTrouble,
} from './queries.ts'

/** Notes why the provider does not accept the connection any more, and tells of it once. */
export const noteTrouble = (db: Database, connectionId: string, words: string): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    if (connection.disconnectedAt || connection.revokedAt || connection.trouble === words) return
    await setTrouble(tx, connectionId, words)
    if (connection.trouble === null) await tell(tx, connection, words)
  })

/**
 * Notes that an owner took back at the provider what they had allowed, at `at`; from then on nothing is asked there. One
 * who has allowed it again since then took back the former consent.
 */
export const noteRevoked = (db: Database, connectionId: string, words: string, at: Date): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    const { disconnectedAt, revokedAt, authorizedAt, method } = connection
    if (disconnectedAt || revokedAt) return
    // providers tell whole seconds
    if (authorizedAt && at.getTime() < Math.floor(Date.parse(authorizedAt) / 1000) * 1000) return
    if (method === 'oauth') await eraseRevoked(tx, connectionId)
    await setTrouble(tx, connectionId, words)
    if (connection.trouble === null) await tell(tx, connection, words)
  })

/** Notes what is wrong with the endpoint at the provider, null where nothing is any more, and tells of it once. */
export async function noteEndpoint(tx: Transaction, connection: ConnectionRow, words: string | null): Promise<void> {
  if (connection.disconnectedAt || connection.endpointTrouble === words) return
  await setEndpointTrouble(tx, connection.id, words)
  if (words !== null && connection.endpointTrouble === null) await tell(tx, connection, words)
}

/** Notes that no events come any more, and tells of it once. */
export const noteSilence = (db: Database, connectionId: string, since: string): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    if (connection.disconnectedAt || connection.silentSince) return
    await setSilence(tx, connectionId, since)
    await tell(tx, connection, `No events since ${since}`)
  })

const tell = async (tx: Transaction, { id, accountId }: ConnectionRow, words: string) =>
  happened(tx, system, accountId, 'payment-provider.unhealthy', {
    id,
    object: await presentConnection(tx, accountId, id),
    changes: { reason: { old: null, new: words } },
  })
