import type { Transaction } from '../../platform/database/pool.ts'
import { type LeadPerson, lockLeadsOf, lockNames } from './queries.ts'

/**
 * Locks these people of these accounts with their leads, and the leads with these ids: all at once, before anything of
 * theirs is written or counted, so that two lists never wait for each other in a circle.
 */
export async function lockPeople(tx: Transaction, accountIds: string[], people: LeadPerson[], leadIds: string[] = []) {
  await lockNames(tx, people)
  await lockLeadsOf(tx, accountIds, people, leadIds)
}
