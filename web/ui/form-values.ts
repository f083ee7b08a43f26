import type { z } from 'zod'
import { wrongFields } from '#contract/fields.ts'

/** Paths into the values of a form, as the server's `fields` names them: 'address.zipCode'. */
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

/** A copy of `values` with one value changed; what stood in between is made where it was missing. */
export function withValue<V>(values: V, path: string, value: unknown): V {
  const [key, ...rest] = path.split('.') as [string, ...string[]]
  const inner = (values as Record<string, unknown> | null | undefined)?.[key]
  const next = rest.length ? withValue(inner ?? {}, rest.join('.'), value) : value
  if (Array.isArray(values)) return values.map((old, at) => (String(at) === key ? next : old)) as V
  return { ...(values as object), [key]: next } as V
}

/**
 * What is sent: a field left empty is left out, one that was emptied is `null`, as the calls that change things want it.
 */
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

/** What was saved, and over it what was typed since it was sent. */
export function withLaterEdits<V>(saved: V, now: V, sent: V): V {
  if (JSON.stringify(now) === JSON.stringify(sent)) return saved
  if (!isGroup(now) || !isGroup(sent) || !isGroup(saved)) return now
  const entries = Object.entries(now).map(([key, value]) => [key, withLaterEdits(saved[key], value, sent[key])])
  return Object.fromEntries(entries) as V
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The top-level parts of the body that differ from what the form began with. */
export function changesOf<B>(body: B, initial: unknown): Partial<B> {
  const before = initial as Record<string, unknown>
  const changed = Object.entries(body as object).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  return Object.fromEntries(changed) as Partial<B>
}

/**
 * One message per wrong field. A field that is empty but must not be says so with its own label, unless the schema has
 * words of its own for it, such as 'Enter an email, phone or external ID'.
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

/** The errors a field shows: its own, else those of fields inside it that have no place of their own. */
export function errorAt(errors: Record<string, string | undefined>, path: string, places: ReadonlySet<string>) {
  if (errors[path]) return errors[path]
  const inner = Object.keys(errors).find((key) => key.startsWith(`${path}.`) && errors[key] && !places.has(key))
  return inner && errors[inner]
}
