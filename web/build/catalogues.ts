import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { shippedLanguages } from '#contract/language.ts'
import type { Catalogue, Catalogues, Part } from '#contract/words.ts'
import { languageParts } from '#features/languages/contract.ts'

// Reads the catalogues beside the modules of words, and compares them with the English texts.

const root = fileURLToPath(new URL('../../', import.meta.url))

/** An English text with its values as `{{name}}`; each form of a plural is one of its own. */
export type EnglishText = { module: string; path: string; text: string; part: Part }

/** A file of words, and the modules that it defines. */
type WordFile = { path: string; modules: string[] }

const wordFiles = (): WordFile[] =>
  globSync(['web/words/*.ts', 'contract/*.ts', 'features/*/{,mail/}*text.ts', 'server/**/*text.ts'], { cwd: root })
    .filter((path) => !path.endsWith('.test.ts') && path !== 'contract/words.ts')
    .toSorted()
    .map((path) => ({
      path,
      modules: [...readFileSync(root + path, 'utf8').matchAll(/defineWords\('([\w-]+)'/g)].map(([, name]) => name!),
    }))
    .filter(({ modules }) => modules.length > 0)

/** Returns the English texts of each file of words. */
export async function readEnglish(): Promise<{ path: string; texts: EnglishText[] }[]> {
  const files = wordFiles()
  for (const { path } of files) await import(root + path)
  // the instance that the modules of words import: a configuration of Vite has a copy of its own
  const { modulesOfWords, readSay }: typeof import('#contract/words.ts') = await import(`${root}contract/words.ts`)
  return files.map(({ path, modules }) => ({ path, texts: modules.flatMap(textsOf) }))

  function textsOf(module: string): EnglishText[] {
    const { part, english } = modulesOfWords.get(module)!
    return textsIn(english, readSay).map(([path, text]) => ({ module, path, text, part }))
  }
}

type ReadSay = typeof import('#contract/words.ts').readSay

function textsIn(value: unknown, readSay: ReadSay, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return value === '' ? [] : [[path, value]]
  if (typeof value === 'function') return textsOfSay(readSay(value as never), path)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, readSay, path === '' ? key : `${path}.${key}`))
}

function textsOfSay({ texts, counted }: ReturnType<ReadSay>, path: string): [path: string, text: string][] {
  if (counted.length === 0) return texts.other === '' ? [] : [[path, texts.other]]
  const zero: [string, string][] = texts.zero === texts.other ? [] : [[`${path}_zero`, texts.zero]]
  return [...zero, [`${path}_one`, texts.one], [`${path}_other`, texts.other]]
}

/** Returns the translations beside a file of words; none if there is no such file. */
export function readCatalogues(path: string, language: string): Catalogues {
  const file = `${root}${path.replace(/\.ts$/, `.${language}.json`)}`
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Returns the translation at a path of a module. */
export function findTranslation(catalogues: Catalogues, { module, path }: EnglishText): string | undefined {
  const found = path
    .split('.')
    .reduce<Catalogue | string | undefined>(
      (branch, key) => (typeof branch === 'object' ? branch[key] : undefined),
      catalogues[module],
    )
  return typeof found === 'string' ? found : undefined
}

/** The part of its texts from which a language has a part of the screens. */
const ENOUGH = 0.9

/** The sentences of schemas, which forms show. */
const SENTENCES = 'contract/sentences.ts'

/** Texts that the screens of each part read. */
const readBy: Record<(typeof languageParts)[number], readonly Part[]> = {
  before: ['before'],
  partner: ['before', 'partner'],
}

/**
 * Writes a file of each part in each language that has nine of ten of its texts, and a list of these: the browser asks
 * for one file, and only in another language than English.
 */
export function catalogueFiles(): Plugin {
  return {
    name: 'catalogues',
    apply: 'build',
    async generateBundle() {
      const english = await readEnglish()
      const shipped: Record<string, string[]> = {}
      for (const language of shippedLanguages) {
        const files = english.map(({ path, texts }) => ({ texts, translations: readCatalogues(path, language) }))
        for (const part of languageParts) {
          const { found, missing, all } = gatherCatalogues(files, readBy[part])
          if (missing > (1 - ENOUGH) * all) continue
          shipped[language] = [...(shipped[language] ?? []), part]
          const source = JSON.stringify({ ...found, ...readCatalogues(SENTENCES, language) })
          this.emitFile({ type: 'asset', fileName: `words/${part}/${language}.json`, source })
        }
      }
      this.emitFile({ type: 'asset', fileName: 'words/index.json', source: JSON.stringify(shipped) })
    },
  }
}

/** Returns the catalogues of a part's modules, and how many of its texts they lack. */
function gatherCatalogues(files: { texts: EnglishText[]; translations: Catalogues }[], parts: readonly Part[]) {
  const found: Record<string, Catalogue> = {}
  let missing = 0
  let all = 0
  for (const { texts, translations } of files) {
    const own = texts.filter(({ part }) => parts.includes(part))
    all += own.length
    missing += own.filter((text) => findTranslation(translations, text) === undefined).length
    for (const { module } of own) if (translations[module]) found[module] = translations[module]
  }
  return { found, missing, all }
}
