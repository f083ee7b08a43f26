import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes, decimalAmount, fromDecimal, minorDigits, moneyInWords, splitByShares } from './money.ts'
import { Currency } from './values.ts'

/** Currencies the runtime counts in whole units, as people pay, without the coins that ISO 4217 still lists. */
const PAID_WHOLE = 'afn all cop huf idr iqd irr kpw lak lbp mga mmk pkr sll sos syp yer'.split(' ')

test('the accepted currencies are those of the table', () => {
  for (const code of currencyCodes) assert.equal(Currency.parse(code), code)
  assert.equal(Currency.safeParse('xxx').success, false)
  assert.equal(new Set(currencyCodes).size, currencyCodes.length)
  for (const code of currencyCodes) assert.match(code, /^[a-z]{3}$/)
})

test('the table agrees with the runtime’s data except for known differences', () => {
  const known = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase())
  assert.deepEqual(
    known.filter((code) => !currencyCodes.includes(code)),
    [],
  )
  const digitsOf = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  const differing = known.filter((code) => digitsOf(code) !== minorDigits(code))
  assert.deepEqual(differing, PAID_WHOLE)
  assert.deepEqual(
    PAID_WHOLE.map((code) => digitsOf(code)),
    PAID_WHOLE.map(() => 0),
  )
})

test('amounts are formatted with the digits in which they are stored', () => {
  assert.equal(moneyInWords(100_160, 'huf').replace(/\s/, ' '), 'Ft 1,001.60')
  assert.equal(moneyInWords(1234, 'jpy'), '¥1,234')
  assert.equal(moneyInWords(1234, 'iqd').replace(/\s/, ' '), 'IQD 1.234')
  assert.equal(moneyInWords(-1200, 'usd'), '-$12.00')
})

test('amounts are decimals of their currency', () => {
  assert.equal(decimalAmount(4999, 'usd'), '49.99')
  assert.equal(decimalAmount(-5, 'usd'), '-0.05')
  assert.equal(decimalAmount(0, 'kwd'), '0.000')
  assert.equal(decimalAmount(-1200, 'jpy'), '-1200')
  assert.equal(decimalAmount(1_000_000_000_000, 'usd'), '10000000000.00')
})

test('minor units convert to decimals and back in every currency', () => {
  const cases: [number, string, string][] = [
    [12_550, 'usd', '125.50'],
    [5, 'usd', '0.05'],
    [0, 'usd', '0.00'],
    [1_234, 'jpy', '1234'],
    [1_234, 'kwd', '1.234'],
    [999_999_999_999, 'usd', '9999999999.99'],
    [-1_00, 'eur', '-1.00'],
  ]
  for (const [minor, currency, decimal] of cases) {
    assert.equal(decimalAmount(minor, currency), decimal)
    assert.equal(fromDecimal(decimal, currency), minor)
  }
})

test('a decimal with more digits is rounded half up, one with fewer is padded', () => {
  assert.equal(fromDecimal('0.395', 'usd'), 40)
  assert.equal(fromDecimal('0.394', 'usd'), 39)
  assert.equal(fromDecimal('12.5', 'usd'), 1250)
  assert.equal(fromDecimal('12', 'usd'), 1200)
  assert.equal(fromDecimal('12.5', 'jpy'), 13)
  assert.equal(fromDecimal('.5', 'usd'), 50)
  for (const text of ['', '.', '-', 'abc', '1e3', undefined, '1.2.3'])
    assert.equal(fromDecimal(text, 'usd'), null, String(text))
})

test('an amount is split by shares without losing a unit', () => {
  assert.deepEqual(splitByShares(100, [1, 1, 1]), [33, 34, 33])
  assert.deepEqual(splitByShares(1, [1, 1, 1]), [0, 1, 0])
  assert.deepEqual(splitByShares(5, [0, 3]), [0, 5])
  assert.deepEqual(splitByShares(5, [0, 0]), [0, 0])
  assert.deepEqual(
    splitByShares(2_000_000_000_000_001, [10 ** 15, 10 ** 15]),
    [1_000_000_000_000_001, 1_000_000_000_000_000],
  )
})
