import { transaction } from '../../platform/database/pool.ts'
import { announce } from '../../jobs/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { lockConnection, setTrouble } from './queries.ts'

/** Notes why the provider does not accept the connection any more, and tells of it once. */
export const noteTrouble = (services: Services, connectionId: string, words: string): Promise<void> =>
  transaction(services.db, async (tx) => {
    const connection = await lockConnection(tx, connectionId)
    if (connection.disconnectedAt || connection.trouble === words) return
    await setTrouble(tx, connectionId, words)
    const { accountId, provider, trouble } = connection
    if (trouble === null)
      await announce(tx, accountId, 'payment-provider.unhealthy', { connectionId, provider, reason: words })
  })
