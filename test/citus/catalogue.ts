import { everywhere, inOnePlace } from '../../server/platform/database/cluster/placement.ts'
import { lettingGo, placeOf as placed } from '../../server/platform/database/cluster/spread.ts'
import type { Database } from '../../server/platform/database/pool.ts'

type Key = { table: string; name: string; columns: string[] }
type Reference = Key & { target: string; targetColumns: string[]; onDelete: string }

/**
 * The catalogue facts that decide whether rows may be spread over several machines; a partition counts as its whole.
 */
export type Catalogue = {
  /** Columns of each table in their order, those of partitions and views included. */
  columns: Map<string, string[]>
  /** The partitioned table of each partition, and one table that each view of accounts reads. */
  wholes: Map<string, string>
  /** Unique and exclusive ones. */
  keys: Key[]
  references: Reference[]
  /** Columns that may be null, or count up in less than 64 bits, as `table.column`. */
  nullable: Set<string>
  narrowCounters: string[]
}

export async function readCatalogue(db: Database): Promise<Catalogue> {
  const columns = await db.many<{
    table: string
    whole: string | null
    column: string
    open: boolean
    counts: boolean
  }>`
    select c.relname::text as table, case when c.relispartition then pg_partition_root(c.oid)::regclass::text else v.table end as whole,
      a.attname::text as column, not a.attnotnull as open, a.attidentity <> '' and a.atttypid <> 'bigint'::regtype as counts
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join (select r.ev_class, min(coalesce(pg_partition_root(d.refobjid), d.refobjid)::regclass::text) as table
        from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
          join pg_attribute o on o.attrelid = d.refobjid and o.attname = 'account_id'
        where d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class group by 1) v on c.relkind = 'v' and v.ev_class = c.oid
    where c.relnamespace = 'public'::regnamespace and (c.relkind in ('r', 'p') or v.table is not null) order by c.relname, a.attnum`
  const keys = await db.many<Key>`
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and (i.indisunique or i.indisexclusion) order by 1, 2`
  const references = await db.many<Reference>`
    select f.conrelid::regclass::text as table, f.conname::text as name, f.confrelid::regclass::text as target,
      f.confdeltype::text as on_delete, array(
        select a.attname::text from unnest(f.conkey) with ordinality k (number, place)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number order by k.place) as columns, array(
        select a.attname::text from unnest(f.confkey) with ordinality k (number, place)
          join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number order by k.place) as target_columns
    from pg_constraint f
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conparentid = 0 order by 1, 2`
  const named = Map.groupBy(columns, ({ table }) => table)
  return {
    columns: new Map([...named].map(([table, rows]) => [table, rows.map(({ column }) => column)])),
    wholes: new Map(columns.flatMap(({ table, whole }) => (whole === null ? [] : [[table, whole]]))),
    ...{ keys, references },
    nullable: new Set(columns.flatMap(({ table, column, open }) => (open ? `${table}.${column}` : []))),
    narrowCounters: columns.flatMap(({ table, column, counts }) => (counts ? `${table}.${column}` : [])),
  }
}

export const placeOf = ({ columns }: Catalogue, table: string) =>
  placed(table, columns.get(table)?.includes('account_id') ?? false)

/** Returns the reasons why these tables cannot be placed as `placement.ts` declares. */
export function complaintsAbout(catalogue: Catalogue): string[] {
  const tables = [...catalogue.columns.keys()].filter((table) => !catalogue.wholes.has(table))
  const withTheirAccount = tables.filter((table) => placeOf(catalogue, table) === 'with its account')
  const said = [...Object.keys(everywhere), ...Object.keys(inOnePlace)]
  return [
    ...tables
      .filter((table) => !placeOf(catalogue, table))
      .map((table) => `Say in placement.ts where the rows of ${table} lie.`),
    ...said
      .filter((table, at) => !tables.includes(table) || said.indexOf(table) !== at)
      .map((table) => `${table} is named in placement.ts and is no table, or named twice.`),
    ...withTheirAccount.flatMap((table) => columnComplaints(catalogue, table)),
    ...catalogue.keys
      .filter(({ table, columns }) => withTheirAccount.includes(table) && !columns.includes('account_id'))
      .map(({ table, name }) => `${name} of ${table} is unique without account_id.`),
    ...catalogue.references.flatMap((reference) => aboutReference(catalogue, reference)),
  ]
}

function columnComplaints({ nullable, narrowCounters }: Catalogue, table: string) {
  return [
    ...(nullable.has(`${table}.account_id`) ? [`account_id of ${table} may be null.`] : []),
    ...narrowCounters
      .filter((column) => column.startsWith(`${table}.`))
      .map((column) => `${column} must count in bigint.`),
  ]
}

function aboutReference(
  catalogue: Catalogue,
  { table, name, columns, target, targetColumns, onDelete }: Reference,
): string[] {
  const [from, to] = [placeOf(catalogue, table), placeOf(catalogue, target)]
  const together = columns.some((column, at) => column === 'account_id' && targetColumns[at] === 'account_id')
  if (to === 'with its account' && from !== to)
    return name in lettingGo ? [] : [`${name}: ${table} lies ${from} and names ${target}, which lies with its account.`]
  if (to === 'with its account' && !together) return [`${name} of ${table} names ${target} without account_id.`]
  if (to === 'in one place' && from !== to)
    return [`${name}: ${table} lies ${from} and names ${target}, which lies in one place.`]
  if (from === 'with its account' && (onDelete === 'n' || onDelete === 'd'))
    return [`${name} of ${table} would set account_id to nothing.`]
  return []
}
