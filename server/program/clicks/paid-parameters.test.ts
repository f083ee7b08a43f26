import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paidParametersIn } from './paid-parameters.ts'

test('the names of advertising’s parameters are found, in any letter case, and nothing else', () => {
  assert.deepEqual(paidParametersIn('GCLID=a&x=1&fbclid=b', []), ['fbclid', 'gclid'])
  for (const medium of ['cpc', 'PPC', 'paid', 'paid-social'])
    assert.deepEqual(paidParametersIn(`utm_medium=${medium}`, []), ['utm_medium'], medium)
  for (const query of ['', 'x=gclid', 'utm_medium=email', 'utm_medium=unpaid', 'agclid=1', 'gclid'])
    assert.equal(paidParametersIn(query, []), null, query)
})

test('a visit of the account’s own campaign is no finding', () => {
  const query = 'gclid=a&utm_campaign=spring%20sale'
  assert.equal(paidParametersIn(query, ['spring sale']), null)
  assert.deepEqual(paidParametersIn(query, ['spring']), ['gclid'])
  assert.equal(paidParametersIn('campaignid=77&gad_source=1', ['77']), null)
})
