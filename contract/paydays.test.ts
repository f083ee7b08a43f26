import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { withLanguage } from './language.ts'
import { paydaysInWords } from './paydays.ts'
import { loadCatalogues } from './words.ts'

after(
  loadCatalogues((language) =>
    JSON.parse(readFileSync(`${import.meta.dirname}/paydays-words.${language}.json`, 'utf8')),
  ),
)

const cases = [
  ['en', [1, 21], 'on the 1st and the 21st of each month'],
  ['en', [2, 11], 'on the 2nd and the 11th of each month'],
  ['de', [1, 15], 'am 1. und am 15. jedes Monats'],
  ['fr', [1, 21], 'le 1er et le 21 de chaque mois'],
  ['fr', [11, 31], 'le 11 et le dernier jour de chaque mois'],
  ['it', [1, 8], 'ogni 1° e 8° giorno del mese'],
  ['nl', [1, 3], 'op de 1e en de 3e van elke maand'],
] as const

for (const [language, days, words] of cases)
  test(`in ${language}, ${days.join(' and ')} are ${words}`, () => {
    const paydays = { every: 'month' as const, days: [...days] }
    assert.equal(
      withLanguage(language, () => paydaysInWords(paydays)),
      words,
    )
  })
