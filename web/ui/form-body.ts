import type { z } from 'zod'
import { wrongFields } from '#contract/fields.ts'
import { translateSentence } from '#contract/sentences.ts'
import { isSame, type Messages, valueAt } from './form-values.ts'

/** Returns the body to send: a field left empty is left out, an emptied one is `null`, as the changing calls expect. */
export function toBody(values: unknown, initial: unknown): unknown {
  if (values === '') return initial === '' || initial === null || initial === undefined ? undefined : null
  if (Array.isArray(values)) return values.map((value) => (value === '' ? null : value))
  if (typeof values !== 'object' || values === null) return values
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    toBody(value, (initial as Record<string, unknown> | null | undefined)?.[key]),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Returns the top-level parts of the body that differ from the initial values. */
export function findChanges<B>(body: B, initial: unknown): Partial<B> {
  const before = initial as Record<string, unknown>
  const changed = Object.entries(body as object).filter(([key, value]) => !isSame(value, before[key]))
  return Object.fromEntries(changed) as Partial<B>
}

/**
 * Returns one message per wrong field. The message of a required empty field contains its label, unless the schema has
 * its own words for it, such as 'Enter an email, phone or external ID'. They are in the document's language.
 */
export function mistakesIn(schema: z.ZodType, body: unknown, required: (path: string) => string | undefined): Messages {
  const { error } = schema.safeParse(body)
  if (!error) return {}
  const inOwnWords = new Set(error.issues.filter(({ code }) => code === 'custom').map(({ path }) => path.join('.')))
  const wrong = Object.entries(wrongFields(error)).map(([path, message]) => {
    const value = valueAt(body, path)
    const empty = value === undefined || value === null || value === ''
    return [path, (empty && !inOwnWords.has(path) && required(path)) || translateSentence(message)]
  })
  return Object.fromEntries(wrong)
}
