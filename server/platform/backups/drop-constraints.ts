import type { Transaction } from '../database/pool.ts'
import { quotedName, type Table } from './tables.ts'

/** Statements that drop an object of a table while it is filled, and create it again. */
type Taken = { drop: string; make: string }

/**
 * Empties the tables, and drops objects that would slow down inserts or refuse rows before all are there. `index`
 * builds indexes at once; `tighten` restores references and triggers.
 */
export async function dropConstraints(tx: Transaction, tables: Table[]) {
  const references = await constraints(tx, 'f')
  const indexes = [...(await constraints(tx, 'pux')), ...(await otherIndexes(tx))]
  const names = tables.map(({ name }) => quotedName(name))
  const triggers = (state: string) => names.map((name) => `alter table ${name} ${state} trigger user`)
  const drop = [...references, ...indexes].map((one) => one.drop)
  // some migrations insert rows
  await tx.client.query([...drop, ...triggers('disable'), `truncate ${names.join(', ')}`].join('; '))
  const make = async (taken: Taken[]) => {
    for (const one of taken) await tx.client.query(one.make)
  }
  return {
    index: () => make(indexes),
    async tighten() {
      await make(references)
      await tx.client.query(triggers('enable').join('; '))
    },
  }
}

/**
 * Returns references (f), or keys (p, u, x). For a partitioned table only the references, since its partitions' index
 * names are unknown; and no key that a view depends on.
 */
const constraints = (tx: Transaction, kinds: 'f' | 'pux') => tx.many<Taken>`
  select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.connamespace = current_schema()::regnamespace and c.conparentid = 0 and strpos(${kinds}, c.contype::text) > 0
    and (c.contype = 'f' or t.relkind = 'r' and not t.relispartition and not exists (
      select from pg_depend d
      where d.refclassid = 'pg_constraint'::regclass and d.refobjid = c.oid and d.classid = 'pg_rewrite'::regclass))
  order by c.conrelid, c.conname`

const otherIndexes = (tx: Transaction) => tx.many<Taken>`
  select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and not t.relispartition
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
  order by i.indrelid, i.indexrelid`
