import { elideBeforeNumbers, formatNumber, noteWords, pluralCategory, type Word } from './format.ts'
import { currentLanguage, type Language, withLanguage } from './language.ts'

/** Words that are translated together: of the screens before signing in, of a partner's, of what the server alone says. */
export const parts = ['before', 'partner', 'server'] as const
export type Part = (typeof parts)[number]

/** The translations of a module: its tree, with `{{name}}` for a value, and `_one`, `_other` after the keys of plurals. */
export type Catalogue = { readonly [key: string]: string | Catalogue }

/** The catalogues of a language by module. */
export type Catalogues = { readonly [module: string]: Catalogue }

type Say = (values: never) => string
type Tree = { readonly [key: string]: unknown }

/** Every module of words that was loaded, by its name. */
export const modulesOfWords = new Map<string, { part: Part; english: Tree }>()

let load: (language: Language) => Catalogues | null = () => null
let loaded = new Map<Language, Catalogues | null>()
let translated = new Map<string, Tree>()

/** Sets where catalogues come from, each language on first use. Returns what sets the former place again. */
export function loadCatalogues(from: typeof load): () => void {
  const former = load
  load = from
  loaded = new Map()
  translated = new Map()
  return () => void loadCatalogues(former)
}

function catalogues(language: Language) {
  if (!loaded.has(language)) loaded.set(language, language === 'en' ? null : load(language))
  return loaded.get(language) ?? null
}

/** Returns the languages whose words a tag may have, the nearest first: 'de-CH' is 'de', any 'pt' is 'pt-BR'. */
export function nearestLanguages(tag: Language): Language[] {
  const subtags = tag.split('-')
  const shorter = subtags.map((_, at) => subtags.slice(0, subtags.length - at).join('-'))
  return [...new Set([...shorter, ...(subtags[0] === 'pt' ? ['pt-BR'] : [])])]
}

/** Returns words that are read in the current language, also those of a branch; one without a translation is English. */
export function defineWords<English extends object>(module: string, part: Part, english: English): English {
  modulesOfWords.set(module, { part, english: english as Tree })
  return readLate(english as Tree, () => treeOf(module, english as Tree)) as English
}

/** Returns the words of a module with those that only a team reads, which are English. */
export const withTeamWords = <Words extends object, Team extends object>(words: Words, team: Team): Words & Team =>
  Object.defineProperties({ ...team }, Object.getOwnPropertyDescriptors(words)) as Words & Team

let given: Catalogues = {}

/** Runs `render` with these words in place of the current language's own. Like `withLanguage`, it returns no promise. */
export function withWords<Result>(
  words: Catalogues,
  render: () => Result extends PromiseLike<unknown> ? never : Result,
): Result {
  const before = given
  given = words
  try {
    return render()
  } finally {
    given = before
  }
}

/** Returns the translation of a text without values' forms, by its module and key; undefined without one, and in English. */
export function findTranslation(module: string, key: string): string | undefined {
  const language = nearestLanguages(currentLanguage()).find((one) => catalogues(one))
  const text = language && catalogues(language)?.[module]?.[key]
  return typeof text === 'string' ? text : undefined
}

function readLate(english: Tree, read: () => Tree): Tree {
  const late = {}
  for (const [key, value] of Object.entries(english)) {
    const branch = isBranch(value) ? readLate(value, () => read()[key] as Tree) : null
    Object.defineProperty(late, key, { enumerable: true, get: () => branch ?? read()[key] })
  }
  return late
}

const isBranch = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

function treeOf(module: string, english: Tree): Tree {
  const tag = currentLanguage()
  if (tag === 'en') return english
  if (given[module]) return translate(english, given[module])
  const language = nearestLanguages(tag).find((one) => catalogues(one)) ?? 'en'
  const key = `${language} ${module}`
  const tree = translated.get(key) ?? translate(english, catalogues(language)?.[module] ?? {})
  translated.set(key, tree)
  return tree
}

const translate = (english: Tree, catalogue: Catalogue): Tree =>
  Object.fromEntries(Object.entries(english).map(([key, value]) => [key, translateValue(value, key, catalogue)]))

function translateValue(value: unknown, key: string, catalogue: Catalogue): unknown {
  const own = catalogue[key]
  if (typeof value === 'string') return typeof own === 'string' ? own : value
  if (typeof value === 'function') return translateSay(value as Say, key, catalogue)
  const branch = typeof own === 'object' ? own : {}
  if (Array.isArray(value)) return value.map((one, at) => translateValue(one, String(at), branch))
  return isBranch(value) ? translate(value, branch) : value
}

/** Returns a function of words that fills in a translation; without one it speaks English, also in its numbers. */
function translateSay(english: Say, key: string, catalogue: Catalogue): (values?: Values) => string {
  const form = (suffix: string) => {
    const text = catalogue[`${key}${suffix}`]
    return typeof text === 'string' ? text : undefined
  }
  if (form('') === undefined && form('_other') === undefined)
    return (values = {}) => withLanguage('en', () => english(values as never))
  let facts: ReturnType<typeof readSay> | undefined
  return (values = {}) => {
    facts ??= readSay(english)
    const count = values[facts.counted[0] ?? '']
    const zero = count === 0 ? form('_zero') : undefined
    const counted = typeof count === 'number' ? (zero ?? form(`_${pluralCategory(count)}`)) : undefined
    return fillIn(counted ?? form('_other') ?? form('') ?? '', values, facts.formatted)
  }
}

type Values = { readonly [name: string]: Word | undefined }

const fillIn = (text: string, values: Values, formatted: readonly string[]) =>
  elideBeforeNumbers(
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name] ?? ''
      return typeof value === 'number' && formatted.includes(name) ? formatNumber(value) : String(value)
    }),
  )

const names = new Proxy({}, { get: (_, name) => `{{${String(name)}}}` })
const bare = (name: string) => name.slice(2, -2)

/** Returns the English texts of a function of words, what it counts, and the numbers that it formats. */
export function readSay(say: Say) {
  const [zero, one, other] = (['zero', 'one', 'other'] as const).map((form) =>
    noteWords(form, () => say(names as never)),
  )
  return {
    texts: { zero: zero!.text, one: one!.text, other: other!.text },
    counted: [...other!.counted].map(bare),
    formatted: [...other!.formatted, ...other!.counted].map(bare),
  }
}
