import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPartners } from '#contract/partners.ts'
import { defineList } from './list-of.ts'
import { tableQuery } from './table-state.ts'

const partners = defineList(listPartners, 'some', { sort: 'name', filters: ['state'], fixed: { groupId: 'g1' } })

test('a loader reads the very page that the table shows at the address', () => {
  const list = partners({ id: 'a1' })
  const address = { search: 'jane', state: 'active', tab: 'all', groupId: 'g2' }
  const read = list.at(address)
  assert.deepEqual(read.queryKey, list.page(tableQuery(address, list.table)).queryKey)
  assert.deepEqual(read.queryKey, [
    'listPartners',
    { id: 'a1' },
    { limit: 50, sort: 'name', groupId: 'g1', search: 'jane', state: 'active' },
  ])
  assert.deepEqual(list.params, { id: 'a1' })
})

test('a page is read again as long as its list says so', () => {
  const shown = (again?: Parameters<typeof defineList>[2]) =>
    (
      defineList(listPartners, 'some', again as object)({ id: 'a1' }).page({}).refetchInterval as (
        query: object,
      ) => unknown
    )({
      state: { data: { items: [] } },
    })
  assert.equal(shown(), false)
  assert.equal(shown({ again: 5000 }), 5000)
  assert.equal(shown({ again: (page) => (page === undefined ? false : 2000) }), 2000)
  assert.equal(shown({ again: () => undefined }), false)
})
