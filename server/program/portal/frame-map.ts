import { isLocalHost } from '#contract/portal.ts'
import { isDomain } from '#contract/values.ts'
import { createCache, notifyInvalidation, onInvalidation } from '../../platform/database/account-cache.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'

const CHANNEL = 'frames'

/** Call it in the transaction that changes which hosts may frame an account's portal. */
export const framesChanged = (tx: Transaction, accountId: string) => notifyInvalidation(tx, CHANNEL, accountId)

/** The portal of an account, the only address that may be framed; `publicId` is the rest of it. */
const PORTAL = /^\/portal\/([\w-]{1,64})$/

/**
 * The `frame-ancestors` of each portal, in memory. Undefined for any other address; `'none'` for an unknown account and
 * for one without hosts. Plain http is only ever this machine, where `allowLocal`.
 */
export function createFrameMap(db: Database, { allowLocal }: { allowLocal: boolean }) {
  const { changes, ready, close } = onInvalidation(db, CHANNEL)
  const ancestors = createCache(changes, async (publicIds) => {
    const rows = await db.many<{ id: string; publicId: string; frameHosts: string[] }>`
      select id, public_id, frame_hosts from accounts where public_id = any(${publicIds}::text[])`
    return new Map(
      rows.map(({ id, publicId, frameHosts }) => {
        // only names: anything else in the policy could loosen the rest of it
        const hosts = frameHosts.filter((host) => isDomain(host) || (allowLocal && isLocalHost(host)))
        const value = hosts.map((host) => (isLocalHost(host) ? `http://${host}` : `https://${host}`)).join(' ')
        return [publicId, { accountId: id, value: value || NONE }]
      }),
    )
  })
  return {
    async framedBy(path: string): Promise<string | undefined> {
      const [, publicId] = PORTAL.exec(path) ?? []
      return publicId && ((await ancestors.get(publicId)) ?? NONE)
    },
    ready,
    close,
  }
}

const NONE = "'none'"
