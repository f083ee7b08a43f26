import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { costlyTexts } from '../test/support/hostile.ts'
import { listSchemaParts, taken, textsIn } from '../test/support/outside-texts.ts'

/** Builds values with this text in every place for one; a union yields a value per branch. */
function filled(schema: z.core.$ZodType, text: string): unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return [text]
  if (def.type === 'literal' || def.type === 'enum')
    return [def.type === 'enum' ? Object.values(def.entries)[0] : def.values[0]]
  if (def.type === 'unknown') return [text, { [text]: [text] }]
  if (def.type === 'union') return def.options.flatMap((option) => filled(option, text))
  const parts = listSchemaParts(schema)
  if (def.type === 'record') return filled(parts[1]![1], text).map((value) => ({ [text]: value }))
  if (def.type === 'array') return filled(parts[0]![1], text).map((value) => [value])
  if (def.type !== 'object') return parts.length > 0 ? filled(parts[0]![1], text) : [1]
  const fields = parts.map(([name, inner]) => [name.slice(1), filled(inner, text)] as const)
  const most = Math.max(1, ...fields.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, turn) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[turn % values.length]])),
  )
}

/** Returns the milliseconds of this thread for the job: the best of a few runs, since other processes run too. */
function workOf(job: () => unknown) {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3 && best > MOST_MS; turn++) {
    const before = process.threadCpuUsage()
    job()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** Milliseconds allowed: scanning 100,000 characters a few times takes about one; quadratic work takes seconds. */
const MOST_MS = 40
const CHARACTERS_A_MS = 10_000

test('no text takes long to refuse or accept, in any field', () => {
  const slow: string[] = []
  for (const [name, schema, bytes] of taken) {
    const lengths = new Set([100_000, ...textsIn(schema, name).map(([, most]) => Math.min(most ?? bytes, bytes))])
    for (const length of lengths)
      for (const [what, text] of Object.entries(costlyTexts(length)))
        for (const value of filled(schema, text)) {
          const ms = workOf(() => schema.safeParse(value))
          if (ms > MOST_MS + length / CHARACTERS_A_MS)
            slow.push(`${name}: ${length} of ${what} take ${Math.round(ms)} ms`)
        }
  }
  assert.deepEqual(slow, [])
})
