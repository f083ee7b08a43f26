import type { ProductSeen, SaleLine } from '#contract/sales.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'

/** Products stored per account. */
const MOST_STORED = 2000
/** Products returned, the latest. */
const MOST_LISTED = 500

type Row = ProductSeen & { accountId: string }
type Fresh = Row & { known: number }

/**
 * Stores the products, prices and SKUs that these lines name for the first time, while an account has fewer than 2,000.
 * Never waits: if another transaction does so for the account, a later sale that names them stores them.
 */
export async function keepProducts(
  tx: Transaction,
  sales: { accountId: string; lines?: SaleLine[] | null }[],
): Promise<void> {
  const named = new Map(sales.flatMap(namedBy).map((row) => [[row.accountId, row.kind, row.id].join(), row] as const))
  if (named.size === 0) return
  const fresh = await tx.many<Fresh>`
    select n.account_id, n.kind, n.id, n.name,
      (select count(*)::int from products_seen k where k.account_id = n.account_id) as known
    from jsonb_to_recordset(${JSON.stringify([...named.values()].map(inSnakeCase))}::jsonb)
      as n (account_id uuid, kind text, id text, name text)
    where not exists (
      select from products_seen p where p.account_id = n.account_id and p.kind = n.kind and p.id = n.id)`
  for (const [accountId, rows] of Map.groupBy(fresh, (row) => row.accountId)) {
    const added = rows.slice(0, Math.max(0, MOST_STORED - rows[0]!.known))
    if (added.length > 0 && (await lockProducts(tx, accountId)))
      await tx.run`
        insert into products_seen (account_id, kind, id, name, seen_at)
        select ${accountId}, kind, id, name, ${tx.now}
        from unnest(${added.map(({ kind }) => kind)}::text[], ${added.map(({ id }) => id)}::text[],
          ${added.map(({ name }) => name)}::text[]) as n (kind, id, name)
        on conflict do nothing`
  }
}

const lockProducts = (tx: Transaction, accountId: string) =>
  tx.value<boolean>`select pg_try_advisory_xact_lock(hashtextextended(${`products ${accountId}`}, 0))`

const namedBy = ({ accountId, lines }: { accountId: string; lines?: SaleLine[] | null }): Row[] =>
  (lines ?? []).flatMap(({ productId, priceId, sku, name }) =>
    (
      [
        ['product', productId],
        ['price', priceId],
        ['sku', sku],
      ] as const
    ).flatMap(([kind, id]) => (id ? [{ accountId, kind, id, name }] : [])),
  )

const inSnakeCase = ({ accountId, ...row }: Row) => ({ account_id: accountId, ...row })

/** Returns what lines of the account's sales named, the latest first. */
export const listProducts = async (db: Queryable, accountId: string) => ({
  items: await db.many<ProductSeen>`
    select kind, id, name from products_seen where account_id = ${accountId}
    order by seen_at desc, kind, id limit ${MOST_LISTED}`,
})
