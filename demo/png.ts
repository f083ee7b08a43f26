import { crc32, deflateSync } from 'node:zlib'

/** Red, green, blue and opacity, each 0 to 255. */
export type Pixel = readonly [number, number, number, number]

/** Draws a PNG, pixel by pixel. */
export function drawPng(width: number, height: number, at: (x: number, y: number) => Pixel): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4))
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows.set(at(x, y), y * (1 + width * 4) + 1 + x * 4)
  return encodePng({ width, height }, deflateSync(rows))
}

/** A PNG with this header, whatever its data. */
export function encodePng({ width, height }: { width: number; height: number }, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([SIGNATURE, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))])
}

export const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export function pngChunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
