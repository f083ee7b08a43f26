import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../server/platform/database/pool.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { assertRefused, callerOf } from '../support/api.ts'
import { anAccount, anEmail, aPartner, eventually, startApp } from '../support/app.ts'

// How a sale gets its credit, over HTTP: the account's currency, waiting for a rate, lists that create their customers.

const app = await startApp({ worker: true })
const { db } = app.services

/** An account with a partner, its owner and its API key. */
async function anOwner(settings: Record<string, unknown> = {}, on = app) {
  const account = await anAccount(on, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0, ...settings })
  const partner = await aPartner(on, account, { referralCode: 'kim' })
  const owner = callerOf(on, account.token)
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  const home = `/accounts/${account.id}`
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  return { account, partner, owner, apiKey: apiKey as string, push: callerOf(on, apiKey), home, lead }
}

test('the currency is fixed by a sale, an adjustment or an exchange rate, with the reason', async () => {
  const first: [what: RegExp, record: (one: Awaited<ReturnType<typeof anOwner>>) => Promise<unknown>][] = [
    [/a sale/, ({ owner, lead }) => owner.post(`/leads/${lead.id}/sales`, { amount: 100 })],
    [
      /a commission entry/,
      ({ owner, partner }) => owner.post(`/partners/${partner.id}/adjustments`, { amount: 5000, reason: 'agreed' }),
    ],
    [
      /an exchange rate/,
      ({ owner, home }) => owner.post(`${home}/exchange-rates`, { currency: 'gbp', date: '2026-03-01', rate: 1.27 }),
    ],
  ]
  for (const [what, record] of first) {
    const one = await anOwner()
    await one.owner.patch(one.home, { defaultCurrency: 'eur' })
    await record(one)
    const refused = await one.owner.call('PATCH', one.home, { defaultCurrency: 'jpy' })
    assertRefused(refused, 409, 'invalid_state', ['defaultCurrency'])
    assert.match(refused.body.error.message, what)
    await one.owner.patch(one.home, { defaultCurrency: 'eur', name: 'Same' })
  }
})

test('a change of the currency beside the first sale leaves both in one', async () => {
  for (let round = 0; round < 25; round++) {
    const { owner, push, home, lead } = await anOwner()
    const sale = { externalId: 'first', leadId: lead.id, amount: 10_000 }
    const [changed, pushed] = await Promise.all([
      owner.call('PATCH', home, { defaultCurrency: 'jpy' }),
      push.call('POST', '/push/sales', sale),
    ])
    assert.equal(pushed.status, 201)
    const { defaultCurrency } = await owner.get(home)
    assert.equal(defaultCurrency, changed.status === 200 ? 'jpy' : 'usd')
    assert.deepEqual([pushed.body.currency, pushed.body.accountCurrency], [defaultCurrency, defaultCurrency])
    assert.deepEqual([pushed.body.accountAmount, pushed.body.commissions[0].currency], [10_000, defaultCurrency])
  }
})

test('a change of the currency beside the first adjustment leaves both in one', async () => {
  for (let round = 0; round < 10; round++) {
    const { owner, home, partner } = await anOwner()
    const [, adjusted] = await Promise.all([
      owner.call('PATCH', home, { defaultCurrency: 'jpy' }),
      owner.post(`/partners/${partner.id}/adjustments`, { amount: 5000, reason: 'agreed' }),
    ])
    assert.equal(adjusted.currency, (await owner.get(home)).defaultCurrency)
  }
})

test('a sale says to its owner what the fraud rule saw and what became of it', async () => {
  for (const policy of ['flag', 'hold', 'refuse'] as const) {
    const { owner, home, partner, account } = await anOwner({ selfReferralPolicy: policy })
    const lead = await owner.post(`${home}/leads`, { email: partner.email, partnerId: partner.id })
    const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_000 })
    assert.deepEqual(
      { ...sale.hold, until: Boolean(sale.hold.until) },
      {
        rule: 'self-referral',
        policy,
        reason: 'The lead’s email is the referring partner’s own.',
        until: policy === 'hold',
      },
    )
    if (policy !== 'hold') continue
    const released = await owner.post(`/sales/${sale.id}/release`, { reason: 'looked at' })
    assert.deepEqual([released.hold.policy, released.hold.until], ['hold', null])
    const signedIn = await aPartner(app, account, {}, { signIn: true })
    await owner.post(`/leads/${lead.id}/reassign`, { partnerId: signedIn.id, reason: 'theirs' })
    await owner.post(`/leads/${lead.id}/sales`, { amount: 10_000 })
    const seen = await callerOf(app, signedIn.token).get(`/leads/${lead.id}/sales`)
    assert.ok(seen.items.every((item: { hold: unknown }) => item.hold === null))
  }
  const { owner, lead } = await anOwner()
  assert.equal((await owner.post(`/leads/${lead.id}/sales`, { amount: 1 })).hold, null)
})

test('an exchange rate books every sale that waits, however many, and the call does not wait for them', async () => {
  const { owner, push, home, lead } = await anOwner()
  const rows = (from: number) =>
    Array.from({ length: 100 }, (_, row) => ({
      ...{ externalId: `waits ${from + row}`, leadId: lead.id, amount: 1000, currency: 'gbp', saleDate: '2026-03-02' },
    }))
  for (let from = 0; from < 2500; from += 100) await push.post('/push/sales', rows(from))
  await owner.post(`${home}/exchange-rates`, { currency: 'gbp', date: '2026-03-01', rate: 2 })
  const stats = await eventually(async () => {
    const found = await owner.get(`${home}/stats`)
    return found.salesRevenue === 2500 * 2000 && found
  }, 40_000)
  assert.equal(stats.salesRevenueShare, 2500 * 400)
})

test('a row may name the customer that an earlier row of its list makes', async () => {
  const { apiKey } = await anOwner()
  const key = (name: string) => callerOf({ ...app, api: withKey(app.api, name) }, apiKey)
  for (const push of [callerOf(app, apiKey), key('once')]) {
    const [email, id] = [anEmail('new'), anEmail('customer')]
    const { results } = await push.post('/push/sales', [
      { externalId: `1 ${id}`, email, referralCode: 'kim', amount: 1000 },
      { externalId: `2 ${id}`, email, amount: 2000 },
      { externalId: `3 ${id}`, email: anEmail('unknown'), amount: 2000 },
      { externalId: `4 ${id}`, leadExternalId: id, referralCode: 'KIM', amount: 3000 },
      { externalId: `5 ${id}`, leadExternalId: id, amount: 4000 },
      { externalId: `6 ${id}`, email, referralCode: 'kim', amount: 5000 },
    ])
    assert.deepEqual(
      results.map(({ status }: { status: number }) => status),
      [201, 201, 422, 201, 201, 201],
    )
  }
})

const withKey =
  (api: typeof app.api, key: string): typeof app.api =>
  (method, path, call = {}) =>
    api(method, path, { ...call, headers: { 'idempotency-key': key, ...call.headers } })

test('lists of the same new customers, under keys and by two processes, end as one would', async () => {
  const other = openDatabase({ url: db.url, log: app.services.log })
  const twin = await startApp({ db: other, config: { secretKey: app.services.config.secretKey } })
  try {
    const { apiKey, owner, home } = await anOwner()
    const customers = Array.from({ length: 80 }, () => anEmail('customer'))
    const deadlocks = async () =>
      (
        await db.one<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`
      ).deadlocks
    const before = await deadlocks()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, list) => {
        const rows = Array.from({ length: 40 }, (_, row) => {
          const customer = customers[(list * 13 + row * (list % 2 ? 7 : 3)) % customers.length]!
          return { externalId: `${list} ${row}`, email: customer, referralCode: 'kim', amount: 1000 }
        })
        const one = list % 2 ? twin : app
        return withKey(one.api, `list ${list}`)('POST', '/push/sales', { token: apiKey, body: rows })
      }),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    for (const { body } of answers)
      assert.ok(
        body.results.every(({ status }: { status: number }) => status === 201),
        JSON.stringify(body.results.find(({ status }: { status: number }) => status !== 201)),
      )
    const { numberOfSales, numberOfLeads } = await owner.get(`${home}/stats`)
    assert.deepEqual([numberOfSales, numberOfLeads], [480, customers.length + 1])
    assert.equal((await deadlocks()) - before, 0)
  } finally {
    await twin.close()
    await other.close()
  }
})

test('a row that would bring a total past what is kept exactly is refused alone, in words', async () => {
  const { owner, home, apiKey, lead } = await anOwner()
  await owner.post(`${home}/exchange-rates`, { currency: 'gbp', date: '2026-03-01', rate: 999 })
  const rows = (list: string) =>
    Array.from({ length: 6 }, (_, row) => ({
      ...{ externalId: `${list} ${row}`, leadId: lead.id, saleDate: '2026-03-02' },
      ...(row % 2 ? { amount: 1000 } : { amount: 1_000_000_000_000, currency: 'gbp' }),
    }))
  const statuses: number[] = []
  for (const push of [callerOf(app, apiKey), callerOf({ ...app, api: withKey(app.api, 'list') }, apiKey)]) {
    const { results } = await push.post('/push/sales', rows(String(statuses.length)))
    statuses.push(...results.map(({ status }: { status: number }) => status))
    for (const { error } of results.filter(({ status }: { status: number }) => status === 422))
      assert.deepEqual(Object.keys(error.fields), ['amount'])
  }
  assert.deepEqual(statuses, [201, 201, 422, 201, 422, 201, 422, 201, 422, 201, 422, 201])
  const stats = await owner.get(`${home}/stats`)
  assert.equal(stats.salesRevenue, 999_000_000_000_000 + 6000)
  assert.deepEqual(await verifyLedger(db), [])
})
