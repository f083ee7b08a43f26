import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartnerHistoricalStats } from '#contract/stats.ts'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  signIn,
  startApp,
} from '../../../test/support/app.ts'
import { plansInOrder, vacuumTables } from '../../../test/support/plans.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import type { Access } from '../access/access.ts'
import { partnerHistory } from './history.ts'

const app = await startApp()

test('each reader sees only their own figures', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const get = async (token: string, path: string) => expectOk(await app.api('GET', path, { token })).body
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
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
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body }))
  assert.deepEqual(money(await get(child.token, `/leads/${lead.id}`)), [1, null, 20_00, null])
  assert.deepEqual(money(await get(child.token, `/partners/${child.id}`)), [1, null, 20_00, null])
})

test('the totals of a list add up the rows of all its pages, with a filter and without', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] }, payoutDelay: 0 })
  const get = async (path: string) =>
    expectOk(await app.api('GET', `/accounts/${account.id}${path}`, { token: account.token })).body
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const parent = await aPartner(app, account)
  const child = await aPartner(app, account, { parentPartnerId: parent.id })
  const { id: groupId } = await post(`/accounts/${account.id}/groups`, {
    ...{ name: 'Friends', kind: 'customers', reward: { as: 'money' } },
  })
  const customer = await aPartner(app, account, { groupId })
  for (const [partnerId, amount] of [
    [child.id, 100_00],
    [parent.id, 10_00],
    [customer.id, 30_00],
    [null, 7_00],
  ] as const) {
    const lead = await post(`/accounts/${account.id}/leads`, { email: anEmail(), partnerId })
    await post(`/leads/${lead.id}/sales`, { amount })
  }
  type Row = { stats: Record<string, number>; balanceDue?: number }
  const addUp = (rows: Row[], field: string) =>
    rows.reduce((sum, row) => sum + ((field in row ? row.balanceDue : row.stats[field]) ?? 0), 0)
  const lists = {
    partners: ['numberOfLeads', 'numberOfSales', 'salesRevenue', 'salesRevenueShare', 'balanceDue'],
    leads: ['numberOfSales', 'salesRevenue', 'salesRevenueShare'],
  }
  const filters = {
    partners: ['', 'groupKind=partners', 'groupKind=customers', `parentPartnerId=${parent.id}`, 'search=nobody'],
    leads: ['', 'status=won', `partnerId=${child.id}`, 'partnerId=none', 'search=nobody'],
  }
  for (const list of ['partners', 'leads'] as const)
    for (const filter of filters[list]) {
      const { items } = await get(`/${list}?${filter}`)
      assert.deepEqual(
        await get(`/${list}/totals?${filter}`),
        {
          ...Object.fromEntries(lists[list].map((field) => [field, addUp(items, field)])),
          ...{ count: items.length, currency: 'usd' },
        },
        `${list} ${filter}`,
      )
    }
  assert.equal((await get('/leads/totals')).salesRevenue, 147_00)
})

test('earnings from sub-partners’ sales are separate in a partner’s history, and both parts add up to their share', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5, 3] } })
  const get = async (token: string, path: string) => expectOk(await app.api('GET', path, { token })).body
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const top = await aPartner(app, account, {}, { signIn: true })
  const middle = await aPartner(app, account, { parentPartnerId: top.id }, { signIn: true })
  const low = await aPartner(app, account, { parentPartnerId: middle.id })
  const sell = async (partnerId: string, amount: number, saleDate: string) => {
    const lead = await post(`/accounts/${account.id}/leads`, { email: anEmail(), partnerId })
    return post(`/leads/${lead.id}/sales`, { amount, saleDate })
  }
  await sell(middle.id, 100_00, '2026-03-02')
  await sell(low.id, 300_00, '2026-03-02')
  const refunded = await sell(low.id, 200_00, '2026-03-04')
  await post(`/sales/${refunded.id}/refunds`, { amount: 100_00, reason: 'Half of it' })
  const voided = await sell(low.id, 500_00, '2026-03-03')
  await post(`/sales/${voided.id}/void`, { reason: 'Entered twice' })
  await sell(low.id, 900_00, '2026-02-28')

  const today = new Date().toISOString().slice(0, 10)
  const historyOf = async (id: string, token = account.token): Promise<PartnerHistoricalStats> =>
    get(token, `/partners/${id}/historical-stats/2026-03-01..${today}`)
  const parts = ({ deltas }: PartnerHistoricalStats) => [
    deltas.reduce((sum, delta) => sum + delta.salesRevenueShare, 0),
    deltas.reduce((sum, delta) => sum + delta.subPartnersShare, 0),
  ]
  assert.deepEqual(parts(await historyOf(low.id)), [80_00, 0])
  assert.deepEqual(parts(await historyOf(middle.id, middle.token)), [40_00, 20_00])
  assert.deepEqual(parts(await historyOf(top.id, top.token)), [17_00, 17_00])
  const days = await get(middle.token, `/partners/${middle.id}/historical-stats/2026-03-01..2026-03-05`)
  assert.deepEqual(
    (days as PartnerHistoricalStats).deltas.map(({ salesRevenueShare, subPartnersShare }) => [
      salesRevenueShare,
      subPartnersShare,
    ]),
    [
      [0, 0],
      [35_00, 15_00],
      [0, 0],
      [10_00, 10_00],
      [0, 0],
    ],
  )
})

test('earnings above the first layer are read from the start of the range, however long the history', async () => {
  const owner = await anAccount(app)
  const [partner, other] = [await aPartner(app, owner), await aPartner(app, owner)]
  const lead = await app.api('POST', `/accounts/${owner.id}/leads`, { token: owner.token, body: { email: anEmail() } })
  const { db } = app.services
  await db.run`
    with sold as (
      insert into sales (id, account_id, lead_id, provider, amount, gross_amount, currency, account_currency, sale_date, created_at)
      select gen_random_uuid(), ${owner.id}, ${expectOk(lead).body.id}, 'api', 1, 1, 'usd', 'usd', at::date, at
      from generate_series(1, 4000) n, lateral (select '2026-03-01'::timestamptz - n * interval '3 hours' as at) earlier
      returning id, sale_date, created_at)
    insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency, kind,
      available_at, day, created_at)
    select gen_random_uuid(), ${owner.id}, id, (array[${other.id}, ${partner.id}]::uuid[])[1 + layer], layer, 1, 1, 1, 'usd', 'earned',
      created_at, sale_date, created_at
    from sold, generate_series(0, 1) layer`
  await vacuumTables(asDatabaseOwner(db), 'sales', 'commission_entries')
  const access = { account: { id: owner.id, defaultCurrency: 'usd' }, subjectId: partner.id } as Access
  const range = { from: '2026-02-01', to: '2026-03-01' }
  const plan = await plansInOrder(db, (tx) => partnerHistory(tx, access, range, { revenue: true, profit: true }))
  assert.match(plan, /using commission_entries_in_order on commission_entries e .*\n *Index Cond: .*created_at >= /)
})

test('all-time figures are the sum of the periods', async (t) => {
  const { clock } = app
  t.after(() => clock.set(new Date()))
  clock.set('2026-05-01T12:00:00Z')
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartner(app, own)
  clock.set('2026-05-20T12:00:00Z')
  const { get, post, call } = createCaller(app, (await signIn(app, own.ownerEmail)).token)
  const path = `/accounts/${own.id}`
  const lead = await post(`${path}/leads`, { email: anEmail(), partnerId: partner.id })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 100_00, saleDate: '2026-04-30' })
  await post(`/leads/${lead.id}/sales`, { amount: 50_00, saleDate: '2026-05-11' })
  await post(`/sales/${sale.id}/refunds`, { amount: 40_00, reason: 'Broken' })
  const stats = await get(`${path}/stats`)
  const wanted = {
    numberOfPartners: 1,
    numberOfLeads: 1,
    numberOfSales: 2,
    salesRevenue: 110_00,
    salesRevenueShare: 11_00,
    salesProfit: 99_00,
    numberOfClicks: 0,
    currency: 'usd',
  }
  assert.deepEqual(stats, wanted)
  const numbers = Object.keys(wanted).filter((field) => field !== 'currency')
  for (const [range, period, first, length] of [
    ['2026-04-30..2026-05-30', 'day', '2026-04-30', 31],
    ['2026-04-30..2026-05-31', 'week', '2026-04-30', 5],
    ['2026-04-30..2026-07-30', 'week', '2026-04-30', 14],
    ['2026-04-30..2026-07-31', 'month', '2026-04-30', 4],
    ['2017-01-01..2026-12-31', 'month', '2017-01-01', 120],
  ] as const) {
    const history = await get(`${path}/historical-stats/${range}`)
    assert.deepEqual([`${history.startDate}..${history.endDate}`, history.period], [range, period])
    assert.deepEqual([history.deltas[0].date, history.deltas.length], [first, length], range)
    for (const number of numbers) {
      const sum = history.deltas.reduce((all: number, delta: Record<string, number>) => all + delta[number]!, 0)
      assert.equal(sum, wanted[number as keyof typeof wanted], `${number} in ${range}`)
    }
  }
  const weeks = (await get(`${path}/historical-stats/2026-04-30..2026-05-31`)).deltas
  assert.deepEqual(
    weeks.map(({ date, salesRevenue }: { date: string; salesRevenue: number }) => [date, salesRevenue]),
    [
      ['2026-04-30', 100_00],
      ['2026-05-04', 0],
      ['2026-05-11', 50_00],
      ['2026-05-18', -40_00],
      ['2026-05-25', 0],
    ],
  )
  for (const range of ['2026-05-02..2026-05-01', '2026-05-01', '2015-01-01..2026-01-01', '2026-02-30..2026-03-01'])
    assertRefused(await call('GET', `${path}/historical-stats/${range}`), 422, 'validation_failed', ['range'])
  assert.equal((await createCaller(app, await getAdministratorToken(app)).get(`${path}/stats`)).salesRevenue, 110_00)

  const dashboard = await get(`${path}/dashboard/2026-05-01..2026-05-31`)
  assert.deepEqual(
    [dashboard.current.salesRevenue, dashboard.current.numberOfSales, dashboard.previous.salesRevenue],
    [10_00, 1, 100_00],
  )
  assert.deepEqual(dashboard.topPartners, [
    {
      partnerId: partner.id,
      displayName: partner.displayName,
      numberOfSales: 1,
      salesRevenue: 10_00,
      previousRevenue: 100_00,
    },
  ])
  const { total } = await get(`${path}/partners`)
  const { partnersInAll } = await get(`${path}/dashboard/2019-01-01..2019-01-31`)
  assert.deepEqual([dashboard.partnersInAll, partnersInAll], [total, 0])
  assert.equal(dashboard.latestSales.length, 2)
  assert.equal(dashboard.latestSales[0].leadName, lead.displayName)
  assert.deepEqual(
    dashboard.checklist.map(({ step, done }: { step: string; done: boolean }) => [step, done]),
    [
      ['payment-provider', false],
      ['partner', true],
      ['link', false],
      ['embed-or-api', false],
      ['sale', true],
      ['payouts', false],
    ],
  )
})
