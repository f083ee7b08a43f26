import type { PictureType } from '#contract/pictures.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Picture, Purpose } from './picture.ts'

/** A picture without its bytes. */
export type FileRow = { id: string; key: string; sha256: string; type: PictureType; width: number; height: number }

export const bytesStored = (db: Queryable, accountId: string) => db.value<number>`
  select coalesce(sum(length(bytes)), 0)::bigint as sum from files where account_id = ${accountId}`

export const insertMaterialFile = (
  tx: Transaction,
  { id, accountId, purpose, key }: { id: string; accountId: string; purpose: Purpose; key: string },
  { sha256, type, width, height, bytes }: Picture,
) => tx.run`
  insert into files (id, account_id, purpose, key, sha256, type, width, height, bytes, created_at, updated_at)
  values (${id}, ${accountId}, ${purpose}, ${key}, ${sha256}, ${type}, ${width}, ${height}, ${bytes}, ${tx.now}, ${tx.now})`

export const replaceFile = (
  tx: Transaction,
  { id, accountId }: { id: string; accountId: string },
  { sha256, type, width, height, bytes }: Picture,
) => tx.run`
  update files set sha256 = ${sha256}, type = ${type}, width = ${width}, height = ${height}, bytes = ${bytes},
    updated_at = ${tx.now}
  where account_id = ${accountId} and id = ${id}`

/** Takes an address for a picture, unless another has it. Returns its account. */
export async function claimFileKey(tx: Transaction, accountId: string, key: string) {
  await tx.run`
    insert into file_keys (key, account_id, created_at) values (${key}, ${accountId}, ${tx.now})
    on conflict do nothing`
  return tx.value<string>`select account_id from file_keys where key = ${key}`
}

export async function deleteMaterialFile(tx: Transaction, accountId: string, id: string) {
  const { key } = await tx.one<{ key: string }>`
    delete from files where account_id = ${accountId} and id = ${id} returning key`
  await tx.run`delete from file_keys where key = ${key} and account_id = ${accountId}`
}

export const getFileLength = (db: Queryable, accountId: string, id: string) => db.value<number>`
  select length(bytes) from files where account_id = ${accountId} and id = ${id}`

/** The pictures of which an account has one each. */
export type BrandPicture = Exclude<Purpose, 'asset'>

export const brandPicture = (db: Queryable, accountId: string, purpose: BrandPicture) => db.maybe<FileRow>`
  select id, key, sha256, type, width, height from files where account_id = ${accountId} and purpose = ${purpose}`

export const findAccent = (db: Queryable, accountId: string) =>
  db.value<string | null>`select accent from accounts where id = ${accountId}`

export const brandPictures = (db: Queryable, accountId: string) => db.many<FileRow & { purpose: BrandPicture }>`
  select id, key, sha256, type, width, height, purpose from files where account_id = ${accountId} and purpose <> 'asset'`

export const listFileKeys = (db: Queryable, accountId: string) => db.many<{ id: string; key: string }>`
  select id, key from files where account_id = ${accountId} order by id`

export const getFileBytes = (db: Queryable, accountId: string, id: string) => db.one<
  Omit<Picture, 'bytes'> & { bytes: Buffer }
>`
  select bytes, type, sha256, width, height from files where account_id = ${accountId} and id = ${id}`

export const renameFile = (
  tx: Transaction,
  { id, accountId }: { id: string; accountId: string },
  key: string,
) => tx.run`
  update files set key = ${key} where account_id = ${accountId} and id = ${id}`

/** A picture as it is answered. */
export type Served = { accountId: string; type: PictureType; sha256: string; bytes: Buffer }

/** The pictures at these addresses, by address. */
export async function filesByKey(db: Queryable, keys: string[]) {
  const owned = await db.many<{ key: string; accountId: string }>`
    select key, account_id from file_keys where key = any(${keys}::text[])`
  if (owned.length === 0) return new Map<string, { accountId: string; value: Served }>()
  const accountIds = [...new Set(owned.map(({ accountId }) => accountId))]
  const rows = await db.many<Served & { key: string }>`
    select key, account_id, type, sha256, bytes from files
    where account_id = any(${accountIds}::uuid[]) and key = any(${keys}::text[])`
  return new Map(rows.map(({ key, ...value }) => [key, { accountId: value.accountId, value }]))
}
