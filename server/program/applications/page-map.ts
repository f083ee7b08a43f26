import { createCache, onInvalidation } from '../../platform/database/account-cache.ts'
import { LINKS_CHANNEL } from '../../platform/database/links-changed.ts'
import type { Database } from '../../platform/database/pool.ts'
import { findPageFacts, type PageAddress } from './page-facts.ts'
import { listSlugs } from './queries.ts'

const MOST_PAGES = 1000

/** The facts of program pages and groups' pages, in memory, by any address that the program ever had. */
export function createPageMap(db: Database) {
  const { changes, ready, close } = onInvalidation(db, LINKS_CHANNEL)
  const load = async (paths: string[]) => {
    const facts = await Promise.all(
      paths.map(async (path) => {
        const [slug = '', joinSlug, code] = path.split('/')
        return [path, await findPageFacts(db, { slug, joinSlug: joinSlug || undefined, code })] as const
      }),
    )
    return new Map(facts.flatMap(([path, value]) => (value ? [[path, { accountId: value.account.id, value }]] : [])))
  }
  const { get } = createCache(changes, load, { most: MOST_PAGES })
  const addresses = createCache<string>(
    changes,
    async (accountIds) => {
      const rows = await listSlugs(db, accountIds)
      return new Map(rows.map(({ accountId, slug }) => [accountId, { accountId, value: slug }]))
    },
    { most: MOST_PAGES },
  )
  return {
    find: ({ slug, joinSlug, code }: PageAddress) =>
      get([slug, ...(joinSlug || code ? [joinSlug ?? ''] : []), ...(code ? [code] : [])].join('/')),
    /** The present address of the account's page. */
    slugOf: (accountId: string) => addresses.get(accountId, accountId),
    ready,
    close,
  }
}
