import { type Json, plainPath, written } from '#contract/payload-paths.ts'

/** A line of a sample: a key with its value, or one that others stand below. */
export type Line = { path: string; key: string; depth: number; value: string | null }

/** More are not told apart by looking. */
const MOST_LINES = 300

export function linesOf(sample: Json): Line[] {
  const lines: Line[] = []
  const walk = (value: Json, keys: string[]) => {
    for (const [key, inner] of Object.entries(value as object) as [string, Json][]) {
      if (lines.length === MOST_LINES) return
      const below = [...keys, key]
      const isGroup = inner !== null && typeof inner === 'object'
      lines.push({ path: written(below), key, depth: keys.length, value: isGroup ? null : JSON.stringify(inner) })
      if (isGroup) walk(inner, below)
    }
  }
  if (sample !== null && typeof sample === 'object') walk(sample, [])
  return lines
}

/** Which fields each line of a sample is read by. */
export function readersOf(sample: Json, fields: readonly { label: string; path: string }[]) {
  const readers = new Map<string, string[]>()
  for (const { label, path } of fields) {
    const plain = path.trim() === '' ? undefined : plainPath(sample, path)
    if (plain !== undefined) readers.set(plain, [...(readers.get(plain) ?? []), label])
  }
  return readers
}
