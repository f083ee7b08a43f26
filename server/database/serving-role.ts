import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type Database, savepoint, type Transaction, transaction } from './pool.ts'
import type { Secrets } from './secrets.ts'
import { sql } from './sql.ts'

/**
 * The product serves as a role of its own, `{database}_serving`: it reads and writes rows and can do nothing else. The
 * role of DATABASE_URL, or the embedded PostgreSQL's superuser, owns the schema and is used while the product starts.
 */

/** Where a role stands: `all` is a superuser or as good as one, `schema` may change tables and triggers, `rows` neither. */
export type RolePower = 'all' | 'schema' | 'rows'

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

/**
 * Makes the serving role where `owner` may, gives it what it needs in this database, and answers the address by which it
 * signs in. Its password follows from the secret key, so that every process of an install knows it. Null where the role
 * of `owner` may not make another, or is the serving one: then the product serves as it is told to.
 */
export async function makeServingRole(owner: Database, secrets: Pick<Secrets, 'derive'>): Promise<string | null> {
  return transaction(owner, async (tx) => {
    await tx.run`select pg_advisory_xact_lock(${LOCK})`
    const standing = await readStanding(tx)
    if (!standing.ownsTables || !(standing.exists || standing.mayCreate)) return null
    const verifier = scramVerifier(passwordOf(standing.role, secrets))
    const signsIn = standing.mayCreate && (await letSignIn(tx, standing, verifier))
    await grantRows(tx, standing.role)
    return signsIn ? addressOfRole(owner.url, standing.role, secrets) : null
  })
}

type Standing = { role: string; exists: boolean; mayCreate: boolean; ownsTables: boolean }

const readStanding = (tx: Transaction) =>
  tx.one<Standing>`
    select d.role, exists (select from pg_roles where rolname = d.role) as exists,
      r.rolsuper or r.rolcreaterole as may_create,
      current_schema() = 'public' and pg_has_role(t.relowner, 'member') as owns_tables
    from (select left(current_database(), 55) || '_serving' as role) d, pg_roles r, pg_class t
    where r.rolname = current_user and t.oid = 'migrations'::regclass`

/** Answers false where the role is there and is not ours to change. */
async function letSignIn(tx: Transaction, { role, exists }: Standing, verifier: string) {
  try {
    await savepoint(tx, () =>
      run(tx, exists ? 'alter role %I login password %L' : 'create role %I login password %L', role, verifier),
    )
    return true
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return false
    throw error
  }
}

export const INSUFFICIENT_PRIVILEGE = '42501'

/** Rows alone, of the product's own tables; and of a table that is append-only not what its trigger refuses. */
async function grantRows(tx: Transaction, role: string) {
  const tables = await tx.many<{ name: string; grants: string }>`
    select t.oid::regclass::text as name, concat_ws(', ', 'select',
      case when t.oid <> 'migrations'::regclass then 'insert' end,
      case when t.oid <> 'migrations'::regclass and not ${refuses(16)} then 'update' end,
      case when t.oid <> 'migrations'::regclass and not ${refuses(8)} then 'delete' end) as grants
    from pg_class t
    where t.relkind in ('r', 'p') and t.relnamespace::regnamespace::text in ('public', 'pgboss')
      and t.relowner = (select relowner from pg_class where oid = 'migrations'::regclass)`
  for (const schema of ['public', 'pgboss']) {
    await run(tx, `grant usage on schema ${schema} to %I`, role)
    await run(
      tx,
      `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to %I`,
      role,
    )
    await run(tx, `alter default privileges in schema ${schema} grant usage on sequences to %I`, role)
    await run(tx, `grant usage on all sequences in schema ${schema} to %I`, role)
  }
  for (const { name, grants } of tables) {
    await run(tx, `revoke all on ${name} from %I`, role)
    await run(tx, `grant ${grants} on ${name} to %I`, role)
  }
}

/** Of tables `t`: a trigger refuses this kind of change, by its bit in `tgtype`. */
const refuses = (change: number) => sql`exists (
  select from pg_trigger g where g.tgrelid = t.oid and g.tgfoid = 'refuse_change'::regproc and g.tgtype & ${change} <> 0)`

/** Runs a statement whose names PostgreSQL itself has quoted. */
async function run(tx: Transaction, statement: string, ...names: string[]) {
  const { text } = await tx.one<{ text: string }>`select format(${statement}, variadic ${names}::text[]) as text`
  await tx.client.query(text)
}

const passwordOf = (role: string, secrets: Pick<Secrets, 'derive'>) => secrets.derive('database-role', role)

/** The address by which `role` comes to the database of `url`, once `makeServingRole` has let it in with this key. */
export function addressOfRole(url: string, role: string, secrets: Pick<Secrets, 'derive'>) {
  const address = new URL(url)
  // Among the parameters they stand in any address, also in that of a socket, which has no host.
  address.searchParams.set('user', role)
  address.searchParams.set('password', passwordOf(role, secrets))
  return address.href
}

const ITERATIONS = 4096

/** What PostgreSQL keeps of a password (RFC 5803): made here, so that the password is in no statement and no log. */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (words: string) => createHmac('sha256', salted).update(words).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
