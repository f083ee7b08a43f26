import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPartner, listPartners } from '#contract/partners.ts'
import { listQuery, read, readFrom } from './calls.ts'

const stale = (key: readonly unknown[], words: string[]) => words.some((word) => readFrom(key, word))

test('what was read from an address with a word of the change is stale, nothing else', () => {
  const one = read(getPartner, { params: { id: 'p1' } }).queryKey
  const list = listQuery(listPartners, { params: { id: 'a1' }, search: { sort: 'name' } }).queryKey
  assert.ok(stale(one, ['partners']))
  assert.ok(stale(list, ['sales', 'partners']))
  assert.ok(!stale(one, ['leads', 'stats']))
  assert.ok(!stale(['/accounts/:id/partners-of-old', null, null], ['partners']))
  assert.ok(stale(['accounts', { id: 'a1' }, 'stats'], ['stats']))
  assert.ok(!stale(['accounts', { id: 'stats' }], ['stats']))
})

test('rows of one list never stand in for those of another', () => {
  const { placeholderData } = listQuery(listPartners, { params: { id: 'a1' }, search: { sort: 'name' } })
  const rows = { items: [], nextCursor: null, total: 0 }
  const keep = placeholderData as (rows: unknown, before: { queryKey: readonly unknown[] }) => unknown
  const before = (path: string, id: string) => ({ queryKey: [path, { id }, { sort: '-createdAt' }] })
  assert.equal(keep(rows, before(listPartners.path, 'a1')), rows)
  assert.equal(keep(rows, before(listPartners.path, 'a2')), undefined)
  assert.equal(keep(rows, before('/accounts/:id/leads', 'a1')), undefined)
})
