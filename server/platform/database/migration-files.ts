import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** A statement of a migration outside a transaction. It may run twice: a process may die before recording it. */
export type MigrationStep = {
  text: string
  /** The index it builds. An invalid one from an interrupted build is dropped first. */
  index: string | null
  /** Repeated until it finds no row. */
  isBatch: boolean
}

export type Migration = {
  name: string
  /** One by one, as a cluster requires. */
  statements: string[]
  hash: string
  /** Steps outside a transaction; null for a migration that is one transaction. */
  steps: MigrationStep[] | null
}

const ours = new URL('./migrations/', import.meta.url)

/** Returns the files of a folder, or of this release, in order; up to `upTo`. */
export async function migrationNames(folder = ours, upTo?: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return upTo === undefined ? names : names.filter((name) => name <= upTo)
}

export async function readMigration(name: string, folder = ours): Promise<Migration> {
  const text = await readFile(new URL(name, folder), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex')
  return { name, statements: statementsOf(text), hash, steps: text.startsWith(OUTSIDE) ? stepsOf(name, text) : null }
}

/** Splits a text at semicolons that end a line, except within `$$`. */
function statementsOf(text: string): string[] {
  const statements: string[] = []
  let lines: string[] = []
  let isQuoted = false
  for (const line of text.split('\n')) {
    lines.push(line)
    if ((line.split('$$').length - 1) % 2 === 1) isQuoted = !isQuoted
    if (isQuoted || !line.endsWith(';')) continue
    statements.push(lines.join('\n'))
    lines = []
  }
  return [...statements, lines.join('\n')].filter((one) => one.replace(/^[ \t]*--.*$/gm, '').trim() !== '')
}

const OUTSIDE = '-- outside a transaction\n'
const BATCH = /^-- in batches$/m
const BUILDS = /^create (?:unique )?index concurrently if not exists (\w+)\s+on\s/i
const DROPS = /^drop index concurrently if exists \w+$/i

/** Splits statements at empty lines. Accepts only those that may run twice, and also in a transaction of a restore. */
function stepsOf(name: string, file: string): MigrationStep[] {
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
