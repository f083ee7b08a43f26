import type { Actor } from './auth/actor.ts'
import { newId } from './database/ids.ts'
import type { Transaction } from './database/pool.ts'

/** Who does something: a user, an account's API key, or the product by itself. */
export type By = { type: 'user' | 'api-key' | 'system'; id: string | null }

export const system: By = { type: 'system', id: null }
export const byUser = (actor: Actor): By => ({ type: 'user', id: actor.userId })

/** Who did it, as ledger and sale keep it: `user:{id}`, `api-key:{id}` or `system`. */
export const actorOf = (by: By) => (by.id ? `${by.type}:${by.id}` : by.type)

type Change = { old: unknown; new: unknown }

/** Keeps who changed what, in the change's own transaction; rows are never edited. No secrets in `changes`. */
export const audit = (
  tx: Transaction,
  by: By,
  accountId: string | null,
  action: string,
  subject: { type: string; id: string | null },
  changes: Record<string, Change> = {},
) => tx.run`
  insert into audit (id, account_id, at, actor_type, actor_id, action, subject_type, subject_id, changes)
  values (${newId()}, ${accountId}, ${tx.now}, ${by.type}, ${by.id}, ${action}, ${subject.type}, ${subject.id},
    ${JSON.stringify(changes)}::jsonb)`

/** The fields of `next` that differ from `before`. */
export function changesOf(before: Record<string, unknown>, next: Record<string, unknown>) {
  const changed = Object.entries(next).filter(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[field]),
  )
  return Object.fromEntries(changed.map(([field, value]) => [field, { old: before[field] ?? null, new: value }]))
}
