import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../../../test/support/app.ts'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { plansInOrder } from '../../../test/support/plans.ts'
import type { Access } from '../access/access.ts'
import { listSales } from './list-sales.ts'

const app = await startApp()
const { db } = app.services
const asOwner = (account: { id: string; partnerVisibility: object }) =>
  ({ as: 'owner', account, subjectId: account.id, partnerId: null }) as unknown as Access

test('a partner’s sales are read in the order of their index, forwards, backwards and from a cursor', async () => {
  const { id } = await anAccount(app)
  const access = asOwner({ id, partnerVisibility: {} })
  const partnerId = ['01900000-0000-7000-8000-000000000000']
  for (const sort of ['createdAt', '-createdAt']) {
    const cursor = Buffer.from(JSON.stringify([sort, '2026-03-01 12:00:00+00', ...partnerId])).toString('base64url')
    for (const query of [
      { sort, limit: 50, partnerId },
      { sort, limit: 50, partnerId, cursor, uncounted: true as const },
    ]) {
      const plan = await plansInOrder(db, (tx) => listSales(tx, access, query))
      assert.match(plan, /Index Scan (Backward )?using sales_by_partner/, JSON.stringify(query))
      assert.doesNotMatch(plan, /Sort Key/, JSON.stringify(query))
    }
  }
})

test('the roll-up counts all sales but those it leaves out, which a partial index counts', async () => {
  const { account, voidedSale } = await ledgerHistory(db)
  const access = asOwner(account)
  const counted = async () => {
    const { rows } = await db.one<{ rows: number }>`select count(*) as rows from sales where account_id = ${account.id}`
    let total = 0
    const plan = await plansInOrder(db, async (tx) => {
      total = (await listSales(tx, access, { sort: '-createdAt', limit: 1 })).total
    })
    assert.equal(total, rows)
    return plan
  }
  const { status } = await db.one<{ status: string }>`select status from sales where id = ${voidedSale}`
  assert.equal(status, 'void')
  const plan = await counted()
  assert.match(plan, /Index (Only )?Scan using total_stats_pkey/)
  assert.match(plan, /Index Only Scan using sales_beside_figures/)
})

test('the few sales of test mode are found by a partial index', async () => {
  const { id } = await anAccount(app)
  const access = asOwner({ id, partnerVisibility: {} })
  const plan = await plansInOrder(db, (tx) => listSales(tx, access, { sort: '-createdAt', limit: 50, test: true }))
  assert.match(plan, /sales_in_test_mode/)
})

test('sales are found by status, provider, lead, day and amount, and sorted', async () => {
  const own = await anAccount(app)
  const { get, post } = createCaller(app, own.token)
  const path = `/accounts/${own.id}`
  const a = await post(`${path}/leads`, { email: anEmail() })
  const b = await post(`${path}/leads`, { email: anEmail() })
  const one = await post(`/leads/${a.id}/sales`, { amount: 500, saleDate: '2026-01-31' })
  const two = await post(`/leads/${b.id}/sales`, { amount: 900, saleDate: '2026-02-01' })
  await post(`/sales/${two.id}/refunds`, { reason: 'x' })
  const sales = async (query: string) => (await get(`${path}/sales?${query}`)).items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await sales('status=completed'), [one.id])
  assert.deepEqual(await sales('status=completed,refunded&sort=saleDate'), [one.id, two.id])
  assert.deepEqual(await sales('sort=-amount'), [two.id, one.id])
  assert.deepEqual(await sales('provider=stripe'), [])
  assert.deepEqual(await sales('provider=manual,api&from=2026-02-01&to=2026-02-01'), [two.id])
  assert.deepEqual(await sales(`leadId=${a.id}`), [one.id])
  assert.deepEqual(await sales('minAmount=501'), [two.id])
  assert.deepEqual(await sales('minAmount=500&maxAmount=500'), [one.id])
  assert.deepEqual(await sales('maxAmount=899&minAmount=501'), [])
  const foreign = await post(`/leads/${a.id}/sales`, { amount: 700, currency: 'jpy', saleDate: '2026-01-31' })
  assert.deepEqual(await sales('minAmount=600&maxAmount=800'), [], 'one without a rate has no amount yet')
  await post(`${path}/exchange-rates`, { currency: 'jpy', date: '2026-01-31', rate: 0.01 })
  assert.deepEqual(await sales('minAmount=600&maxAmount=800'), [foreign.id])
})

test('a partner reads the sales of their leads with their own commission, and amounts if the account shows them', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const owner = createCaller(app, account.token)
  const parent = await aPartner(app, account, {}, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const me = createCaller(app, partner.token)
  const lead = await owner.post(`/accounts/${account.id}/leads`, {
    firstName: 'Jane',
    email: anEmail(),
    partnerId: partner.id,
  })
  const { id } = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  const [sale] = (await me.get(`/leads/${lead.id}/sales`)).items
  assert.deepEqual(
    [sale.amount, sale.commissions.length, sale.commissions[0].amount, sale.leadName],
    [100_00, 1, 20_00, 'Jane'],
  )
  const layersOf = async ({ token }: { token: string }) =>
    (await createCaller(app, token).get(`/sales/${id}/commissions`)).items.map(({ layer }: { layer: number }) => layer)
  assert.deepEqual([await layersOf(partner), await layersOf(parent)], [[0], [1]])
  assertRefused(await me.call('GET', `/sales/${id}`), 403, 'forbidden')

  await owner.patch(`/accounts/${account.id}`, { partnerVisibility: { saleAmounts: false } })
  const [hidden] = (await me.get(`/leads/${lead.id}/sales`)).items
  for (const field of ['amount', 'grossAmount', 'taxAmount', 'accountAmount', 'refundedAmount'])
    assert.equal(hidden[field], null, field)
  const [{ amount, baseAmount, rate }] = hidden.commissions
  assert.deepEqual([amount, baseAmount, rate], [20_00, null, null])
  for (const sort of ['amount', '-amount'])
    assertRefused(await me.call('GET', `/leads/${lead.id}/sales?sort=${sort}`), 422, 'validation_failed', ['sort'])
  const today = app.clock.now().toISOString().slice(0, 10)
  const { deltas } = await me.get(`/leads/${lead.id}/historical-stats/${today}..${today}`)
  assert.deepEqual([deltas[0].salesRevenue, deltas[0].salesRevenueShare, deltas[0].salesProfit], [null, 20_00, null])
})
