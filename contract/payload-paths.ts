/** The input of a path: JSON as it was sent, or a form as an object of texts. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

type Step = { key: string } | { where: string; is: string }

/** Maximum steps of a path; no sender nests deeper. */
const MOST_STEPS = 20
const MISSING = Symbol('missing')

/**
 * Parses a path: `contact.email`, `items.0.name` or `items[0].name`, `fields[label=Email].value` (the first item of a
 * list, or of an object's values, whose `label`, itself a path, has this value; taxes and shipping are the sum of all such), or a JSON pointer such as `/contact/e.mail` for keys that contain such
 * characters. Returns null if it is invalid.
 */
export function parsePath(path: string): Step[] | null {
  const steps = path.startsWith('/') ? pointerSteps(path) : dottedSteps(path)
  return steps && steps.length > 0 && steps.length <= MOST_STEPS ? steps : null
}

const pointerSteps = (path: string): Step[] =>
  path
    .slice(1)
    .split('/')
    .map((part) => ({ key: part.replaceAll('~1', '/').replaceAll('~0', '~') }))

function dottedSteps(path: string): Step[] | null {
  const steps: Step[] = []
  let rest = path
  while (rest !== '') {
    const part = /^(?:\[([^[\]=]{1,100})=([^\]]{0,200})\]|\[(\d{1,4})\]|([^.[\]]{1,200}))(?:\.(?=[^.[])|(?=\[)|$)/.exec(
      rest,
    )
    if (!part) return null
    const [whole, where, is, place, key] = part
    steps.push(where !== undefined ? { where: where.trim(), is: is! } : { key: place ?? key! })
    rest = rest.slice(whole.length)
  }
  return steps
}

/** Returns the value at a path, or undefined if there is none. */
export const valueAt = (payload: Json, path: string): Json | undefined => found(payload, path)?.value

/** The place where paths start: a payload, or an item of a list in it. */
export type Source = { item: Json; body: Json }

/** Returns the value at a path from an item; one that begins with `$.` starts at the payload. */
export const valueIn = ({ item, body }: Source, path: string): Json | undefined =>
  (found(item, path) ?? (path.startsWith('$.') ? found(body, path.slice(2)) : undefined))?.value

/** Returns all values that a path from an item leads to: a step in brackets may select several. */
export function valuesIn({ item, body }: Source, path: string): Json[] {
  const steps = parsePath(path)
  const inItem = steps ? allAt(item, steps) : []
  return inItem.length > 0 || !path.startsWith('$.') ? inItem : allAt(body, parsePath(path.slice(2)) ?? [])
}

function allAt(value: Json, [step, ...rest]: Step[]): Json[] {
  if (!step) return [value]
  const keys = 'key' in step ? [step.key] : keysOf(value, step)
  return keys.flatMap((key) => {
    const inner = member(value, key)
    return inner === MISSING ? [] : allAt(inner, rest)
  })
}

/** A place where paths start, with the keys that lead there. */
export type Item = { source: Source; keys: string[] }

/** Returns what a rule reads: the payload itself or, with a path to a list, or `$` for a payload that is one, each item. */
export function itemsAt(body: Json, each: string | null): Item[] {
  if (each === null) return [{ source: { item: body, body }, keys: [] }]
  const isBody = each === '$'
  const list = isBody ? body : valueIn({ item: body, body }, each)
  if (list === null || list === undefined || typeof list !== 'object') return []
  const keys = isBody ? [] : keysAt(body, each)!
  // a sender's list of one may come as its item
  if (!Array.isArray(list)) return Object.keys(list).length > 0 ? [{ source: { item: list, body }, keys }] : []
  return list.map((item, at) => ({ source: { item, body }, keys: [...keys, String(at)] }))
}

/** Returns the keys of the payload's value that a path from an item leads to, or undefined if there is none. */
export function keysIn({ source: { item, body }, keys }: Item, path: string): string[] | undefined {
  const inItem = keysAt(item, path)
  if (inItem) return [...keys, ...inItem]
  return path.startsWith('$.') ? keysAt(body, path.slice(2)) : undefined
}

/** Returns the keys that a path leads through, or undefined if there is nothing. */
export const keysAt = (payload: Json, path: string): string[] | undefined => found(payload, path)?.keys

/** Returns a path by keys alone: `fields[label=Email].value` may become `fields.1.value`. */
export function plainPath(payload: Json, path: string): string | undefined {
  const keys = keysAt(payload, path)
  return keys && writtenPath(keys)
}

function found(payload: Json, path: string): { value: Json; keys: string[] } | undefined {
  let value = payload
  const keys: string[] = []
  for (const step of parsePath(path) ?? []) {
    const key = 'key' in step ? step.key : (keysOf(value, step)[0] ?? '')
    const inner = member(value, key)
    if (inner === MISSING) return undefined
    value = inner
    keys.push(key)
  }
  return { value, keys }
}

function member(value: Json, key: string): Json | typeof MISSING {
  if (Array.isArray(value)) return /^\d{1,4}$/.test(key) && Number(key) < value.length ? value[Number(key)]! : MISSING
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? value[key]! : MISSING
}

/** Returns the keys of the items of a list, or of an object's values, that a step selects. */
function keysOf(value: Json, { where, is }: { where: string; is: string }): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, one]) => {
    const inner = valueAt(one, where)
    return inner !== undefined && sameText(toText(inner), is) ? [key] : []
  })
}

/** Whether texts are the same but for letter case and outer spaces. */
export const sameText = (one: string | null, other: string) => one?.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * Returns a single value as text; null for lists, objects and nothing. A list of one item counts as that item. NUL and
 * lone surrogates, which no text can store, become U+FFFD.
 */
export function toText(value: Json | undefined): string | null {
  if (Array.isArray(value)) return value.length === 1 ? toText(value[0]) : null
  if (value === null || value === undefined || typeof value === 'object') return null
  return String(value).toWellFormed().replaceAll('\0', '\ufffd')
}

/** Whether a text is how a sender writes nothing: its own null or undefined. */
export const isWrittenNull = (text: string | null) => text === 'null' || text === 'undefined'

/** Returns every single value with its path, a few hundred at most, as the fields a sample offers. */
export function listLeaves(payload: Json, most = 300): { path: string; key: string; value: string }[] {
  const leaves: { path: string; key: string; value: string }[] = []
  const walk = (value: Json, keys: string[]) => {
    if (leaves.length >= most || keys.length > MOST_STEPS) return
    if (value !== null && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...keys, key])
      return
    }
    const text = toText(value)
    if (text !== null) leaves.push({ path: writtenPath(keys), key: keys.at(-1) ?? '', value: text })
  }
  walk(payload, [])
  return leaves
}

/** Returns the path to these keys as a person would write it. */
export const writtenPath = (keys: string[]) =>
  keys.every((key) => /^[^.[\]/]+$/.test(key))
    ? keys.join('.')
    : `/${keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
