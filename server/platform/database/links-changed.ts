import type { Transaction } from './pool.ts'

/** Channel that names an account whose links, codes, terms, program page or own settings change. */
export const LINKS_CHANNEL = 'links'

/**
 * Call it in the transaction that changes an account's codes, partners' states, blueprints, terms, program page or own
 * settings: redirects and pages come from memory.
 */
export async function linksChanged(tx: Transaction, accountId: string): Promise<void> {
  await tx.run`select pg_notify(${LINKS_CHANNEL}, ${accountId})`
  tx.afterCommit(() => tx.database.ownNews.emit(LINKS_CHANNEL, accountId))
}
