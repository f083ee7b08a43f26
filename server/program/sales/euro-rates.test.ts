import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ecbXml, standInRates } from '../../../test/fakes/rates.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { verifyLedger } from '../stats/verify.ts'
import { fetchEuroRates, fetchForNewSales, parseEuroRates, updateEuroRates } from './euro-rates.ts'

// a Thursday, after the rates of the day
const clock = turnableClock('2026-06-18T16:00:00Z')
const published = await standInRates({
  table: {
    '2026-06-18': { USD: 1.1, GBP: 0.85 },
    '2026-06-17': { USD: 1.09, GBP: 0.84 },
    '2026-04-01': { USD: 1.05 },
  },
  clock: () => clock.now(),
})
after(() => published.close())
const app = await startApp({ clock, config: { fxRatesUrl: published.dailyUrl } })
const { services } = app
const { db } = services
const stored = () => db.many<{ currency: string; date: string; rate: number }>`
  select currency, date, rate from euro_rates order by date, currency`

test('both quote styles are read, and invalid rates are left out', async () => {
  for (const quote of ['"', "'"] as const) {
    const xml = ecbXml({ '2026-06-18': { USD: 1.1, JPY: -3, TRY: 0, GBP: 0.85 } }, quote)
    assert.deepEqual(await parseEuroRates(xml), [
      { currency: 'usd', date: '2026-06-18', rate: '1.1' },
      { currency: 'gbp', date: '2026-06-18', rate: '0.85' },
    ])
  }
  for (const text of ['', '<html><body>Sorry</body></html>', '{"usd": 1}', '<a><b></a>'])
    await assert.rejects(parseEuroRates(text), /no rates|not XML/)
})

test('a sale waits for a rate, and is booked with the rate of its day once that is published', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const { token } = account
  const partner = await aPartner(app, account)
  const leads = `/accounts/${account.id}/leads`
  const lead = expectOk(await app.api('POST', leads, { token, body: { partnerId: partner.id, email: anEmail() } })).body
  const body = { amount: 8500, currency: 'gbp', saleDate: '2026-06-18' }
  const sale = expectOk(await app.api('POST', `/leads/${lead.id}/sales`, { token, body })).body
  assert.deepEqual([sale.accountAmount, sale.commissions], [null, []])

  published.breakDown()
  await fetchForNewSales(services)
  await fetchForNewSales(services)
  assert.deepEqual(await stored(), [])
  published.recover()
  await fetchForNewSales(services)
  const booked = expectOk(await app.api('GET', `/sales/${sale.id}`, { token })).body
  // 85.00 gbp are 100.00 eur are 110.00 usd
  assert.deepEqual([booked.accountAmount, booked.fxDate], [11_000, '2026-06-18'])
  assert.deepEqual(
    booked.commissions.map(({ amount }: { amount: number }) => amount),
    [1100],
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('the first fetch covers ninety days, and nothing is fetched again until something new is published', async () => {
  assert.deepEqual(
    (await stored()).map(({ currency, date, rate }) => `${date} ${currency} ${rate}`),
    ['2026-04-01 usd 1.05', '2026-06-17 gbp 0.84', '2026-06-17 usd 1.09', '2026-06-18 gbp 0.85', '2026-06-18 usd 1.1'],
  )
  const before = published.calls.length
  await updateEuroRates(services)
  clock.set('2026-06-19T14:00:00Z')
  await updateEuroRates(services)
  assert.equal(published.calls.length, before)
  clock.set('2026-06-19T16:00:00Z')
  published.publish({ '2026-06-19': { USD: 1.12, GBP: 2 } })
  await updateEuroRates(services)
  assert.match(published.calls.at(-1)!.path, /daily/)
  // the pound did not double overnight
  assert.deepEqual(
    (await stored()).filter(({ date }) => date === '2026-06-19'),
    [{ currency: 'usd', date: '2026-06-19', rate: 1.12 }],
  )
  clock.set('2026-06-21T20:00:00Z')
  const weekend = published.calls.length
  await updateEuroRates(services)
  assert.equal(published.calls.length, weekend)
})

test('a lasting change is accepted after a week, and an existing rate is not replaced', async () => {
  clock.set('2026-07-03T16:00:00Z')
  published.publish({ '2026-06-19': { USD: 9 }, '2026-07-03': { USD: 1.12, GBP: 2 } })
  await fetchEuroRates(services)
  const usd = (await stored()).filter(({ currency }) => currency === 'usd').map(({ rate }) => rate)
  assert.ok(!usd.includes(9))
  assert.equal((await stored()).filter(({ currency }) => currency === 'gbp').at(-1)?.rate, 2)
})

test('every start reads the published file, even if the day’s rates exist', async () => {
  clock.set('2026-07-20T16:00:00Z')
  published.publish({ '2026-07-20': { USD: 1.12 } })
  await updateEuroRates(services)
  const before = published.calls.length
  await updateEuroRates(services)
  assert.equal(published.calls.length, before)
  const again = await startApp({ clock, db, worker: true, config: { fxRatesUrl: published.dailyUrl } })
  await waitUntil(() => published.calls.length > before)
  await again.close()
})

test('an account whose sales cannot be booked delays no other', async () => {
  clock.set('2026-07-21T14:00:00Z')
  const waiting = await Promise.all(
    [1, 2].map(async () => {
      const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
      const leads = `/accounts/${account.id}/leads`
      const lead = expectOk(await app.api('POST', leads, { token: account.token, body: { email: anEmail() } })).body
      const body = { amount: 8500, currency: 'chf', saleDate: '2026-07-21' }
      const sale = expectOk(await app.api('POST', `/leads/${lead.id}/sales`, { token: account.token, body })).body
      return { account: account.id, sale: sale.id as string }
    }),
  )
  const [broken, sound] = waiting.sort((a, b) => (a.account < b.account ? -1 : 1)) as [Waiting, Waiting]
  await asDatabaseOwner(db).pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken for the test'; end $$;
    create trigger fail before update on sales for each row when (new.id = '${broken.sale}') execute function fail()`)
  clock.set('2026-07-21T16:00:00Z')
  published.publish({ '2026-07-21': { USD: 1.12, CHF: 0.95 } })
  const amountOf = async ({ sale }: Waiting) =>
    (await db.one<{ amount: number | null }>`select account_amount as amount from sales where id = ${sale}`).amount
  await updateEuroRates(services)
  assert.notEqual(await amountOf(sound), null)
  assert.equal(await amountOf(broken), null)
  await asDatabaseOwner(db).pool.query('drop trigger fail on sales')
  await updateEuroRates(services)
  assert.notEqual(await amountOf(broken), null)
})

type Waiting = { account: string; sale: string }

test('without a network nothing fails', async () => {
  await published.close()
  await fetchEuroRates(services)
  await fetchEuroRates(services)
})
