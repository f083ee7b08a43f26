import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedLanguages } from '#contract/language.ts'
import type { Catalogue } from '#contract/words.ts'
import { findTranslation, readCatalogues, readEnglish } from './catalogues.ts'

// A translation has the texts of English, the values of each, and the plurals of its own language.

const english = await readEnglish()

/** Returns the texts of a catalogue with their paths. */
const readLeaves = (catalogue: Catalogue, path = ''): [path: string, text: string][] =>
  Object.entries(catalogue).flatMap(([key, value]): [string, string][] => {
    const place = path === '' ? key : `${path}.${key}`
    return typeof value === 'string' ? [[place, value]] : readLeaves(value, place)
  })

const FORM = /_(zero|one|two|few|many|other)$/
const valuesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted().join(' ')
const withoutCount = (values: string) => values.replace(/\{\{count\}\} ?/, '').trim()
const marksIn = (text: string) => text.replace(/[^[\]]/g, '')
const isSentence = (text: string) => (text.replace(/\{\{\w+\}\}/g, '').match(/\p{L}{2,}/gu) ?? []).length > 4

for (const language of shippedLanguages)
  test(`the texts in ${language} are those of English, with the same values and link marks`, () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((one) => one !== 'many')
    const faults: string[] = []
    for (const { path, texts } of english) {
      const translations = readCatalogues(path, language)
      const known = new Map(texts.map(({ module, path, text }) => [`${module}.${path}`, text]))
      for (const text of texts) {
        const place = `${text.module}.${text.path}`
        const own = findTranslation(translations, text)
        if (own === undefined) {
          faults.push(`${place} is missing: ${text.text}`)
          continue
        }
        const [wanted, given] = [valuesIn(text.text), valuesIn(own)]
        const mayOmitCount = /_(one|zero)$/.test(text.path) && withoutCount(wanted) === withoutCount(given)
        if (wanted !== given && !mayOmitCount) faults.push(`${place} has the values ${given}, not ${wanted}`)
        if (marksIn(text.text) !== marksIn(own)) faults.push(`${place} marks another link: ${own}`)
        if (own === text.text && isSentence(own)) faults.push(`${place} is English: ${own}`)
        if (/\p{L}'\p{L}/u.test(own)) faults.push(`${place} has a straight apostrophe: ${own}`)
      }
      for (const [place] of readLeaves(translations)) {
        const stem = place.replace(FORM, '')
        if (!known.has(place) && !known.has(`${stem}_other`)) faults.push(`${place} is surplus`)
      }
      for (const [place] of readLeaves(translations).filter(([place]) => place.endsWith('_other')))
        for (const category of categories) {
          const form = place.replace(/_other$/, `_${category}`)
          if (!readLeaves(translations).some(([one]) => one === form)) faults.push(`${form} is missing`)
        }
    }
    assert.deepEqual(faults, [])
  })
