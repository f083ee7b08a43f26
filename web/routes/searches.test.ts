import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RegisteredRouter } from '@tanstack/react-router'
import { type SearchAt, searchAt } from './searches.ts'

const to: RegisteredRouter['navigate'] = async () => undefined

test('an address accepts the search parameters of its screen and no others', () => {
  const lead: SearchAt<'/leads'> = { tab: 'sales', kind: 'sale', status: 'new,won' }
  assert.equal(searchAt('/leads')(lead), lead)
  to({ to: '/partners/new', search: { parent: 'p1' } })
  // @ts-expect-error a misspelled name
  to({ to: '/partners/new', search: { parnet: 'p1' } })
  // @ts-expect-error a tab that the screen doesn't have
  to({ to: '/account/settings', search: { tab: 'payout' } })
  // @ts-expect-error a filter of another list
  to({ to: '/partners', search: { provider: 'stripe' } })
  // @ts-expect-error an address that says nothing
  to({ to: '/user/profile', search: { tab: 'sessions' } })
})
