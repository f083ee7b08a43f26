import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPartner, listPartners } from '#contract/partners.ts'
import { previewCommission } from '#contract/sales.ts'
import { apiQuery, listQuery } from './calls.ts'

test('a query is identified by its call and its arguments', () => {
  assert.deepEqual(apiQuery(getPartner, { params: { id: 'p1' } }).queryKey, ['getPartner', { id: 'p1' }, undefined])
  const list = listQuery(listPartners, { params: { id: 'a1' }, search: { sort: 'name' } })
  assert.deepEqual(list.queryKey, ['listPartners', { id: 'a1' }, { sort: 'name' }])
  const preview = { partnerId: 'p1', amount: 100_00 }
  const query = apiQuery(previewCommission, { params: { id: 'a1' }, body: preview })
  assert.deepEqual(query.queryKey, ['previewCommission', { id: 'a1' }, preview])
})

test('rows of one list never replace those of another', () => {
  const { placeholderData } = listQuery(listPartners, { params: { id: 'a1' }, search: { sort: 'name' } })
  const rows = { items: [], nextCursor: null, total: 0 }
  const keep = placeholderData as (rows: unknown, before: { queryKey: readonly unknown[] }) => unknown
  const before = (name: string, id: string) => ({ queryKey: [name, { id }, { sort: '-createdAt' }] })
  assert.equal(keep(rows, before(listPartners.name, 'a1')), rows)
  assert.equal(keep(rows, before(listPartners.name, 'a2')), undefined)
  assert.equal(keep(rows, before('listLeads', 'a1')), undefined)
})
