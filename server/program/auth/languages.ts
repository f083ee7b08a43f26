import { nativeName } from '#contract/language.ts'
import { parts } from '#contract/words.ts'
import type { Language } from '#features/languages/contract.ts'
import { partsOfLanguages } from '../../platform/languages.ts'
import { wrongField } from '../../platform/refusal.ts'

/** Returns the languages of this install, English first. */
export const listLanguages = (): Language[] =>
  [['en', parts] as const, ...partsOfLanguages()].flatMap(([language, parts]) =>
    parts.length > 0 ? [{ language, name: nativeName(language), parts: [...parts] }] : [],
  )

/** Refuses a preference that is neither one of the languages nor that of the browser. */
export function checkLanguage(preference: unknown) {
  if (preference === undefined || preference === null || preference === 'browser') return
  if (!listLanguages().some(({ language }) => language === preference))
    throw wrongField('preferences.language', 'language_unknown')
}
