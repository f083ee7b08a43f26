import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { moneyInWords } from './money.ts'
import { mistakeInTerms, Terms } from './terms.ts'
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
    'All other sales: 10%',
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

const rates = (...layerRates: number[]) => ({ layerRates })
const amounts = (...layerAmounts: number[]) => ({ layerAmounts })

/** Offers as programs word them, as terms, and as read back. */
const offers: [offer: string, terms: z.input<typeof Terms>, says: string[]][] = [
  ['20% recurring for the life of the customer', { otherwise: rates(20) }, ['Every sale: 20%']],
  [
    '30% of the first payment only',
    { rules: [{ when: { firstPayments: 1 }, ...rates(30) }], otherwise: rates(0) },
    ['First payment: 30%', 'All other sales: No commission'],
  ],
  [
    '50% in the first year, 20% from then on',
    { rules: [{ when: { firstMonths: 12 }, ...rates(50) }], otherwise: rates(20) },
    ['First 12 months: 50%', 'All other sales: 20%'],
  ],
  [
    '$50 for each new customer, whatever they buy',
    { rules: [{ on: 'new-customer', ...amounts(50_00) }], otherwise: rates(0) },
    ['New customer: $50.00', 'Every sale: No commission'],
  ],
  [
    '$250 for a business, $750 for an accounting firm',
    {
      rules: [
        {
          name: 'Business',
          on: 'new-customer',
          when: { metadata: [{ key: 'kind', values: ['business'] }] },
          ...amounts(250_00),
        },
        {
          name: 'Accounting firm',
          on: 'new-customer',
          when: { metadata: [{ key: 'kind', values: ['accounting'] }] },
          ...amounts(750_00),
        },
      ],
      otherwise: rates(0),
    },
    [
      'Business · new customer · kind is business: $250.00',
      'Accounting firm · new customer · kind is accounting: $750.00',
      'Every sale: No commission',
    ],
  ],
  [
    '$200 for a qualified lead and 10% of what it buys in its first year',
    {
      rules: [
        { on: 'qualified-lead', ...amounts(200_00) },
        { when: { firstMonths: 12 }, ...rates(10) },
      ],
      otherwise: rates(0),
    },
    ['Qualified lead: $200.00', 'First 12 months: 10%', 'All other sales: No commission'],
  ],
  [
    '30% on Pro, 15% on Starter, nothing on gift cards',
    {
      rules: [
        { name: 'Pro', when: { products: ['pro'] }, ...rates(30) },
        { name: 'Starter', when: { products: ['starter'] }, ...rates(15) },
      ],
      otherwise: rates(0),
    },
    ['Pro · product pro: 30%', 'Starter · product starter: 15%', 'All other sales: No commission'],
  ],
  [
    '20%, and 25% for orders above $1,000',
    { rules: [{ when: { amountFrom: 1000_01 }, ...rates(25) }], otherwise: rates(20) },
    ['Sale of $1,000.01 or more: 25%', 'All other sales: 20%'],
  ],
  [
    '15% when the customer used a promotion code, 20% when not',
    { rules: [{ name: 'With a code', when: { promotionCode: 'used' }, ...rates(15) }], otherwise: rates(20) },
    ['With a code · with a promotion code: 15%', 'All other sales: 20%'],
  ],
  [
    '20% on the first three payments, $5 on each after that',
    { rules: [{ when: { firstPayments: 3 }, ...rates(20) }], otherwise: amounts(5_00) },
    ['First 3 payments: 20%', 'All other sales: $5.00'],
  ],
  [
    '10% up to $500 a customer and $5,000 a month',
    { otherwise: rates(10), maxPerCustomer: 500_00, maxPerMonth: 5000_00 },
    ['Every sale: 10%', 'At most $500.00 a customer', 'At most $5,000.00 a month'],
  ],
]

for (const [offer, given, says] of offers)
  test(`terms say the offer “${offer}”`, () => {
    const terms = Terms.parse(given)
    assert.equal(mistakeInTerms(terms), undefined)
    assert.deepEqual(linesOf(terms), says)
  })
