import { fillPlaceholders } from '#contract/placeholders.ts'
import { escapeHtml } from '#contract/prose.ts'
import { type Author, diffFields } from '#server/platform/author.ts'
import { asUuid, newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '#server/platform/refusal.ts'
import { fileUrl, freshPath, lockMaterial, removePicture, savePicture } from '#server/program/pictures/files.ts'
import { readPicture } from '#server/program/pictures/picture.ts'
import { refuseUnknownPlaceholder } from '#server/program/pictures/placeholders.ts'
import {
  type Asset,
  type AssetChange,
  type AssetPlaceholder,
  assetPlaceholders,
  MOST_ASSETS,
  type NewAsset,
  type PartnerAsset,
} from '../contract.ts'
import {
  type AssetRow,
  assetById,
  assetsOfGroup,
  assetTable,
  deleteAssetRow,
  enabledLinks,
  isGroup,
  isTemplate,
  listAssetRows,
  numberOfAssets,
  readerOfAssets,
} from './queries.ts'

const present = (origin: string, { accountId: _, fileId: __, key, sha256, ...row }: AssetRow): Asset => ({
  ...row,
  imageUrl: key && sha256 ? `${origin}${freshPath({ key, sha256 })}` : null,
})

export const listAssets = async (db: Queryable, origin: string, accountId: string) => ({
  items: (await listAssetRows(db, accountId)).map((row) => present(origin, row)),
})

/** Refuses: a word in braces that is no placeholder, a template or a group that is not there. */
async function check(
  db: Queryable,
  accountId: string,
  { body, blueprintId, groupId }: Pick<AssetChange, 'body' | 'blueprintId' | 'groupId'>,
) {
  refuseUnknownPlaceholder('body', body ?? '', assetPlaceholders)
  if (blueprintId && !(await isTemplate(db, accountId, asUuid(blueprintId))))
    throw wrongField('blueprintId', 'unknown_link')
  if (groupId && !(await isGroup(db, accountId, asUuid(groupId)))) throw wrongField('groupId', 'unknown_group')
}

/**
 * Adds material for partners. `origin`: of the addresses given to them. Refuses: what is no picture or too large, a placeholder that there is not, a template or
 * group that is not there, more than 100 assets, and a picture beyond the account's storage.
 */
export async function createAsset(
  tx: Transaction,
  origin: string,
  by: Author,
  accountId: string,
  { kind, name, body, image, alt, blueprintId = null, groupId = null }: NewAsset,
): Promise<Asset> {
  const picture = image === undefined ? undefined : readPicture(image, 'asset', 'image')
  await lockMaterial(tx, accountId)
  await check(tx, accountId, { body, blueprintId, groupId })
  if ((await numberOfAssets(tx, accountId)) >= MOST_ASSETS) throw refusal('too_many_assets', { max: MOST_ASSETS })
  const id = newId()
  const fileId = picture && (await savePicture(tx, { accountId, purpose: 'asset' }, picture))
  await assetTable.insert(tx, {
    id,
    accountId,
    kind,
    name,
    fileId,
    blueprintId,
    groupId,
    ...(kind === 'image' ? { alt } : { body }),
  })
  await recordActivity(tx, by, accountId, 'account.asset-added', {
    id: accountId,
    changes: diffFields({}, { name, kind }),
  })
  return getAsset(tx, origin, accountId, id)
}

async function getAsset(db: Queryable, origin: string, accountId: string, id: string) {
  const row = await assetById(db, accountId, id)
  if (!row) throw notFound()
  return present(origin, row)
}

/** Changes an asset; a replaced picture keeps its address. Refuses as its creation does, and fields of another kind. */
export async function changeAsset(
  tx: Transaction,
  origin: string,
  by: Author,
  { accountId, id }: { accountId: string; id: string },
  { image, ...change }: AssetChange,
): Promise<Asset> {
  const picture = image === undefined ? undefined : readPicture(image, 'asset', 'image')
  await lockMaterial(tx, accountId)
  const before = await assetById(tx, accountId, id)
  if (!before) throw notFound()
  const ofOthers = before.kind === 'image' ? (['body'] as const) : (['image', 'alt'] as const)
  const given = { ...change, image }
  for (const field of ofOthers) if (given[field]) throw wrongField(field, 'field_not_of_kind')
  // one that was deleted since may stay: the oldest enabled takes its place
  const blueprintId = change.blueprintId === before.blueprintId ? null : change.blueprintId
  const groupId = change.groupId === before.groupId ? null : change.groupId
  await check(tx, accountId, { body: change.body, blueprintId, groupId })
  if (picture) await savePicture(tx, { accountId, purpose: 'asset', id: before.fileId! }, picture)
  const changes = {
    ...diffFields(before, change),
    ...(picture && { image: { old: before.sha256!.slice(0, 8), new: picture.sha256.slice(0, 8) } }),
  }
  if (Object.keys(changes).length > 0) {
    await assetTable.update(tx, { accountId, id }, change)
    await recordActivity(tx, by, accountId, 'account.asset-updated', { id: accountId, changes })
  }
  return getAsset(tx, origin, accountId, id)
}

export async function deleteAsset(tx: Transaction, by: Author, { accountId, id }: { accountId: string; id: string }) {
  await lockMaterial(tx, accountId)
  const before = await assetById(tx, accountId, id)
  if (!before) throw notFound()
  await deleteAssetRow(tx, accountId, id)
  if (before.fileId) await removePicture(tx, accountId, before.fileId)
  const changes = { name: { old: before.name, new: null } }
  await recordActivity(tx, by, accountId, 'account.asset-deleted', { id: accountId, changes })
}

/**
 * Lists what a partner may copy, their own link, code and name filled in. Nothing without an enabled template, since
 * there is no link then.
 */
export async function listPartnerAssets(db: Queryable, origin: string, accountId: string, partnerId: string) {
  const links = await enabledLinks(db, accountId)
  const [oldest] = links
  if (!oldest) return { items: [] }
  const { firstName, referralCode: code, groupId } = await readerOfAssets(db, accountId, partnerId)
  const rows = await assetsOfGroup(db, accountId, groupId)
  return {
    items: rows.map((row) => {
      const { key } = links.find(({ id }) => id === row.blueprintId) ?? oldest
      return filled(origin, row, { link: `${origin}/r/${key}/${code}`, code, firstName: firstName ?? 'there' })
    }),
  }
}

/** Fills an asset for its partner. In HTML, which is only ever shown as code, values are escaped. */
function filled(origin: string, row: AssetRow, values: Record<AssetPlaceholder, string>): PartnerAsset {
  const { id, kind, name, body, key } = row
  const asset = { id, kind, name, text: null, imageUrl: null, html: null }
  if (kind === 'text') return { ...asset, text: fillPlaceholders(body!, values) }
  if (kind === 'html') return { ...asset, html: fillPlaceholders(body!, escaped(values)) }
  const imageUrl = fileUrl(origin, key!)
  return { ...asset, imageUrl, html: linkedImage(row, imageUrl, values.link) }
}

const escaped = (values: Record<AssetPlaceholder, string>): Record<AssetPlaceholder, string> => ({
  link: escapeHtml(values.link),
  code: escapeHtml(values.code),
  firstName: escapeHtml(values.firstName),
})

const linkedImage = ({ alt, width, height }: AssetRow, imageUrl: string, link: string) =>
  `<a href="${escapeHtml(link)}"><img src="${escapeHtml(imageUrl)}" alt="${escapeHtml(alt ?? '')}" width="${width}" height="${height}"></a>`
