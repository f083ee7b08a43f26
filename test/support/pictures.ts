import { randomBytes } from 'node:crypto'
import { drawPng, encodePng, type Pixel } from '../../demo/png.ts'

/** A small picture of one color. */
export const aPicture = (color: Pixel = [14, 124, 134, 255], width = 40, height = 20) =>
  drawPng(width, height, () => color)

/** A small picture in the form that a file input accepts. */
export const aPictureFile = (name: string) => ({ name, mimeType: 'image/png', buffer: aPicture() })

/** A PNG of this size in bytes. */
export function aLargePicture(bytes: number, size = { width: 100, height: 100 }): Buffer {
  const frame = encodePng(size, Buffer.alloc(0)).length
  return encodePng(size, randomBytes(bytes - frame))
}

/** The headers of the other kinds, enough to read their size. */
export const otherPictures: Readonly<Record<string, Buffer>> = {
  'image/gif': Buffer.from('GIF89a\x28\x00\x14\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff;', 'latin1'),
  'image/jpeg': Buffer.concat([
    Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00', 'latin1'),
    Buffer.from('\xff\xc0\x00\x11\x08\x00\x14\x00\x28\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xd9', 'latin1'),
  ]),
  'image/webp': Buffer.from(
    'RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x27\xc0\x04\x00\x07\x50\x00\x00\x00\x00\x00\x00\x00',
    'latin1',
  ),
}

export const base64 = (bytes: Buffer | string) => Buffer.from(bytes as string).toString('base64')
