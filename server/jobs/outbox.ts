import type { Transaction } from '../platform/database/pool.ts'

/** Something that happened, as mails and outgoing webhooks learn of it. */
export type OutboxEvent = {
  id: number
  accountId: string | null
  type: string
  data: Record<string, unknown>
  at: string
}

/** Writes an event with the change it tells of: it is told exactly if the change commits. */
export const announce = (tx: Transaction, accountId: string | null, type: string, data: Record<string, unknown>) =>
  announceAll(tx, [{ accountId, type, data }])

export async function announceAll(
  tx: Transaction,
  events: { accountId: string | null; type: string; data: Record<string, unknown> }[],
) {
  if (events.length === 0) return
  await tx.run`
    insert into outbox (account_id, type, data, at)
    select account_id, type, data, ${tx.now}
    from unnest(${events.map((event) => event.accountId)}::uuid[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => JSON.stringify(event.data))}::jsonb[]) as event (account_id, type, data)`
}
