import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const words = fileURLToPath(new URL('../../web/words', import.meta.url))

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const marked = 'áƀçđéƒğĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶĻⱮÑÓÞɊŔŠŢÚṼŴẊÝŽ'

const letters = new Map([...plain].map((letter, at) => [letter, [...marked][at] as string]))

/** The letters of the pseudo-language; no other text of the product has words with them. */
export const PSEUDO_LETTERS = `[${marked}]`

/**
 * A text of the catalogue in the pseudo-language: every letter is marked and vowels are doubled, so that it is about 35
 * % longer but still readable. Placeholders, `{{name}}`, are unchanged. A concatenation gives the concatenation of both
 * results.
 */
export const pseudo = (text: string) =>
  text
    .split(/(\{\{.*?\}\}|\{\w+\})/)
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
    async load(id) {
      if (dirname(id) !== words || !/^en\b.*\.ts$/.test(basename(id))) return undefined
      const groups = Object.entries((await import(pathToFileURL(id).href)) as Record<string, object>)
      return groups.map(([name, group]) => `export const ${name} = ${JSON.stringify(inPseudo(group))}`).join('\n')
    },
  }
}

const inPseudo = (word: unknown): unknown =>
  typeof word === 'string'
    ? pseudo(word)
    : Object.fromEntries(Object.entries(word as object).map(([key, inner]) => [key, inPseudo(inner)]))
