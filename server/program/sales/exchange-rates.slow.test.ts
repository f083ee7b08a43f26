import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp, waitUntil } from '../../../test/support/app.ts'

const app = await startApp({ worker: true })

test('an exchange rate books every waiting sale, and the call does not wait for many', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account)
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  const push = createCaller(app, (await owner.put(`${home}/api-key`)).apiKey)
  const rows = (from: number) =>
    Array.from({ length: 100 }, (_, row) => ({
      ...{ externalId: `waits ${from + row}`, leadId: lead.id, amount: 1000, currency: 'gbp', saleDate: '2026-03-02' },
    }))
  for (let from = 0; from < 2500; from += 100) await push.post('/push/sales', rows(from))
  await owner.post(`${home}/exchange-rates`, { currency: 'gbp', date: '2026-03-01', rate: 2 })
  const stats = await waitUntil(async () => {
    const found = await owner.get(`${home}/stats`)
    return found.salesRevenue === 2500 * 2000 && found
  }, 40_000)
  assert.equal(stats.salesRevenueShare, 2500 * 400)
})
