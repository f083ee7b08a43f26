import { createHash } from 'node:crypto'
import { PICTURE_BYTES, PICTURE_SIDE, type PictureType } from '#contract/pictures.ts'
import { wrongField } from '../../platform/refusal.ts'
import { detectPictureType, readPictureSize } from './picture-size.ts'

export type Purpose = keyof typeof PICTURE_BYTES

export type Picture = { bytes: Buffer; type: PictureType; width: number; height: number; sha256: string }

export const bytesInWords = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`

/** Reads an uploaded picture. Refuses: what is none by its bytes, and one with too many bytes or pixels. */
export function readPicture(base64: string, purpose: Purpose, field: string): Picture {
  const bytes = Buffer.from(base64, 'base64')
  const size = bytesInWords(PICTURE_BYTES[purpose])
  const tooLarge = () => wrongField(field, 'picture_too_large', { size, side: PICTURE_SIDE })
  if (bytes.length > PICTURE_BYTES[purpose]) throw tooLarge()
  const picture = toPicture(bytes)
  if (!picture) throw wrongField(field, 'not_a_picture', { size })
  if (Math.max(picture.width, picture.height) > PICTURE_SIDE) throw tooLarge()
  return picture
}

/** Returns the type of picture by its bytes; undefined for any type that we don't store. */
export function toPicture(bytes: Buffer): Picture | undefined {
  const type = detectPictureType(bytes)
  const size = type && readPictureSize(bytes, type)
  return size && { ...size, bytes, type, sha256: createHash('sha256').update(bytes).digest('hex') }
}
