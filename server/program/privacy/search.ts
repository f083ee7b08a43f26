import type { Search } from '../../platform/database/declare-tables.ts'

/** Divides external ids into those that are found wherever they occur, and others. */
export const isTelling = (externalId: string) =>
  externalId.length > 5 && /[a-z]/i.test(externalId) && /\d/.test(externalId)

type Sought = Pick<Search, 'values' | 'ids'>

const escaped = (text: string) => text.replace(/[\\^$.|?*+()[\]{}-]/g, '\\$&')

/** The texts in lower case, also as an address writes them. */
const written = (texts: readonly string[]) => [
  ...new Set(texts.flatMap((text) => [text.toLowerCase(), encodeURIComponent(text).toLowerCase()])),
]

const textsOf = ({ values, ids }: Sought) => ({
  values: written(values.filter((value) => value.trim().length > 2)),
  ids: written(ids),
})

/**
 * A regular expression, the same in PostgreSQL and JavaScript, for lower-cased text with one of the values as a whole,
 * or with one of the ids in a field that is named as one: `"customer_id": "1001"`. Null for neither.
 */
export function toPattern(sought: Sought): string | null {
  const { values, ids } = textsOf(sought)
  const anyOf = (texts: string[]) => `(?:${texts.map(escaped).join('|')})`
  const parts = [
    values.length > 0 && `(?<![a-z0-9._+-])${anyOf(values)}(?![a-z0-9-]|\\.[a-z0-9])`,
    ids.length > 0 && `(?:id|ref|reference|number|customer)"?\\s*[:=]\\s*"?${anyOf(ids)}(?![a-z0-9._-])`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join('|')
}

/** Patterns of `like` that find every text of `toPattern`, and more: five times as fast as the regular expression. */
export function toLikePatterns(sought: Sought): string[] {
  const { values, ids } = textsOf(sought)
  return [...values, ...ids].map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`)
}

/** With the names, and without ids. */
export const withNames = ({ values, names }: Search): Sought => ({ values: [...values, ...names], ids: [] })
