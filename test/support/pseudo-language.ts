import { globSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { withTexts } from './words-syntax.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The files of words, and of those shared with the server's mails; the others in their folder translate,
 * describe documents or test.
 */
export const filesOfWords = [
  ...filesIn('web/words', (name) => !/^(refusals|public-pages)\.ts$|\.test\.ts$|\.json$/.test(name)),
  ...filesIn('contract', (name) => name.endsWith('-words.ts')),
  ...globSync(`${root}features/*/*text.ts`),
]

function filesIn(folder: string, isOfWords: (name: string) => boolean) {
  const path = `${root}${folder}/`
  return readdirSync(path)
    .filter(isOfWords)
    .map((name) => `${path}${name}`)
}

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const marked = 'áƀçđéƒğĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶĻⱮÑÓÞɊŔŠŢÚṼŴẊÝŽ'

const letters = new Map([...plain].map((letter, at) => [letter, [...marked][at] as string]))

/** The letters of the pseudo-language; no other text of the product has words with them. */
export const PSEUDO_LETTERS = `[${marked}]`

/**
 * A text of the catalogue in the pseudo-language: every letter is marked and vowels are doubled, so that it is about 35
 * % longer but still readable. A place to fill in, `{name}`, is unchanged. A concatenation gives the concatenation of both
 * results.
 */
export const toPseudo = (text: string) =>
  text
    .split(/(\{\w+\})/)
    .map((part, at) => (at % 2 ? part : part.replace(/[a-z]/gi, (letter) => markedLetter(letter))))
    .join('')

const markedLetter = (letter: string) => {
  const mark = letters.get(letter) as string
  return /[aeiouy]/i.test(letter) ? mark + mark.toLowerCase() : mark
}

/** A Vite plugin that translates the catalogue into the pseudo-language, for builds used only by tests. */
export function pseudoLanguage(): Plugin {
  return {
    name: 'pseudo-language',
    enforce: 'pre',
    transform: (code, id) =>
      filesOfWords.includes(id) ? { code: withTexts(id, code, toPseudo), map: null } : undefined,
  }
}
