/** Paths into the values of a form, as in the server's `fields`: 'address.zipCode'. */
export type PathOf<V> = V extends readonly (infer I)[]
  ? `${number}` | `${number}.${PathOf<NonNullable<I>>}`
  : V extends object
    ? { [K in keyof V & string]: K | `${K}.${PathOf<NonNullable<V[K]>>}` }[keyof V & string]
    : never

export type ValueAt<V, P extends string> = P extends `${infer K}.${infer Rest}`
  ? ValueAt<NonNullable<Inner<V, K>>, Rest>
  : Inner<V, P>

/** The type of each value, by its path. */
export type ValuesAt<V> = { [P in PathOf<V>]: ValueAt<V, P> }

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

/** Compares two values as JSON would show them; parts that are the same object are not looked into. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isSame(one[key], other[key]))
}

/** Returns the saved values, overlaid with those typed since they were sent. */
function withLaterEdits<V>(saved: V, now: V, sent: V): V {
  if (isSame(now, sent)) return saved
  if (!isGroup(now) || !isGroup(sent) || !isGroup(saved)) return now
  const entries = Object.entries(now).map(([key, value]) => [key, withLaterEdits(saved[key], value, sent[key])])
  return Object.fromEntries(entries) as V
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Messages by path; undefined if there is no mistake. */
export type Messages = Readonly<Record<string, string | undefined>>

/** The labels of the fields that are shown, by path. */
export type Labels = ReadonlyMap<string, string>

/** All that a form remembers. The functions below return the next state and change nothing. */
export type FormState<V> = {
  /** The values it began with. */
  initial: V
  values: V
  /** The values of the last attempt, and the paths changed since. */
  sent: V
  later: ReadonlySet<string>
  /** By the field that shows it. */
  errors: Messages
  /** The fields shown at an attempt with mistakes; none if it had no mistake on a field. */
  listed: Labels
  /** A mistake that belongs to no field. */
  failure: string | null
  /** Counts the attempts that were refused, here or by the server. */
  attempt: number
}

const NONE: Labels = new Map()

export const beginForm = <V>(initial: V): FormState<V> => ({
  initial,
  values: initial,
  sent: initial,
  later: new Set(),
  errors: {},
  listed: NONE,
  failure: null,
  attempt: 0,
})

/** Newly read values replace the initial ones, and all that were not edited. */
export const applyReadValues = <V>(state: FormState<V>, read: V): FormState<V> =>
  isDirty(state)
    ? { ...state, initial: read, values: withLaterEdits(read, state.values, state.initial) }
    : beginForm(read)

export const isDirty = <V>({ values, initial }: FormState<V>) => !isSame(values, initial)

/** One value is changed. A mistake of a whole list, such as its sum, is outdated by any change in it. */
export function changeValue<V>(state: FormState<V>, path: string, value: unknown): FormState<V> {
  const errors = Object.entries(state.errors).filter(([place]) => !isWithin(place, path) && !isWithin(path, place))
  const later = new Set(state.later).add(path)
  return { ...state, values: withValue(state.values, path, value), later, errors: Object.fromEntries(errors) }
}

/** Several values are changed by the form itself; their mistakes stay. */
export const fillValues = <V>(state: FormState<V>, some: Partial<V>): FormState<V> => ({
  ...state,
  values: { ...state.values, ...some },
  later: new Set([...state.later, ...Object.keys(some)]),
})

/** A field was left: its own mistake appears, and those of its containers, for one rate the sum of all. */
export function blurField<V>(state: FormState<V>, path: string, wrong: Messages, labels: Labels): FormState<V> {
  const placed = atFields(wrong, labels)
  const places = [...labels.keys()].filter((place) => isWithin(path, place))
  const errors = places.map((place) => [place, state.errors[place] ?? placed[place]])
  return { ...state, errors: { ...state.errors, ...Object.fromEntries(errors) } }
}

/** The values were refused: mistakes appear on their fields, or above all of them if none has a field. */
export function refuseValues<V>(state: FormState<V>, wrong: Messages, otherwise: string | null, labels: Labels) {
  const errors = atFields(wrong, labels)
  const known = Object.keys(errors).length > 0
  const failure = known ? null : (otherwise ?? Object.values(wrong).find(Boolean) ?? null)
  return { ...state, errors, listed: known ? labels : NONE, failure, attempt: state.attempt + 1 }
}

/** The values have no mistake and are sent. */
export const acceptValues = <V>(state: FormState<V>): FormState<V> => ({
  ...beginForm(state.initial),
  attempt: state.attempt,
  values: state.values,
  sent: state.values,
})

/** Marks them as saved, on a page that stays: values typed meanwhile remain unsaved. */
export const markSaved = <V>(state: FormState<V>, next: V): FormState<V> => ({
  ...beginForm(next),
  attempt: state.attempt,
  values: withLaterEdits(next, state.values, state.sent),
  later: state.later,
})

/** Returns each mistake at the field it belongs to, else at the nearest one around it. */
export function atFields(wrong: Messages, labels: Labels): Messages {
  const errors: Record<string, string> = {}
  for (const [path, message] of Object.entries(wrong)) {
    const place = message && fieldAround(path, labels)
    if (place && (place === path || !errors[place])) errors[place] = message
  }
  return errors
}

function fieldAround(path: string, labels: Labels): string | undefined {
  if (labels.has(path) || path === '') return labels.has(path) ? path : undefined
  return fieldAround(path.slice(0, Math.max(0, path.lastIndexOf('.'))), labels)
}

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}.`)
