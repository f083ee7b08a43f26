import { type Language, withLanguage } from '#contract/language.ts'
import { type Catalogues, withWords } from '#contract/words.ts'
import { getWords, hasOwnWords, shippedWords } from '../../platform/languages.ts'
import type { Printed } from '../payouts/statement/words.ts'
import { isSince, type Snapshot } from './snapshot.ts'

/** The modules whose words are on a document. */
const PAPER_MODULES = ['invoice-paper', 'statement', 'statement-paper', 'vat-treatment']

/** Returns the words that are on a document. */
export const pickPaper = (words: Catalogues): Catalogues =>
  Object.fromEntries(PAPER_MODULES.flatMap((module) => (words[module] ? [[module, words[module]]] : [])))

/** Returns the words that are recorded with a document: those of an install, which may correct them again. */
export const recordWording = (language: Language): Pick<Snapshot, 'wording'> =>
  PAPER_MODULES.some((module) => hasOwnWords(language, module)) ? { wording: pickPaper(getWords(language)) } : {}

export type Written = Pick<Snapshot, 'form' | 'language' | 'wording'>

/** Prints in the language and the words in which a document was issued; before form 3 it kept no words. */
export const asWritten = ({ form, language = 'en', wording }: Written, print: () => Printed): Printed =>
  withLanguage(language, () => withWords(wording ?? (isSince(3, form) ? pickPaper(shippedWords(language)) : {}), print))
