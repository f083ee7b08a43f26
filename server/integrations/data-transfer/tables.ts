import { type Exported, listTables, splitNames } from '../../platform/database/declare-tables.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'

/** A table whose rows are exported per account, a file each. */
export type PortableTable = Exported & { name: string }

/** Returns the tables that leave with an account, in the order of the features. */
export const listPortableTables = (): PortableTable[] =>
  [...listTables()].flatMap(([name, { exported }]) =>
    typeof exported === 'string' ? [] : [{ ...(exported !== true && exported), name }],
  )

/** Returns them in an order in which they can be written: each after those that its foreign keys refer to. */
export async function sortByReferences(db: Queryable): Promise<PortableTable[]> {
  const keys = await db.many<{ table: string; to: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as to
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`
  const tables = new Map(listPortableTables().map((table) => [table.name, table]))
  const sorted = new Set<PortableTable>()
  const begun = new Set<string>()
  const add = (name: string) => {
    const table = tables.get(name)
    if (!table || begun.has(name)) return
    begun.add(name)
    for (const { to } of keys.filter((key) => key.table === name)) add(to)
    sorted.add(table)
  }
  for (const name of tables.keys()) add(name)
  return [...sorted]
}

/**
 * The tables with everyone's earnings, debts and payments: their rows have the same digest in every install, which is
 * computed in this order.
 */
export const ledgerTables: readonly string[] =
  splitNames(`sales refunds sale_corrections commission_entries payouts payout_entries payout_cash invoice_jumps invoices
    payout_attempts`)

export const accountScope = ({ scope }: PortableTable, accountId: string) =>
  scope ? scope(accountId) : sql`t.account_id = ${accountId}`
