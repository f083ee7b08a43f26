import { lockKeys } from '../../platform/database/lock-keys.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { addMonths, dayIn, startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { LeadRow } from '../leads/erase-lead.ts'
import { type IdlePlace, idleLeads, lockIdlePeople } from '../leads/idle-leads.ts'
import { eraseByRetention } from './erase.ts'

/** Most leads of an account erased in one night. */
export const MOST_IDLE = 1000
/** Leads erased in one transaction; their copies are found by one regular expression. */
const BATCH = 100

/**
 * Erases the account's leads without a sale and without any event for its `idleLeadMonths`, the oldest first, at most
 * `MOST_IDLE` on one of its days, whichever process erases them.
 */
export async function eraseIdleLeads(account: AccountFacts, services: Services): Promise<void> {
  const { id, timeZone, idleLeadMonths } = account
  const { db } = services
  if (idleLeadMonths === null) return
  const today = dayIn(timeZone, db.now)
  const since = startOfDay(addMonths(today, -idleLeadMonths), timeZone)
  for (let after: IdlePlace | undefined; ; ) {
    const found = await idleLeads(db, id, { since, after, limit: BATCH })
    after = await transaction(db, async (tx) => {
      await lockKeys(tx, [{ accountId: id, name: `idle leads ${id}` }])
      const left = Math.max(0, MOST_IDLE - (await erasedSince(tx, id, startOfDay(today, timeZone))))
      const these = found.slice(0, left)
      const people = await lockIdlePeople(tx, id, { since, ids: these.map((lead) => lead.id) })
      await eraseByRetention(tx, services, account, upTo(people, left))
      return these.at(-1)
    })
    if (!after) return
  }
}

/** Counts leads that the account's retention erased since then. */
const erasedSince = (tx: Transaction, accountId: string, since: Date) => tx.value<number>`
  select coalesce(sum(cardinality(subject_ids)), 0)::int from erasures
  where account_id = ${accountId} and at >= ${since} and reason = 'retention'`

/** Returns the first of these people, with at most this many leads in total. */
function upTo(people: LeadRow[][], left: number): LeadRow[][] {
  let count = 0
  return people.filter((leads) => {
    count += leads.length
    return count <= left
  })
}
