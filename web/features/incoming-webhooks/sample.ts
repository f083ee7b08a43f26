import { itemsAt, type Json, keysIn, writtenPath } from '#contract/payload-paths.ts'

/** A line of a sample: a key with its value, or with null if other lines are nested below it. */
export type SampleLine = { path: string; key: string; depth: number; value: string | null }

/** Most lines shown: more would be illegible. */
const MOST_LINES = 300

export function toSampleLines(sample: Json): SampleLine[] {
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

/** The fields of a rule with their paths, which start at the first item of its list `each`, if it has one. */
export type Reading = { each: string; fields: readonly { label: string; path: string }[] }

/** Returns what a rule reads first: the sample, or the first item of its list. */
export const firstItem = (sample: Json, each: string) => itemsAt(sample, each.trim() || null)[0]

/** Returns the labels of the fields that read each line, by path. */
export function findReaders(sample: Json, { each, fields }: Reading) {
  const readers = new Map<string, string[]>()
  const item = firstItem(sample, each)
  for (const { label, path } of fields) {
    const keys = item && path.trim() !== '' ? keysIn(item, path) : undefined
    const plain = keys && writtenPath(keys)
    if (plain !== undefined) readers.set(plain, [...(readers.get(plain) ?? []), label])
  }
  return readers
}
