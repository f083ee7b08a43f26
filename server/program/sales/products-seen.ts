import type { SaleLine, SaleProduct } from '#contract/sales.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'

/** Products stored per account. */
const MOST_STORED = 2000
/** Products returned, the latest. */
const MOST_LISTED = 500

/**
 * Stores the products, prices and SKUs that these lines name for the first time, while an account has fewer than 2,000.
 * Never waits: if another transaction does so for the account, a later sale that names them stores them.
 */
export async function saveProducts(
  tx: Transaction,
  sales: { accountId: string; lines?: SaleLine[] | null }[],
): Promise<void> {
  for (const [accountId, its] of Map.groupBy(sales, (sale) => sale.accountId)) {
    const named = new Map(its.flatMap(namedBy).map((product) => [`${product.kind} ${product.id}`, product] as const))
    if (named.size > 0) await insertProducts(tx, accountId, [...named.values()])
  }
}

async function insertProducts(tx: Transaction, accountId: string, named: SaleProduct[]) {
  const column = <K extends keyof SaleProduct>(key: K) => named.map((product) => product[key])
  const fresh = await tx.many<SaleProduct & { known: number }>`
    select n.kind, n.id, n.name, (select count(*)::int from products_seen where account_id = ${accountId}) as known
    from unnest(${column('kind')}::text[], ${column('id')}::text[], ${column('name')}::text[]) as n (kind, id, name)
    where not exists (
      select from products_seen p where p.account_id = ${accountId} and p.kind = n.kind and p.id = n.id)`
  const added = fresh.slice(0, Math.max(0, MOST_STORED - (fresh[0]?.known ?? 0)))
  if (added.length === 0 || !(await lockProducts(tx, accountId))) return
  await tx.run`
    insert into products_seen (account_id, kind, id, name, seen_at)
    select ${accountId}, kind, id, name, ${tx.now}
    from unnest(${added.map(({ kind }) => kind)}::text[], ${added.map(({ id }) => id)}::text[],
      ${added.map(({ name }) => name)}::text[]) as n (kind, id, name)
    on conflict do nothing`
}

const lockProducts = (tx: Transaction, accountId: string) =>
  tx.value<boolean>`select pg_try_advisory_xact_lock(hashtextextended(${`products ${accountId}`}, 0))`

const namedBy = ({ lines }: { lines?: SaleLine[] | null }): SaleProduct[] =>
  (lines ?? []).flatMap(({ productId, priceId, sku, name }) => {
    const ids = [
      ['product', productId],
      ['price', priceId],
      ['sku', sku],
    ] as const
    return ids.flatMap(([kind, id]) => (id ? [{ kind, id, name }] : []))
  })

/** Returns what lines of the account's sales named, the latest first. */
export const listProducts = async (db: Queryable, accountId: string) => ({
  items: await db.many<SaleProduct>`
    select kind, id, name from products_seen where account_id = ${accountId}
    order by seen_at desc, kind, id limit ${MOST_LISTED}`,
})
