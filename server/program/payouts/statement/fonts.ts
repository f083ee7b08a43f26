import { fileURLToPath } from 'node:url'
import { type Font, openSync } from 'fontkit'
import { withLanguage } from '#contract/language.ts'
import { currencyCodes, moneyInWords } from '#contract/money.ts'
import { lazyValue } from '../../../platform/lazy-value.ts'

// One family of fonts for all scripts it supports: Latin, Greek, Cyrillic, Vietnamese, Hebrew, Arabic, Armenian,
// Georgian.
const fileOf = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
export const fontFiles = { regular: fileOf('DejaVuSansCondensed'), bold: fileOf('DejaVuSansCondensed-Bold') }

let opened: Font[] | undefined
const hasGlyph = (sign: string) => {
  opened ??= Object.values(fontFiles).map((file) => openSync(file) as Font)
  return opened.every((font) => font.hasGlyphForCodePoint(sign.codePointAt(0)!))
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
    if (seen.every(hasGlyph)) return seen.join('')
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
