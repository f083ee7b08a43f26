import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import type { ProviderObject } from './provider.ts'

/** An object and the key of the payment, or the group, that it belongs to. */
export type KeptThing = ProviderObject & { key: string }
type Row = Omit<KeptThing, 'at'> & { at: string }

const columns = raw('payment_key as key, kind, object_id as id, group_key as "group", rank, at, data')
const toThing = (row: Row): KeptThing => ({ ...row, at: new Date(row.at) })

/** The table of payments' objects, by owner: a shop's permanently, an import's during its dry run. */
type Place = { table: 'provider_objects'; owner: 'shop_id' } | { table: 'import_objects'; owner: 'import_id' }

/** Operations on stored objects, the same for a dry run and a booking. */
export function keptThings(place: Place) {
  const [table, owner] = [raw(place.table), raw(place.owner)]
  const whose = (accountId: string, ownerId: string) => sql`${owner} = ${ownerId} and account_id = ${accountId}`
  return {
    /** Returns the objects stored under these keys, and those shared with others. */
    async of(db: Queryable, accountId: string, ownerId: string, keys: string[]): Promise<KeptThing[]> {
      const rows = await db.many<Row>`
        select ${columns} from ${table}
        where ${whose(accountId, ownerId)} and (payment_key = any(${keys}::text[]) or payment_key in (
          select group_key from ${table}
          where ${whose(accountId, ownerId)} and payment_key = any(${keys}::text[]) and group_key is not null))`
      return rows.map(toThing)
    },

    /** Finds the payment that an object belongs to. */
    keyOf: (db: Queryable, accountId: string, ownerId: string, kind: string, id: string) => db.maybe<{ key: string }>`
      select payment_key as key from ${table}
      where ${whose(accountId, ownerId)} and kind = ${kind} and object_id = ${id} order by payment_key limit 1`,

    paymentsOfGroup: (db: Queryable, accountId: string, ownerId: string, group: string) => db.many<{ key: string }>`
      select distinct payment_key as key from ${table}
      where ${whose(accountId, ownerId)} and group_key = ${group} order by 1`,

    /** Stores sightings, unless a later stage or a newer sighting of the same object exists. */
    upsert: (tx: Transaction, accountId: string, ownerId: string, key: string, objects: ProviderObject[]) => tx.run`
      insert into ${table} as known (account_id, ${owner}, payment_key, kind, object_id, group_key, rank, at, data)
      select ${accountId}, ${ownerId}, ${key}, kind, id, group_key, rank, at, data
      from unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ id }) => id)}::text[],
        ${objects.map(({ group }) => group ?? null)}::text[], ${objects.map(({ rank }) => rank)}::bigint[],
        ${objects.map(({ at }) => at)}::timestamptz[], ${objects.map(({ data }) => JSON.stringify(data))}::jsonb[])
        as seen (kind, id, group_key, rank, at, data)
      on conflict (${owner}, payment_key, kind, object_id, account_id) do update
        set group_key = excluded.group_key, rank = excluded.rank, at = excluded.at, data = excluded.data
        where (excluded.rank, excluded.at) >= (known.rank, known.at)`,

    async take(tx: Transaction, accountId: string, ownerId: string, keys: string[]): Promise<KeptThing[]> {
      const rows = await tx.many<Row>`
        delete from ${table} where ${whose(accountId, ownerId)} and payment_key = any(${keys}::text[])
        returning ${columns}`
      return rows.map(toThing)
    },
  }
}
