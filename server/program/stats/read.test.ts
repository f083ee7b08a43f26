import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, ok, startApp } from '../../../test/support/app.ts'

const app = await startApp()

test('each reader sees of the figures what is theirs', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const get = async (token: string, path: string) => ok(await app.api('GET', path, { token })).body
  const post = async (path: string, body: object) =>
    ok(await app.api('POST', path, { token: account.token, body })).body
  const parent = await aPartner(app, account, {}, { signIn: true })
  const child = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const leads = `/accounts/${account.id}/leads`
  const lead = await post(leads, { email: anEmail(), partnerId: child.id })
  await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  const own = await post(leads, { email: anEmail(), partnerId: parent.id })
  await post(`/leads/${own.id}/sales`, { amount: 10_00 })

  const money = ({ stats }: { stats: Record<string, number | null> }) => [
    stats.numberOfSales,
    stats.salesRevenue,
    stats.salesRevenueShare,
    stats.salesProfit,
  ]
  const asOwner = [
    await get(account.token, `/partners/${parent.id}`),
    await get(account.token, `/partners/${child.id}`),
  ]
  assert.deepEqual(asOwner.map(money), [
    [1, 10_00, 7_00, 3_00],
    [1, 100_00, 20_00, 80_00],
  ])
  assert.deepEqual(money(await get(parent.token, `/partners/${parent.id}`)), [1, 10_00, 7_00, null])
  assert.deepEqual(money(await get(parent.token, `/partners/${child.id}`)), [1, null, 5_00, null])
  assert.deepEqual(money(await get(account.token, `/leads/${lead.id}`)), [1, 100_00, 25_00, 75_00])
  assert.deepEqual(money(await get(child.token, `/leads/${lead.id}`)), [1, 100_00, 20_00, null])

  const body = { partnerVisibility: { saleAmounts: false } }
  ok(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body }))
  assert.deepEqual(money(await get(child.token, `/leads/${lead.id}`)), [1, null, 20_00, null])
  assert.deepEqual(money(await get(child.token, `/partners/${child.id}`)), [1, null, 20_00, null])
})
