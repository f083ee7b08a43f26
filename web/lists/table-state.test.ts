import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPartners } from '#contract/partners.ts'
import { listQuery, type SearchOf } from '../calls.ts'
import { defineList } from './list-of.ts'
import type { ColumnOf, FilterOf } from './list-types.ts'
import {
  afterNext,
  ariaSort,
  beforePrevious,
  hiddenIn,
  isFiltered,
  rowsShown,
  shownIn,
  sortAfter,
  type TableDefinition,
  tableQuery,
} from './table-state.ts'

type Partners = SearchOf<typeof listPartners>

const definition: TableDefinition<Partners> = {
  list: 'partners',
  sort: '-salesRevenue',
  filters: ['state', 'parentPartnerId'],
  fixed: { approved: 'true' },
}

test('the address decides the query, with defaults for the rest', () => {
  assert.deepEqual(tableQuery({}, definition), { limit: 50, sort: '-salesRevenue', approved: 'true' })
  assert.deepEqual(
    tableQuery(
      { search: 'jane', state: 'active', sort: 'name', cursor: 'abc', tab: 'paid', from: '2026-01-01' },
      definition,
    ),
    { limit: 50, sort: 'name', approved: 'true', search: 'jane', cursor: 'abc', state: 'active' },
  )
  assert.deepEqual(tableQuery({ state: '', search: undefined }, { list: 'some' }), { limit: 50, sort: '-createdAt' })
})

test('search and filters hide rows, sort and page do not', () => {
  assert.equal(isFiltered({ sort: 'name', cursor: 'abc' }, definition), false)
  assert.equal(isFiltered({ search: 'x' }, definition), true)
  assert.equal(isFiltered({ parentPartnerId: 'none' }, definition), true)
  assert.equal(isFiltered({ status: 'won' }, definition), false)
})

test('Previous returns through the pages seen, otherwise to the first', () => {
  const second = afterNext([], undefined)
  const third = afterNext(second, 'two')
  assert.deepEqual(third, ['', 'two'])
  assert.deepEqual(beforePrevious(third), { cursor: 'two', trail: [''] })
  assert.deepEqual(beforePrevious(second), { cursor: undefined, trail: [] })
  assert.deepEqual(beforePrevious([]), { cursor: undefined, trail: [] })
})

test('rows are numbered across the pages seen; a page opened by address has no numbers', () => {
  assert.deepEqual(rowsShown([], undefined, 12), { from: 1, to: 12 })
  assert.deepEqual(rowsShown(['', 'two'], 'three', 7), { from: 101, to: 107 })
  assert.equal(rowsShown([], 'three', 50), null)
})

test('a head sorts in its default direction first, then the other', () => {
  assert.equal(sortAfter('name', '-createdAt', false), 'name')
  assert.equal(sortAfter('name', 'name', false), '-name')
  assert.equal(sortAfter('name', '-name', false), 'name')
  assert.equal(sortAfter('amount', '-createdAt', true), '-amount')
  assert.equal(sortAfter('amount', '-amount', true), 'amount')
  assert.equal(ariaSort('name', 'name'), 'ascending')
  assert.equal(ariaSort('name', '-name'), 'descending')
  assert.equal(ariaSort('name', 'amount'), 'none')
  assert.equal(ariaSort(undefined, 'amount'), undefined)
})

test('the address lists the hidden columns, or that none are, otherwise nothing', () => {
  assert.equal(hiddenIn({}), undefined)
  assert.deepEqual(hiddenIn({ hide: 'none' }), [])
  assert.deepEqual(hiddenIn({ hide: 'referralCode,state' }), ['referralCode', 'state'])
})

test('only the parts of the address that filter and sort the list are saved', () => {
  const params = {
    search: 'jane',
    state: 'active',
    sort: 'name',
    cursor: 'abc',
    tab: 'paid',
    hide: 'state',
    other: 'x',
  }
  assert.deepEqual(shownIn(params, definition), { search: 'jane', state: 'active', sort: 'name' })
})

test('the compiler refuses options that a list does not have', () => {
  const params = { id: 'a1' }
  // @ts-expect-error it does not sort by this
  const byTypo = listQuery(listPartners, { params, search: { sort: 'createdAtt' } })
  // @ts-expect-error it has no such filter
  listQuery(listPartners, { params, search: { status: 'active' } })
  // The types are checked before anything is sent; the input is passed on unchanged.
  assert.deepEqual(byTypo.queryKey[2], { sort: 'createdAtt' })
  listQuery(listPartners, { params, search: { sort: '-createdAt', state: 'active' } })

  // @ts-expect-error
  const sort: TableDefinition<Partners> = { list: 'some', sort: 'salesRevenu' }
  // @ts-expect-error
  const filters: TableDefinition<Partners> = { list: 'some', filters: ['status'] }
  // @ts-expect-error
  const fixed: TableDefinition<Partners> = { list: 'some', fixed: { aproved: 'true' } }
  // @ts-expect-error
  const column: ColumnOf<typeof listPartners> = { head: 'Revenue', sort: 'revenue', cell: ({ id }) => id }
  const byState = defineList(listPartners, 'some', { filters: ['state'] })
  // @ts-expect-error
  const filter: FilterOf<typeof byState> = { name: 'parentPartnerId', label: 'Parent', choices: [] }
  assert.equal([sort, filters, fixed, column, filter].length, 5)
  assert.deepEqual(byState(params).table, { list: 'some', filters: ['state'] })
})
