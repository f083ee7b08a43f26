import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes } from '#contract/money.ts'
import { countries, findCountryCurrency } from './countries.ts'

test('each country is there once, by its name, with a currency that there is', () => {
  const all = countries()
  assert.equal(new Set(all.map(({ code }) => code)).size, all.length)
  assert.ok(all.length > 220, String(all.length))
  for (const { code, name, currency } of all) {
    assert.notEqual(name, code)
    assert.ok(currencyCodes.includes(currency), currency)
  }
  assert.deepEqual(all.at(0), { code: 'AF', name: 'Afghanistan', currency: 'afn' })
  assert.deepEqual(['DE', 'BR', 'GB', 'XX', 'constructor'].map(findCountryCurrency), [
    'eur',
    'brl',
    'gbp',
    undefined,
    undefined,
  ])
})
