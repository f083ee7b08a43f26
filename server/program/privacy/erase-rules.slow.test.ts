import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { placesWith } from '../../../test/support/canaries.ts'
import { readLedgerDigest } from '../../integrations/data-transfer/rows.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ worker: true })
const { db } = app.services

const terms = {
  rules: [
    { name: 'Birds', when: { metadata: [{ key: 'pet', values: ['canary'] }] }, layerRates: [50] },
    {
      ...{ name: 'Owner', on: 'qualified-lead', layerAmounts: [20_00] },
      when: { metadata: [{ key: 'pet', values: ['canary'] }] },
    },
    { on: 'qualified-lead', layerAmounts: [5_00] },
  ],
  otherwise: { layerRates: [10] },
}

test('a rule that asked for erased metadata still pays what it paid, and later sales lack what it asks for', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  await call('PUT', `/accounts/${account.id}/terms`, { terms })
  const partner = await aPartner(app, account, {})
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const push = async (externalId: string, more: object) =>
    expectOk(await app.api('POST', '/push/sales', { token: apiKey, body: { externalId, ...more } })).body
  const lead = await call('POST', `/accounts/${account.id}/leads`, {
    ...{ partnerId: partner.id, email: 'one@mail.example', metadata: { pet: 'canary' } },
  })
  await call('POST', `/leads/${lead.id}/status`, { status: 'qualified' })
  await push('1', { email: 'one@mail.example', amount: 100_00 })
  await push('2', { email: 'one@mail.example', amount: 100_00, metadata: { pet: 'canary' } })
  await push('3', { email: 'one@mail.example', amount: 100_00, metadata: { pet: 'cat' } })
  const { items } = await call('GET', `/leads/${lead.id}/sales`)
  const idOf = Object.fromEntries(items.map((sale: { id: string; externalId: string }) => [sale.externalId, sale.id]))
  const earned = async () => {
    const rows = await db.many<{ key: string; amount: number }>`
      select coalesce(s.external_id, e.paid_for) as key, sum(e.amount)::int as amount
      from commission_entries e left join sales s on s.account_id = e.account_id and s.id = e.sale_id
      where e.account_id = ${account.id} group by 1 order by 1`
    return Object.fromEntries(rows.map(({ key, amount }) => [key, amount]))
  }
  assert.deepEqual(await earned(), { 1: 50_00, 2: 50_00, 3: 10_00, 'qualified-lead': 20_00 })
  const digest = () => transaction(db, (tx) => readLedgerDigest(tx, account.id))
  const was = await digest()
  const receipts = async () => (await call('GET', `/sales/${idOf[2]}/commissions`)).items
  const before = await receipts()

  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  assert.deepEqual(await verifyLedger(db), [])
  assert.equal(await digest(), was)
  assert.deepEqual(await receipts(), before)
  const places = await placesWith(app, ['canary'])
  assert.deepEqual(
    places.filter((place) => !/^public\.(terms_log|events|passing_events)/.test(place) || place.includes(lead.id)),
    [],
  )

  for (const sale of [1, 2, 3]) await call('POST', `/sales/${idOf[sale]}/refunds`, { amount: 40_00, reason: 'canary' })
  assert.deepEqual(await earned(), { 1: 30_00, 2: 30_00, 3: 6_00, 'qualified-lead': 20_00 })
  await push('4', { leadId: lead.id, email: 'canary@mail.example', amount: 100_00, metadata: { pet: 'canary' } })
  assert.deepEqual((await earned())[4], 10_00)
  await call('POST', `/sales/${idOf[2]}/void`, { reason: 'canary' })
  assert.equal((await earned())[2], 0)
  assert.deepEqual(await verifyLedger(db), [])
})
