import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptValues,
  applyReadValues,
  atFields,
  beginForm,
  blurField,
  changeValue,
  fillValues,
  isDirty,
  isSame,
  markSaved,
  type PathOf,
  refuseValues,
  type ValueAt,
  valueAt,
  withValue,
} from './form-values.ts'

test('values are read and changed by path without modifying the old ones', () => {
  const before = { settings: { layerRates: [10, 5] as number[] }, address: null }
  const after = withValue(before, 'settings.layerRates.1', 4)
  assert.deepEqual(after.settings.layerRates, [10, 4])
  assert.deepEqual(before.settings.layerRates, [10, 5])
  assert.deepEqual(withValue(before, 'address.city', 'Boston').address, { city: 'Boston' })
  assert.equal(valueAt(after, 'settings.layerRates.1'), 4)
  assert.equal(valueAt(before, 'address.city'), undefined)
})

test('a field is identified by its path in the values, and has their type', () => {
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

test('values are equal if their JSON is, in any order', () => {
  assert.ok(isSame({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }))
  assert.ok(isSame({ a: 1, b: undefined }, { a: 1 }))
  for (const [one, other] of [
    [{ a: 1 }, { a: '1' }],
    [[1, 2], [1]],
    [[], {}],
    [{ a: null }, { a: {} }],
    [null, undefined],
  ])
    assert.ok(!isSame(one, other), JSON.stringify([one, other]))
})

const labels = (...paths: string[]) => new Map(paths.map((path) => [path, path.toUpperCase()]))

test('an error appears at its field, otherwise at the nearest parent', () => {
  const errors = { 'rates.1': 'Enter a rate from 0 to 100', email: 'Taken', name: undefined, gone: 'Wrong', '': 'All' }
  assert.deepEqual(atFields(errors, labels('email', 'rates', 'name')), {
    email: 'Taken',
    rates: 'Enter a rate from 0 to 100',
  })
  assert.deepEqual(atFields(errors, labels('rates', 'rates.1')), { 'rates.1': 'Enter a rate from 0 to 100' })
  const both = { 'rates.0': 'Too high', rates: 'Together too high' }
  assert.deepEqual(atFields(both, labels('rates')), { rates: 'Together too high' })
})

const start = beginForm({ email: '', rates: [70, 40], note: '' })
const fields = labels('email', 'rates', 'rates.0', 'rates.1', 'note')

test('leaving a field shows its error and that of its list, and no other', () => {
  const wrong = { email: 'Email is required', rates: 'At most 100%' }
  const after = blurField(changeValue(start, 'rates.0', 80), 'rates.0', wrong, fields)
  assert.equal(after.errors.rates, 'At most 100%')
  assert.equal(after.errors.email, undefined)
  assert.equal(changeValue(after, 'rates.1', 10).errors.rates, undefined)
  assert.equal(changeValue(after, 'email', 'a').errors.rates, 'At most 100%')
})

test('a server refusal stays at a field until it is changed', () => {
  const after = refuseValues(start, { email: 'Taken' }, null, fields)
  assert.equal(blurField(after, 'email', {}, fields).errors.email, 'Taken')
  assert.equal(changeValue(after, 'email', 'b').errors.email, undefined)
})

test('errors are listed if any has a field, and shown above the fields if none has', () => {
  const listed = refuseValues(start, { email: 'Taken', elsewhere: 'No' }, null, fields)
  assert.deepEqual([listed.errors, listed.failure, listed.attempt], [{ email: 'Taken' }, null, 1])
  assert.equal(listed.listed, fields)
  const failed = refuseValues(listed, { elsewhere: 'No' }, null, fields)
  assert.deepEqual([failed.errors, failed.failure, failed.attempt, failed.listed.size], [{}, 'No', 2, 0])
  assert.equal(refuseValues(start, {}, 'Not now', fields).failure, 'Not now')
})

test('submitting clears the errors and the marks of later changes', () => {
  const typed = changeValue(refuseValues(start, { note: 'Too long' }, null, fields), 'email', 'a@b.example')
  const after = acceptValues(typed)
  assert.deepEqual([after.errors, after.listed.size, after.failure, after.later.size], [{}, 0, null, 0])
  assert.deepEqual([after.values, after.sent], [typed.values, typed.values])
  assert.deepEqual([...fillValues(after, { note: 'x' }).later], ['note'])
  assert.ok(isDirty(after))
  assert.ok(!isDirty(changeValue(after, 'email', '')))
})

test('input typed after submitting stays over the saved values, unsaved', () => {
  const before = beginForm({ name: '', rates: [10], address: { city: 'Boston', state: 'ma' } })
  const sent = acceptValues(changeValue(before, 'name', ' Harbor Two '))
  const reply = { name: 'Harbor Two', rates: [10], address: { city: 'Boston', state: 'MA' } }
  assert.deepEqual(markSaved(sent, reply), { ...beginForm(reply), attempt: 0 })
  const later = markSaved(changeValue(changeValue(sent, 'rates', [10, 5]), 'address.city', 'Salem'), reply)
  assert.deepEqual(later.values, { name: 'Harbor Two', rates: [10, 5], address: { city: 'Salem', state: 'MA' } })
  assert.deepEqual([later.initial, isDirty(later), [...later.later]], [reply, true, ['rates', 'address.city']])
})

test('values read again replace those that were not edited', () => {
  const before = beginForm({ name: 'Jane', rates: [10], address: { city: 'Boston', state: 'ma' } })
  const read = { name: 'Janet', rates: [20], address: { city: 'Salem', state: 'nh' } }
  assert.deepEqual(applyReadValues(before, read), beginForm(read))
  const after = applyReadValues(changeValue(before, 'address.city', 'Lowell'), read)
  assert.deepEqual(after.values, { ...read, address: { city: 'Lowell', state: 'nh' } })
  assert.deepEqual(after.initial, read)
})
