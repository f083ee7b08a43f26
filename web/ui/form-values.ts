import type { z } from 'zod'
import { wrongFields } from '#contract/fields.ts'

/** Paths into the values of a form, as in the server's `fields`: 'address.zipCode'. */
export type PathOf<V> = V extends readonly (infer I)[]
  ? `${number}` | `${number}.${PathOf<NonNullable<I>>}`
  : V extends object
    ? { [K in keyof V & string]: K | `${K}.${PathOf<NonNullable<V[K]>>}` }[keyof V & string]
    : never

export type ValueAt<V, P extends string> = P extends `${infer K}.${infer Rest}`
  ? ValueAt<NonNullable<Inner<V, K>>, Rest>
  : Inner<V, P>

type Inner<V, K> = K extends keyof V ? V[K] : V extends readonly (infer I)[] ? I : never

export function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], values)
}

/** Returns a copy of `values` with one value changed; missing objects on its path are created. */
export function withValue<V>(values: V, path: string, value: unknown): V {
  const [key, ...rest] = path.split('.') as [string, ...string[]]
  const inner = (values as Record<string, unknown> | null | undefined)?.[key]
  const next = rest.length ? withValue(inner ?? {}, rest.join('.'), value) : value
  if (Array.isArray(values)) return values.map((old, at) => (String(at) === key ? next : old)) as V
  return { ...(values as object), [key]: next } as V
}

/** Returns the body to send: a field left empty is left out, an emptied one is `null`, as the changing calls expect. */
export function bodyOf(values: unknown, initial: unknown): unknown {
  if (values === '') return initial === '' || initial === null || initial === undefined ? undefined : null
  if (Array.isArray(values)) return values.map((value) => (value === '' ? null : value))
  if (typeof values !== 'object' || values === null) return values
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    bodyOf(value, (initial as Record<string, unknown> | null | undefined)?.[key]),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Returns the saved values, overlaid with those typed since they were sent. */
export function withLaterEdits<V>(saved: V, now: V, sent: V): V {
  if (JSON.stringify(now) === JSON.stringify(sent)) return saved
  if (!isGroup(now) || !isGroup(sent) || !isGroup(saved)) return now
  const entries = Object.entries(now).map(([key, value]) => [key, withLaterEdits(saved[key], value, sent[key])])
  return Object.fromEntries(entries) as V
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the top-level parts of the body that differ from the initial values. */
export function changesOf<B>(body: B, initial: unknown): Partial<B> {
  const before = initial as Record<string, unknown>
  const changed = Object.entries(body as object).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  return Object.fromEntries(changed) as Partial<B>
}

/**
 * Returns one message per wrong field. The message of a required empty field contains its label, unless the schema has
 * its own words for it, such as 'Enter an email, phone or external ID'.
 */
export function mistakesIn(schema: z.ZodType, body: unknown, required: (path: string) => string | undefined) {
  const { error } = schema.safeParse(body)
  if (!error) return {}
  const inOwnWords = new Set(error.issues.filter(({ code }) => code === 'custom').map(({ path }) => path.join('.')))
  const wrong = Object.entries(wrongFields(error)).map(([path, message]) => {
    const value = valueAt(body, path)
    const empty = value === undefined || value === null || value === ''
    return [path, (empty && !inOwnWords.has(path) && required(path)) || message]
  })
  return Object.fromEntries(wrong) as Record<string, string>
}

/** Returns the error a field shows: its own, else that of a field inside it that has no place of its own. */
export function errorAt(errors: Record<string, string | undefined>, path: string, places: ReadonlySet<string>) {
  if (errors[path]) return errors[path]
  const inner = Object.keys(errors).find((key) => key.startsWith(`${path}.`) && errors[key] && !places.has(key))
  return inner && errors[inner]
}
