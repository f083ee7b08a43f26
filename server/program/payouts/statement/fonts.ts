import { readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Font, openSync } from 'fontkit'
import type { Logger } from 'pino'
import { withLanguage } from '#contract/language.ts'
import { currencyCodes, moneyInWords } from '#contract/money.ts'
import { lazyValue } from '../../../platform/lazy-value.ts'

// One family of fonts for all scripts it supports: Latin, Greek, Cyrillic, Vietnamese, Hebrew, Arabic, Armenian,
// Georgian.
const fileOf = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
export const fontFiles = { regular: fileOf('DejaVuSansCondensed'), bold: fileOf('DejaVuSansCondensed-Bold') }

/** Loaded with the first document: a start needs none of its 40 files. */
const fontkit = lazyValue(() => createRequire(import.meta.url)('fontkit') as { openSync: typeof openSync })

const ours = lazyValue(() => Object.values(fontFiles).map((file) => fontkit().openSync(file) as Font))

/** Returns the height of our fonts above their line, in this size. */
export const heightAbove = (size: number) => (ours()[0]!.ascent / ours()[0]!.unitsPerEm) * size

/** A font of the install, for scripts that ours lack. */
type OwnFont = { file: string; font: Font }

let own: readonly OwnFont[] = []

/** Asks these fonts, in their order, for characters that ours lack. Returns what restores the former ones. */
export function setFonts(fonts: readonly OwnFont[]): () => void {
  const former = own
  own = fonts
  return () => void setFonts(former)
}

const OURS = 'ours'

/** Returns the font that has a character: ours, or the file of an own one; undefined if none has it. */
function findFont(sign: string): string | undefined {
  const has = (font: Font) => [...sign].every((one) => font.hasGlyphForCodePoint(one.codePointAt(0)!))
  return ours().every(has) ? OURS : own.find(({ font }) => has(font))?.file
}

/** Larger than any font that is meant for text. */
const MOST_BYTES = 64 * 1024 * 1024

/** Reads the fonts in DATA_DIR/languages, and what is wrong with them. */
export async function readFonts(dataDir: string): Promise<{ fonts: OwnFont[]; faults: string[] }> {
  const folder = join(dataDir, 'languages')
  const fonts: OwnFont[] = []
  const faults: string[] = []
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => /\.[ot]tf$/i.test(one)).toSorted()) {
    const file = join(folder, name)
    try {
      if ((await stat(file)).size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`)
      const font = fontkit().openSync(file)
      if (!('hasGlyphForCodePoint' in font)) throw new Error('it is a collection: put its fonts there, one a file')
      fonts.push({ file, font })
    } catch (error) {
      faults.push(`${name} can’t be used as a font: ${(error as Error).message}`)
    }
  }
  return { fonts, faults }
}

/** Uses the fonts of this install from now on, and names in the log those that can’t be used. */
export async function loadFonts(dataDir: string, log: Logger): Promise<void> {
  const { fonts, faults } = await readFonts(dataDir)
  setFonts(fonts)
  for (const fault of faults) log.warn({ fault }, 'a font in DATA_DIR/languages is not used')
}

/** Replacement for a character that the fonts lack. */
export const MISSING = '?'

/** Codes of currencies by their sign, for signs that the fonts lack. */
const codeOf = lazyValue(() =>
  withLanguage(
    'en',
    () => new Map(currencyCodes.map((code) => [moneyInWords(0, code).replace(/[\d.,]/g, ''), code.toUpperCase()])),
  ),
)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
export const splitGraphemes = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)

/**
 * Returns the text in characters that the fonts have, and whether it is complete. Control characters for text layout
 * are dropped.
 */
export function toPrintable(text: string): { text: string; whole: boolean } {
  if (/^[\x20-\x7e]*$/.test(text)) return { text, whole: true }
  let whole = true
  const signs = splitGraphemes(text.normalize('NFC')).map((sign) => {
    const seen = [...sign].filter((one) => !/[\p{Cf}\p{Variation_Selector}]/u.test(one))
    const shown = seen.join('')
    if (findFont(shown)) return shown
    const code = /^\p{Sc}$/u.test(sign) ? codeOf().get(sign) : undefined
    if (code) return `${code}\u00a0`
    whole = false
    return MISSING
  })
  return { text: signs.join(''), whole }
}

const RIGHT_TO_LEFT = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]`
const word = String.raw`${RIGHT_TO_LEFT}(?:${RIGHT_TO_LEFT}|\p{M})*`
const rightToLeft = new RegExp(RIGHT_TO_LEFT, 'u')
const runs = new RegExp(`${word}(?: ${word})*|(?:(?!${RIGHT_TO_LEFT}).)+`, 'gu')

/**
 * Splits a line into pieces in visual order from left to right. The font sets each right-to-left word; the order of
 * such words is reversed here.
 */
export function toVisualPieces(line: string): string[] {
  if (!rightToLeft.test(line)) return [line]
  return (line.match(runs) ?? []).flatMap((run) => (rightToLeft.test(run) ? run.split(/( )/).reverse() : [run]))
}

/** Splits a text into runs by font; the file is null for our own. */
export function splitByFont(text: string): { text: string; file: string | null }[] {
  if (own.length === 0) return [{ text, file: null }]
  const found: { text: string; file: string | null }[] = []
  for (const sign of splitGraphemes(text)) {
    const font = findFont(sign) ?? OURS
    const file = font === OURS ? null : font
    const last = found.at(-1)
    // a space goes on in the font before it
    if (last && (last.file === file || sign === ' ')) last.text += sign
    else found.push({ text: sign, file })
  }
  return found
}
