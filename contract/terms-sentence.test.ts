import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { withLanguage } from './language.ts'
import { moneyInWords } from './money.ts'
import { mistakeInTerms, Terms } from './terms.ts'
import { conditionClauses, termsSentence } from './terms-sentence.ts'

const names = new Intl.DisplayNames('en-US', { type: 'region' })
const rates = (...layerRates: number[]) => ({ layerRates })
const amounts = (...layerAmounts: number[]) => ({ layerAmounts })
const lead = (...layerAmounts: number[]) => ({ on: 'qualified-lead' as const, layerAmounts })
const customer = (...layerAmounts: number[]) => ({ on: 'new-customer' as const, layerAmounts })

type Given = z.input<typeof Terms> & { months?: number; currency?: string }

function sentenceOf({ months, currency = 'usd', ...given }: Given, reader: 'owner' | 'partner') {
  const terms = Terms.parse(given)
  assert.equal(mistakeInTerms(terms), undefined)
  return termsSentence(terms, {
    reader,
    recurringMonths: months ?? null,
    money: (amount) => moneyInWords(amount, currency),
    rate: (percent) => `${percent}%`,
    country: (code) => names.of(code) ?? code,
  })
}

const pro = { name: 'Pro', when: { products: ['prod_pro'] }, ...rates(30) }
const starter = { name: 'Starter', when: { products: ['prod_starter'] }, ...rates(15) }
const giftCards = { name: 'Gift cards', when: { products: ['gift'] }, ...rates(0) }

/** Terms, how their owner reads them, and how a partner does. */
const sentences: [terms: Given, owner: string, partner: string][] = [
  [
    { rules: [lead(10_00)], otherwise: rates(20, 5), months: 12 },
    'Partners earn 20% of each sale for 12 months, their parent partner 5%, and $10 for a qualified lead.',
    'You earn 20% of each sale for 12 months and $10 for a qualified lead.',
  ],
  [{ otherwise: rates(20) }, 'Partners earn 20% of each sale.', 'You earn 20% of each sale.'],
  [
    { otherwise: rates(7.5), months: 1 },
    'Partners earn 7.5% of each sale for 1 month.',
    'You earn 7.5% of each sale for 1 month.',
  ],
  [
    { otherwise: rates(20, 5) },
    'Partners earn 20% of each sale and their parent partner 5%.',
    'You earn 20% of each sale.',
  ],
  [
    { otherwise: rates(10, 5, 2, 1) },
    'Partners earn 10% of each sale, their parent partner 5%, the third layer 2%, and the fourth layer 1%.',
    'You earn 10% of each sale.',
  ],
  [
    { otherwise: rates(10, 9, 8, 7, 6, 5, 4, 3, 2, 1) },
    'Partners earn 10% of each sale, their parent partner 9%, the third layer 8%, the fourth layer 7%, the fifth layer 6%, the sixth layer 5%, the seventh layer 4%, the eighth layer 3%, the ninth layer 2%, and the tenth layer 1%.',
    'You earn 10% of each sale.',
  ],
  [
    { otherwise: rates(10, 0, 2) },
    'Partners earn 10% of each sale and the third layer 2%.',
    'You earn 10% of each sale.',
  ],
  [
    { otherwise: rates(0, 5) },
    'Partners earn nothing for each sale and their parent partner 5%.',
    'No commission is set for your sales.',
  ],
  [
    { otherwise: amounts(50_00, 5_50), months: 6 },
    'Partners earn $50 for each sale for 6 months and their parent partner $5.50.',
    'You earn $50 for each sale for 6 months.',
  ],
  [
    { otherwise: amounts(1500), currency: 'jpy' },
    'Partners earn ¥1,500 for each sale.',
    'You earn ¥1,500 for each sale.',
  ],
  [
    { rules: [lead(10_00), customer(25_00)], otherwise: rates(0) },
    'Partners earn $10 for a qualified lead and $25 for a new customer.',
    'You earn $10 for a qualified lead and $25 for a new customer.',
  ],
  [{ rules: [lead(0, 10_00)], otherwise: rates(20) }, 'Partners earn 20% of each sale.', 'You earn 20% of each sale.'],
  [
    {
      rules: [
        { ...customer(250_00), name: 'Business', when: { metadata: [{ key: 'kind', values: ['business'] }] } },
        { ...customer(750_00), name: 'Accounting firm', when: { metadata: [{ key: 'kind', values: ['books'] }] } },
      ],
      otherwise: rates(0),
    },
    'Partners earn up to $750 for a new customer.',
    'You earn up to $750 for a new customer.',
  ],
  [
    { rules: [{ ...lead(40_00), when: { countries: ['FR'] } }, lead(40_00), lead(90_00)], otherwise: rates(20) },
    'Partners earn 20% of each sale and $40 for a qualified lead.',
    'You earn 20% of each sale and $40 for a qualified lead.',
  ],
  [
    { rules: [pro], otherwise: rates(20, 5), months: 12 },
    'Partners earn 20% of each sale for 12 months and their parent partner 5%; 30% for “Pro”.',
    'You earn 20% of each sale for 12 months; 30% for “Pro”.',
  ],
  [
    { rules: [pro, giftCards, lead(10_00)], otherwise: rates(20) },
    'Partners earn 20% of each sale and $10 for a qualified lead; 30% for “Pro” and nothing for “Gift cards”.',
    'You earn 20% of each sale and $10 for a qualified lead; 30% for “Pro” and nothing for “Gift cards”.',
  ],
  [
    { rules: [pro, starter, giftCards], otherwise: rates(20) },
    'Partners earn 20% of each sale; 3 exceptions apply.',
    'You earn 20% of each sale; 3 exceptions apply.',
  ],
  [
    { rules: [{ when: { firstMonths: 12 }, ...rates(50) }], otherwise: rates(20) },
    'Partners earn 20% of each sale; 50% of sales in a customer’s first 12 months.',
    'You earn 20% of each sale; 50% of sales in a customer’s first 12 months.',
  ],
  [
    { rules: [{ when: { firstMonths: 1 }, ...amounts(50_00) }], otherwise: rates(20) },
    'Partners earn 20% of each sale; $50 for sales in a customer’s first month.',
    'You earn 20% of each sale; $50 for sales in a customer’s first month.',
  ],
  [
    { rules: [{ when: { firstPayments: 1 }, ...rates(30, 5) }], otherwise: rates(0), months: 12 },
    'Partners earn 30% of a customer’s first payment and their parent partner 5%.',
    'You earn 30% of a customer’s first payment.',
  ],
  [
    { rules: [{ when: { firstMonths: 12 }, ...rates(20) }], otherwise: rates(0), months: 12 },
    'Partners earn 20% of sales in a customer’s first 12 months.',
    'You earn 20% of sales in a customer’s first 12 months.',
  ],
  [
    { rules: [pro, starter, giftCards], otherwise: rates(0), months: 12 },
    'Partners earn 30% for “Pro” and 15% for “Starter”; a subscription earns for its first 12 months.',
    'You earn 30% for “Pro” and 15% for “Starter”; a subscription earns for its first 12 months.',
  ],
  [
    {
      rules: [pro, starter, { ...pro, name: 'Team', ...amounts(80_00), layerRates: undefined }, lead(5_00)],
      otherwise: amounts(0),
    },
    'Partners earn up to 30% of a sale, up to $80 for a sale, and $5 for a qualified lead.',
    'You earn up to 30% of a sale, up to $80 for a sale, and $5 for a qualified lead.',
  ],
  [
    {
      rules: [
        { when: { firstPayments: 3, amountFrom: 100_00, amountTo: 500_00, countries: ['FR', 'DE'] }, ...rates(15) },
      ],
      otherwise: rates(0),
    },
    'Partners earn 15% of a customer’s first 3 payments of $100 to $500 in France and Germany.',
    'You earn 15% of a customer’s first 3 payments of $100 to $500 in France and Germany.',
  ],
  [
    {
      rules: [
        { when: { amountFrom: 1000_01 }, ...rates(25) },
        { when: { amountTo: 20_00, countries: ['FR', 'DE', 'IT', 'ES'] }, ...rates(5) },
      ],
      otherwise: rates(20),
    },
    'Partners earn 20% of each sale; 25% of sales of $1,000.01 or more and 5% of sales of $20 or less in 4 countries.',
    'You earn 20% of each sale; 25% of sales of $1,000.01 or more and 5% of sales of $20 or less in 4 countries.',
  ],
  [
    { rules: [pro], otherwise: rates(10), maxPerCustomer: 500_00, maxPerMonth: 5000_00 },
    'Partners earn 10% of each sale; 30% for “Pro”; at most $500 a customer and $5,000 a month.',
    'You earn 10% of each sale; 30% for “Pro”; at most $500 a customer and $5,000 a month.',
  ],
  [
    { otherwise: rates(0), months: 12, maxPerMonth: 5000_00 },
    'Partners earn nothing until you set a rate.',
    'No commission is set for your sales.',
  ],
  [
    { rules: [giftCards, lead(0)], otherwise: amounts(0, 0) },
    'Partners earn nothing until you set a rate.',
    'No commission is set for your sales.',
  ],
]

for (const [terms, owner, partner] of sentences)
  test(`terms in one sentence: ${owner}`, () => {
    assert.equal(sentenceOf(terms, 'owner'), owner)
    assert.equal(sentenceOf(terms, 'partner'), partner)
  })

test('countries are listed as the language lists them', () => {
  const country = (code: string) => new Intl.DisplayNames('es', { type: 'region' }).of(code) ?? code
  const clauses = withLanguage('es', () => conditionClauses({ countries: ['FR', 'IT'] }, { money: String, country }))
  // the words around them may be English, if those of Spanish aren't loaded
  assert.match(clauses[0]!, /^\w+ Francia e Italia$/)
})
