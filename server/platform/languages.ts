import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isEnglish, type Language, offerLanguages, shippedLanguages } from '#contract/language.ts'
import { type Catalogues, loadCatalogues, nearestLanguages, type Part, parts } from '#contract/words.ts'
import { createTextFinder, findFault, findMissing, textsFor } from './check-words.ts'
import {
  type EnglishText,
  listTexts,
  mergeCatalogues,
  readCatalogues,
  readEnglish,
  toCatalogues,
} from './word-files.ts'

/** The languages of an install: those shipped, corrected by its own files, and others that only it has. */
export type InstallLanguages = {
  /** The words of each file that can be shown. */
  own: ReadonlyMap<Language, Catalogues>
  /** The parts that each language has nine of ten words of. */
  parts: ReadonlyMap<Language, readonly Part[]>
  /** The faults of the files, in words. */
  faults: readonly string[]
}

const SHIPPED: InstallLanguages = {
  own: new Map(),
  parts: new Map(shippedLanguages.map((language) => [language, parts])),
  faults: [],
}

let install = SHIPPED
let merged = new Map<Language, Catalogues>()

/** Speaks the languages of an install from now on. Returns what restores the former ones. */
export function speakLanguages(next: InstallLanguages): () => void {
  const former = install
  install = next
  merged = new Map()
  offerLanguages(languagesWith('server'))
  loadCatalogues((language) => (hasPart(language, 'server') ? getWords(language) : null))
  return () => void speakLanguages(former)
}

/** Returns the languages that have a part, besides English. */
export const languagesWith = (part: Part) => [...install.parts.keys()].filter((language) => hasPart(language, part))

/** Returns the parts of each language besides English. */
export const partsOfLanguages = () => install.parts

const hasPart = (language: Language, part: Part) => install.parts.get(language)?.includes(part) ?? false

/** Returns the language in which a reader of a tag sees a part; undefined if that is English. */
export const findLanguage = (tag: Language, part: Part): Language | undefined =>
  isEnglish(tag) ? undefined : nearestLanguages(tag).find((language) => hasPart(language, part))

/** Returns the words of a language: those shipped, of a country over its language's, under the install's own. */
export function getWords(language: Language): Catalogues {
  const words = merged.get(language) ?? layer(language, install.own)
  merged.set(language, words)
  return words
}

const layer = (language: Language, own: InstallLanguages['own']) =>
  nearestLanguages(language)
    .toReversed()
    .flatMap((one) => [shippedLanguages.includes(one) ? readCatalogues(one) : {}, own.get(one) ?? {}])
    .reduce<Catalogues>(mergeCatalogues, {})

/** Returns the words of a language that are shipped, without the install's own. */
export function shippedWords(language: Language): Catalogues {
  const words = shipped.get(language) ?? layer(language, SHIPPED.own)
  shipped.set(language, words)
  return words
}

const shipped = new Map<Language, Catalogues>()

/** Whether this install's own files have words of a module in a language. */
export const hasOwnWords = (language: Language, module: string) =>
  nearestLanguages(language).some((one) => install.own.get(one)?.[module])

speakLanguages(SHIPPED)

/** Most faults that the log and the doctor name. */
export const MOST_NAMED = 20

/** Speaks the languages of this install from now on, and names in the log what is wrong with its files. */
export async function loadLanguages(dataDir: string, log: Logger): Promise<void> {
  const found = await readLanguages(dataDir)
  speakLanguages(found)
  const { faults } = found
  for (const fault of faults.slice(0, MOST_NAMED)) log.warn({ fault }, 'a word of DATA_DIR/languages is not shown')
  if (faults.length > MOST_NAMED)
    log.warn({ faults: faults.length }, 'npx tributary languages check names each fault of a file')
}

/** The part of its words from which a language has a part. */
const ENOUGH = 0.9

/** More and larger files than a whole language each needs. */
const MOST_FILES = 40
const MOST_BYTES = 2_000_000

/**
 * Reads the files of words in DATA_DIR: `de.json` corrects words that are shipped, `pl.json` is a language of its own.
 * A file that can't be read and a word that could not be shown are left out and named.
 */
export async function readLanguages(dataDir: string): Promise<InstallLanguages> {
  const folder = join(dataDir, 'languages')
  const faults: string[] = []
  const names = await readdir(folder).catch(async (error: NodeJS.ErrnoException) => {
    // a DATA_DIR that is a file is a fault of the disk, which `doctor` names there
    const isFile = await stat(dataDir).then(
      (found) => !found.isDirectory(),
      () => false,
    )
    if (error.code !== 'ENOENT' && !isFile) faults.push(`${folder} can’t be read (${error.code}).`)
    return []
  })
  const files = names.filter((name) => name.endsWith('.json')).toSorted()
  if (files.length === 0) return { ...SHIPPED, faults }
  if (files.length > MOST_FILES)
    faults.push(`${folder} has ${files.length} files: only the first ${MOST_FILES} are read.`)
  const english = await readEnglish()
  const own = new Map<Language, Catalogues>()
  for (const name of files.slice(0, MOST_FILES)) {
    const read = await readLanguageFile(join(folder, name), english)
    faults.push(...read.faults.map((fault) => `${name}: ${fault}`))
    if (read.words) own.set(name.slice(0, -5), read.words)
  }
  const others = [...own.keys()].filter((language) => !shippedLanguages.includes(language))
  const partsOf = (language: Language) =>
    measureLanguage(language, layer(language, own), english)
      .filter(({ all, missing }) => missing.length <= (1 - ENOUGH) * all)
      .map(({ part }) => part)
  return { own, parts: new Map([...SHIPPED.parts, ...others.map((one) => [one, partsOf(one)] as const)]), faults }
}

/** Returns for each part the texts that a language needs, and those it lacks. */
export const measureLanguage = (language: Language, words: Catalogues, english: readonly EnglishText[]) => {
  const needed = textsFor(language, english)
  return parts.map((part) => {
    const own = needed.filter((text) => text.part === part)
    return { part, all: own.length, missing: findMissing(own, words) }
  })
}

/** Whether this is a language’s tag as it is usually written. */
export const isLanguageTag = (language: string) => readTag(language) === language

/** Reads a file of words, and what is wrong with it; its name is its language. */
export async function readLanguageFile(
  file: string,
  english: readonly EnglishText[],
): Promise<{ words: Catalogues | null; faults: string[] }> {
  const unread = (fault: string) => ({ words: null, faults: [fault] })
  const language = file.replace(/^.*[/\\]|\.json$/g, '')
  if (!isLanguageTag(language)) return unread('the file isn’t named by a language, as pl.json or pt-BR.json is')
  if (isEnglish(language)) return unread('English is the source, and stays as it is')
  let given: unknown
  try {
    const { size } = await stat(file)
    if (size > MOST_BYTES) return unread(`the file has ${size} bytes, more than ${MOST_BYTES}`)
    given = JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    return unread(`the file can’t be read: ${(error as Error).message}`)
  }
  const isShipped = nearestLanguages(language).some((one) => shippedLanguages.includes(one))
  const faults: string[] = []
  const findText = createTextFinder(english)
  const words = listTexts(given).filter(({ module, path, text }) => {
    const known = findText({ module, path })
    const fault = !known
      ? 'isn’t one of our words'
      : typeof text === 'string'
        ? findFault(known, path, text)
        : 'isn’t a text'
    if (fault) faults.push(`${module}${path && `.${path}`} ${fault}`)
    // one that was exported to be filled in still is English
    const isFilled = text !== '' && (isShipped || text !== known?.text)
    return !fault && isFilled
  }) as { module: string; path: string; text: string }[]
  return { words: toCatalogues(words), faults }
}

/** The length of the longest header that is read, and the languages that are read of it. */
const LONGEST = 1000
const MOST = 20

const ENGLISH: Language = 'en'

/**
 * Returns the language that the caller prefers of those that the server speaks, with its country: 'de-CH'. It is English
 * if the header names none of them.
 */
export const preferredLanguage = (header: string | undefined): Language => namedLanguage(header) ?? ENGLISH

/** Like `preferredLanguage`; null if the header names none of them, or is longer than any browser's. */
export function namedLanguage(header: string | undefined): Language | null {
  if (!header || header.length > LONGEST) return null
  const wanted = header.split(',', MOST).flatMap((part) => {
    const [, given, weight = '1'] = WANTED.exec(part) ?? []
    const tag = given && readTag(given)
    return tag && Number(weight) > 0 ? [{ tag, weight: Number(weight) }] : []
  })
  const spoken = wanted
    .toSorted((one, other) => other.weight - one.weight)
    .find(({ tag }) => isEnglish(tag) || findLanguage(tag, 'server'))
  if (!spoken) return null
  return isEnglish(spoken.tag) ? ENGLISH : spoken.tag
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
