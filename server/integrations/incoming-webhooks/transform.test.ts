import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Transform, transformText, Unreadable } from './transform.ts'

const read = (text: string, transform: Transform, currency = 'usd') => {
  try {
    return transformText(text, transform, currency)
  } catch (error) {
    if (error instanceof Unreadable) return 'unreadable'
    throw error
  }
}

test('amounts are parsed as people and machines write them, and never guessed', () => {
  const amounts: [string, string | number, string?][] = [
    ['29.35', 2935],
    ['29.3', 2930],
    ['29', 2900],
    ['29.00', 2900],
    ['.5', 50],
    ['$1,234.50', 1234_50],
    ['1,234', 1234_00],
    ['1,234,567.8', 1234567_80],
    ['1.234,56 €', 1234_56, 'eur'],
    ['1.234.567', 1234567_00],
    ['29,35', 2935],
    ['USD 29.35', 2935],
    ['-$12.00', -1200],
    ["1'234.50", 1234_50],
    ['1 234,50', 1234_50],
    ['1500', 1500, 'jpy'],
    ['1,500', 1500, 'jpy'],
    ['1500.00', 1500, 'jpy'],
    ['29.355', 'unreadable'],
    ['18.99525', 19_00],
    ['18.9949', 18_99],
    ['-0.0049', 0],
    ['-18.99525', -19_00],
    ['29.349999999999998', 29_35],
    ['1,234.56789', 1234_57],
    ['1500.12345', 'unreadable', 'jpy'],
    ['1.2345', 1_235, 'kwd'],
    ['1.234', 'unreadable'],
    ['29.35.', 'unreadable'],
    ['1,23,4', 'unreadable'],
    ['1500.5', 'unreadable', 'jpy'],
    ['1e3', 'unreadable'],
    ['ten', 'unreadable'],
    ['', 'unreadable'],
    ['12 or 13', 'unreadable'],
    ['NaN', 'unreadable'],
    // negative amounts as accountants write them
    ['(100.00)', -100_00],
    ['($1,234.50)', -1234_50],
    ['$(100.00)', -100_00],
    ['(100,00) €', -100_00, 'eur'],
    ['100.00-', -100_00],
    ['100.00 USD-', -100_00],
    ['\u2212100.00', -100_00],
    ['\u2013 100.00', -100_00],
    ['$\u2212100.00', -100_00],
    ['100.00 CR', -100_00],
    ['100.00dr', -100_00],
    ['-0.00', 0],
    ['+12', 12_00],
    ['-(100.00)', 'unreadable'],
    ['(-100.00)', 'unreadable'],
    ['-100.00-', 'unreadable'],
    ['+-5', 'unreadable'],
    ['--5', 'unreadable'],
    ['5+', 'unreadable'],
    ['(5', 'unreadable'],
    ['5)', 'unreadable'],
    // currencies, and codes that are none
    ['US$ 29.35', 29_35],
    ['CA$29.35', 29_35, 'cad'],
    ['1 234,50 zł', 1234_50, 'pln'],
    ['Rs.500', 500_00, 'inr'],
    ['99,50 kr.', 99_50, 'sek'],
    ['$.50', 50],
    // of another currency; many programs write a dollar sign before every amount
    ['1.234,56 €', 'unreadable'],
    ['EUR 29.35', 'unreadable'],
    ['29.35 usd', 'unreadable', 'eur'],
    ['US$ 29.35', 'unreadable', 'eur'],
    ['CA$29.35', 'unreadable'],
    ['R$ 29,35', 'unreadable'],
    ['1 234,50 zł', 'unreadable', 'eur'],
    ['99,50 kr.', 'unreadable', 'eur'],
    ['£5', 5_00, 'gbp'],
    ['£5', 'unreadable', 'eur'],
    ['¥1500', 1500, 'jpy'],
    ['$29.35', 29_35, 'eur'],
    // read as any other: the currency's own field is refused
    ['29.35', 29_35, 'euro'],
    ['€29.35', 29_35, '€'],
    ['29.35', 29_35, 'us dollar'],
    ['5%', 'unreadable'],
    ['<5', 'unreadable'],
    ['12abc', 'unreadable'],
    ['Order 12', 'unreadable'],
    ['#12', 'unreadable'],
    ['\u0661\u0662', 'unreadable'],
    // ambiguous between thousands and decimals
    ['0,500', 'unreadable'],
    ['0.500', 50],
    ['00,500', 'unreadable'],
    ['1.500', 'unreadable'],
    ['1,500', 'unreadable', 'kwd'],
    ['1.500', 1500, 'kwd'],
    ['1,500.250', 1500_250, 'kwd'],
    ['12 34', 'unreadable'],
    ['1'.repeat(41), 'unreadable'],
  ]
  for (const [text, wanted, currency] of amounts) assert.equal(read(text, 'cents', currency), wanted, text)
})

test('whole numbers, texts and dates are parsed', () => {
  for (const [text, wanted] of [
    ['4900', 4900],
    ['1,234', 1234],
    ['12.5', 'unreadable'],
    ['x', 'unreadable'],
  ] as const)
    assert.equal(read(text, 'number'), wanted, text)
  assert.equal(read(' Lena@Mail.Example ', 'lowercase'), 'lena@mail.example')
  assert.equal(read(' Lena ', 'trim'), 'Lena')
  assert.equal(read(' Lena ', 'none'), ' Lena ')
  for (const [text, wanted] of [
    ['2026-03-09', '2026-03-09'],
    ['2026-03-09T23:59:59-05:00', '2026-03-09'],
    ['2026-03-09 10:00:00', '2026-03-09'],
    ['03/09/2026', '2026-03-09'],
    ['3/9/2026 10:00', '2026-03-09'],
    ['March 9, 2026', '2026-03-09'],
    ['09.03.2026', '2026-03-09'],
    ['9. 3. 2026 10:00', '2026-03-09'],
    ['31.12.2026', '2026-12-31'],
    ['03.13.2026', 'unreadable'],
    ['Mon, 09 Mar 2026 23:30:00 GMT', '2026-03-09'],
    ['1773050400', '2026-03-09'],
    ['1773050400000', '2026-03-09'],
    ['2026-02-30', 'unreadable'],
    ['2026-02-30T10:00:00Z', 'unreadable'],
    ['Feb 30, 2026 02:00', 'unreadable'],
    ['31 Apr 2026', 'unreadable'],
    ['2026/02/29', 'unreadable'],
    ['02-30-2026', 'unreadable'],
    ['2026/02/28 23:30', '2026-02-28'],
    ['02-28-2026', '2026-02-28'],
    ['Mon Mar 09 2026 00:30:00 GMT+0100 (Central European Standard Time)', '2026-03-09'],
    ['09.03.2026 10:00 GMT', '2026-03-09'],
    ['Order 12:30 GMT', 'unreadable'],
    ['2026-03-09T25:00:00Z', '2026-03-09'],
    ['13/09/2026', 'unreadable'],
    ['soon', 'unreadable'],
    ['Order 12', 'unreadable'],
    ['May 12', 'unreadable'],
    ['order 2026', 'unreadable'],
    ['2026', 'unreadable'],
    ['March 2026', 'unreadable'],
    ['2026-03', 'unreadable'],
    ['-2026-03-09', 'unreadable'],
    ['', 'unreadable'],
  ] as const)
    assert.equal(read(text, 'date'), wanted, text)
})

test('the cost of a long value is linear in its length, whatever its content', () => {
  const began = performance.now()
  const parts = [
    '1a',
    '0',
    '.',
    '1.',
    '1,000',
    '(',
    '(1)',
    '-',
    '$',
    'kr',
    ' ',
    '\u0315\u0316',
    'a\u0315',
    'Jan 2026 ',
    '1/1/2026 ',
    'CR',
  ]
  for (const part of parts)
    for (const transform of ['number', 'cents', 'date', 'trim', 'lowercase'] as const)
      read(`1${part.repeat(250_000 / part.length)}1`, transform)
  assert.ok(performance.now() - began < 2000)
})
