import type { z } from 'zod'
import { type Mistakes, mistakesIn } from '#contract/fields.ts'
import { formatNumber } from '#contract/format.ts'
import { formerFields } from '#contract/former-names.ts'
import type { refusals } from '#contract/refusals.ts'

import { type Refusal, refusal, wrongField } from '../refusal.ts'

/** Parses a value. Refuses: `validation_failed`, with at most `named` wrong fields by name. */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown, what: 'query' | 'body', named?: number): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw toRefusal(mistakesIn(result.error, what === 'query' ? 'parameter' : 'field', named))
}

/** Returns the errors in one sentence about the first, with a message for each field. */
export function toRefusal({ whole, fields, more, reason }: Mistakes): Refusal {
  const [first] = Object.entries(fields)
  if (first && reason) return wrongField(first[0], reason as Plain)
  const sentence = whole ?? (first ? inSentence(first) : 'Some fields aren’t valid')
  const mistake = sentence.replace(/[.!?]$/, '')
  const named = first ? { fields } : {}
  return more > 0
    ? refusal('many_invalid_fields', { mistake, more: () => formatNumber(more) }, named)
    : refusal('invalid_fields', { mistake }, named)
}

/** Returns the value of a field that has a former name too. Refuses: `validation_failed` for both. */
export function eitherName<N extends keyof typeof formerFields, V>(
  body: { [F in N | (typeof formerFields)[N]]?: V },
  name: N,
): V | undefined {
  const former = formerFields[name]
  if (body[former] === undefined) return body[name]
  if (body[name] === undefined) return body[former]
  throw toRefusal({ fields: { [former]: `Send only ${name}` }, more: 0 })
}

/** Reasons that a schema may name: without values. */
type Plain = {
  [R in keyof typeof refusals]: (typeof refusals)[R][1] extends `${string}{{${string}` ? never : R
}[keyof typeof refusals]

/** Adds the field's name if its message lacks it. */
const inSentence = ([name, words]: [string, string]) =>
  /^The (field|parameter) | is required$/.test(words) ? words : `Check "${name}". ${words}`
