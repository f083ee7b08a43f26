import { z } from 'zod'

type Issue = { code?: string | undefined; path: PropertyKey[]; message: string; keys?: string[]; errors?: Issue[][] }

/** `firstName` -> `First Name`, as the labels of the forms read. */
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
    if (issue.code === 'unrecognized_keys') return 'This field is not known'
    return inWords(issue)
  },
})

const kinds: Record<string, string> = {
  string: 'Enter a text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  boolean: 'Use true or false',
  array: 'Send a list',
  object: 'Send an object',
  record: 'Send an object',
}

/** What a schema says that has no words of its own. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? 'This value is of the wrong kind'
  if (issue.code === 'invalid_value') return `Use ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_union') return 'This value is of the wrong kind'
  const isNumber =
    (issue.code === 'too_small' || issue.code === 'too_big') && /^(number|int|bigint)$/.test(issue.origin)
  if (!isNumber) return undefined
  return issue.code === 'too_small' ? `Enter at least ${issue.minimum}` : `Enter at most ${issue.maximum}`
}

/**
 * What is wrong with each field, in words for people: keys are dotted from the body's root (`layerRates.1`),
 * an unknown key stands under its own name, and of a union's branches the one that comes nearest speaks.
 */
export function wrongFields(error: z.ZodError): Record<string, string> {
  const fields = new Map<string, string>()
  for (const issue of flatten(error.issues as Issue[], [])) {
    const key = issue.path.map(String).join('.')
    if (!fields.has(key)) fields.set(key, issue.message)
  }
  return Object.fromEntries(fields)
}

function flatten(issues: Issue[], base: PropertyKey[]): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path]
    if (issue.code === 'unrecognized_keys') return issue.keys!.map((key) => ({ ...issue, path: [...path, key] }))
    const branch = issue.code === 'invalid_union' && nearest(issue.errors ?? [])
    return branch ? flatten(branch, path) : [{ ...issue, path }]
  })
}

/** The branch of the right kind (an object for an object), and of several the one with the fewest mistakes. */
function nearest(branches: Issue[][]): Issue[] | undefined {
  const ofKind = branches.filter(
    (issues) => !issues.some((issue) => issue.code === 'invalid_type' && !issue.path.length),
  )
  return ofKind.toSorted((a, b) => a.length - b.length)[0]
}
