import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const web = fileURLToPath(new URL('../', import.meta.url))
const words = (file: string) => new URL(`../words/${file}.ts`, import.meta.url)
const VIRTUAL = 'virtual:words/'

/**
 * Loads the words of a screen with its code: a module that uses 'leads.status' imports the file with those words. This
 * is automatic, and the first load contains only the words of the shell. With the whole catalogue it would grow by the
 * words of every new screen.
 */
export function wordsOfScreens(): Plugin {
  let places: Map<string, Place>
  return {
    name: 'words-of-screens',
    enforce: 'pre',
    async buildStart() {
      places = await placesOfWords()
    },
    resolveId: (source) => (source.startsWith(VIRTUAL) ? `\0${source}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${VIRTUAL}`)) return undefined
      const name = id.slice(VIRTUAL.length + 1)
      const place = [...places.values()].find((place) => place.name === name)
      return place && { code: place.source, moduleType: 'js', moduleSideEffects: true }
    },
    transform(code, id) {
      const file = id.split('?')[0] as string
      if (!file.startsWith(web) || !/\.tsx?$/.test(file) || file.startsWith(`${web}words/`)) return undefined
      const spoken = new Set(sectionsIn(code).flatMap((section) => places.get(section)?.name ?? []))
      if (spoken.size === 0) return undefined
      return { code: [...spoken].map((name) => `import '${VIRTUAL}${name}';`).join('') + code, map: null }
    },
  }
}

/** Returns the first parts of strings that look like keys of the catalogue. */
export const sectionsIn = (code: string) => [
  ...new Set([...code.matchAll(/['"`]([A-Za-z]\w*)\.(?=[\w-]|\$\{)/g)].map(([, section]) => section as string)),
]

/** The export of a file of words, and the module that adds it to the catalogue. */
type Place = { name: string; source: string }

/** Returns the files with the sections of the catalogue, except those of the shell, which are always loaded. */
export async function placesOfWords() {
  const { enApp } = (await import(words('en-app').href)) as { enApp: Record<string, unknown> }
  const { shellWords } = (await import(words('en-shell').href)) as { shellWords: object }
  const names = await readdir(new URL('../words/', import.meta.url))
  const files = names.filter((name) => /^en-(?!app\.|shell\.).*\.ts$/.test(name)).map((name) => name.slice(0, -3))
  const exported = await Promise.all(files.map(async (file) => ({ file, groups: await import(words(file).href) })))
  const places = new Map<string, Place>()
  for (const [section, value] of Object.entries(enApp)) {
    if (section in shellWords) continue
    for (const { file, groups } of exported) {
      for (const [name, group] of Object.entries<Record<string, unknown>>(groups)) {
        // A section with a file of its own, or one of several in a file for many screens.
        if (group === value) places.set(section, { name, source: adding(file, name, `{ ${section}: ${name} }`) })
        else if (group[section] === value) places.set(section, { name, source: adding(file, name, name) })
      }
    }
    if (!places.has(section)) throw new Error(`The words of '${section}' stand in no file of their own.`)
  }
  return places
}

const adding = (file: string, name: string, bundle: string) =>
  `import i18next from 'i18next';import { ${name} } from ${JSON.stringify(fileURLToPath(words(file)))};` +
  `i18next.addResourceBundle('en', 'translation', ${bundle}, true);`
