import { notifyInvalidation } from './account-cache.ts'
import type { Transaction } from './pool.ts'

/** Channel that names an account whose links, codes, terms, program page or own settings change. */
export const LINKS_CHANNEL = 'links'

/**
 * Call it in the transaction that changes an account's codes, partners' states, blueprints, terms, program page or own
 * settings: redirects and pages come from memory.
 */
export const linksChanged = (tx: Transaction, accountId: string) => notifyInvalidation(tx, LINKS_CHANNEL, accountId)
