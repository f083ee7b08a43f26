import { isHostName } from '#contract/hosts.ts'
import { createMemory, hearChanges, tellChange } from '../../platform/database/heard-memory.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'
import type { OwnHost } from '../../platform/http/own-host.ts'

const CHANNEL = 'hosts'

/** Call it in the transaction that changes which hosts an account has, or their state. */
export const hostsChanged = (tx: Transaction, accountId: string) => tellChange(tx, CHANNEL, accountId)

export type HostMap = ReturnType<typeof createHostMap>

/** The account that has proven a host, in memory. An unproven name is unknown. */
export function createHostMap(db: Database) {
  const { changes, ready, close } = hearChanges(db, CHANNEL)
  const hosts = createMemory(changes, async (names) => {
    const rows = await db.many<Omit<OwnHost, 'isGivenUp'>>`
      select h.name, h.account_id, a.public_id, h.state, a.portal_host from hosts h join accounts a on a.id = h.account_id
      where h.name = any(${names}::text[]) and h.state <> 'unproven'`
    return new Map(
      rows.map((row) => {
        const value: OwnHost = { ...row, isGivenUp: row.state === 'given-up' }
        return [row.name, { accountId: row.accountId, value }]
      }),
    )
  })
  return {
    /** `hostname` as the function `hostnameOf` returns it. */
    find: (hostname: string): OwnHost | undefined | Promise<OwnHost | undefined> =>
      isHostName(hostname) ? hosts.get(hostname) : undefined,
    ready,
    close,
  }
}
