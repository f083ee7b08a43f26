import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewLead } from '#contract/leads.ts'
import { NewPartner } from '#contract/partners.ts'
import { DepositInfo } from '#contract/payout-settings.ts'
import { findChanges, mistakesIn, toBody } from './form-body.ts'

const labels: Record<string, string> = { email: 'Email', 'address.city': 'City', 'address.state': 'State' }
const required = (path: string) => labels[path] && `${labels[path]} is required`

test('empty fields are omitted, cleared ones are sent as null', () => {
  const initial = { name: 'Ada', note: '', days: 90, partnerId: null, address: { city: 'Boston', line: '' } }
  const values = { name: '', note: '', days: '', partnerId: null, address: { city: '', line: '' } }
  assert.deepEqual(toBody(values, initial), { name: null, days: null, partnerId: null, address: { city: null } })
  assert.deepEqual(toBody(initial, initial), { name: 'Ada', days: 90, partnerId: null, address: { city: 'Boston' } })
  assert.deepEqual(toBody({ rates: [10, ''] }, { rates: [10] }), { rates: [10, null] })
})

test('changes are the differences from the start', () => {
  const initial = { name: 'Ada', rates: [10, 5], days: 30 }
  assert.deepEqual(findChanges({ name: 'Ada', rates: [10, 4], days: 30 }, initial), { rates: [10, 4] })
})

test('an empty field says that it is required, with its own label', () => {
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

test('schema messages about several fields together are unchanged', () => {
  assert.deepEqual(mistakesIn(NewLead, {}, required), { email: 'Enter an email, phone or external ID' })
  assert.deepEqual(mistakesIn(NewLead, { phone: '+1 415 555 0142' }, required), {})
})

test('errors in rates appear at their own layer and at all layers together', () => {
  const body = (layerRates: unknown[]) => ({ email: 'a@b.example', commissionSettings: { layerRates } })
  assert.deepEqual(mistakesIn(NewPartner, body([70, 40]), required), {
    'commissionSettings.layerRates': 'All layers together must not exceed 100%',
  })
  assert.deepEqual(Object.keys(mistakesIn(NewPartner, body([10, 'abc']), required)), [
    'commissionSettings.layerRates.1',
  ])
})
