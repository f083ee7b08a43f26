import { lettingGo } from '../../server/platform/database/cluster/spread.ts'
import { type Catalogue, placeOf } from './catalogue.ts'

const HEAD = `-- Distributes a server's tables over a Citus cluster (docs/scaling.md). Run it once on the first machine, while the server is
-- stopped: psql --single-transaction -v ON_ERROR_STOP=1 -f citus.sql "$DATABASE_URL"
-- Generated from the catalogue by test/citus/citus.test.ts.`

/**
 * Returns the script that an operator runs to spread the tables; referenced tables come before those that reference
 * them.
 */
export function recipeFor(catalogue: Catalogue): string {
  const ordered = inOrder(catalogue)
  const those = (place: string) => ordered.filter((table) => placeOf(catalogue, table) === place)
  const dropped = catalogue.references.filter(({ name }) => name in lettingGo)
  return [
    HEAD,
    'create extension if not exists citus;',
    '-- Reference tables cannot refer to distributed ones. The comment gives the reason why each constraint can be dropped.',
    ...dropped.map(({ table, name }) => `alter table ${table} drop constraint ${name}; -- ${lettingGo[name]}`),
    '-- Tables with triggers cannot be distributed. Most changes that they refuse are also forbidden to the serving role, and\n-- verify-ledger finds the rest.',
    ...catalogue.triggers
      .filter(({ table }) => placeOf(catalogue, table) === 'with its account')
      .map(({ table, name }) => `drop trigger ${name} on ${table};`),
    '-- Reference tables: small tables joined with rows of all accounts.',
    ...those('everywhere').map((table) => `select create_reference_table('${table}');`),
    '-- Distributed tables: all rows of an account are on one machine.',
    ...those('with its account').map(
      (table) => `select create_distributed_table('${table}', 'account_id'${beside(table)});`,
    ),
  ].join('\n')
}

const beside = (table: string) => (table === 'partners' ? '' : `, colocate_with => 'partners'`)

/**
 * Partners come first, as the account's other tables are colocated with them; the rest by name, each after the tables
 * it references.
 */
function inOrder({ columns, wholes, references }: Catalogue): string[] {
  const ordered = new Set<string>()
  const add = (table: string, above: string[]) => {
    if (ordered.has(table) || above.includes(table)) return
    for (const { target } of references.filter((one) => one.table === table)) add(target, [...above, table])
    ordered.add(table)
  }
  for (const table of ['partners', ...columns.keys()]) if (!wholes.has(table)) add(table, [])
  return [...ordered]
}
