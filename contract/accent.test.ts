import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { accentColors, contrastRatio, grounds } from './accent.ts'

const css = readFileSync(new URL('../web/ui/tokens.css', import.meta.url), 'utf8')
const themes = ['light', 'dark'] as const

test('the grounds are those of the style sheet', () => {
  for (const [place, theme] of themes.entries())
    for (const [name, color] of Object.entries(grounds[theme]))
      assert.equal(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)?.[place + 1], color, name)
})

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`

function assertReadable(accent: string) {
  const { link, primary, hover, onPrimary } = accentColors(accent)
  assert.equal(primary, accent)
  assert.ok(contrastRatio(onPrimary, primary) >= 4.58, `${onPrimary} on ${primary}`)
  assert.ok(contrastRatio(onPrimary, hover) >= 4.5, `${onPrimary} on ${hover}, below the pointer`)
  for (const theme of themes)
    for (const [name, ground] of Object.entries(grounds[theme]))
      assert.ok(contrastRatio(link[theme], ground) >= 4.5, `${accent} as ${link[theme]} on ${name} of ${theme}`)
}

test('every color becomes readable on every ground of both themes, and on its button', () => {
  // each corner and edge of the colors, and the grays
  const some = [0, 1, 64, 127, 128, 191, 254, 255]
  for (const r of some) for (const g of some) for (const b of some) assertReadable(hex((r << 16) | (g << 8) | b))
  for (let gray = 0; gray < 256; gray++) assertReadable(hex(gray * 0x010101))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => assertReadable(hex(value))),
    { numRuns: 2000, seed: 29 },
  )
})

test('a color that can be read already stays as it is', () => {
  assert.equal(accentColors('#2f43bf').link.light, '#2f43bf')
  assert.equal(accentColors('#a3b4ff').link.dark, '#a3b4ff')
})

test('a moved color keeps its hue', () => {
  const { link } = accentColors('#ffd400')
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(link.light.slice(at, at + 2), 16)) as [number, number, number]
  assert.ok(r > g && g > b, link.light)
  assert.equal(link.dark, '#ffd400')
})
