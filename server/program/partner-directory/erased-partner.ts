import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'

/** Locks a partner's row, so that they are not erased meanwhile. Refuses: `erased`. */
export async function lockUnlessErased(tx: Transaction, accountId: string, partnerId: string): Promise<void> {
  const found = await tx.maybe<{ isErased: boolean }>`
    select erased_at is not null as is_erased from partners
    where account_id = ${accountId} and id = ${partnerId} for no key update`
  if (found?.isErased) throw refusal('erased')
}

/** Returns the erased ones of these partners. */
export async function erasedAmong(tx: Transaction, accountId: string, partnerIds: string[]): Promise<Set<string>> {
  const rows = await tx.many<{ id: string }>`
    select id from partners where account_id = ${accountId} and id = any(${partnerIds}::uuid[]) and erased_at is not null`
  return new Set(rows.map(({ id }) => id))
}
