import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** A statement of a migration that runs outside a transaction. It may run twice: a process may die before it is noted. */
export type Step = {
  text: string
  /** The index it builds. The remains of an interrupted build are invalid, and go first. */
  index: string | null
  /** Run again until it finds no row. */
  isBatch: boolean
}

export type Migration = {
  name: string
  text: string
  hash: string
  /** Of one that runs outside a transaction. Any other is one, whole. */
  steps: Step[] | null
}

const ours = new URL('./migrations/', import.meta.url)

/** The files of a folder, else of this release, in their order; no further than the one named `upTo`. */
export async function migrationNames(folder = ours, upTo?: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return upTo === undefined ? names : names.filter((name) => name <= upTo)
}

export async function readMigration(name: string, folder = ours): Promise<Migration> {
  const text = await readFile(new URL(name, folder), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex')
  return { name, text, hash, steps: text.startsWith(OUTSIDE) ? stepsOf(name, text) : null }
}

const OUTSIDE = '-- outside a transaction\n'
const BATCH = /^-- in batches$/m
const BUILDS = /^create (?:unique )?index concurrently if not exists (\w+)\s+on\s/i
const DROPS = /^drop index concurrently if exists \w+$/i

/** Empty lines part the statements. Only those are let in that may run twice, and in a transaction of a restore as well. */
function stepsOf(name: string, file: string): Step[] {
  return file.split(/\n\s*\n/).flatMap((part) => {
    const text = part
      .replace(/^[ \t]*--.*$/gm, '')
      .trim()
      .replace(/;$/, '')
    if (text === '') return []
    const index = BUILDS.exec(text)?.[1]?.toLowerCase() ?? null
    const isBatch = BATCH.test(part)
    if (!isBatch && index === null && !DROPS.test(text))
      throw new Error(
        `${name}: outside a transaction there is "create index concurrently if not exists", "drop index concurrently if exists" and what runs "-- in batches", parted by empty lines.`,
      )
    return { text, index, isBatch }
  })
}
