import type { Language } from '#contract/language.ts'
import { areEmpty, type Translations } from '#contract/pick-text.ts'
import { wrongField } from './refusal.ts'

/**
 * Returns the translations after a change: empty texts take theirs away. Refuses: texts in the base language, in which
 * their owner's own texts are.
 */
export function changeTranslations<Text extends object>(
  saved: Translations<Text>,
  change: Translations<Text> | undefined,
  base: Language,
  field = 'translations',
): Record<Language, Text> {
  if (change?.[base]) throw wrongField(`${field}.${base}`, 'language_of_texts')
  return Object.fromEntries(
    Object.entries({ ...saved, ...change }).flatMap(([language, text]) =>
      text && !areEmpty(text) ? [[language, text]] : [],
    ),
  )
}
