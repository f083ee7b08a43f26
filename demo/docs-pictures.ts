import { deflateSync, inflateSync } from 'node:zlib'
import { pngChunk, SIGNATURE } from './png.ts'

/** A picture of docs/screens: the screen of a tour it is taken from, without the sidebar, and its size if not the whole. */
export type Picture = { of: string; width?: number; height?: number; whole?: true; phone?: true }

export const docsPictures: Record<string, Picture> = {
  receipt: { of: 'owner-receipt', width: 770 },
  payday: { of: 'owner-payouts-ready', height: 668 },
  dashboard: { of: 'owner-dashboard', height: 900, whole: true },
  'dashboard-phone': { of: 'owner-dashboard', height: 844, phone: true },
  partner: { of: 'partner-dashboard', height: 860 },
  'get-started': { of: 'other-owner-dashboard', height: 600 },
  'new-link': { of: 'owner-links-new', height: 480 },
  'settings-commission': { of: 'owner-settings-commission', height: 640 },
  'settings-attribution': { of: 'owner-settings-attribution', height: 800 },
  'settings-payouts': { of: 'owner-settings-payouts', height: 930 },
  'settings-people': { of: 'owner-settings-people', height: 640 },
  'payout-approve': { of: 'owner-payout-approve' },
  'payout-details': { of: 'partner-settings', height: 720 },
  import: { of: 'owner-import', height: 640 },
  'import-columns': { of: 'owner-import-columns', height: 1180 },
  'import-past-sales': { of: 'owner-import-past-sales' },
  'payment-providers': { of: 'owner-payment-providers' },
  'connect-stripe': { of: 'other-owner-connect-stripe' },
  'connect-paddle': { of: 'owner-connect-paddle' },
  'connect-paypal': { of: 'owner-connect-paypal' },
  'connect-square': { of: 'owner-connect-square' },
  'connect-lemon-squeezy': { of: 'owner-connect-lemon-squeezy' },
  'connect-shopify': { of: 'owner-connect-shopify' },
  'connect-polar': { of: 'owner-connect-polar' },
  'connect-woocommerce': { of: 'owner-connect-woocommerce' },
  'connect-chargebee': { of: 'owner-connect-chargebee' },
  'connect-recurly': { of: 'owner-connect-recurly' },
  'connect-custom': { of: 'owner-connect-custom' },
  'incoming-webhook': { of: 'owner-incoming-webhook', height: 960 },
  'incoming-webhook-fields': { of: 'owner-incoming-webhook-fields', height: 1195 },
  'outgoing-webhooks': { of: 'owner-outgoing-webhooks', height: 560 },
  'push-data': { of: 'owner-push-data', height: 1250 },
  'embed-code': { of: 'owner-embed-code', height: 1510 },
}

const MOST_COLORS = 256

/** Returns a browser's screenshot with a palette, so that it is a third of the size. */
export function withPalette(screenshot: Uint8Array): Buffer {
  const { width, height, pixels } = pixelsOf(Buffer.from(screenshot))
  const counts = new Map<number, number>()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const palette = [...counts].sort((one, other) => other[1] - one[1]).map(([color]) => color)
  const kept = palette.slice(0, MOST_COLORS)
  const placeOf = new Map(palette.map((color, at) => [color, at < MOST_COLORS ? at : nearest(kept, color)]))
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf.get(pixels[y * width + x]!)!
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.from(kept.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function nearest(palette: number[], color: number) {
  const far = (other: number) =>
    ((color >> 16) - (other >> 16)) ** 2 +
    (((color >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
    ((color & 255) - (other & 255)) ** 2
  return palette.reduce((best, other, at) => (far(other) < far(palette[best]!) ? at : best), 0)
}

/** Decodes a PNG of 8-bit RGB or RGBA, as browsers write screenshots. */
function pixelsOf(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const step = png[25] === 6 ? 4 : 3
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const data = inflateSync(Buffer.concat(parts))
  const stride = width * step
  const pixels = new Uint32Array(width * height)
  let above = Buffer.alloc(stride)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]!
    const row = data.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1))
    for (let at = 0; at < stride; at++) {
      const [left, up, corner] = [at < step ? 0 : row[at - step]!, above[at]!, at < step ? 0 : above[at - step]!]
      row[at] = row[at]! + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
    }
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = (row[x * step]! << 16) | (row[x * step + 1]! << 8) | row[x * step + 2]!
    above = row
  }
  return { width, height, pixels }
}

function paeth(left: number, up: number, corner: number) {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value)) as [number, number, number]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
