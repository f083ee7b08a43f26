import { listTables } from '../declare-tables.ts'
import type { Database, Queryable, Transaction } from '../pool.ts'

/** The place of a table's rows: on every machine, on that of their account, or on the first one. */
export type Placement = 'everywhere' | 'with its account' | 'in one place'

/** The tables that spreading would place; none on an install that is spread. */
export type SpreadPlan = {
  /** Tables to be copied to every machine. */
  everywhere: string[]
  /** Tables whose rows are to be placed with their account. */
  distributed: string[]
}

export const findPlacement = (table: string, hasAccount: boolean): Placement | undefined => {
  const place = listTables().get(table)?.place
  if (place) return place.where
  return hasAccount ? 'with its account' : undefined
}

/** Whether this is the coordinator of a Citus cluster. */
export const isOnCluster = (db: Queryable): Promise<boolean> =>
  db.value<boolean>`select exists (select from pg_extension where extname = 'citus')`

/** Whether the tables of this database are spread over a cluster. */
export const isSpread = async (db: Queryable): Promise<boolean> =>
  (await isOnCluster(db)) &&
  (await db.value<boolean>`select exists (select from pg_dist_partition where logicalrelid = to_regclass('partners'))`)

const known = new WeakMap<Queryable, boolean>()

const databaseOf = (db: Queryable) => (db as Partial<Transaction>).database ?? db

/** Remembers the answer of `isSpread`, also for the database of a transaction: an install is spread while it is stopped. */
export async function servesSpread(db: Queryable): Promise<boolean> {
  const answer = remembersSpread(db) ?? (await isSpread(db))
  known.set(databaseOf(db), answer)
  return answer
}

/** Sets the answer of `servesSpread` before it is asked. */
export const rememberSpread = (db: Database, answer: boolean) => known.set(db, answer)

/** Returns the answer of `servesSpread` if it is known. */
export const remembersSpread = (db: Queryable): boolean | undefined => known.get(databaseOf(db))

/** Returns for a commit group that each account commits by itself if tables are spread. */
export const eachApart = (db: Queryable) => async (accountId: string) => ((await servesSpread(db)) ? accountId : '')

/** Returns the tables that are not placed yet. The database is on a cluster. */
export async function planSpread(db: Queryable): Promise<SpreadPlan> {
  const tables = await db.many<{ name: string; hasAccount: boolean }>`
    select c.relname::text as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped) as has_account
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      -- of kind 's' are local tables that Citus only knows of
      and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid and (d.partmethod <> 'n' or d.repmodel = 't'))
    order by c.relname <> 'partners', c.relname`
  const placed = (place: Placement) => tables.filter((one) => findPlacement(one.name, one.hasAccount) === place)
  return {
    everywhere: placed('everywhere').map(({ name }) => name),
    distributed: placed('with its account').map(({ name }) => name),
  }
}

/**
 * Foreign keys that a cluster cannot have, since a table on every machine cannot reference one that isn't, with the
 * reason why nothing is lost.
 */
export const lettingGo: Readonly<Record<string, string>> = {
  user_roles_account_id_partner_id_fkey: 'deleting a partner deletes their roles itself',
  invitations_account_id_partner_id_fkey: 'deleting a partner deletes their invitation itself',
}

/**
 * Triggers that a cluster does not have: they write another table, which none may there. They serve upgrades from the
 * release before alone, whose servers don't run beside this one's on a cluster.
 */
export const isOfOneMachine = ({ definition }: { definition: string }) =>
  /FUNCTION (log_rates|add_default_group|keep_cash|name_relayed_account)\(/.test(definition)

type Rule = { table: string; name: string; definition: string }

/**
 * Places the tables that are not placed yet with their rows, in one transaction, and returns them. Citus places neither
 * referenced tables nor those with triggers, so foreign keys and triggers are dropped first and created again, on every
 * shard. No one else may use the database meanwhile.
 */
export async function spreadTables(
  tx: Transaction,
  tell: (table: string, number: number, of: number) => void = () => {},
): Promise<SpreadPlan> {
  const plan = await planSpread(tx)
  const placed = [...plan.everywhere, ...plan.distributed]
  if (placed.length === 0) return plan
  await tx.client.query(SETTINGS)
  const references = await readReferences(tx, placed)
  const triggers = await readTriggers(tx, placed)
  for (const { table, name } of references) await tx.client.query(`alter table ${table} drop constraint ${name}`)
  for (const { table, name } of triggers) await tx.client.query(`drop trigger ${name} on ${table}`)
  for (const [at, table] of placed.entries()) {
    if (plan.everywhere.includes(table)) await tx.run`select create_reference_table(${table})`
    else {
      const colocatedWith = table === 'partners' ? 'none' : 'partners'
      await tx.run`select create_distributed_table(${table}, 'account_id', colocate_with => ${colocatedWith})`
    }
    // its rows were copied, and are still here as well
    await tx.run`select truncate_local_data_after_distributing_table(${table}::regclass)`
    tell(table, at + 1, placed.length)
  }
  for (const { table, name, definition } of references)
    if (!(name in lettingGo)) await tx.client.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const trigger of triggers) if (!isOfOneMachine(trigger)) await tx.client.query(trigger.definition)
  return plan
}

const SETTINGS = `
  set local citus.enable_unsafe_triggers = on;
  set local client_min_messages = 'warning';
  set local statement_timeout = 0;
  set local lock_timeout = '10s'`

const readReferences = (tx: Transaction, tables: string[]) =>
  tx.many<Rule>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
      and (conrelid = any(${tables}::text[]::regclass[]) or confrelid = any(${tables}::text[]::regclass[]))
    order by 1, 2`

const readTriggers = (tx: Transaction, tables: string[]) =>
  tx.many<Rule>`
    select tgrelid::regclass::text as table, quote_ident(tgname) as name, pg_get_triggerdef(oid) as definition
    from pg_trigger
    where not tgisinternal and tgparentid = 0 and tgrelid = any(${tables}::text[]::regclass[]) order by 1, 2`
