import { randomBytes } from 'node:crypto'
import { PICTURES_BYTES } from '#contract/pictures.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import { filesChanged } from './file-map.ts'
import { bytesInWords, type Picture, type Purpose, readPicture, toPicture } from './picture.ts'
import {
  type BrandPicture,
  brandPicture,
  brandPictures,
  bytesStored,
  claimFileKey,
  deleteMaterialFile,
  findAccent,
  getFileBytes,
  getFileLength,
  insertMaterialFile,
  listFileKeys,
  renameFile,
  replaceFile,
} from './queries.ts'

/** The address of a picture, which stays when it is replaced. */
export const fileUrl = (origin: string, key: string) => `${origin}/files/${key}`

/** An address that is new with each picture, so that our screens show a replaced one at once; without its origin. */
export const freshPath = ({ key, sha256 }: { key: string; sha256: string }) => `/files/${key}?v=${sha256.slice(0, 8)}`

/** 22 characters, which cannot be guessed. */
const newFileKey = () => randomBytes(17).toString('base64url').slice(0, 22)

/** `path` follows the origin. */
export type BrandImage = { path: string; width: number; height: number }

/** The look of an account to its partners and to strangers. */
export type Look = { accent: string | null } & Record<BrandPicture, BrandImage | null>

export async function getLook(db: Queryable, accountId: string): Promise<Look> {
  const pictures = new Map((await brandPictures(db, accountId)).map((row) => [row.purpose, row]))
  const image = (purpose: BrandPicture) => {
    const row = pictures.get(purpose)
    return row ? { path: freshPath(row), width: row.width, height: row.height } : null
  }
  return { accent: await findAccent(db, accountId), logo: image('logo'), cover: image('cover') }
}

export const logoUrl = (origin: string, { logo }: Look) => logo && `${origin}${logo.path}`

export const coverUrl = (origin: string, { cover }: Look) => cover && `${origin}${cover.path}`

/** Locks the account's assets and pictures until the transaction ends. */
export const lockMaterial = (tx: Transaction, accountId: string) => tx.one`
  select id from accounts where id = ${accountId} for no key update`

/**
 * Stores a picture as the account's logo or cover, in place of the former one, or removes it.
 * Refuses: what is no picture, a too large one, and one beyond the account's storage.
 */
export async function saveBrandPicture(
  tx: Transaction,
  accountId: string,
  purpose: BrandPicture,
  base64: string | null,
): Promise<void> {
  const picture = base64 === null ? null : readPicture(base64, purpose, purpose)
  await lockMaterial(tx, accountId)
  const present = await brandPicture(tx, accountId, purpose)
  if (picture) await savePicture(tx, { accountId, purpose, id: present?.id }, picture)
  else if (present) await removePicture(tx, accountId, present.id)
}

/** The former and the new picture of a logo or cover, for the activity: the beginnings of their hashes. */
export const brandPictureHash = async (db: Queryable, accountId: string, purpose: BrandPicture) =>
  (await brandPicture(db, accountId, purpose))?.sha256.slice(0, 8) ?? null

type Place = { accountId: string; purpose: Purpose; id?: string | undefined }

/** Stores a picture, with an `id` in place of that one. Call it under the lock of the account's material. */
export async function savePicture(tx: Transaction, { accountId, purpose, id }: Place, picture: Picture) {
  const before = id === undefined ? 0 : await getFileLength(tx, accountId, id)
  if ((await bytesStored(tx, accountId)) - before + picture.bytes.length > PICTURES_BYTES)
    throw refusal('storage_full', { size: () => bytesInWords(PICTURES_BYTES) })
  const fileId = id ?? newId()
  if (id !== undefined) await replaceFile(tx, { id, accountId }, picture)
  else await insertMaterialFile(tx, { id: fileId, accountId, purpose, key: await freeKey(tx, accountId) }, picture)
  await filesChanged(tx, accountId)
  return fileId
}

export async function removePicture(tx: Transaction, accountId: string, id: string) {
  await deleteMaterialFile(tx, accountId, id)
  await filesChanged(tx, accountId)
}

async function freeKey(tx: Transaction, accountId: string) {
  const key = newFileKey()
  await claimFileKey(tx, accountId, key)
  return key
}

/**
 * Claims the addresses of an imported account's pictures if they are free; the others get new ones. Returns the ids of
 * the pictures whose bytes aren't of their type, and the number of new addresses.
 */
export async function claimImportedFiles(tx: Transaction, accountId: string) {
  const wrong: string[] = []
  let renamed = 0
  for (const { id, key } of await listFileKeys(tx, accountId)) {
    const { bytes, ...said } = await getFileBytes(tx, accountId, id)
    const found = toPicture(bytes)
    const agrees = found && found.type === said.type && found.width === said.width && found.height === said.height
    if (!agrees) wrong.push(id)
    if ((await claimFileKey(tx, accountId, key)) === accountId) continue
    await renameFile(tx, { id, accountId }, await freeKey(tx, accountId))
    renamed++
  }
  await filesChanged(tx, accountId)
  return { wrong, renamed }
}
