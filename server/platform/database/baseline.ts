import { createHash } from 'node:crypto'

/** The migration that creates the whole schema. Later ones change it. */
export const BASELINE = '0200-baseline.sql'

/** How to check out release 0.1.1, the last one before the baseline; its `package.json` was already of the next release. */
export const CHECKOUT_0_1_1 = 'git checkout 6f61e644 in a full clone; it calls itself 0.2.0'

/** SHA-256 of the lines `name hash` of the files up to release 0.1.1, which created the same schema step by step. */
const REPLACED = 'b08647ec479479d9c27785eaa7a4c288cc6da818f1673894a03aed0dc3060f02'

/**
 * Returns applied migrations by name, with their hashes; all files that the baseline replaces count as the baseline,
 * whose hash is `hash`. Null for a schema that stopped at one of them.
 */
export function countAsBaseline(applied: ReadonlyMap<string, string>, hash: string): Map<string, string> | null {
  const { before = [], since = [] } = Object.groupBy(applied, ([name]) => (name < BASELINE ? 'before' : 'since'))
  if (before.length === 0) return new Map(since)
  const lines = before.map(([name, hash]) => `${name} ${hash}\n`).sort()
  if (createHash('sha256').update(lines.join('')).digest('hex') !== REPLACED) return null
  return new Map([[BASELINE, hash], ...since])
}
