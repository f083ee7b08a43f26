import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from './countries.ts'

test('each country appears once, under its present code', () => {
  const all = countries()
  const nameOf = (code: string) => all.find((country) => country.code === code)?.name
  assert.ok(all.length > 240 && all.length < 260)
  assert.deepEqual([nameOf('DE'), nameOf('GB'), nameOf('US')], ['Germany', 'United Kingdom', 'United States'])
  assert.deepEqual(['DD', 'UK', 'EU', 'ZZ', 'QQ'].map(nameOf), Array(5).fill(undefined))
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
})
