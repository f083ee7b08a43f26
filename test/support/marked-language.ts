import { type Catalogues, loadCatalogues } from '#contract/words.ts'
import { readEnglish } from '../../web/build/catalogues.ts'

/** A language whose every text is the English one between marks, in the formats of a language without Latin letters. */
export const MARKED = 'ja'

/**
 * Loads the marked language: a text without marks was not translated, or read in another language. Returns what loads
 * the former languages again.
 */
export async function loadMarked() {
  const catalogues: Branch = {}
  for (const { module, path, text } of (await readEnglish()).flatMap(({ texts }) => texts)) {
    const keys = [module, ...path.split('.')]
    const last = keys.pop()!
    keys.reduce(branchIn, catalogues)[last] = `⟦${text}⟧`
  }
  return loadCatalogues((language) => (language === MARKED ? (catalogues as Catalogues) : null))
}

type Branch = { [key: string]: Branch | string }

function branchIn(branch: Branch, key: string): Branch {
  const found = branch[key]
  if (typeof found === 'object') return found
  const made: Branch = {}
  branch[key] = made
  return made
}

/** Lists the words of a text outside its marks. */
export function unmarkedWords(text: string): string[] {
  let [before, rest] = ['', text]
  while (rest !== before) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, ' ')]
  return rest.match(/\p{Script=Latin}{3,}/gu) ?? []
}

/** Returns the text of a page as it is read, also its descriptions and names for screen readers. */
export const readableText = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/gs, ' ')
    .replace(/<[^>]* (?:content|aria-label)="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]+>/g, ' ')
