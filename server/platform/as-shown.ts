import { isDeepStrictEqual } from 'node:util'
import { asUuid } from './database/ids.ts'

/** A thing as it was shown to a person; a fact that is left out isn't compared. */
type Facts = Readonly<Record<string, unknown>>
type Named = Facts & { id: string }

/** Whether a thing is now as it was shown to the person who acts on it. */
export const isAsShown = (shown: Facts, now: Facts) =>
  Object.entries(shown).every(([name, value]) => value === undefined || isDeepStrictEqual(value, now[name]))

/**
 * Returns the ids of what differs between the things shown to the person who acts on them and those there are now:
 * `added` ones weren't shown, `gone` ones no longer belong, `changed` ones differ. Null if nothing does.
 */
export function changesSince(shown: readonly Named[], now: readonly Named[]) {
  const before = new Map(shown.map(({ id, ...facts }) => [asUuid(id), facts]))
  const after = new Map(now.map(({ id, ...facts }) => [id, facts]))
  const added = [...after.keys()].filter((id) => !before.has(id))
  const gone = [...before.keys()].filter((id) => !after.has(id))
  const changed = [...before].flatMap(([id, facts]) => (after.has(id) && !isAsShown(facts, after.get(id)!) ? [id] : []))
  return added.length + gone.length + changed.length > 0 ? { added, gone, changed } : null
}

/** Counts what differs, for the words of a refusal. */
export const countChanges = <Changes extends Record<string, string[]>>(changes: Changes) =>
  Object.fromEntries(Object.entries(changes).map(([name, ids]) => [name, ids.length])) as Record<keyof Changes, number>
