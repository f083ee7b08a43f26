import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, ok, startApp } from '../../../test/support/app.ts'
import { plansInOrder } from '../../../test/support/plans.ts'
import type { Access } from '../access/access.ts'
import { listPartnerEntries } from './list-partner-entries.ts'

const app = await startApp()

test('a page of commissions is read in the order of an index, from a cursor on too', async () => {
  const { id } = await anAccount(app)
  const partnerId = '01900000-0000-7000-8000-000000000000'
  const account = { id, timeZone: 'UTC', partnerVisibility: {} }
  const access = { as: 'owner', account, subjectId: partnerId, partnerId: null } as unknown as Access
  for (const sort of ['createdAt', '-createdAt']) {
    const cursor = Buffer.from(JSON.stringify([sort, '2026-03-01 12:00:00+00', partnerId])).toString('base64url')
    for (const query of [
      { sort, limit: 50 },
      { sort, limit: 50, cursor, uncounted: true as const },
    ]) {
      const plan = await plansInOrder(app.services.db, (tx) => listPartnerEntries(tx, access, query))
      assert.match(plan, /Index Scan (Backward )?using commission_entries_of_partner/, JSON.stringify(query))
      assert.doesNotMatch(plan, /Sort Key/, JSON.stringify(query))
    }
  }
})

test('totals are those of all pages, whatever the list is narrowed to', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account)
  const call = async (method: 'GET' | 'POST', path: string, body?: object) =>
    ok(await app.api(method, path, { token: account.token, ...(body && { body }) })).body
  const lead = await call('POST', `/accounts/${account.id}/leads`, { email: anEmail(), partnerId: partner.id })
  for (const amount of [10_00, 20_00, 30_00])
    await call('POST', `/leads/${lead.id}/sales`, { amount, externalId: `inv-${amount}` })
  const totals = async (query: string) => {
    const { total, totals } = await call('GET', `/partners/${partner.id}/commissions?limit=1${query}`)
    return [total, totals.count, totals.amount]
  }
  assert.deepEqual(await totals(''), [3, 3, 12_00])
  assert.deepEqual(await totals('&kind=earned'), [3, 3, 12_00])
  assert.deepEqual(await totals('&status=held'), [3, 3, 12_00])
  assert.deepEqual(await totals('&status=due,paid'), [0, 0, 0])
  assert.deepEqual(await totals('&search=inv-2000'), [1, 1, 4_00])
  assert.deepEqual(await totals('&search=inv-&status=held'), [3, 3, 12_00])
})
