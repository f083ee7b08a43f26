import { z } from 'zod'
import { endpoint, publicLimit } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { parts } from '#contract/words.ts'

/** Its calls follow those of this group in the reference. */
export const listedAfter = 'auth'

/**
 * `language` is a BCP 47 tag, `name` what the language calls itself. A part is there once nine of ten texts are: those
 * before signing in, those of a partner's screens, those of emails and program pages (`server`).
 */
export const Language = z
  .object({ language: z.string(), name: z.string(), parts: z.array(z.enum(parts)) })
  .meta({ id: 'Language' })
export type Language = z.infer<typeof Language>

export const listLanguages = endpoint('listLanguages', 'GET /languages', {
  summary: 'List the languages of screens and emails, English first',
  allow: ['public'],
  limit: publicLimit,
  reply: z.object({ items: z.array(Language) }).meta({ id: 'LanguageList' }),
})

export const refusals = {
  language_unknown: ['validation_failed', 'Choose one of the languages'],
} as const satisfies Refusals
