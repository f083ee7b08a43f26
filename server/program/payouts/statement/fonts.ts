import { fileURLToPath } from 'node:url'
import { type Font, openSync } from 'fontkit'

// One family of fonts for every script it has: Latin, Greek, Cyrillic, Vietnamese, Hebrew, Arabic, Armenian, Georgian.
const fileOf = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
export const fontFiles = { regular: fileOf('DejaVuSansCondensed'), bold: fileOf('DejaVuSansCondensed-Bold') }

let opened: Font[] | undefined
const hasGlyph = (sign: string) => {
  opened ??= Object.values(fontFiles).map((file) => openSync(file) as Font)
  return opened.every((font) => font.hasGlyphForCodePoint(sign.codePointAt(0)!))
}

/** The replacement for a character that the fonts do not have. */
export const MISSING = '?'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
export const signsOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** The text in signs that the fonts have, and whether some had to be left out. Marks that only steer how it is set are dropped. */
export function printable(text: string): { text: string; whole: boolean } {
  if (/^[\x20-\x7e]*$/.test(text)) return { text, whole: true }
  let whole = true
  const signs = signsOf(text.normalize('NFC')).map((sign) => {
    const seen = [...sign].filter((one) => !/[\p{Cf}\p{Variation_Selector}]/u.test(one))
    if (seen.every(hasGlyph)) return seen.join('')
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
 * A line in the pieces that stand beside each other from left to right. The font sets each word of a script that is
 * written from right to left; the order of such words is turned here.
 */
export function piecesOf(line: string): string[] {
  if (!rightToLeft.test(line)) return [line]
  return (line.match(runs) ?? []).flatMap((run) => (rightToLeft.test(run) ? run.split(/( )/).reverse() : [run]))
}
