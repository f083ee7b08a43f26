import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isEnglish, type Language, shippedLanguages } from '#contract/language.ts'
import { type Catalogue, type Catalogues, loadCatalogues, nearestLanguages } from '#contract/words.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

// The server's words are read from the catalogues beside their modules, each language on first use.
loadCatalogues((language) => (shippedLanguages.includes(language) ? readCatalogues(language) : null))

function readCatalogues(language: Language): Catalogues {
  const catalogues: Record<string, Catalogue> = {}
  const folders = '{contract,features,server,web/words}'
  for (const path of globSync(`${folders}/**/*.${language}.json`, { cwd: root }).toSorted())
    for (const [module, words] of Object.entries<Catalogue>(JSON.parse(readFileSync(root + path, 'utf8'))))
      catalogues[module] = { ...catalogues[module], ...words }
  return catalogues
}

/** The length of the longest header that is read, and the languages that are read of it. */
const LONGEST = 1000
const MOST = 20

const ENGLISH: Language = 'en'

/**
 * Returns the language that the caller prefers of those that the server speaks, with its country: 'de-CH'. It is English
 * if the header names none of them, or is longer than any browser's.
 */
export function preferredLanguage(header: string | undefined): Language {
  if (!header || header.length > LONGEST) return ENGLISH
  const wanted = header.split(',', MOST).flatMap((part) => {
    const [, given, weight = '1'] = WANTED.exec(part) ?? []
    const tag = given && readTag(given)
    return tag && Number(weight) > 0 ? [{ tag, weight: Number(weight) }] : []
  })
  const spoken = wanted
    .toSorted((one, other) => other.weight - one.weight)
    .find(({ tag }) => isEnglish(tag) || nearestLanguages(tag).some((one) => shippedLanguages.includes(one)))
  return spoken && !isEnglish(spoken.tag) ? spoken.tag : ENGLISH
}

const WANTED = /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3})\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/**
 * Returns the tag as it is usually written, 'pt-BR' for 'PT-br', with a country only if the language has formats there:
 * formats are kept for each tag, and a caller can make up countries without end.
 */
function readTag(given: string) {
  try {
    return new Intl.NumberFormat(given).resolvedOptions().locale
  } catch {
    return undefined
  }
}
