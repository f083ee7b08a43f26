import { isHostName } from '#contract/custom-domains.ts'
import { createCache, notifyInvalidation, onInvalidation } from '../../platform/database/account-cache.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'
import type { RequestDomain } from '../../platform/http/request-domain.ts'

const CHANNEL = 'hosts'

/** Call it in the transaction that changes which hosts an account has, or their state. */
export const hostsChanged = (tx: Transaction, accountId: string) => notifyInvalidation(tx, CHANNEL, accountId)

export type HostMap = ReturnType<typeof createHostMap>

/** The account that has proven a host, in memory. An unproven name is unknown. */
export function createHostMap(db: Database) {
  const { changes, ready, close } = onInvalidation(db, CHANNEL)
  const hosts = createCache(changes, async (names) => {
    const rows = await db.many<Omit<RequestDomain, 'isGivenUp'>>`
      select h.name, h.account_id, a.public_id, h.state, a.portal_host from hosts h join accounts a on a.id = h.account_id
      where h.name = any(${names}::text[]) and h.state <> 'unproven'`
    return new Map(
      rows.map((row) => {
        const value: RequestDomain = { ...row, isGivenUp: row.state === 'given-up' }
        return [row.name, { accountId: row.accountId, value }]
      }),
    )
  })
  return {
    /** `hostname` as the function `parseHostname` returns it. */
    find: (hostname: string): RequestDomain | undefined | Promise<RequestDomain | undefined> =>
      isHostName(hostname) ? hosts.get(hostname) : undefined,
    ready,
    close,
  }
}
