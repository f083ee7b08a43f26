import { z } from 'zod'
import { LanguageTag } from './values.ts'

// An owner writes in the language of their account, and may translate it.

/** An object with the texts in further languages. */
export const savedTranslations = <Text extends z.ZodType>(text: Text) => z.partialRecord(LanguageTag, text)

/** A change of texts in further languages: one that is left out stays as it is, null takes it away. */
export const changedTranslations = <Text extends z.ZodType>(text: Text) => savedTranslations(text.nullable())
