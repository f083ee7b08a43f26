import type { NewAsset } from '#features/assets/contract.ts'
import { createAsset } from '#features/assets/server/assets.ts'
import { userAuthor } from '../server/platform/author.ts'
import { changeBrand } from '../server/program/portal/brand.ts'
import { drawPng, type Pixel } from './png.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today at which the program got its look. */
const DRESSED = 18

const ACCENT = '#0e7c86'
const teal: Pixel = [14, 124, 134, 255]
const sand: Pixel = [240, 163, 94, 255]
const nothing: Pixel = [0, 0, 0, 0]

/** A lighthouse on a round ground. */
const logo = () =>
  drawPng(128, 128, (x, y) => {
    const [dx, dy] = [x - 63.5, y - 63.5]
    if (Math.hypot(dx, dy) > 62) return nothing
    const isLight = Math.hypot(dx, dy + 30) < 10
    const isTower = y > 44 && y < 104 && Math.abs(dx) < 8 + (y - 44) / 8
    return isLight ? sand : isTower ? [255, 255, 255, 255] : teal
  })

/** Waves below a sky, as wide as a banner. */
const banner = (width: number, height: number) =>
  drawPng(width, height, (x, y) => {
    const wave = height * 0.6 + Math.sin(x / 23) * height * 0.08
    if (Math.hypot(x - width * 0.85, y - height * 0.35) < height * 0.18) return sand
    return y > wave ? teal : [226, 241, 243, 255]
  })

const base64 = (bytes: Buffer) => bytes.toString('base64')

const assets = (): NewAsset[] => [
  {
    kind: 'image',
    name: 'Banner, 728 × 90',
    image: base64(banner(728, 90)),
    alt: 'Harbor Analytics: see where your sales come from',
  },
  {
    kind: 'image',
    name: 'Square for a sidebar',
    image: base64(banner(300, 250)),
    alt: 'Harbor Analytics: statistics without cookies',
  },
  {
    kind: 'text',
    name: 'Post',
    body: 'I see where my shop’s sales come from with Harbor Analytics, without cookies: {link}',
  },
  {
    kind: 'html',
    name: 'Box for a blog',
    body: '<aside>\n  <p>{firstName} recommends <a href="{link}">Harbor Analytics</a>.</p>\n</aside>',
  },
]

/** Plans the program's logo and color, and what its partners copy. */
export function planMaterial(story: Story, { id, owner }: Harbor) {
  const { course, services } = story
  course.at(toMoment(story, DRESSED), async (tx) => {
    const by = userAuthor(owner)
    await changeBrand(tx, services.config, by, id, { accent: ACCENT, logo: base64(logo()) })
    for (const asset of assets()) await createAsset(tx, services.config.appUrl, by, id, asset)
  })
}
