import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Language } from '#contract/language.ts'
import { type RefusalReason, refusals } from '#contract/refusals.ts'
import type { Catalogue, Catalogues, Part } from '#contract/words.ts'

// The words as they lie in the sources: English in modules, translations in catalogues beside them.

const root = fileURLToPath(new URL('../../', import.meta.url))

/** An English text with its values as `{{name}}`; each form of a plural is one of its own. */
export type EnglishText = { module: string; path: string; text: string; part: Part }

type Tree = { [key: string]: Tree | string }

/** Lists the files that define words, and their modules. */
const wordFiles = () =>
  globSync(['web/words/*.ts', 'contract/*.ts', 'features/*/{,mail/}*text.ts', 'server/**/*text.ts'], { cwd: root })
    .filter((path) => !path.endsWith('.test.ts') && path !== 'contract/words.ts')
    .toSorted()
    .map((path) => ({
      path,
      modules: [...readFileSync(root + path, 'utf8').matchAll(/defineWords\('([\w-]+)', '(\w+)'/g)].map(
        ([, module, part]) => ({ module: module!, part: part as Part }),
      ),
    }))
    .filter(({ modules }) => modules.length > 0)

/** The modules of whole sentences, without branches: their keys are reasons of refusals, or what schemas say in English. */
const SENTENCES: Record<string, Part> = { refusals: 'server', 'first-sentences': 'before', sentences: 'partner' }

/** Returns the part of each module, without loading any. */
export const partsOfModules = (): Map<string, Part> =>
  new Map([
    ...Object.entries(SENTENCES),
    ...wordFiles().flatMap(({ modules }) => modules.map(({ module, part }) => [module, part] as const)),
  ])

/** Returns the shipped translations of a language by module. */
export function readCatalogues(language: Language): Catalogues {
  const catalogues: Record<string, Catalogue> = {}
  const folders = '{contract,features,server,web/words}'
  for (const path of globSync(`${folders}/**/*.${language}.json`, { cwd: root }).toSorted())
    for (const [module, words] of Object.entries<Catalogue>(JSON.parse(readFileSync(root + path, 'utf8'))))
      catalogues[module] = { ...catalogues[module], ...words }
  return catalogues
}

/** Returns every English text that is translated, in the order of the files. */
export async function readEnglish(): Promise<EnglishText[]> {
  const files = wordFiles()
  for (const { path } of files) await import(/* @vite-ignore */ root + path)
  // the instance that these import: a pack has one of its own
  const { modulesOfWords, readSay }: typeof import('#contract/words.ts') = await import(
    /* @vite-ignore */ `${root}contract/words.ts`
  )
  const texts = files.flatMap(({ modules }) =>
    modules.flatMap(({ module, part }) =>
      textsIn(modulesOfWords.get(module)!.english, readSay).map(([path, text]) => ({ module, path, text, part })),
    ),
  )
  return [...texts, ...sentences()]
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

/** Returns the refusals that partners and applicants may read, and the sentences of schemas: those that German has. */
function sentences(): EnglishText[] {
  const german = readCatalogues('de')
  return Object.entries(SENTENCES).flatMap(([module, part]) =>
    Object.keys(german[module] ?? {}).map((path) => {
      const text = module === 'refusals' ? refusals[path as RefusalReason][1] : path
      return { module, path, text, part }
    }),
  )
}

const keysOf = ({ module, path }: Pick<EnglishText, 'module' | 'path'>) => [
  module,
  ...(module in SENTENCES ? [path] : path.split('.')),
]

/** Returns the translation of a text; undefined without one. */
export function findTranslation(
  catalogues: Catalogues,
  place: Pick<EnglishText, 'module' | 'path'>,
): string | undefined {
  const found = keysOf(place).reduce<unknown>(
    (branch, key) =>
      typeof branch === 'object' && branch !== null && Object.hasOwn(branch, key)
        ? (branch as Record<string, unknown>)[key]
        : undefined,
    catalogues,
  )
  return typeof found === 'string' ? found : undefined
}

/** Returns catalogues of these texts. */
export function toCatalogues(texts: readonly Pick<EnglishText, 'module' | 'path' | 'text'>[]): Catalogues {
  const tree: Tree = {}
  for (const text of texts) {
    const keys = keysOf(text)
    const last = keys.pop()!
    const branch = keys.reduce((branch, key) => {
      const found = branch[key]
      if (typeof found === 'object') return found
      const made: Tree = {}
      branch[key] = made
      return made
    }, tree)
    branch[last] = text.text
  }
  return tree as Catalogues
}

/** Returns both, each word as `over` has it. */
export function mergeCatalogues<One extends Catalogues | Catalogue>(under: One, over: One): One {
  const merged: Record<string, Catalogue | string> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const own = merged[key]
    merged[key] = typeof own === 'object' && typeof value === 'object' ? mergeCatalogues(own, value) : value
  }
  return merged as One
}

/** Deeper than any module. */
const MOST_LEVELS = 8

/** Lists what stands in catalogues, by its place; of a file that may hold anything, what is no text too. */
export function listTexts(given: unknown, keys: string[] = []): { module: string; path: string; text: unknown }[] {
  if (typeof given !== 'object' || given === null || keys.length > MOST_LEVELS)
    return [{ module: keys[0] ?? 'the file', path: keys.slice(1).join('.'), text: given }]
  return Object.entries(given).flatMap(([key, value]) => listTexts(value, [...keys, key]))
}
