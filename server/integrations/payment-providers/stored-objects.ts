import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { rawSql, sql } from '../../platform/database/sql.ts'
import type { ProviderObject, StoredObjects } from './provider.ts'

/** An object and the key of the payment, or the group, that it belongs to. */
export type StoredObject = ProviderObject & { key: string }
type Row = Omit<StoredObject, 'at'> & { at: string }

const columns = rawSql('payment_key as key, kind, object_id as id, group_key as "group", rank, at, data')
const toObject = (row: Row): StoredObject => ({ ...row, at: new Date(row.at) })

/** The table of payments' objects, by owner: a shop's permanently, an import's during its dry run. */
type Place = { table: 'provider_objects'; owner: 'shop_id' } | { table: 'import_objects'; owner: 'import_id' }

/** Operations on stored objects, the same for a dry run and a booking. */
function objectStore(place: Place) {
  const [table, owner] = [rawSql(place.table), rawSql(place.owner)]
  const ownedBy = (accountId: string, ownerId: string) => sql`${owner} = ${ownerId} and account_id = ${accountId}`

  /** Returns the objects stored under these keys, and those shared with others. */
  async function find(db: Queryable, accountId: string, ownerId: string, keys: string[]): Promise<StoredObject[]> {
    const rows = await db.many<Row>`
      select ${columns} from ${table}
      where ${ownedBy(accountId, ownerId)} and payment_key = any(${keys}::text[] || array(
        select group_key from ${table}
        where ${ownedBy(accountId, ownerId)} and payment_key = any(${keys}::text[]) and group_key is not null))`
    return rows.map(toObject)
  }

  return {
    find,

    reader: (db: Queryable, accountId: string, ownerId: string): StoredObjects => ({
      listByPayment: (key) => find(db, accountId, ownerId, [key]),
      async findPaymentKey(kind, id) {
        const found = await db.maybe<{ key: string }>`
          select payment_key as key from ${table}
          where ${ownedBy(accountId, ownerId)} and kind = ${kind} and object_id = ${id} order by payment_key limit 1`
        return found?.key ?? null
      },
    }),

    async paymentsOfGroup(db: Queryable, accountId: string, ownerId: string, group: string): Promise<string[]> {
      const rows = await db.many<{ key: string }>`
        select distinct payment_key as key from ${table}
        where ${ownedBy(accountId, ownerId)} and group_key = ${group} order by 1`
      return rows.map(({ key }) => key)
    },

    /** Stores objects, unless a later stage or a newer version of the same one exists. */
    save: (tx: Transaction, accountId: string, ownerId: string, key: string, objects: ProviderObject[]) => tx.run`
      insert into ${table} as known (account_id, ${owner}, payment_key, kind, object_id, group_key, rank, at, data)
      select ${accountId}, ${ownerId}, ${key}, kind, id, group_key, rank, at, data
      from unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ id }) => id)}::text[],
        ${objects.map(({ group }) => group ?? null)}::text[], ${objects.map(({ rank }) => rank)}::bigint[],
        ${objects.map(({ at }) => at)}::timestamptz[], ${objects.map(({ data }) => JSON.stringify(data))}::jsonb[])
        as seen (kind, id, group_key, rank, at, data)
      on conflict (${owner}, payment_key, kind, object_id, account_id) do update
        set group_key = excluded.group_key, rank = excluded.rank, at = excluded.at, data = excluded.data
        where (excluded.rank, excluded.at) >= (known.rank, known.at)`,

    /** Deletes the objects stored under these keys, and returns them. */
    async take(tx: Transaction, accountId: string, ownerId: string, keys: string[]): Promise<StoredObject[]> {
      if (keys.length === 0) return []
      const rows = await tx.many<Row>`
        delete from ${table} where ${ownedBy(accountId, ownerId)} and payment_key = any(${keys}::text[])
        returning ${columns}`
      return rows.map(toObject)
    },
  }
}

/** The facts known of a shop's payments. */
export const shopObjects = objectStore({ table: 'provider_objects', owner: 'shop_id' })

/** The facts gathered by a dry run. */
export const importObjects = objectStore({ table: 'import_objects', owner: 'import_id' })

/** Keeps one version of each object: the one that saving all would end with. */
export function pickNewest(objects: ProviderObject[]): ProviderObject[] {
  const newest = new Map<string, ProviderObject>()
  for (const object of objects) {
    const name = `${object.kind} ${object.id}`
    const known = newest.get(name)
    if (!known || object.rank > known.rank || (object.rank === known.rank && object.at >= known.at))
      newest.set(name, object)
  }
  return [...newest.values()]
}
