import { loadCatalogues } from '#contract/words.ts'
import { textsFor } from '../../server/platform/check-words.ts'
import { readEnglish, toCatalogues } from '../../server/platform/word-files.ts'

/** A language whose every text is the English one between marks, in the formats of a language without Latin letters. */
export const MARKED = 'ja'

/** Returns a text of the catalogue as the marked language has it. */
export const toMarked = (text: string) => `⟦${text}⟧`

/** Returns the words of the marked language, as an install's file has them. */
export async function markedCatalogues() {
  const texts = textsFor(MARKED, await readEnglish())
  return toCatalogues(texts.map((one) => ({ ...one, text: toMarked(one.text) })))
}

/**
 * Loads the marked language: a text without marks was not translated, or read in another language. Returns what loads
 * the former languages again.
 */
export async function loadMarked() {
  const catalogues = await markedCatalogues()
  return loadCatalogues((language) => (language === MARKED ? catalogues : null))
}

/** Returns a text of the marked language as English has it. */
export const withoutMarks = (text: string) => text.replace(/[⟦⟧]/g, '')

/** Returns a text without what is between marks, also within others. */
export function withoutMarked(text: string): string {
  let [before, rest] = ['', text]
  while (rest !== before) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, ' ')]
  return rest
}

/** Lists the words of a text outside its marks. */
export const unmarkedWords = (text: string): string[] => withoutMarked(text).match(/\p{Script=Latin}{3,}/gu) ?? []

/** Returns the text of a page as it is read, also its descriptions and names for screen readers. */
export const readableText = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/gs, ' ')
    .replace(/<[^>]* (?:content|aria-label)="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]+>/g, ' ')
