import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyInWords } from './money.ts'
import { type TermsWording, termsInWords, type WholeTerms } from './terms-in-words.ts'

const names = new Intl.DisplayNames('en-US', { type: 'region' })
const wordingFor = (reader: TermsWording['reader']): TermsWording => ({
  reader,
  money: (amount) => moneyInWords(amount, 'usd'),
  rate: (percent) => `${percent}%`,
  country: (code) => names.of(code) ?? code,
})
const linesOf = (terms: WholeTerms, reader: TermsWording['reader'] = 'owner') => {
  const { lines, caps } = termsInWords(terms, wordingFor(reader))
  return [...lines.map(({ what, pays }) => `${what}: ${pays}`), ...caps]
}
const simple: WholeTerms = { rules: [], otherwise: { layerRates: [20, 5] }, maxPerCustomer: null, maxPerMonth: null }

test('terms without rules pay every sale', () => {
  assert.deepEqual(linesOf(simple), ['Every sale: 20% / 5%'])
  assert.deepEqual(linesOf({ ...simple, otherwise: { layerRates: [0] } }), ['Every sale: No commission'])
  assert.deepEqual(linesOf({ ...simple, otherwise: { layerAmounts: [50_00] } }), ['Every sale: $50.00'])
})

test('each rule is a line, in order; partners read the name of a rule instead of ids, keys and codes, and their own pay', () => {
  const terms: WholeTerms = {
    rules: [
      { name: 'Pro, first year', on: 'sale', when: { products: ['prod_pro'], firstMonths: 12 }, layerRates: [30, 5] },
      { name: 'Starter', on: 'sale', when: { products: ['a', 'b', 'c'], promotionCode: 'used' }, layerAmounts: [5000] },
      { name: 'Gold', on: 'sale', when: { metadata: [{ key: 'plan', values: ['gold', 'vip'] }] }, layerRates: [25] },
      { name: null, on: 'sale', when: { firstPayments: 1, amountFrom: 100_00, amountTo: 500_00 }, layerRates: [15] },
      { name: null, on: 'sale', when: { firstPayments: 3, amountTo: 500_00 }, layerRates: [12] },
      { name: null, on: 'new-customer', when: {}, layerAmounts: [100_00] },
      { name: 'Abroad', on: 'qualified-lead', when: { countries: ['FR', 'DE'] }, layerAmounts: [40_00, 0] },
    ],
    otherwise: { layerRates: [10] },
    maxPerCustomer: 1000_00,
    maxPerMonth: 5000_00,
  }
  const forAll = [
    'First payment · sale of $100.00 to $500.00: 15%',
    'First 3 payments · sale of $500.00 or less: 12%',
    'New customer: $100.00',
    'Abroad · qualified lead · customer in France or Germany: $40.00 / $0.00',
    'Otherwise: 10%',
    'At most $1,000.00 a customer',
    'At most $5,000.00 a month',
  ]
  assert.deepEqual(linesOf(terms), [
    'Pro, first year · product prod_pro · first 12 months: 30% / 5%',
    'Starter · product a, b or c · with a promotion code: $50.00',
    'Gold · plan is gold or vip: 25%',
    ...forAll,
  ])
  assert.deepEqual(linesOf(terms, 'partner'), [
    'Pro, first year · first 12 months: 30%',
    'Starter: $50.00',
    'Gold: 25%',
    ...forAll.map((line) => line.replace(' / $0.00', '')),
  ])
})

test('rules for leads alone leave every sale to one line', () => {
  const rules: WholeTerms['rules'] = [{ name: null, on: 'new-customer', when: {}, layerAmounts: [100_00] }]
  assert.deepEqual(linesOf({ ...simple, rules }), ['New customer: $100.00', 'Every sale: 20% / 5%'])
})
