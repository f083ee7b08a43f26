import type { LeadEvent, NewLeadNote } from '#contract/leads.ts'
import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { noted } from '../../platform/events/happened.ts'
import { notFound } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockLead } from './queries.ts'
import { presentNote } from './timeline.ts'

/** Adds a line to a lead's timeline, also for its partner if it is shared. Refuses: `not_found`. */
export async function addNote(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  id: string,
  { text, shared = false }: NewLeadNote,
): Promise<LeadEvent> {
  if (!(await lockLead(tx, account.id, id))) throw notFound()
  await noted(tx, by, account.id, 'lead.noted', { id, lines: [{ type: 'note', text, shared }] })
  return presentNote(tx, by, text)
}
