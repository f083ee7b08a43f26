import { type By, actorOf as writtenOut } from '../platform/audit.ts'
import { newId } from '../platform/database/ids.ts'
import type { Transaction } from '../platform/database/pool.ts'

/** A line of a lead's timeline beside clicks, sales and payouts. */
export type NewLeadEvent = {
  accountId: string
  leadId: string
  type: 'lead' | 'status' | 'note' | 'reassigned' | 'duplicate'
  /** As `actorOf` writes it. */
  actor: string | null
  text: string
  /** The partner reads it too. */
  shared: boolean
}

/** Who did it, as rows keep it: `user:{id}`, `api-key:{id}`, or null for the product by itself. */
export const actorOf = (by: By) => (by.type === 'system' ? null : writtenOut(by))

export async function writeEvents(tx: Transaction, events: NewLeadEvent[]): Promise<void> {
  if (events.length === 0) return
  const of = <K extends keyof NewLeadEvent>(key: K) => events.map((event) => event[key])
  await tx.run`
    insert into lead_events (id, account_id, lead_id, type, actor, text, shared, at)
    select e.id, e.account_id, e.lead_id, e.type, e.actor, e.text, e.shared, ${tx.now}
    from unnest(${events.map(newId)}::uuid[], ${of('accountId')}::uuid[], ${of('leadId')}::uuid[], ${of('type')}::text[],
      ${of('actor')}::text[], ${of('text')}::text[], ${of('shared')}::boolean[])
      as e (id, account_id, lead_id, type, actor, text, shared)`
}
