import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from './language.ts'
import {
  beyondMost,
  currencySign,
  parseMoney,
  parseNumber,
  parseRate,
  shareAtRate,
  typedMoney,
} from './typed-numbers.ts'

const languages = ['en', 'de', 'es', 'it', 'nl', 'pt-BR', 'fr'] as const
type Row = [typed: string, currency: string, ...amounts: (number | null)[]]

// in English, in German and its like, in French; null is refused
const table: Row[] = [
  ['12,50', 'usd', 12_50, 12_50, 12_50],
  ['12.50', 'usd', 12_50, 12_50, 12_50],
  ['1.234,50', 'usd', 1234_50, 1234_50, 1234_50],
  ['1,234.50', 'usd', 1234_50, 1234_50, 1234_50],
  ['1 234,50', 'usd', 1234_50, 1234_50, 1234_50],
  ['1\u202f234,50', 'usd', 1234_50, 1234_50, 1234_50],
  ['1’234.50', 'usd', 1234_50, 1234_50, 1234_50],
  ["1'234", 'usd', 1234_00, 1234_00, 1234_00],
  ['1,250', 'usd', 1250_00, null, null],
  ['1.250', 'usd', null, 1250_00, null],
  ['1.250.000', 'usd', 1250000_00, 1250000_00, 1250000_00],
  ['1,250,000', 'usd', 1250000_00, 1250000_00, 1250000_00],
  ['1,250', 'kwd', 1250_000, 1_250, 1_250],
  ['1.250', 'kwd', 1_250, 1250_000, 1_250],
  ['12,50', 'jpy', null, null, null],
  ['1,234', 'jpy', 1234, null, null],
  ['1.000', 'jpy', null, 1000, null],
  ['-€ 1.250 ', 'eur', null, -1250_00, null],
  ['R$ 1.234,50', 'brl', 1234_50, 1234_50, 1234_50],
  ['1.234,50 €', 'eur', 1234_50, 1234_50, 1234_50],
  ['$1250', 'usd', 1250_00, 1250_00, 1250_00],
  [' 1 250.5 ', 'usd', 1250_50, 1250_50, 1250_50],
  ['0.07', 'usd', 7, 7, 7],
  ['0.500', 'usd', 50, 50, 50],
  ['0,500', 'usd', 50, 50, 50],
  ['-12', 'usd', -12_00, -12_00, -12_00],
  ['−12', 'usd', -12_00, -12_00, -12_00],
  ['-$12.00', 'usd', -12_00, -12_00, -12_00],
  ['1 234,50 kr', 'sek', 1234_50, 1234_50, 1234_50],
  ['-kr 12', 'sek', -12_00, -12_00, -12_00],
  ['CHF 1’234.50', 'chf', 1234_50, 1234_50, 1234_50],
  ['12,50 EUR', 'eur', 12_50, 12_50, 12_50],
  ['12,50 zł', 'pln', 12_50, 12_50, 12_50],
  ['Q12.50', 'gtq', 12_50, 12_50, 12_50],
  ['K 1500', 'mmk', 1500_00, 1500_00, 1500_00],
  ['\u200e-12.50', 'usd', -12_50, -12_50, -12_50],
  // that may be thousands, or another currency
  ['15K', 'mmk', null, null, null],
  ['100 kr', 'eur', null, null, null],
  ['EUR', 'eur', null, null, null],
  ['1.0000', 'usd', 1_00, 1_00, 1_00],
  ['1,250.000', 'usd', 1250_00, 1250_00, 1250_00],
  ['10000000000.00', 'usd', 1_000_000_000_000, 1_000_000_000_000, 1_000_000_000_000],
  ...[
    ...['1,2,3', '12.3456', '1,234.567,89', '1.23.456', '1,234 567', '12 50', '1  250', '12.', ',5', '', 'abc', '1e9'],
    ...['NaN', '٣', '99999999999999999', '$-', '--1', '1.5.', '1,5,'],
  ].map((typed): Row => [typed, 'usd', null, null, null]),
  ['1.5', 'jpy', null, null, null],
]

for (const [typed, currency, ...amounts] of table)
  test(`'${typed}' in ${currency} is one amount, or refused, in each language`, () => {
    for (const language of languages) {
      const amount = amounts[language === 'en' ? 0 : language === 'fr' ? 2 : 1]
      assert.equal(
        withLanguage(language, () => parseMoney(typed, currency)),
        amount,
        language,
      )
    }
  })

test('an amount is read back as its field shows it, in every language', () => {
  for (const language of [...languages, 'de-CH', 'de-AT', 'en-IN', 'pl', 'ja', 'hi', 'bn', 'fa', 'ar-EG', 'he'])
    for (const currency of ['usd', 'jpy', 'kwd'])
      for (const amount of [0, 5, -5, 999, 1000, 123_456, -1_250_000, 999_999_999_99]) {
        const shown = withLanguage(language, () => typedMoney(amount, currency))
        const read = withLanguage(language, () => parseMoney(shown, currency))
        assert.equal(read, amount, `${shown} in ${language}`)
      }
})

test('a number beyond any amount is recognized, however long', () => {
  assert.equal(beyondMost(1_000_000_000_000, 'usd'), undefined)
  assert.equal(beyondMost(1_000_000_000_001, 'usd'), 'above')
  assert.equal(beyondMost(-1_000_000_000_001, 'usd'), 'below')
  assert.equal(beyondMost('9'.repeat(10_000), 'usd'), 'above')
  for (const typed of ['', 'abc', '1e21', '12.345']) assert.equal(beyondMost(typed, 'usd'), undefined)
})

test('an amount appears in its field as people write it', () => {
  assert.equal(typedMoney(1250_00, 'usd'), '1,250.00')
  assert.equal(typedMoney(1234, 'jpy'), '1,234')
  assert.equal(parseMoney(typedMoney(999_999_999_99, 'usd'), 'usd'), 999_999_999_99)
  assert.equal(currencySign('usd'), '$')
  assert.equal(currencySign('eur'), '€')
})

test('only unambiguous numbers are accepted', () => {
  for (const [typed, ...numbers] of [
    ['7.5', 7.5, 7.5, 7.5],
    ['7,5', 7.5, 7.5, 7.5],
    ['1.085', 1.085, 1085, null],
    ['1,000', 1000, 1, 1],
    ['16,250.5', 16250.5, 16250.5, 16250.5],
    ['-3', -3, -3, -3],
  ] as const)
    for (const [at, language] of (['en', 'de', 'fr'] as const).entries())
      assert.equal(
        withLanguage(language, () => parseNumber(typed)),
        numbers[at],
        `${typed} in ${language}`,
      )
  for (const typed of ['', '1..2', 'ten', '0x10', '5%', '1e3', '１２', '9'.repeat(400), '0.1000000000000001'])
    assert.equal(parseNumber(typed), null, typed)
})

test('a rate has no groups: either sign is decimal', () => {
  for (const [typed, rate] of [
    ['7,5', 7.5],
    ['7.5', 7.5],
    ['0,125', 0.125],
    ['33.3333', 33.3333],
    ['1.250,5', null],
    ['7,', null],
    ['', null],
  ] as const)
    assert.equal(parseRate(typed), rate, typed)
})

test('a share is rounded half up, to the minor unit', () => {
  assert.equal(shareAtRate(100_00, 7.5), 7_50)
  assert.equal(shareAtRate(100_00, 0.0001), 0)
  assert.equal(shareAtRate(100_00, 33.3333), 33_33)
  assert.equal(shareAtRate(1, 50), 1)
})
