import { LRUCache } from 'lru-cache'
import { LINKS_CHANNEL } from '../../platform/database/links-changed.ts'
import { listen } from '../../platform/database/listen.ts'
import { type Database, isDatabaseAway } from '../../platform/database/pool.ts'
import { type PageFacts, pageFactsOf } from './page-facts.ts'

/** The facts of program pages, in memory. While the database is unavailable, the last known ones are used. */
export type PageMap = {
  /** Finds a page by any address that it ever had. */
  find(slug: string): Promise<PageFacts | undefined>
  /** Resolves once changes by other processes are received. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Longest use in milliseconds, like that of the pages in browsers: payout settings change without a notification. */
const BELIEVED_MS = 60_000
const MOST_PAGES = 1000
const MOST_ACCOUNTS = 100_000

type Entry = { facts: PageFacts; loadedAt: number; until: number }

export function createPageMap(db: Database): PageMap {
  const pages = new LRUCache<string, Entry>({ max: MOST_PAGES })
  const loading = new Map<string, Promise<PageFacts | undefined>>()
  const lastOf = new Map<string, number>()
  let now = 0
  let everything = 0
  const changed = (accountId: string) => {
    if (lastOf.size >= MOST_ACCOUNTS) changedAll()
    lastOf.set(accountId, ++now)
  }
  const changedAll = () => {
    everything = ++now
    lastOf.clear()
  }
  const isCurrent = ({ facts, loadedAt, until }: Entry) =>
    until > Date.now() && Math.max(everything, lastOf.get(facts.account.id) ?? 0) <= loadedAt

  async function load(slug: string, old: Entry | undefined) {
    const loadedAt = now
    try {
      const facts = await pageFactsOf(db, slug)
      if (facts) pages.set(slug, { facts, loadedAt, until: Date.now() + BELIEVED_MS })
      else pages.delete(slug)
      return facts
    } catch (error) {
      if (old && isDatabaseAway(error)) return old.facts
      throw error
    }
  }

  const listener = listen(db, { [LINKS_CHANNEL]: changed }, changedAll)
  db.ownNews.on(LINKS_CHANNEL, changed)
  return {
    async find(slug) {
      const entry = pages.get(slug)
      if (entry && isCurrent(entry)) return entry.facts
      // a load that began before the last change is not shared
      const key = `${slug} ${now}`
      const known = loading.get(key)
      if (known) return known
      const begun = load(slug, entry).finally(() => loading.delete(key))
      loading.set(key, begun)
      return begun
    },
    ready: listener.ready,
    async close() {
      db.ownNews.off(LINKS_CHANNEL, changed)
      await listener.close()
    },
  }
}
