import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formatNumber, formatPlural, joinClauses, labelInSentence, type Word } from './format.ts'
import { withLanguage } from './language.ts'
import { moneyInWords } from './money.ts'
import { type Catalogues, defineWords, loadCatalogues, nearestLanguages, readSay } from './words.ts'

const lampWords = defineWords('lamps', 'partner', {
  plural: 'lamps',
  colors: { red: 'Red', none: 'No color' },
  on: ({ date }: { date: Word }) => `Lit on ${date}`,
  count: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} lamp`, `${formatNumber(count)} lamps`),
  madeIn: ({ year }: { year: Word }) => `Made in ${year}`,
})

const german = {
  lamps: {
    plural: 'Lampen',
    colors: { red: 'Rot' },
    on: 'Am {{date}} angezündet',
    count_one: '{{count}} Lampe',
    count_other: '{{count}} Lampen',
    madeIn: 'Hergestellt {{year}}',
  },
}

const restore = loadCatalogues(() => null)
const speak = (catalogues: Record<string, Catalogues>) => loadCatalogues((language) => catalogues[language] ?? null)

after(restore)

test('a branch that was kept is read late too', () => {
  const { colors } = lampWords
  speak({ de: german })
  assert.equal(
    withLanguage('de', () => colors.red),
    'Rot',
  )
  assert.deepEqual(Object.keys(colors), ['red', 'none'])
})

test('words are read in the language of the moment, by the language of its tag', () => {
  speak({ de: german })
  assert.equal(lampWords.plural, 'lamps')
  for (const tag of ['de', 'de-CH']) {
    assert.equal(
      withLanguage(tag, () => lampWords.plural),
      'Lampen',
    )
    assert.equal(
      withLanguage(tag, () => lampWords.on({ date: '3. Mai' })),
      'Am 3. Mai angezündet',
    )
  }
  assert.equal(lampWords.on({ date: 'May 3' }), 'Lit on May 3')
})

test('a count takes the plural and the number of the language; a year is no count', () => {
  speak({
    de: german,
    pl: {
      lamps: {
        count_one: '{{count}} lampa',
        count_few: '{{count}} lampy',
        count_many: '{{count}} lamp',
        count_other: '{{count}} lampy',
      },
    },
  })
  const count = (tag: string, count: number) => withLanguage(tag, () => lampWords.count({ count }))
  assert.deepEqual(
    [1, 2, 12_345].map((n) => count('de', n)),
    ['1 Lampe', '2 Lampen', '12.345 Lampen'],
  )
  assert.deepEqual(
    [1, 2, 5, 22].map((n) => count('pl', n)),
    ['1 lampa', '2 lampy', '5 lamp', '22 lampy'],
  )
  assert.equal(
    withLanguage('de', () => lampWords.madeIn({ year: 2026 })),
    'Hergestellt 2026',
  )
})

test('a word without a translation is English, with the numbers of English', () => {
  speak({ de: german, fr: { lamps: { plural: 'lampes' } } })
  assert.equal(
    withLanguage('de', () => lampWords.colors.none),
    'No color',
  )
  assert.equal(
    withLanguage('fr', () => lampWords.count({ count: 1500 })),
    '1,500 lamps',
  )
  assert.equal(
    withLanguage('ja', () => lampWords.plural),
    'lamps',
  )
})

test('what is loaded later replaces what was said before', () => {
  speak({ de: german })
  assert.equal(
    withLanguage('de', () => lampWords.plural),
    'Lampen',
  )
  speak({ de: { lamps: { plural: 'Leuchten' } } })
  assert.equal(
    withLanguage('de', () => lampWords.plural),
    'Leuchten',
  )
})

test('any Portuguese has the words of Brazil, and a failure leaves the language as it was', () => {
  assert.deepEqual(nearestLanguages('pt-PT'), ['pt-PT', 'pt', 'pt-BR'])
  assert.throws(() => withLanguage('de', () => assert.fail()))
  assert.equal(moneyInWords(123_450, 'eur'), '€1,234.50')
})

test('amounts have the form of the language', () => {
  const spaced = (tag: string) => withLanguage(tag, () => moneyInWords(123_450, 'eur')).replace(/\s/g, ' ')
  assert.deepEqual(['de', 'fr', 'es', 'it', 'nl', 'pt-BR', 'en-GB'].map(spaced), [
    '1.234,50 €',
    '1 234,50 €',
    '1.234,50 €',
    '1.234,50 €',
    '€ 1.234,50',
    '€ 1.234,50',
    '€1,234.50',
  ])
})

test('a function of words tells its texts and what it counts', () => {
  assert.deepEqual(readSay(lampWords.count), {
    texts: { zero: '{{count}} lamps', one: '{{count}} lamp', other: '{{count}} lamps' },
    counted: ['count'],
    formatted: ['count', 'count'],
  })
})

test('clauses are joined by semicolons, before which French has a space', () => {
  const joined = (tag: string) => withLanguage(tag, () => joinClauses(['10 %', '30 %']))
  assert.deepEqual(['en', 'de', 'fr-CA'].map(joined), ['10 %; 30 %', '10 %; 30 %', '10 %\u00a0; 30 %'])
})

test('a label within a sentence begins with a small letter, but in German', () => {
  const within = (tag: string) => withLanguage(tag, () => labelInSentence('Élan'))
  assert.deepEqual(['en', 'es', 'fr', 'de-AT'].map(within), ['élan', 'élan', 'élan', 'Élan'])
})

test('Italian elides its articles before numbers that begin with a vowel', () => {
  const italian = { lamps: { on: 'Accesa il {{date}}, dal {{date}}', madeIn: 'Lampade al {{year}}' } }
  speak({ it: italian, es: italian })
  const on = (tag: string, date: string) => withLanguage(tag, () => lampWords.on({ date }))
  assert.deepEqual(
    ['8 dic', '11 dic', '18 dic', '1 dic', '111'].map((date) => on('it-CH', date)),
    [
      'Accesa l’8 dic, dall’8 dic',
      'Accesa l’11 dic, dall’11 dic',
      'Accesa il 18 dic, dal 18 dic',
      'Accesa il 1 dic, dal 1 dic',
      'Accesa il 111, dal 111',
    ],
  )
  assert.equal(on('es', '8 dic'), 'Accesa il 8 dic, dal 8 dic')
  assert.equal(
    withLanguage('it', () => lampWords.madeIn({ year: '80%' })),
    'Lampade all’80%',
  )
})
