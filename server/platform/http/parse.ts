import type { z } from 'zod'
import { type Mistakes, mistakesIn } from '#contract/fields.ts'
import { numberInWords } from '../in-words.ts'
import { Refusal } from '../refusal.ts'

/** Refuses: `validation_failed`, of its wrong fields at most so many by name. */
export function parse<T>(schema: z.ZodType<T>, value: unknown, what: 'query' | 'body', named?: number): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refusalOf(mistakesIn(result.error, what === 'query' ? 'parameter' : 'field', named))
}

/** What is wrong, in one sentence about the first mistake and a message for each field. */
export function refusalOf({ whole, fields, more }: Mistakes): Refusal {
  const [first] = Object.entries(fields)
  const said = whole ?? (first ? inSentence(first) : "Some fields aren't valid")
  const rest = more > 0 ? ` ${numberInWords(more)} more are wrong in the same call.` : ''
  return new Refusal('validation_failed', `${said.replace(/[.!?]$/, '')}.${rest}`, first ? { fields } : {})
}

/** Names the field, where its message does not do so itself. */
const inSentence = ([name, words]: [string, string]) =>
  /^The (field|parameter) | is required$/.test(words) ? words : `Check "${name}". ${words}`
