import { createHash } from 'node:crypto'
import { imageSize } from 'image-size'
import { PICTURE_BYTES, PICTURE_SIDE, type PictureType } from '#contract/material.ts'
import { wrongField } from '../../platform/refusal.ts'

export type Purpose = keyof typeof PICTURE_BYTES

export type Picture = { bytes: Buffer; type: PictureType; width: number; height: number; sha256: string }

/** Most bytes of a picture, in words. */
const sizeOf = (purpose: Purpose) => bytesInWords(PICTURE_BYTES[purpose])

export const bytesInWords = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`

/** Reads an uploaded picture. Refuses: what is none by its bytes, and one with too many bytes or pixels. */
export function readPicture(base64: string, purpose: Purpose, field: string): Picture {
  const bytes = Buffer.from(base64, 'base64')
  const size = sizeOf(purpose)
  const tooLarge = () => wrongField(field, 'picture_too_large', { size, side: PICTURE_SIDE })
  if (bytes.length > PICTURE_BYTES[purpose]) throw tooLarge()
  const picture = pictureOf(bytes)
  if (!picture) throw wrongField(field, 'not_a_picture', { size })
  if (Math.max(picture.width, picture.height) > PICTURE_SIDE) throw tooLarge()
  return picture
}

/** Returns what the bytes are by themselves; undefined for anything but the pictures that we keep. Decodes nothing. */
export function pictureOf(bytes: Buffer): Picture | undefined {
  const type = typeOf(bytes)
  if (!type) return undefined
  try {
    const { width, height, orientation = 1 } = imageSize(bytes)
    if (!(width > 0 && height > 0)) return undefined
    // a photo may be stored lying on its side
    const [shownWidth, shownHeight] = orientation > 4 ? [height, width] : [width, height]
    return { bytes, type, width: shownWidth, height: shownHeight, sha256: sha256(bytes) }
  } catch {
    return undefined
  }
}

/** Returns the type by the first bytes; those of a text, such as SVG, are of none. */
function typeOf(bytes: Buffer): PictureType | undefined {
  const begins = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text
  if (begins('\x89PNG\r\n\x1a\n') && begins('IHDR', 12)) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  return begins('GIF87a') || begins('GIF89a') ? 'image/gif' : undefined
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
