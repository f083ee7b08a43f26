import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShown, newViewKey, viewsIn } from './views.ts'

test('saved views are read, and any other preferences ignored', () => {
  const preferences = {
    theme: 'dark',
    'view:partners:b': { name: 'Suspended', search: { state: 'suspended', sort: '-salesRevenue' }, hidden: ['state'] },
    'view:partners:a': { name: 'All\n😀', search: { state: 4, search: '' }, hidden: 'state' },
    'view:partners:c': { name: '', search: {} },
    'view:partners:d': null,
    'view:partners:e': ['Name'],
    'view:partners:f': { search: {} },
    'view:partners-of-partner:g': { name: 'Of another list', search: {} },
    'columns:partners': ['code'],
  }
  assert.deepEqual(viewsIn(preferences, 'partners'), [
    { key: 'view:partners:a', name: 'All\n😀', search: {}, hidden: [] },
    {
      key: 'view:partners:b',
      name: 'Suspended',
      search: { state: 'suspended', sort: '-salesRevenue' },
      hidden: ['state'],
    },
  ])
  assert.deepEqual(viewsIn({}, 'partners'), [])
})

test('a view is selected while search and columns match it, in any order', () => {
  const view = { key: 'k', name: 'n', search: { a: '1', b: '2' }, hidden: ['x', 'y'] }
  assert.equal(isShown(view, { search: { b: '2', a: '1' }, hidden: ['y', 'x'] }), true)
  assert.equal(isShown(view, { search: { b: '2', a: '3' }, hidden: ['y', 'x'] }), false)
  assert.equal(isShown(view, { search: { b: '2', a: '1' }, hidden: ['y'] }), false)
})

test('each view has a unique key, which belongs to its list', () => {
  const [one, other] = [newViewKey('partners'), newViewKey('partners')]
  assert.notEqual(one, other)
  for (const key of [one, other]) assert.equal(viewsIn({ [key]: { name: 'A' } }, 'partners').length, 1)
})
