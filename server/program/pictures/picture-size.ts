import type { PictureType } from '#contract/pictures.ts'

// Sizes of pictures, read from the few bytes that contain them: nothing is decoded, and every loop advances. Libraries
// for this read dozens of formats, some of which could be made to loop forever.

export type Size = { width: number; height: number }

/** Returns the type by the first bytes; a text, such as SVG, has none. */
export function detectPictureType(bytes: Buffer): PictureType | undefined {
  const begins = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (begins('\x89PNG\r\n\x1a\n') && begins('IHDR', 12)) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  return begins('GIF87a') || begins('GIF89a') ? 'image/gif' : undefined
}

/** Returns the size of a picture of this type; undefined if its bytes contain none. */
export function readPictureSize(bytes: Buffer, type: PictureType): Size | undefined {
  try {
    const size = readers[type](bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // the bytes end before their size
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readers: Record<PictureType, (bytes: Buffer) => Size | undefined> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/webp': webp,
  'image/jpeg': jpeg,
}

/** Reads lossy, lossless and extended files. */
function webp(bytes: Buffer): Size | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21)
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  return undefined
}

/** Walks the segments up to the one that begins the picture. */
function jpeg(bytes: Buffer): Size | undefined {
  let isLying = false
  for (let at = 2; at < bytes.length; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    // bytes that fill the space before a marker
    if (marker === 0xff) {
      at++
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || marker === 0xd9 || marker === 0xda) return undefined
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      return isLying ? { width: height, height: width } : { width, height }
    }
    if (marker === 0xe1) isLying ||= liesOnItsSide(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
  return undefined
}

/** The markers 0xC0 to 0xCF begin a frame, but for those of tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const ORIENTATION = 0x0112

/** Whether a photo is stored lying on its side, by its Exif data. */
function liesOnItsSide(exif: Buffer): boolean {
  if (exif.toString('latin1', 0, 6) !== 'Exif\0\0') return false
  const tiff = exif.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const first = long(4)
    const fields = Math.min(short(first), 100)
    for (let field = 0; field < fields; field++) {
      const at = first + 2 + field * 12
      if (short(at) === ORIENTATION) return short(at + 8) > 4
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return false
}
