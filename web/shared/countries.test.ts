import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCountries } from './countries.ts'

test('each country appears once, under its present code', () => {
  const all = listCountries()
  const nameOf = (code: string) => all.find(({ value }) => value === code)?.label
  assert.ok(all.length > 240 && all.length < 260)
  assert.deepEqual([nameOf('DE'), nameOf('GB'), nameOf('US')], ['Germany', 'United Kingdom', 'United States'])
  assert.deepEqual(['DD', 'UK', 'EU', 'ZZ', 'QQ'].map(nameOf), Array(5).fill(undefined))
  assert.equal(new Set(all.map(({ label }) => label)).size, all.length)
})

test('countries are in the order of their names, whatever their codes and accents', () => {
  const names = listCountries().map(({ label }) => label)
  const at = (name: string) => names.indexOf(name)
  assert.equal(names[0], 'Afghanistan')
  assert.ok(at('Åland Islands') === 1 && at('Switzerland') > at('Sweden') && at('Austria') > at('Australia'))
})
