import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { plansInOrder } from '../../../test/support/plans.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { verifyLedger } from '../stats/verify.ts'
import { listRates } from './exchange-rates.ts'

const app = await startApp({ worker: true })

test('exchange rates are entered and listed, and book the sales waiting for them', async () => {
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const { post, get, call } = createCaller(app, own.token)
  const path = `/accounts/${own.id}`
  const partner = await aPartner(app, own)
  const lead = await post(`${path}/leads`, { email: anEmail(), partnerId: partner.id })
  const waiting = await post(`/leads/${lead.id}/sales`, { amount: 1000, currency: 'JPY', saleDate: '2026-02-10' })
  assert.deepEqual(
    [waiting.currency, waiting.amount, waiting.accountAmount, waiting.fxRate, waiting.commissions],
    ['jpy', 1000, null, null, []],
  )
  const body = { currency: 'JPY', date: '2026-02-09', rate: 0.0067 }
  const entered = await call('POST', `${path}/exchange-rates`, body)
  assert.equal(entered.status, 201)
  assert.deepEqual(entered.body, { ...body, currency: 'jpy', source: 'entered' })
  const booked = await get(`/sales/${waiting.id}`)
  assert.deepEqual(
    [booked.accountAmount, booked.accountCurrency, booked.fxRate, booked.fxDate, booked.commissions[0].amount],
    [6_70, 'usd', 0.0067, '2026-02-09', 67],
  )
  assert.deepEqual((await get(`${path}/exchange-rates`)).items, [{ ...body, currency: 'jpy', source: 'entered' }])
  for (const [field, value] of [
    ['rate', 0],
    ['rate', '1'],
    ['currency', 'xyz'],
    ['date', '2026-02-30'],
  ])
    assertRefused(
      await call('POST', `${path}/exchange-rates`, { ...body, [field as string]: value }),
      422,
      'validation_failed',
      [field as string],
    )
  const self = await call('POST', `${path}/exchange-rates`, { ...body, currency: 'usd' })
  assertRefused(self, 422, 'validation_failed', ['currency'])
})

test('a sale that waits for an exchange rate keeps its day: its terms, the partners above and the payout delay', async () => {
  const own = await anAccount(app, { payoutDelay: 30, defaultCommissionSettings: { layerRates: [10, 5, 1] } })
  const { post, get, patch, put } = createCaller(app, own.token)
  const path = `/accounts/${own.id}`
  const top = await aPartner(app, own)
  const parent = await aPartner(app, own, { parentPartnerId: top.id })
  const other = await aPartner(app, own)
  const partner = await aPartner(app, own, { parentPartnerId: parent.id })
  const lead = await post(`${path}/leads`, { email: anEmail(), partnerId: partner.id })
  const body = { amount: 100_000, currency: 'jpy', saleDate: '2026-02-10' }
  const waiting = await post(`/leads/${lead.id}/sales`, body)
  await patch(path, { payoutDelay: 7, defaultCommissionSettings: { layerRates: [40] } })
  await put(`/partners/${partner.id}`, { parentPartnerId: other.id })
  const later = await post(`/leads/${lead.id}/sales`, { ...body, saleDate: '2026-02-11' })
  // a partner who has left for good earns no more
  await post(`/partners/${top.id}/archive`, { balance: 'void', reason: 'Left' })
  await post(`${path}/exchange-rates`, { currency: 'jpy', date: '2026-02-09', rate: 0.01 })
  type Earned = { partnerId: string; amount: number; availableAt: string }
  const earned = async (id: string) =>
    (await get(`/sales/${id}`)).commissions.map(({ partnerId, amount, availableAt }: Earned) => [
      ...[partnerId, amount, availableAt.slice(0, 10)],
    ])
  assert.deepEqual(await earned(waiting.id), [
    [partner.id, 100_00, '2026-03-12'],
    [parent.id, 50_00, '2026-03-12'],
  ])
  assert.deepEqual(await earned(later.id), [[partner.id, 400_00, '2026-02-18']])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('the rates of an account: entered by hand, and the published one of its latest sale in each other currency', async () => {
  const own = await anAccount(app)
  const { post, get, call } = createCaller(app, own.token)
  const rates = `/accounts/${own.id}/exchange-rates`
  const { id: lead } = await post(`/accounts/${own.id}/leads`, { email: anEmail() })
  const aSale = (currency: string, saleDate: string) =>
    post(`/leads/${lead}/sales`, { amount: 100, currency, saleDate })
  await aSale('usd', '2026-02-10')
  assert.deepEqual(await get(rates), { items: [], nextCursor: null, total: 0, currencies: [] })

  await asDatabaseOwner(app.services.db).run`
    insert into euro_rates (currency, date, rate) values ('usd', '2026-02-04', 1.1), ('usd', '2026-02-06', 1.2),
      ('usd', '2026-02-11', 1.5), ('gbp', '2026-02-04', 0.8), ('gbp', '2026-02-11', 0.75)`
  await aSale('gbp', '2026-02-01')
  await aSale('jpy', '2026-02-10')
  assert.deepEqual(
    await get(rates),
    { items: [], nextCursor: null, total: 0, currencies: ['gbp', 'jpy'] },
    'nothing was published in time for either',
  )

  await aSale('gbp', '2026-02-10')
  await aSale('eur', '2026-02-07')
  await aSale('eur', '2026-02-05')
  const byHand = { currency: 'gbp', date: '2026-02-05', rate: 1.31 }
  await post(rates, byHand)
  const eur = { currency: 'eur', date: '2026-02-06', rate: 1.2, source: 'ecb' }
  const gbp = { currency: 'gbp', date: '2026-02-04', rate: 1.375, source: 'ecb' }
  const entered = { ...byHand, source: 'entered' }
  const all = await get(`${rates}?sort=-date`)
  assert.deepEqual(all.items, [eur, entered, gbp])
  assert.deepEqual([all.total, all.currencies], [3, ['eur', 'gbp', 'jpy']])
  assert.deepEqual((await get(`${rates}?search=GB&sort=date`)).items, [gbp, entered])

  for (const sort of ['date', '-date', 'createdAt', '-createdAt']) {
    const found = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const one: { items: unknown[]; nextCursor: string | null } = await get(
        `${rates}?limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`,
      )
      found.push(...one.items)
      cursor = one.nextCursor
    }
    const { items } = await get(`${rates}?sort=${sort}`)
    assert.deepEqual(found, items, sort)
    assert.equal(found.length, 3)
  }
  const file = await call('GET', `${rates}/csv?sort=date`)
  const { header, rows } = readCsv(String(file.body))
  assert.deepEqual(header, ['currency', 'date', 'rate', 'source'])
  assert.deepEqual(rows[0], { currency: 'gbp', date: '2026-02-04', rate: '1.375', source: 'ecb' })

  const other = await anAccount(app)
  const stranger = createCaller(app, other.token)
  assert.deepEqual((await stranger.get(`/accounts/${other.id}/exchange-rates`)).currencies, [])
  for (const path of [rates, `${rates}/csv`]) assertRefused(await stranger.call('GET', path), 404, 'not_found')
})

test('an account’s currencies take one index step each, however many sales there are', async () => {
  const own = await anAccount(app)
  const { post } = createCaller(app, own.token)
  const { id: lead } = await post(`/accounts/${own.id}/leads`, { email: anEmail() })
  for (const currency of ['usd', 'gbp', 'jpy'])
    await post(`/leads/${lead}/sales`, { amount: 100, currency, saleDate: '2026-02-10' })
  const plan = await plansInOrder(app.services.db, (tx) =>
    listRates(tx, own.id, { limit: 25, sort: '-date', uncounted: true }),
  )
  assert.match(plan, /Index Scan Backward using sales_in_other_currencies/)
  assert.doesNotMatch(plan, /using sales_(?!in_other_currencies)/)
})
