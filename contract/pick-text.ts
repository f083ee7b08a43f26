import type { Language } from './language.ts'
import { nearestLanguages } from './words.ts'

// Read also by screens that load no schemas.

/** The texts of an owner in further languages. */
export type Translations<Text> = { readonly [language: Language]: Text | null | undefined }

/** A text with the language that it is in. */
export type ReadText<Value> = { value: Value; language: Language }

/**
 * Picks a text of an owner for a reader: in their language, else the owner's own, which is in the base language. Without
 * a wish it is the owner's own.
 */
export function pickText<
  Key extends string,
  Text extends { readonly [K in Key]: unknown } & { translations: Translations<{ readonly [K in Key]: unknown }> },
>(texts: Text, key: Key, base: Language, wanted: Language | null): ReadText<Text[Key]> {
  for (const language of wanted === null ? [] : nearestLanguages(wanted)) {
    if (language === base) break
    const value = texts.translations[language]?.[key]
    if (value !== undefined && !isEmpty(value)) return { value: value as Text[Key], language }
  }
  return { value: texts[key], language: base }
}

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether texts have no words. */
export const areEmpty = (texts: object) => Object.values(texts).every(isEmpty)
