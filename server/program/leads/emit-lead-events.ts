import type { PublicEvent } from '#contract/events.ts'
import type { Lead } from '#contract/leads.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type EventWithoutObject, emitEventsWithObjects } from '../../platform/events/emit-event.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { presentLeads } from './present-lead.ts'
import { leadsByIds } from './queries.ts'

type LeadEvent = Extract<PublicEvent, `lead.${string}`>

/** An event of an existing lead; its timeline gets the lines. */
export type LeadHappening = EventWithoutObject<LeadEvent>

/** Sends an event for one lead with its current state, and returns it as its owner sees it. */
export const emitLeadEvent = async (
  tx: Transaction,
  by: Author,
  accountId: string,
  type: LeadEvent,
  what: Pick<LeadHappening, 'id' | 'changes' | 'lines'>,
): Promise<Lead> => (await emitLeadEvents(tx, [{ by, accountId, type, ...what }])).get(what.id)!

/** Sends events for many leads of any accounts; returns the leads by id. */
export async function emitLeadEvents(tx: Transaction, happenings: LeadHappening[]): Promise<Map<string, Lead>> {
  const objects = new Map<string, Lead>()
  await emitEventsWithObjects(tx, happenings, async (accountIds, ids) => {
    const [accounts, rows] = await Promise.all([
      getAccountFacts(tx, accountIds),
      leadsByIds(tx, [...new Set(accountIds)], ids),
    ])
    for (const [accountId, own] of Map.groupBy(rows, (row) => row.accountId))
      for (const lead of await presentLeads(tx, { account: accounts.get(accountId)!, partnerId: null }, own))
        objects.set(lead.id, lead)
    return objects
  })
  return objects
}
