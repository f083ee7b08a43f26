import type { Language } from '#contract/language.ts'
import type { Catalogues } from '#contract/words.ts'
import { type EnglishText, findTranslation } from './word-files.ts'

const FORM = /_(zero|one|two|few|many|other)$/
const stemOf = (path: string) => path.replace(FORM, '')

const valuesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted().join(' ')
const withoutCount = (values: string) => values.replace(/\{\{count\}\} ?/, '').trim()
const marksIn = (text: string) => text.replace(/[^[\]]/g, '')
const placeOf = ({ module, path }: Pick<EnglishText, 'module' | 'path'>) => `${module}.${path}`

/** Languages whose `many` is of millions alone: such counts may be said as others. */
const MANY_IS_MILLIONS = /^(ca|es|fr|it|pt)\b/

/** Returns the texts that a language needs: for a count, one for each of its own plurals. */
export function textsFor(language: Language, english: readonly EnglishText[]): EnglishText[] {
  const plurals = new Intl.PluralRules(language)
    .resolvedOptions()
    .pluralCategories.filter((form) => form !== 'many' || !MANY_IS_MILLIONS.test(language))
  const counted = new Set(english.filter(({ path }) => path.endsWith('_other')).map(placeOf))
  return english.flatMap((text) => {
    const isCounted = FORM.test(text.path) && counted.has(`${text.module}.${stemOf(text.path)}_other`)
    if (!isCounted || text.path.endsWith('_zero')) return [text]
    // the others follow the last of English
    if (text.path.endsWith('_one')) return plurals.includes('one') ? [text] : []
    return plurals.filter((form) => form !== 'one').map((form) => ({ ...text, path: `${stemOf(text.path)}_${form}` }))
  })
}

/** Returns the English text that a translation is of, by its place. */
export function createTextFinder(english: readonly EnglishText[]) {
  const known = new Map(english.map((text) => [placeOf(text), text]))
  return (place: Pick<EnglishText, 'module' | 'path'>) =>
    known.get(placeOf(place)) ?? known.get(`${stemOf(placeOf(place))}_other`)
}

/** Returns what is wrong with a translation that could not be shown; undefined if it can. */
export function findFault(english: EnglishText, path: string, text: string): string | undefined {
  const [wanted, given] = [valuesIn(english.text), valuesIn(text)]
  const mayOmitCount = /_(one|zero)$/.test(path) && withoutCount(wanted) === withoutCount(given)
  if (wanted !== given && !mayOmitCount) return `has ${given || 'no value'} where English has ${wanted || 'none'}`
  if (marksIn(english.text) !== marksIn(text)) return 'marks no link with [ ] as English does'
  return undefined
}

/** Returns those of the texts without a translation. */
export const findMissing = (texts: readonly EnglishText[], catalogues: Catalogues) =>
  texts.filter((text) => findTranslation(catalogues, text) === undefined)
