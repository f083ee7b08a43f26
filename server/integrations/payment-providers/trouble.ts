import { system } from '../../platform/by.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { happened } from '../../platform/events/happened.ts'
import { presentConnection } from './present-connections.ts'
import { lockConnection, setTrouble } from './queries.ts'

/** Notes why the provider does not accept the connection any more, and tells of it once. */
export const noteTrouble = (db: Database, connectionId: string, words: string): Promise<void> =>
  transaction(db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    if (connection.disconnectedAt || connection.trouble === words) return
    await setTrouble(tx, connectionId, words)
    const { accountId, trouble } = connection
    if (trouble !== null) return
    await happened(tx, system, accountId, 'payment-provider.unhealthy', {
      id: connectionId,
      object: await presentConnection(tx, accountId, connectionId),
      changes: { reason: { old: null, new: words } },
    })
  })
