import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import {
  type Clock,
  type Database,
  openDatabase,
  type Queryable,
  savepoint,
  type Transaction,
  transaction,
} from './pool.ts'
import type { Address } from './pooling.ts'
import type { Secrets } from './secrets.ts'
import { sql } from './sql.ts'

/**
 * The product serves as a role of its own, `{database}_serving`: it reads and writes rows and can do nothing else. The
 * role of DATABASE_DIRECT_URL, else DATABASE_URL, or the embedded PostgreSQL's superuser, owns the schema and is used
 * while the product starts.
 */

/** The power of a role: `all` is a superuser or as good as one, `schema` may change tables and triggers, `rows` neither. */
export type RolePower = 'all' | 'schema' | 'rows'

export const INSUFFICIENT_PRIVILEGE = '42501'

/** Any number; two processes that start together take turns on it. */
const LOCK = 7_281_955

/** Which of its database's doors stand open to the role behind `db`. The schema is there already. */
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

/** PostgreSQL's, and a connection pooler's, words for: nobody of this name and password comes in here. */
const TURNED_AWAY = new Set(['28000', '28P01', '08P01', INSUFFICIENT_PRIVILEGE])

/** Whether an address lets its role in, and that role reads and writes rows and can do nothing else. */
export async function letsServe(address: Address & { clock: Clock; log: Logger }): Promise<boolean> {
  const db = openDatabase({ ...address, max: 1 })
  try {
    return (await checkDatabaseRole(db)).power === 'rows'
  } catch (error) {
    if (!TURNED_AWAY.has((error as { code?: string }).code ?? '')) throw error
    return false
  } finally {
    await db.close()
  }
}

/**
 * The serving role where it stands with what it needs and nothing else, or null: every start but the first writes nothing
 * then. Whether it still signs in by its password is for the caller to try.
 */
export async function findServingRole(owner: Database): Promise<string | null> {
  const { role, exists, mayCreate, ownsTables } = await readStanding(owner)
  if (!exists || !mayCreate || !ownsTables || (await missingGrants(owner, role))) return null
  return role
}

/**
 * Makes the serving role where `owner` may, gives it what it needs in this database, and returns its name, by which
 * `addressOfRole` signs in. Its password follows from the secret key, so that every process of an install knows it. Null where the role
 * of `owner` may not make another, or is the serving one, and where that one was made by hand: then the product serves as
 * it is told to.
 */
export async function makeServingRole(
  owner: Database,
  secrets: Pick<Secrets, 'derive'>,
  { isByHand = false } = {},
): Promise<string | null> {
  return transaction(owner, async (tx) => {
    await tx.run`select pg_advisory_xact_lock(${LOCK})`
    const standing = await readStanding(tx)
    if (!standing.ownsTables || !(standing.exists || (standing.mayCreate && !isByHand))) return null
    const verifier = scramVerifier(passwordOf(standing.role, secrets))
    const signsIn = standing.mayCreate && !isByHand && (await letSignIn(tx, standing, verifier))
    await grantRows(tx, standing.role)
    return signsIn ? standing.role : null
  })
}

type Standing = { role: string; exists: boolean; mayCreate: boolean; ownsTables: boolean }

const readStanding = (db: Queryable) =>
  db.one<Standing>`
    select d.role, exists (select from pg_roles where rolname = d.role) as exists,
      r.rolsuper or r.rolcreaterole as may_create,
      current_schema() = 'public' and pg_has_role(t.relowner, 'member') as owns_tables
    from (select left(current_database(), 55) || '_serving' as role) d, pg_roles r, pg_class t
    where r.rolname = current_user and t.oid = 'migrations'::regclass`

/** Returns false where the role is there and is not ours to change. */
async function letSignIn(tx: Transaction, { role, exists }: Standing, verifier: string) {
  try {
    await savepoint(tx, async () => {
      const statement = `${exists ? 'alter' : 'create'} role %I login password %L`
      const { text } = await tx.one<{
        text: string
      }>`select format(${statement}, ${role}::text, ${verifier}::text) as text`
      await tx.client.query(text)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return false
    throw error
  }
}

/**
 * Grants rows alone, of the product's own tables; of an append-only table nothing that its trigger refuses. Existing grants
 * are left as they are.
 */
async function grantRows(tx: Transaction, role: string) {
  const statements = await missingGrants(tx, role)
  if (statements) await tx.client.query(statements)
}

/** Statements that give the role the rights it needs and no others; empty if it has them. */
async function missingGrants(db: Queryable, role: string): Promise<string> {
  const { statements } = await db.one<{ statements: string }>`
    with wanted as (
      select t.oid, t.relkind = 'S' as is_sequence, case
        when t.relkind = 'S' then array['usage']
        when t.relkind = 'v' or t.oid = 'migrations'::regclass then array['select']
        else array['select', 'insert']
          || case when ${refuses(16)} then '{}'::text[] else array['update'] end
          || case when ${refuses(8)} then '{}'::text[] else array['delete'] end
        end as grants
      from pg_class t
      where t.relkind in ('r', 'p', 'S', 'v') and t.relnamespace::regnamespace::text in ('public', 'pgboss')
        and t.relowner = (select relowner from pg_class where oid = 'migrations'::regclass)
    ), given as (
      select w.*, coalesce((
        select array_agg(lower(a.privilege_type)) from pg_class t, aclexplode(t.relacl) a
        where t.oid = w.oid and a.grantee = to_regrole(quote_ident(${role}))), '{}') as granted
      from wanted w
    ), missing as (
      select format('revoke all on %1$s%2$s from %3$I; grant %4$s on %1$s%2$s to %3$I',
        case when is_sequence then 'sequence ' end, oid::regclass, ${role}::text, array_to_string(grants, ', ')) as statement
      from given where not (grants @> granted and granted @> grants)
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
    select coalesce(string_agg(statement, '; '), '') as statements from missing`
  return statements
}

/** Of tables `t`: a trigger refuses this kind of change, by its bit in `tgtype`. */
const refuses = (change: number) => sql`exists (
  select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid in ('refuse_change'::regproc, 'refuse_event_change'::regproc) and g.tgtype & ${change} <> 0)`

const passwordOf = (role: string, secrets: Pick<Secrets, 'derive'>) => secrets.derive('database-role', role)

/** The address by which `role` comes to the database of `url`, once `makeServingRole` has let it in with this key. */
export function addressOfRole(url: string, role: string, secrets: Pick<Secrets, 'derive'>) {
  const [address, given] = url.split('?')
  const parameters = new URLSearchParams(given)
  // Among the parameters they stand in any address, also in that of a socket or of several hosts.
  parameters.set('user', role)
  parameters.set('password', passwordOf(role, secrets))
  return `${address}?${parameters}`
}

const ITERATIONS = 4096

/** PostgreSQL's verifier of a password (RFC 5803): made here, so that the password is in no statement and no log. */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (words: string) => createHmac('sha256', salted).update(words).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
