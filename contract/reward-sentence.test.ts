import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RewardPromise, rewardSentence } from './reward-sentence.ts'
import type { TermsRule } from './terms.ts'

const wording = {
  money: (amount: number, currency: string) => `${currency === 'eur' ? '€' : '$'}${(amount / 100).toFixed(2)}`,
  rate: (percent: number) => `${percent}%`,
  country: (code: string) => code,
}
const none = { rules: [], otherwise: { layerRates: [0] }, maxPerCustomer: null, maxPerMonth: null }
const rule = (fields: object): TermsRule => ({ name: null, on: 'sale', when: {}, ...fields }) as TermsRule
const credit = { as: 'credit', unitName: null, unitValue: null } as const
const units = { as: 'units', unitName: 'credits', unitValue: 100 } as const

function sentence(terms: object, rest: Partial<RewardPromise> = {}) {
  const promise = { offer: null, reward: credit, recurringMonths: null, currency: 'usd', terms: { ...none, ...terms } }
  return rewardSentence({ ...promise, ...rest }, wording)
}

test('a sentence promises what the friend gets, and what the customer gets for it', () => {
  const first = [rule({ when: { firstPayments: 1 }, layerAmounts: [15_00] })]
  const offer = { percentOff: 10, amountOff: null, currency: null }
  assert.equal(
    sentence({ rules: first, maxPerYear: 150_00 }, { offer }),
    'Your friend gets 10% off. You get $15.00 credit after their first payment, at most $150.00 a year.',
  )
  assert.equal(
    sentence({ rules: first }, { offer: { percentOff: null, amountOff: 5_00, currency: 'eur' }, reward: units }),
    'Your friend gets €5.00 off. You get 15 credits after their first payment.',
  )
  assert.equal(
    sentence({ rules: [rule({ when: { firstPayments: 1 }, layerRates: [100] })] }),
    'For each friend, you get 100% of their first payment as credit.',
  )
  assert.equal(
    sentence({ otherwise: { layerAmounts: [5_00] }, maxPerCustomer: 20_00, maxPerMonth: 50_00 }, { reward: units }),
    'For each friend, you get 5 credits after each of their payments, at most 20 credits a friend and 50 credits a month.',
  )
  assert.equal(
    sentence({ otherwise: { layerRates: [20] } }, { reward: { ...credit, as: 'money' }, recurringMonths: 12 }),
    'For each friend, you get 20% of each payment in their first 12 months.',
  )
  assert.equal(
    sentence({ rules: [rule({ on: 'qualified-lead', layerAmounts: [1_00] }), ...first] }),
    'For each friend, you get $1.00 credit for each qualified referral and $15.00 credit after their first payment.',
  )
  assert.equal(sentence({}), 'No reward is set yet.')
})

test('it names conditions, and neither products nor codes', () => {
  const when = { products: ['prod_secret'], promotionCode: 'used', amountFrom: 100_00, countries: ['FR'] }
  assert.equal(
    sentence({ rules: [rule({ name: 'Pro', when, layerAmounts: [15_00] })] }),
    'For each friend, you get $15.00 credit after each of their payments of $100 or more in FR.',
  )
  const many = [1, 2, 3, 4].map((firstPayments) => rule({ when: { firstPayments }, layerAmounts: [15_00] }))
  assert.match(sentence({ rules: many }), /; 2 exceptions apply\.$/)
})
