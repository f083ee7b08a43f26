import { type Json, plainPath, writtenPath } from '#contract/payload-paths.ts'

/** A line of a sample: a key with its value, or with null if other lines are nested below it. */
export type SampleLine = { path: string; key: string; depth: number; value: string | null }

/** Most lines shown: more would be illegible. */
const MOST_LINES = 300

export function linesOf(sample: Json): SampleLine[] {
  const lines: SampleLine[] = []
  const walk = (value: Json, keys: string[]) => {
    for (const [key, inner] of Object.entries(value as object) as [string, Json][]) {
      if (lines.length === MOST_LINES) return
      const below = [...keys, key]
      const isGroup = inner !== null && typeof inner === 'object'
      lines.push({ path: writtenPath(below), key, depth: keys.length, value: isGroup ? null : JSON.stringify(inner) })
      if (isGroup) walk(inner, below)
    }
  }
  if (sample !== null && typeof sample === 'object') walk(sample, [])
  return lines
}

/** Returns the labels of the fields that read each line, by path. */
export function readersOf(sample: Json, fields: readonly { label: string; path: string }[]) {
  const readers = new Map<string, string[]>()
  for (const { label, path } of fields) {
    const plain = path.trim() === '' ? undefined : plainPath(sample, path)
    if (plain !== undefined) readers.set(plain, [...(readers.get(plain) ?? []), label])
  }
  return readers
}
