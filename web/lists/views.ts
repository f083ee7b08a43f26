import { randomKey } from '../api.ts'
import { searchText } from './table-state.ts'

/** A saved view of a list: its parameters in the address by name, and the hidden columns. */
export type View = { key: string; name: string; search: Readonly<Record<string, string>>; hidden: readonly string[] }

/** Each view is its own preference, so that two tabs can each save one. */
const prefix = (list: string) => `view:${list}:`
export const newViewKey = (list: string) => `${prefix(list)}${randomKey().slice(0, 8)}`
export const savedView = ({ name, search, hidden }: Omit<View, 'key'>) => ({ name, search, hidden })

/** Preference key of a list's hidden columns. */
export const columnsKey = (list: string) => `columns:${list}`

/** Returns the views of a list, by name. Stored values may be outdated or malformed: invalid ones are left out. */
export function viewsIn(preferences: Record<string, unknown>, list: string): View[] {
  return Object.entries(preferences)
    .flatMap(([key, kept]) => {
      if (!key.startsWith(prefix(list)) || !isObject(kept)) return []
      const name = searchText(kept.name)
      if (name === undefined) return []
      const search = isObject(kept.search) ? kept.search : {}
      const texts = Object.entries(search).flatMap(([field, value]) => {
        const text = searchText(value)
        return text === undefined ? [] : [[field, text]]
      })
      return { key, name, search: Object.fromEntries(texts), hidden: namesIn(kept.hidden) }
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
}

export const namesIn = (kept: unknown): string[] =>
  Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether a list shows this view now. */
export const isShown = ({ search, hidden }: View, now: Pick<View, 'search' | 'hidden'>) =>
  hasSame(Object.entries(search).map(String), Object.entries(now.search).map(String)) && hasSame(hidden, now.hidden)

/** Returns whether two lists hold the same, in any order. */
export const hasSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && [...some].sort().join('\n') === [...others].sort().join('\n')
