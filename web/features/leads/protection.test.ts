import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatStanding } from './protection.ts'

const past = '2026-02-16T00:00:00.000Z'
const future = '2999-02-16T00:00:00.000Z'
const won = { status: 'won', protectedUntil: past, partnerName: 'Jane Whitfield', erasedAt: null } as const
const standing = (lead: Parameters<typeof formatStanding>[0], firstSale?: string) =>
  formatStanding(lead, firstSale, 'UTC')

test('a customer whose protection ended has been their partner’s since the first sale', () => {
  assert.equal(standing(won, '2026-02-10'), 'Customer of Jane Whitfield since Feb 10, 2026')
  assert.equal(standing({ ...won, partnerName: null }, '2026-02-10'), 'Customer since Feb 10, 2026')
  assert.equal(standing(won), null)
})

test('a current protection is shown, its end only for a lead that has not bought', () => {
  assert.equal(standing({ ...won, protectedUntil: future }, '2026-02-10'), 'Protected until Feb 16, 2999')
  assert.equal(standing({ ...won, status: 'qualified' }), 'Protection ended Feb 16, 2026')
  assert.equal(standing({ ...won, status: 'rejected' }), null)
  assert.equal(standing({ ...won, protectedUntil: future, erasedAt: past }), null)
})
