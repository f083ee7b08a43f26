import { randomKey } from '../api.ts'
import { textOf } from './table-state.ts'

/** A list as somebody wants to see it again: what the address says of it, by its names, and the columns left out. */
export type View = { key: string; name: string; search: Readonly<Record<string, string>>; hidden: readonly string[] }

/** Each view is a preference of its own: two tabs that each save one keep both. */
const prefix = (list: string) => `view:${list}:`
export const newViewKey = (list: string) => `${prefix(list)}${randomKey().slice(0, 8)}`
export const keptView = ({ name, search, hidden }: Omit<View, 'key'>) => ({ name, search, hidden })

/** Where the columns that are left out of a list are kept. */
export const columnsKey = (list: string) => `columns:${list}`

/** The views of a list, by name. What is kept may be of any age and from anyone: what is no view is left out. */
export function viewsIn(preferences: Record<string, unknown>, list: string): View[] {
  return Object.entries(preferences)
    .flatMap(([key, kept]) => {
      if (!key.startsWith(prefix(list)) || !isObject(kept)) return []
      const name = textOf(kept.name)
      if (name === undefined) return []
      const search = isObject(kept.search) ? kept.search : {}
      const texts = Object.entries(search).flatMap(([field, value]) => {
        const text = textOf(value)
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

/** Whether a list shows this view now. */
export const isShown = ({ search, hidden }: View, now: Pick<View, 'search' | 'hidden'>) =>
  alike(Object.entries(search).map(String), Object.entries(now.search).map(String)) && alike(hidden, now.hidden)

const alike = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && [...some].sort().join('\n') === [...others].sort().join('\n')
