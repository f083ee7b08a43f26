import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, expectOk, startApp, waitUntil } from '#test/support/app.ts'
import { aCase } from '#test/support/fraud-cases.ts'

// Open cases of partners and customers who are gone by the time of the decision.

const app = await startApp({ worker: true })
const { db } = app.services

async function anOpenCase(selfReferralPolicy: 'flag' | 'hold') {
  const account = await anAccount(app, {
    ...{ selfReferralPolicy, payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } },
  })
  const call = async (method: string, path: string, body?: object) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const found = await aCase(app, account)
  const erased = () => waitUntil(async () => (await call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  return { ...found, account, call, erased }
}

const sums = (partnerId: string) => db.one<{ sum: number; held: number }>`
  select coalesce(sum(amount), 0)::bigint as sum,
    (select count(*) from sales where partner_id = ${partnerId} and held_until > now() and status <> 'void') as held
  from commission_entries where partner_id = ${partnerId}`

for (const balance of ['pay-out', 'void'] as const)
  for (const [act, sum] of [
    ['release', { 'pay-out': 20_00, void: 0 }],
    ['void', { 'pay-out': 0, void: 0 }],
  ] as const)
    test(`the case of an archived partner, balance ${balance}, then ${act}`, async () => {
      const { id, partnerId, call } = await anOpenCase('hold')
      await call('POST', `/partners/${partnerId}/archive`, { subPartners: 'keep', balance, reason: 'Left' })
      const before = await call('GET', `/cases/${id}`)
      assert.deepEqual([before.state, before.partnerState], ['open', 'archived'])
      const { decision, heldAmount } = await call('POST', `/cases/${id}/${act}`, { reason: 'Looked at' })
      assert.deepEqual([decision, heldAmount], [act === 'release' ? 'released' : 'voided', 0])
      assert.deepEqual(await sums(partnerId), { sum: sum[balance], held: 0 })
      assert.deepEqual(await verifyLedger(db), [])
    })

for (const act of ['release', 'void'] as const)
  test(`the case of an erased customer, then ${act}`, async () => {
    const { id, leadId, saleId, partnerId, call, erased } = await anOpenCase('hold')
    await call('POST', `/leads/${leadId}/erase`, {})
    const before = await call('GET', `/cases/${id}`)
    assert.match(`${before.state} ${before.leadName}`, /^open Erased lead/)
    await call('POST', `/cases/${id}/${act}`, { reason: 'Looked at' })
    assert.equal((await call('GET', `/sales/${saleId}`)).status, act === 'void' ? 'void' : 'completed')
    assert.deepEqual(await sums(partnerId), { sum: act === 'void' ? 0 : 20_00, held: 0 })
    await erased()
    assert.deepEqual(await verifyLedger(db), [])
  })

for (const act of ['release', 'void'] as const)
  test(`the case of an erased partner, then ${act}`, async () => {
    const { id, partnerId, call, erased } = await anOpenCase('flag')
    await call('POST', `/partners/${partnerId}/archive`, { subPartners: 'keep', balance: 'void', reason: 'Left' })
    await call('POST', `/partners/${partnerId}/erase`, {})
    assert.match((await call('GET', `/cases/${id}`)).partnerName, /^Erased partner/)
    const { decision } = await call('POST', `/cases/${id}/${act}`, { reason: 'Looked at' })
    assert.equal(decision, act === 'release' ? 'released' : 'voided')
    assert.deepEqual(await sums(partnerId), { sum: 0, held: 0 })
    await erased()
    assert.deepEqual(await verifyLedger(db), [])
  })

test('a partner is erased only once the case that holds their commission is decided', async () => {
  const { id, partnerId, call, account } = await anOpenCase('hold')
  await call('POST', `/partners/${partnerId}/archive`, { subPartners: 'keep', balance: 'void', reason: 'Left' })
  const erase = () => app.api('POST', `/partners/${partnerId}/erase`, { token: account.token, body: {} })
  const refused = await erase()
  assert.deepEqual([refused.status, refused.body.error.message], [409, 'There is still $20.00 to settle.'])
  await call('POST', `/cases/${id}/void`, { reason: 'Looked at' })
  expectOk(await erase())
})
