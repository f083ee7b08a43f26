import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'
import { isOnCluster } from './cluster/spread.ts'
import type { DatabaseAddress } from './connection-settings.ts'
import { isDatabaseAway } from './database-errors.ts'
import { listEmptied } from './declare-tables.ts'
import { type Clock, type Database, openDatabase, type Queryable, type Transaction, transaction } from './pool.ts'
import type { Secrets } from './secrets.ts'
import { sql } from './sql.ts'

/**
 * The product serves as its own role, `{database}_serving`, which may only read and write rows. The role of
 * DATABASE_DIRECT_URL, else DATABASE_URL, or the embedded PostgreSQL's superuser, owns the schema and is used during
 * the start.
 */

/** The power of a role: `all` is a superuser or equivalent, `schema` may change tables and triggers, `rows` neither. */
export type RolePower = 'all' | 'schema' | 'rows'

/** An arbitrary lock key; concurrent starts take turns. */
const LOCK = 7_281_955

/** Returns the rights of the role behind `db` in its database. The schema must exist. */
export async function checkDatabaseRole(db: Database): Promise<{ role: string; power: RolePower }> {
  return db.one<{ role: string; power: RolePower }>`
    select current_user::text as role, case
      when r.rolsuper or exists (
        select from pg_roles strong
        where strong.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
          and pg_has_role(r.oid, strong.oid, 'member')) then 'all'
      when r.rolcreaterole or exists (
        select from pg_class t
        where t.relname in ('migrations', 'commission_entries') and t.relnamespace = current_schema()::regnamespace
          and pg_has_role(r.oid, t.relowner, 'member')) then 'schema'
      else 'rows' end as power
    from pg_roles r where r.rolname = current_user`
}

/** Returns in whose words PostgreSQL, a pooler or a host refused something; undefined for a lost connection or a bug. */
const refusalOf = (error: unknown) =>
  error instanceof pg.DatabaseError && (!isDatabaseAway(error) || error.code === TURNED_AWAY)
    ? error.message
    : undefined

/** The code of poolers for every refusal, which PostgreSQL has for a broken connection. */
const TURNED_AWAY = '08P01'

/**
 * Returns null if an address accepts its role, and that role may only read and write rows; else the reason why the
 * product doesn't serve with it.
 */
export async function refusalToServe(address: DatabaseAddress & { clock: Clock; log: Logger }): Promise<string | null> {
  const db = openDatabase({ ...address, max: 1 })
  try {
    const { role, power } = await checkDatabaseRole(db)
    return power === 'rows' ? null : `${role} may change the schema`
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === undefined) throw error
    return reason
  } finally {
    await db.close()
  }
}

/** Stores why the host refused the serving role, for the check; writes only what differs from the last start. */
export async function noteRoleRefusal(db: Database, reason: string | undefined) {
  const newReason = reason ?? null
  if ((await roleRefusal(db)) !== newReason) await db.run`update install set role_refusal = ${newReason}`
}

/** Returns why the last start could not serve as a role of its own, if a host said so. */
export const roleRefusal = (db: Queryable) => db.value<string | null>`select max(role_refusal) from install`

/** The role to serve as, and the one that made it, whose name stands in the operator's address. */
export type ServingRole = { role: string; owner: string }

/**
 * Finds the serving role if it has exactly the rights it needs, or null: so every start but the first writes nothing.
 * The caller tries whether its password still works.
 */
export async function findServingRole(db: Database): Promise<ServingRole | null> {
  const { role, owner, exists, mayCreate, ownsTables } = await readStanding(db)
  if (!exists || !mayCreate || !ownsTables || (await missingGrants(db, role))) return null
  return (await isKnownToMachines(db, role)) ? { role, owner } : null
}

/**
 * Creates the serving role if `db` may, grants it its rights in this database, and returns it, for `addressOfRole` to
 * sign in. Its password is derived from the secret key, so that every process of an install knows it. Null if the role
 * of `db` may not create another, or is the serving one, if that one was created by hand, and if the host refuses it,
 * which `refused` is told: then the product serves with the given role.
 */
export async function makeServingRole(
  db: Database,
  secrets: Pick<Secrets, 'derive'>,
  { isByHand = false, refused = () => {} }: { isByHand?: boolean; refused?: (reason: string) => void } = {},
): Promise<ServingRole | null> {
  const make = (passwordAs: ((password: string) => string) | null) =>
    transaction(db, async (tx) => {
      await tx.run`select pg_advisory_xact_lock(${LOCK})`
      const standing = await readStanding(tx)
      const signsIn = passwordAs !== null && standing.mayCreate
      if (!standing.ownsTables || !(standing.exists || signsIn)) return null
      const password = passwordOf(standing.role, secrets)
      if (signsIn) await setRolePassword(tx, standing, passwordAs(password))
      await grantRows(tx, standing.role)
      return signsIn ? { role: standing.role, owner: standing.owner, password } : null
    })
  // some hosts refuse at the commit only
  const made = await make(isByHand ? null : scramVerifier)
    .catch((error) => {
      if (!/plain ?text/i.test(refusalOf(error) ?? '')) throw error
      return make((password) => password)
    })
    .catch((error) => {
      const reason = refusalOf(error)
      if (reason === undefined || isByHand) throw error
      refused(reason)
      return make(null)
    })
  if (!made) return null
  if (!(await isKnownToMachines(db, made.role, made.password))) await distributePassword(db, made)
  return made
}

/**
 * Whether the machines of a cluster can sign in to each other as this role: each has a password for that, this one if
 * given, or the owner may not store one and the operator does. True without a cluster.
 */
async function isKnownToMachines(db: Queryable, role: string, password?: string): Promise<boolean> {
  if (!(await isOnCluster(db))) return true
  if (!(await db.value<boolean>`select has_table_privilege('pg_dist_authinfo', 'insert')`)) return true
  // an unreachable machine is set up at a later start
  return db.value<boolean>`
    select bool_and(result is distinct from 'f') from run_command_on_all_nodes(format(
      'select exists (select from pg_dist_authinfo where nodeid = 0 and rolename = %L and authinfo = coalesce(%L, authinfo))',
      ${role}::text, ${password ? `password=${password}` : null}::text))`
}

/** Stores the password of the role on every machine, once the role is there. */
const distributePassword = (db: Database, { role, password }: { role: string; password: string }) => db.run`
  select run_command_on_all_nodes(format(
    'insert into pg_dist_authinfo (nodeid, rolename, authinfo) values (0, %L, %L)
    on conflict (rolename, nodeid) do update set authinfo = excluded.authinfo', ${role}::text, ${`password=${password}`}::text))`

type Standing = { role: string; owner: string; exists: boolean; mayCreate: boolean; ownsTables: boolean }

const readStanding = (db: Queryable) =>
  db.one<Standing>`
    select d.role, r.rolname::text as owner, exists (select from pg_roles where rolname = d.role) as exists,
      r.rolsuper or r.rolcreaterole as may_create,
      current_schema() = 'public' and pg_has_role(t.relowner, 'member') as owns_tables
    from (select left(current_database(), 55) || '_serving' as role) d, pg_roles r, pg_class t
    where r.rolname = current_user and t.oid = 'migrations'::regclass`

async function setRolePassword(tx: Transaction, { role, exists }: Standing, password: string) {
  const statement = `${exists ? 'alter' : 'create'} role %I login password %L`
  await tx.client.query(await tx.value<string>`select format(${statement}, ${role}::text, ${password}::text)`)
}

/** Personal columns of append-only tables: their triggers let them become empty, and nothing else. */
const listColumnsToEmpty = () =>
  ['commission_entries', 'sale_corrections', 'events', 'passing_events', 'terms_log'].flatMap((table) =>
    [...listEmptied(table, 'lead'), ...listEmptied(table, 'partner')].map(([column]) => `${table}.${column}`),
  )

/**
 * Grants only access to rows of the product's own tables; for an append-only table nothing that its trigger refuses.
 * Existing grants stay.
 */
async function grantRows(tx: Transaction, role: string) {
  const statements = await missingGrants(tx, role)
  if (statements) await tx.client.query(statements)
}

/** Returns statements that grant the role exactly the missing rights; empty if there are none. */
const missingGrants = (db: Queryable, role: string) => db.value<string>`
    with wanted as (
      select t.oid, t.relkind = 'S' as is_sequence, case
        when t.relkind = 'S' then array['usage']
        when t.relkind = 'v' or t.oid = 'migrations'::regclass then array['select']
        else array['select', 'insert']
          || case when ${refuses(16)} then '{}'::text[] else array['update'] end
          || case when ${refuses(8)} then '{}'::text[] else array['delete'] end
        end as grants,
        case when ${refuses(16)} then array(
          select a.attname::text from pg_attribute a
          where a.attrelid = t.oid and not a.attisdropped and t.relname || '.' || a.attname = any(${listColumnsToEmpty()})
          order by 1) else '{}'::text[] end as emptied
      from pg_class t
      where t.relkind in ('r', 'p', 'S', 'v') and t.relnamespace::regnamespace::text in ('public', 'pgboss')
        and t.relowner = (select relowner from pg_class where oid = 'migrations'::regclass)
    ), given as (
      select w.*, coalesce((
        select array_agg(lower(a.privilege_type)) from pg_class t, aclexplode(t.relacl) a
        where t.oid = w.oid and a.grantee = to_regrole(quote_ident(${role}))), '{}') as granted,
        array(
          select a.attname::text from pg_attribute a, aclexplode(a.attacl) g
          where a.attrelid = w.oid and g.grantee = to_regrole(quote_ident(${role})) and g.privilege_type = 'UPDATE'
          order by 1) as changed
      from wanted w
    ), missing as (
      select format('revoke all on %1$s%2$s from %3$I; grant %4$s on %1$s%2$s to %3$I',
        case when is_sequence then 'sequence ' end, oid::regclass, ${role}::text, concat_ws(', ', array_to_string(grants, ', '),
          (select format('update (%s)', string_agg(quote_ident(one), ', ')) from unnest(emptied) one having count(*) > 0))) as statement
      from given where not (grants @> granted and granted @> grants and emptied = changed)
      union all
      select format('grant usage on schema %1$I to %2$I;
        alter default privileges in schema %1$I grant select, insert, update, delete on tables to %2$I;
        alter default privileges in schema %1$I grant usage on sequences to %2$I', schema, ${role}::text)
      from unnest(array['public', 'pgboss']) schema
      where not exists (
        select from pg_default_acl d, aclexplode(d.defaclacl) a
        where d.defaclnamespace = schema::regnamespace and d.defaclrole = to_regrole(quote_ident(current_user))
          and d.defaclobjtype = 'S' and a.grantee = to_regrole(quote_ident(${role})))
    )
    select coalesce(string_agg(statement, '; '), '') from missing`

/** Whether a trigger on tables `t` refuses this kind of change, by its bit in `tgtype`. */
const refuses = (change: number) => sql`exists (
  select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid in ('refuse_change'::regproc, 'refuse_event_change'::regproc) and g.tgtype & ${change} <> 0)`

const passwordOf = (role: string, secrets: Pick<Secrets, 'derive'>) => secrets.derive('database-role', role)

/**
 * Returns the address of the database of `url` for the serving role, once `makeServingRole` has set its password with
 * this key. Poolers of hosts know a role by a longer name, `role.project`: what follows the owner's name stays.
 */
export function addressOfRole(url: string, { role, owner }: ServingRole, secrets: Pick<Secrets, 'derive'>) {
  const [address = '', given] = url.split('?')
  const parameters = new URLSearchParams(given)
  const user = parameters.get('user') ?? decodeURIComponent(/^\w+:\/\/([^:@/]*)[^/]*@/.exec(address)?.[1] ?? '')
  const project = user.startsWith(`${owner}.`) ? user.slice(owner.length) : ''
  // As parameters they work in any address, also in that of a socket or of several hosts.
  parameters.set('user', role + project)
  parameters.set('password', passwordOf(role, secrets))
  return `${address}?${parameters}`
}

const ITERATIONS = 4096

/**
 * Returns PostgreSQL's verifier of a password (RFC 5803): computed here, so that the password is in no statement and no
 * log, except at hosts that want the password itself.
 */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (words: string) => createHmac('sha256', salted).update(words).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
