import { createHash } from 'node:crypto'
import type { Transaction } from '../../platform/database/pool.ts'

/** Keys by which rows of files identify a sale, besides its external ID. */
type Facts = readonly (string | number | null)[]
export const keyOfRow = (facts: Facts) => `row ${hashOf(facts)}`
/** The key of a row with a description, by its other facts. */
export const keyOfDescribed = (facts: Facts) => `described ${hashOf(facts)}`
export const keyOfOrder = (orderId: string) => `order ${hashOf([orderId])}`

const hashOf = (facts: readonly unknown[]) => createHash('sha256').update(JSON.stringify(facts)).digest('base64url')

/** Returns the sales with these keys. */
export async function salesByKey(tx: Transaction, accountId: string, keys: string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await tx.many<{ key: string; saleId: string }>`
    select key, sale_id from imported_sales where account_id = ${accountId} and key = any(${keys}::text[])`
  return new Map(rows.map(({ key, saleId }) => [key, saleId]))
}

/** Stores keys of sales; a known key keeps its first sale. */
export async function saveImportKeys(tx: Transaction, accountId: string, kept: { key: string; saleId: string }[]) {
  if (kept.length === 0) return
  await tx.run`
    insert into imported_sales (account_id, key, sale_id)
    select ${accountId}, key, sale_id
    from unnest(${kept.map(({ key }) => key)}::text[], ${kept.map(({ saleId }) => saleId)}::uuid[]) as k (key, sale_id)
    on conflict (account_id, key) do nothing`
}

/** Deletes the keys of a sale that is no longer imported, so that its rows can be imported again. */
export const deleteImportKeys = (tx: Transaction, accountId: string, saleId: string) => tx.run`
  delete from imported_sales where account_id = ${accountId} and sale_id = ${saleId}`

/** Marks those of these sales that were imported: the account's own system has reported them, too. */
export const markReportedDirectly = (tx: Transaction, accountId: string, saleIds: string[]) => tx.run`
  insert into imported_sales (account_id, key, sale_id)
  select account_id, 'told ' || id, id from sales
  where account_id = ${accountId} and id = any(${saleIds}::uuid[]) and provider = 'import'
  on conflict (account_id, key) do nothing`

export const isReportedDirectly = (tx: Transaction, accountId: string, saleId: string) => tx.value<boolean>`
  select exists (
    select from imported_sales where account_id = ${accountId} and sale_id = ${saleId} and key like 'told %')`
