import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { type Sql, sql } from '#server/platform/database/sql.ts'
import { c, type RowOf, table } from '#server/platform/database/table.ts'
import type { AssetKind } from '../contract.ts'

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
