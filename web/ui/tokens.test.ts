import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

type Token = string

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** Returns a color of the style sheet in one of the themes; most are written `light-dark(#…, #…)`. */
function colorOf(token: Token, theme: 'light' | 'dark') {
  const [, light, dark = light] = new RegExp(`--${token}: (?:light-dark\\()?(#\\w{6})(?:, (#\\w{6}))?`).exec(css) ?? []
  const color = theme === 'light' ? light : dark
  assert.ok(color, `tokens.css holds no color '${token}'`)
  return color
}

/** Returns the contrast of two colors by WCAG 2: 1 is none, 21 black on white. */
function contrast(one: string, other: string) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const grounds: Token[] = ['ground', 'surface', 'raised']
const rows: Token[] = ['selected', 'hover']
const tints = ['neutral', 'success', 'warning', 'error', 'info'] as const

const text: Array<[Token, Token]> = [
  ...[...grounds, ...rows].flatMap(
    (ground): Array<[Token, Token]> => [
      ['text', ground],
      ['muted', ground],
      ['link', ground],
    ],
  ),
  ...tints.flatMap(
    (tint): Array<[Token, Token]> => [
      [tint, `${tint}-tint`],
      ['text', `${tint}-tint`],
    ],
  ),
  ['error', 'surface'],
  ['success', 'surface'],
  ['on-primary', 'primary'],
  ['on-primary', 'primary-hover'],
  ['on-danger', 'danger'],
]

const shapes: Array<[Token, Token]> = [
  ...grounds.flatMap(
    (ground): Array<[Token, Token]> => [
      ['control', ground],
      ['link', ground],
    ],
  ),
  ...(['revenue', 'share', 'profit', 'leads', 'sales'] as const).flatMap(
    (series): Array<[Token, Token]> => [
      [`series-${series}`, 'surface'],
      [`series-${series}`, 'ground'],
    ],
  ),
]

for (const theme of ['light', 'dark'] as const) {
  const lowest = (pairs: Array<[Token, Token]>, least: number) =>
    pairs
      .map(([front, back]) => ({ front, back, contrast: contrast(colorOf(front, theme), colorOf(back, theme)) }))
      .filter((pair) => pair.contrast < least)

  test(`text keeps a contrast of 4.5 in the ${theme} theme`, () => assert.deepEqual(lowest(text, 4.5), []))
  test(`controls, the focus ring and chart series keep a contrast of 3 in the ${theme} theme`, () =>
    assert.deepEqual(lowest(shapes, 3), []))
}

test('contrast is measured as WCAG does', () => {
  assert.equal(contrast('#000000', '#FFFFFF'), 21)
  assert.equal(Math.round(contrast('#777777', '#FFFFFF') * 100) / 100, 4.48)
})

const SCALES = [
  [/^(?:(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?)$/, /(?<![\w.-])(?:4|8|12|16|24|32)px\b/],
  [/^font-size$/, /^(?:12|14|16|24)px$/],
  [/^border-(?:[a-z]+-)*radius$/, /\b[68]px\b/],
  [/^z-index$/, /^\d{2,}$/],
] as const

/** Returns the declarations that write a size of a scale as a number. */
const literalsIn = (sheet: string) =>
  [...sheet.matchAll(/(?<=[\s{])([a-z-]+): ([^;{}]+);/g)]
    .filter(([, property, value]) =>
      SCALES.some(([names, sizes]) => names.test(property!) && !value!.includes('calc') && sizes.test(value!)),
    )
    .map(([declaration]) => declaration)

test('style sheets use the scales of space, text, corners and layers', () => {
  const files = globSync(['../**/*.module.css', '../../features/*/web/**/*.module.css'], { cwd: import.meta.dirname })
  assert.ok(files.length > 50)
  const found = files.flatMap((file) =>
    literalsIn(readFileSync(new URL(file, import.meta.url), 'utf8')).map((literal) => `${file}: ${literal}`),
  )
  assert.deepEqual(found, [])
  assert.deepEqual(literalsIn('.a { gap: 8px; margin: 0 -2px; font-size: 12px; top: 8px; }'), [
    'gap: 8px;',
    'font-size: 12px;',
  ])
})

test('a class name in a component is one of the global sheets’', () => {
  const web = new URL('../', import.meta.url)
  const sheets = ['base', 'layout', 'looks']
    .map((name) => readFileSync(new URL(`ui/${name}.css`, web), 'utf8'))
    .join('')
  const known = new Set(Array.from(sheets.matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name))
  const unknown = globSync(['**/*.tsx', '../features/*/web/**/*.tsx'], { cwd: web }).flatMap((file) =>
    Array.from(readFileSync(new URL(file, web), 'utf8').matchAll(/className="([^"]*)"/g), ([, names = '']) => names)
      .flatMap((names) => names.split(' '))
      .filter((name) => !known.has(name))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})
