import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { type Sql, sql } from '#server/platform/database/sql.ts'
import { c, type RowOf, table } from '#server/platform/database/table.ts'
import type { Picture, Purpose } from '#server/program/pictures/picture.ts'
import type { AssetKind, PictureType } from '../contract.ts'

export const assetTable = table('assets', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  kind: c.text<AssetKind>().fixed(),
  name: c.text(),
  body: c.text().null(),
  alt: c.text().null(),
  fileId: c.uuid.null().fixed(),
  blueprintId: c.uuid.null(),
  groupId: c.uuid.null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

/** A picture without its bytes. */
export type FileRow = { id: string; key: string; sha256: string; type: PictureType; width: number; height: number }

/** An asset with its picture, if it has one. */
export type AssetRow = RowOf<typeof assetTable> & {
  [Field in 'key' | 'sha256']: string | null
} & { [Field in 'width' | 'height']: number | null }

/** Assets `t` with their files `f`, and with `more` also those of single partners. */
const assets = (accountId: string, more: Sql) => sql`
  select ${assetTable.from('t')}, f.key, f.sha256, f.width, f.height
  from assets t left join files f on f.account_id = t.account_id and f.id = t.file_id
  where t.account_id = ${accountId} and ${more}
  order by t.created_at, t.id`

export const listAssetRows = (db: Queryable, accountId: string) => db.many<AssetRow>`${assets(accountId, sql`true`)}`

export const assetById = (db: Queryable, accountId: string, id: string) =>
  db.maybe<AssetRow>`${assets(accountId, sql`t.id = ${id}`)}`

/** The assets for all partners and for those of this group. */
export const assetsOfGroup = (db: Queryable, accountId: string, groupId: string) =>
  db.many<AssetRow>`${assets(accountId, sql`(t.group_id is null or t.group_id = ${groupId})`)}`

export const deleteAssetRow = (tx: Transaction, accountId: string, id: string) => tx.run`
  delete from assets where account_id = ${accountId} and id = ${id}`

export const numberOfAssets = (db: Queryable, accountId: string) => db.value<number>`
  select count(*) as count from assets where account_id = ${accountId}`

/** A partner with what fills their assets; a partner without a group is in the account's own. */
export const readerOfAssets = (db: Queryable, accountId: string, partnerId: string) => db.one<{
  firstName: string | null
  referralCode: string
  groupId: string
}>`
  select first_name, referral_code, coalesce(group_id, account_id) as group_id from partners
  where account_id = ${accountId} and id = ${partnerId}`

/** The keys of the enabled templates, the oldest first. */
export const enabledLinks = (db: Queryable, accountId: string) => db.many<{ id: string; key: string }>`
  select id, key from link_blueprints
  where account_id = ${accountId} and enabled and archived_at is null order by created_at, id`

export const isTemplate = (db: Queryable, accountId: string, id: string) => db.maybe`
  select from link_blueprints where account_id = ${accountId} and id = ${id} and archived_at is null`

export const isGroup = (db: Queryable, accountId: string, id: string) => db.maybe`
  select from groups where account_id = ${accountId} and id = ${id} and deleted_at is null`

/** Locks the account's assets and pictures until the transaction ends. */
export const lockMaterial = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

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
