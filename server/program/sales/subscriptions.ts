import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Transaction } from '../../platform/database/pool.ts'

/** The key that makes payments renewals of one another. */
export type SubscriptionKey = { accountId: string; subscriptionId: string }

/** Returns the subscriptions among these sales, each once. */
export function toSubscriptionKeys(sales: { accountId: string; subscriptionId?: string | null }[]): SubscriptionKey[] {
  const found = new Map<string, SubscriptionKey>()
  for (const { accountId, subscriptionId } of sales)
    if (subscriptionId) found.set(`${accountId} ${subscriptionId}`, { accountId, subscriptionId })
  return [...found.values()]
}

/**
 * Locks the subscriptions of these sales until the transaction ends, after their leads and before sales: the recurring
 * limit depends on all payments of one, also on those just being recorded.
 */
export async function lockSubscriptions(
  tx: Transaction,
  sales: { accountId: string; subscriptionId?: string | null }[],
): Promise<void> {
  const subscriptions = toSubscriptionKeys(sales)
  if (subscriptions.length === 0) return
  const keys = subscriptions.map(({ accountId, subscriptionId }) => ({
    accountId,
    name: `subscription ${accountId} ${subscriptionId}`,
  }))
  await lockKeys(tx, keys)
}
