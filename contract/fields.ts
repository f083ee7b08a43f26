import { z } from 'zod'

type Issue = {
  code?: string | undefined
  path: PropertyKey[]
  message: string
  keys?: string[]
  /** `reason` is the refusal of a value that is wrong in this way alone. */
  params?: { reason?: string }
  errors?: Issue[][]
  /** Set for an invalid key. */
  issues?: Issue[]
}

/** `firstName` -> `First Name`, as in the labels of forms. */
const label = (path: readonly PropertyKey[]) => {
  const name = String(path.findLast((part) => typeof part === 'string') ?? 'Body')
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/\b(External) Id$/, '$1 ID')
    .replace(/ Id$/, '')
    .replace(/\bUrl\b/, 'URL')
}

z.config({
  customError: (issue) => {
    const missing = issue.input === undefined && /^invalid_(type|value|union)$/.test(issue.code)
    if (missing) return `${label(issue.path ?? [])} is required`
    return inWords(issue)
  },
})

const kinds: Record<string, string> = {
  string: 'Enter text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  boolean: 'Use true or false',
  array: 'Send a list',
  object: 'Send an object',
  record: 'Send an object',
}

const units: Record<string, string> = { string: 'characters', array: 'items' }

/** Returns the message for an issue whose schema defines none. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? 'This value has the wrong type'
  if (issue.code === 'invalid_value') return `Use ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_union') return 'This value has the wrong type'
  if (issue.code === 'too_small') return issue.origin === 'string' ? 'Enter a value' : `Enter at least ${issue.minimum}`
  if (issue.code !== 'too_big') return undefined
  return issue.origin in units
    ? `Use at most ${issue.maximum} ${units[issue.origin]}`
    : `Enter at most ${issue.maximum}`
}

/**
 * Mistakes of the whole value (`whole`), of fields by dotted path, and the number of further fields. `reason` is the
 * refusal of the only mistake, if its schema names one.
 */
export type Mistakes = {
  whole?: string | undefined
  fields: Record<string, string>
  more: number
  reason?: string | undefined
}

/** Maximum fields a refusal names and characters of their names: a request with thousands gets a short answer. */
const MOST_NAMED = 50
const NAME_LENGTH = 60

/**
 * Returns the mistakes of each field in plain words. Keys are dotted from the body's root (`layerRates.1`), an unknown
 * key appears under its own name, and a union reports its nearest branch.
 */
export function mistakesIn(error: z.ZodError, noun: 'field' | 'parameter' = 'field', most = MOST_NAMED): Mistakes {
  const fields = new Map<string, string>()
  const beyond = new Set<string>()
  let whole: string | undefined
  const all = flatten(error.issues as Issue[], [])
  for (const { path, message, isUnknown } of all) {
    const name = shortened(path.map(String).join('.'))
    const words = isUnknown ? unknown(name, noun) : message
    if (name === '') whole ??= words
    else if (fields.size < most) fields.set(name, fields.get(name) ?? words)
    else if (!fields.has(name)) beyond.add(name)
  }
  const reason = all.length === 1 ? all[0]!.reason : undefined
  return { whole, fields: Object.fromEntries(fields), more: beyond.size, reason }
}

/** Returns only the messages; a mistake of the whole value appears under the empty name. */
export function wrongFields(error: z.ZodError): Record<string, string> {
  const { whole, fields } = mistakesIn(error)
  return whole === undefined ? fields : { '': whole, ...fields }
}

/** Reports all of these fields as unknown. */
export function unknownFields(names: readonly string[]): Mistakes {
  const named = names.filter(Boolean).slice(0, MOST_NAMED).map(shortened)
  const fields = Object.fromEntries(named.map((name) => [name, unknown(name, 'field')]))
  return { fields, more: Math.max(0, names.length - MOST_NAMED) }
}

const unknown = (name: string, noun: string) =>
  name ? `The ${noun} "${name}" is not recognized` : `A ${noun} without a name is not recognized`

/** Makes a name displayable: short and without invisible characters. */
const shortened = (name: string) => {
  const seen = name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name
  return seen.toWellFormed().replace(/\p{C}/gu, '\ufffd')
}

type Flat = { path: PropertyKey[]; message: string; isUnknown?: boolean; reason?: string | undefined }

function flatten(issues: Issue[], base: PropertyKey[]): Flat[] {
  return issues.flatMap((issue): Flat[] => {
    const path = [...base, ...issue.path]
    const { message, params } = issue
    if (issue.code === 'unrecognized_keys')
      return issue.keys!.map((key) => ({ path: [...path, key], message, isUnknown: true }))
    if (issue.code === 'invalid_key') return flatten(issue.issues!, path)
    const branch = issue.code === 'invalid_union' && nearest(issue.errors ?? [])
    return branch ? flatten(branch, path) : [{ path, message, reason: params?.reason }]
  })
}

/** Returns the branch of the right kind (an object for an object) with the fewest mistakes. */
function nearest(branches: Issue[][]): Issue[] | undefined {
  const ofKind = branches.filter(
    (issues) => !issues.some((issue) => issue.code === 'invalid_type' && !issue.path.length),
  )
  return ofKind.toSorted((a, b) => a.length - b.length)[0]
}
