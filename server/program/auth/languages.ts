import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nativeName, shippedLanguages } from '#contract/language.ts'
import { type Language, languageParts } from '#features/languages/contract.ts'
import { webFolder } from '../../platform/http/web-build.ts'
import { wrongField } from '../../platform/refusal.ts'

const ENGLISH: Language = { language: 'en', name: 'English', parts: [...languageParts] }

const FILE = join(webFolder, 'words', 'index.json')

let known: { builtAt: number; languages: Language[] } | undefined

/** Returns the languages of the built web application, English first. */
export function listLanguages(): Language[] {
  const builtAt = statSync(FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (known?.builtAt !== builtAt) {
    const shipped: Record<string, Language['parts']> = builtAt ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
    const others = Object.entries(shipped).map(([language, parts]) => ({ language, name: nativeName(language), parts }))
    known = { builtAt, languages: [ENGLISH, ...others] }
  }
  return known.languages
}

/** Refuses a preference that is neither one of the languages nor that of the browser. */
export function checkLanguage(preference: unknown) {
  if (preference === undefined || preference === null) return
  if (![ENGLISH.language, 'browser', ...shippedLanguages].some((one) => one === preference))
    throw wrongField('preferences.language', 'language_unknown')
}
