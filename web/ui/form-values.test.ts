import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewLead } from '#contract/leads.ts'
import { NewPartner } from '#contract/partners.ts'
import { DepositInfo } from '#contract/payout-settings.ts'
import {
  bodyOf,
  changesOf,
  errorAt,
  mistakesIn,
  type PathOf,
  type ValueAt,
  valueAt,
  withLaterEdits,
  withValue,
} from './form-values.ts'

const labels: Record<string, string> = { email: 'Email', 'address.city': 'City', 'address.state': 'State' }
const required = (path: string) => labels[path] && `${labels[path]} is required`

test('empty fields are left out, emptied ones are sent as null', () => {
  const initial = { name: 'Ada', note: '', days: 90, partnerId: null, address: { city: 'Boston', line: '' } }
  const values = { name: '', note: '', days: '', partnerId: null, address: { city: '', line: '' } }
  assert.deepEqual(bodyOf(values, initial), { name: null, days: null, partnerId: null, address: { city: null } })
  assert.deepEqual(bodyOf(initial, initial), { name: 'Ada', days: 90, partnerId: null, address: { city: 'Boston' } })
  assert.deepEqual(bodyOf({ rates: [10, ''] }, { rates: [10] }), { rates: [10, null] })
})

test('changes are what differs from the start', () => {
  const initial = { name: 'Ada', rates: [10, 5], days: 30 }
  assert.deepEqual(changesOf({ name: 'Ada', rates: [10, 4], days: 30 }, initial), { rates: [10, 4] })
})

test('values are read and changed by path without touching the old ones', () => {
  const before = { settings: { layerRates: [10, 5] as number[] }, address: null }
  const after = withValue(before, 'settings.layerRates.1', 4)
  assert.deepEqual(after.settings.layerRates, [10, 4])
  assert.deepEqual(before.settings.layerRates, [10, 5])
  assert.deepEqual(withValue(before, 'address.city', 'Boston').address, { city: 'Boston' })
  assert.equal(valueAt(after, 'settings.layerRates.1'), 4)
  assert.equal(valueAt(before, 'address.city'), undefined)
})

test('an empty field says that it is required, by its own label', () => {
  assert.deepEqual(mistakesIn(NewPartner, {}, required), { email: 'Email is required' })
  assert.deepEqual(mistakesIn(NewPartner, { email: 'camille@durand' }, required), {
    email: 'Enter a valid email address',
  })
  assert.deepEqual(mistakesIn(NewPartner, { email: 'camille@durand.example' }, required), {})
  const address = mistakesIn(DepositInfo.shape.address, { zipCode: '123' }, (path) => required(`address.${path}`))
  assert.equal(address.city, 'City is required')
  assert.equal(address.state, 'State is required')
  assert.equal(address.zipCode, 'Enter at least 5 characters')
})

test('what the schema says of several fields together stays as it is', () => {
  assert.deepEqual(mistakesIn(NewLead, {}, required), { email: 'Enter an email, phone or external ID' })
  assert.deepEqual(mistakesIn(NewLead, { phone: '+1 415 555 0142' }, required), {})
})

test('rates answer on their own layer and together', () => {
  const body = (layerRates: unknown[]) => ({ email: 'a@b.example', commissionSettings: { layerRates } })
  assert.deepEqual(mistakesIn(NewPartner, body([70, 40]), required), {
    'commissionSettings.layerRates': 'All layers together must not exceed 100%',
  })
  assert.deepEqual(Object.keys(mistakesIn(NewPartner, body([10, 'abc']), required)), [
    'commissionSettings.layerRates.1',
  ])
})

test('an error lands on its field, else on the field around it', () => {
  const errors = { 'rates.1': 'Enter a rate from 0 to 100', email: 'Taken' }
  assert.equal(errorAt(errors, 'email', new Set()), 'Taken')
  assert.equal(errorAt(errors, 'rates', new Set(['rates'])), 'Enter a rate from 0 to 100')
  assert.equal(errorAt(errors, 'rates', new Set(['rates', 'rates.1'])), undefined)
  assert.equal(errorAt(errors, 'name', new Set(['name'])), undefined)
})

test('what was typed since it was sent stays over what was saved', () => {
  const sent = { name: ' Harbor Two ', rates: [10], address: { city: 'Boston', state: 'ma' } }
  const saved = { name: 'Harbor Two', rates: [10], address: { city: 'Boston', state: 'MA' } }
  assert.deepEqual(withLaterEdits(saved, sent, sent), saved)
  const now = { ...sent, rates: [10, 5], address: { city: 'Salem', state: 'ma' } }
  assert.deepEqual(withLaterEdits(saved, now, sent), {
    name: 'Harbor Two',
    rates: [10, 5],
    address: { city: 'Salem', state: 'MA' },
  })
})

test('a field is named by its path in the values, and has their type', () => {
  type Values = { address: { city: string } | null; layerRates: readonly number[]; rows: { name: string }[] }
  const path = (of: PathOf<Values>) => of
  const typed: ValueAt<Values, 'address.city'> = 'Boston'
  const name: ValueAt<Values, 'rows.0.name'> = 'a'
  const rate: ValueAt<Values, 'layerRates.0'> = 10
  assert.deepEqual(
    [path('address'), path('address.city'), path('layerRates.0'), path('rows.0.name')],
    ['address', 'address.city', 'layerRates.0', 'rows.0.name'],
  )
  assert.deepEqual([typed, rate, name], ['Boston', 10, 'a'])
  assert.deepEqual(withValue({ rows: [{ name: 'a' }, { name: 'b' }] }, 'rows.1.name', 'c').rows, [
    { name: 'a' },
    { name: 'c' },
  ])
  // @ts-expect-error a misspelled path
  path('address.town')
  // @ts-expect-error a value of another type
  const wrong: ValueAt<Values, 'layerRates.0'> = 'ten'
  assert.equal(wrong, 'ten')
})
