import { randomBytes } from 'node:crypto'
import { NIL } from '../server/platform/database/ids.ts'
import { type Transaction, transaction } from '../server/platform/database/pool.ts'
import { tokenHash } from '../server/platform/database/secrets.ts'
import { aReadingKey, type BenchAccount, type BenchEnvironment, makeAccount } from './environment.ts'
import { createBlueprint } from './redirect.ts'

/** Tables with rows of an account whose leads were pushed, each with the columns that must differ between accounts. */
const tables: Record<string, string> = {
  accounts: `'public_id', left(md5(row->>'public_id' || n), 16), 'owner_id', null`,
  groups: '',
  terms_log: '',
  partners: `'user_id', null`,
  referral_codes: '',
  link_blueprints: `'key', left(md5(row->>'key' || n), 8)`,
  leads: '',
  api_keys: `'created_by', null, 'key_hash', '\\x' || encode(sha256(convert_to(key, 'UTF8')), 'hex')`,
  day_stats: '',
  total_stats: '',
}
const LEADS = 10

/** One of these accounts; referral codes and ids of leads are equal in all of them. */
export type OneOfMany = Pick<BenchAccount, 'id' | 'codes'> & {
  key: string
  blueprintKey: string
  leads: { externalId: string; email: string }[]
}

/**
 * Identical accounts: copies of one that was made by API calls and not touched since. `grow` adds accounts and returns
 * all of them.
 */
export async function aTemplate(ground: BenchEnvironment): Promise<{ grow(to: number): Promise<OneOfMany[]> }> {
  const account = await makeAccount(ground)
  await createBlueprint(ground, account)
  const leads = Array.from({ length: LEADS }, (_, n) => ({
    externalId: `lead-${n}`,
    email: `lead-${n}@mail.example`,
    firstName: 'Quinn',
    lastName: `Zimmer ${n}`,
    referralCode: account.codes[0],
  }))
  await ground.api('POST', '/push/leads', account.apiKey, leads)
  await aReadingKey(ground, account)
  const { codes } = account
  const all: OneOfMany[] = []
  return {
    async grow(to) {
      const keys = Array.from({ length: to }, () => `tpk_${randomBytes(32).toString('base64url')}`)
      const from = all.length
      const rows = await transaction(ground.db, async (tx) => {
        await tx.run`set local session_replication_role = replica`
        for (const table of Object.keys(tables)) await copyRows(tx, table, { accountId: account.id, from, to, keys })
        return tx.many<{ id: string; blueprintKey: string; hash: string }>`
          select b.account_id as id, b.key as blueprint_key, encode(k.key_hash, 'hex') as hash
          from api_keys k join link_blueprints b using (account_id) where k.key_sealed is null`
      })
      const byHash = new Map(rows.map((row) => [row.hash, row]))
      for (const key of keys.slice(from)) {
        const { id, blueprintKey } = byHash.get(tokenHash(key).toString('hex'))!
        all.push({ id, codes, key, blueprintKey, leads })
      }
      return all
    },
  }
}

type Copies = { accountId: string; from: number; to: number; keys: string[] }

/**
 * Copies an account's rows for each number from `from` up to `to`. All ids change alike, so that references to rows of
 * the account lead to their copies.
 */
async function copyRows(tx: Transaction, table: string, { accountId, from, to, keys }: Copies) {
  const { columns } = await tx.one<{ columns: string[] }>`
    select coalesce(array_agg(attname::text), '{}') as columns from pg_attribute
    where attrelid = ${table}::regclass and atttypid = 'uuid'::regtype and attnum > 0 and not attisdropped`
  const ids = columns.map(
    (column) =>
      `'${column}', case when row->>'${column}' = '${NIL}' then '${NIL}' else md5(row->>'${column}' || n) end`,
  )
  const changes = [...ids, tables[table]].filter(Boolean).join(', ')
  const owner = table === 'accounts' ? 'id' : 'account_id'
  const only = table === 'api_keys' ? 'and t.key_sealed is null' : ''
  await tx.client.query(
    `insert into ${table}
      select copy.* from ${table} t, lateral (select to_jsonb(t) as row) as_json,
        unnest($2::integer[], $3::text[]) as other (n, key),
        jsonb_populate_record(null::${table}, row || jsonb_build_object(${changes})) copy
      where t.${owner} = $1 ${only}`,
    [accountId, Array.from({ length: to - from }, (_, at) => from + at), keys.slice(from)],
  )
}
