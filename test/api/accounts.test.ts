import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRates } from '../../server/program/sales/exchange-rates.ts'
import { assertFields, assertRefused, callerOf } from '../support/api.ts'
import { ADMINISTRATOR, accept, anAccount, anEmail, aPartner, signIn, startApp, turnableClock } from '../support/app.ts'
import { readCsv } from '../support/csv.ts'
import { plansInOrder } from '../support/plans.ts'
import { ownerOf } from '../support/postgres.ts'

// Accounts.

const clock = turnableClock()
const app = await startApp({ clock })
const account = await anAccount(app)
const owner = callerOf(app, account.token)
const admin = callerOf(app, account.admin)

const ACCOUNT = `id, name, displayName, publicId, apiKey, defaultCurrency, defaultCommissionSettings,
  invitationsFromPartners, autoPayoutsEnabled, payoutDelay, minimumPayout, timeZone, leadProtectionDays,
  attributionModel, partnerVisibility, partnerLeadSubmission, recurringMonths, selfReferralPolicy, owner,
  ownerInvitation, supportEmail, disabledAt, disabledReason, createdAt, updatedAt`
const STATS = `numberOfPartners, numberOfLeads, numberOfSales, salesRevenue, salesRevenueShare, salesProfit,
  numberOfClicks, currency`

test('a new account stands at its defaults', async () => {
  const reply = await admin.call('POST', '/accounts', {})
  assert.equal(reply.status, 201)
  assertFields(reply.body, ACCOUNT)
  const { id, publicId, createdAt, updatedAt, supportEmail, ...rest } = reply.body
  assert.equal(createdAt, updatedAt)
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(supportEmail, 'root@install.example')
  assert.deepEqual(rest, {
    name: null,
    displayName: '(Anonymous account)',
    apiKey: null,
    defaultCurrency: 'usd',
    defaultCommissionSettings: { layerRates: [0] },
    invitationsFromPartners: false,
    autoPayoutsEnabled: false,
    payoutDelay: 30,
    minimumPayout: 0,
    timeZone: 'America/New_York',
    leadProtectionDays: 90,
    attributionModel: 'last-touch',
    partnerVisibility: { leadNames: true, leadEmails: false, saleAmounts: true },
    partnerLeadSubmission: false,
    recurringMonths: null,
    selfReferralPolicy: 'hold',
    owner: null,
    ownerInvitation: null,
    disabledAt: null,
    disabledReason: null,
  })
  assertRefused(await admin.call('GET', `/accounts/${id}/owner`), 404, 'not_found')
  assertRefused(await admin.call('POST', `/accounts/${id}/owner/invitation/retries`), 404, 'not_found')
  const wrong = { name: 'x'.repeat(101), defaultCurrency: 'xyz', owner: { email: 'no' }, apiKey: 'x' }
  const fields = ['name', 'defaultCurrency', 'owner.email', 'apiKey']
  assertRefused(await admin.call('POST', '/accounts', wrong), 422, 'validation_failed', fields)
  assert.equal((await admin.post('/accounts', { name: 'Eur', defaultCurrency: ' EUR ' })).defaultCurrency, 'eur')
})

test('the owner: invited, accepted, assigned anew; the former one keeps the role until the next accepts', async () => {
  const email = anEmail('first')
  const made = await admin.post('/accounts', { owner: { email, firstName: 'Fay' } })
  assert.equal(made.displayName, email)
  assertFields(made.ownerInvitation, 'status, sentAt, expiresAt, url')
  assert.equal(made.owner.email, email)
  assert.deepEqual(made.owner.roles, [])
  assert.equal((await admin.get(`/accounts/${made.id}/owner`)).email, email)
  assertRefused(await admin.call('POST', `/accounts/${made.id}/owner/invitation/retries`), 429, 'rate_limited')
  const first = callerOf(app, (await accept(app, made.ownerInvitation.url)).token)
  assert.equal((await admin.get(`/accounts/${made.id}`)).ownerInvitation, null)
  assertRefused(await admin.call('POST', `/accounts/${made.id}/owner/invitation/retries`), 409, 'invalid_state')
  const asOwner = await first.get(`/accounts/${made.id}`)
  assertFields(asOwner, ACCOUNT)
  assert.equal(asOwner.ownerInvitation, null)
  assert.equal((await first.get(`/accounts/${made.id}/owner`)).id, asOwner.owner.id)

  const same = await admin.put(`/accounts/${made.id}/owner`, { email: ` ${email.toUpperCase()} `, lastName: 'Dee' })
  assert.equal(same.owner.email, email)
  assert.equal((await first.call('GET', `/accounts/${made.id}`)).status, 200)
  const next = anEmail('second')
  const assigned = await admin.put(`/accounts/${made.id}/owner`, { email: next })
  assert.deepEqual([assigned.owner.email, assigned.displayName], [next, next])
  assert.notEqual(assigned.ownerInvitation.url, null)
  assert.equal((await first.call('GET', `/accounts/${made.id}`)).status, 200)
  assert.equal((await admin.get(`/accounts/${made.id}/owner`)).email, next)
  const second = callerOf(app, (await accept(app, assigned.ownerInvitation.url)).token)
  assert.equal((await first.call('GET', `/accounts/${made.id}`)).status, 403)
  assert.deepEqual((await first.get('/users/me')).roles, [])
  assert.equal((await second.get(`/accounts/${made.id}`)).owner.email, next)
  const back = await admin.put(`/accounts/${made.id}/owner`, { email })
  assert.equal(back.ownerInvitation.url, null, 'of who is a user already')
})

test('who reads what: the administrator no key, a partner eleven fields', async () => {
  const own = await anAccount(app)
  const { apiKey } = await callerOf(app, own.token).put(`/accounts/${own.id}/api-key`)
  assert.equal((await callerOf(app, own.token).get(`/accounts/${own.id}`)).apiKey, apiKey)
  assert.equal((await admin.get(`/accounts/${own.id}`)).apiKey, null)
  const partner = await aPartner(app, own, {}, { signIn: true })
  const seen = await callerOf(app, partner.token).get(`/accounts/${own.id}`)
  const fields = `id, name, displayName, defaultCurrency, timeZone, invitationsFromPartners, partnerLeadSubmission,
    payoutDelay, minimumPayout, supportEmail, disabledAt`
  assert.deepEqual(Object.keys(seen).sort(), fields.split(/[,\s]+/).sort())
  const next = await callerOf(app, own.token).put(`/accounts/${own.id}/api-key`)
  assert.notEqual(next.apiKey, apiKey)
  assert.equal((await callerOf(app, apiKey).call('POST', '/push/leads', { email: anEmail() })).status, 401)
  assert.equal((await callerOf(app, next.apiKey).call('POST', '/push/leads', { email: anEmail() })).status, 201)
})

test('settings: each field by itself, what is left out stays; the administrator the name alone', async () => {
  const own = await anAccount(app)
  const { patch, call } = callerOf(app, own.token)
  const path = `/accounts/${own.id}`
  const change = {
    name: ' Renamed ',
    defaultCurrency: 'EUR',
    defaultCommissionSettings: { layerRates: [20, 7.5] },
    invitationsFromPartners: true,
    payoutDelay: 45,
    minimumPayout: 50_00,
    timeZone: 'Europe/Berlin',
    leadProtectionDays: 0,
    attributionModel: 'first-touch',
    partnerVisibility: { leadNames: false, leadEmails: true, saleAmounts: false },
    partnerLeadSubmission: true,
    recurringMonths: 12,
    selfReferralPolicy: 'refuse',
  }
  let before = await patch(path, {})
  for (const [field, value] of Object.entries(change)) {
    const after = await patch(path, { [field]: value })
    const wanted = field === 'name' ? 'Renamed' : field === 'defaultCurrency' ? 'eur' : value
    assert.deepEqual(after[field], wanted, field)
    const rest = (all: Record<string, unknown>) => ({ ...all, [field]: 0, updatedAt: 0, displayName: 0, owner: 0 })
    assert.deepEqual(rest(after), rest(before), `${field} changes something else`)
    before = after
  }
  assert.deepEqual((await patch(path, { partnerVisibility: { leadNames: true } })).partnerVisibility, {
    leadNames: true,
    leadEmails: true,
    saleAmounts: false,
  })
  const emptied = await patch(path, { name: null, recurringMonths: null })
  assert.deepEqual([emptied.name, emptied.recurringMonths, emptied.displayName], [null, null, own.ownerEmail])
  const wrong: [string, unknown][] = [
    ['payoutDelay', 10],
    ['leadProtectionDays', 366],
    ['timeZone', 'Mars/Olympus'],
    ['minimumPayout', -1],
    ['attributionModel', 'linear'],
    ['autoPayoutsEnabled', true],
    ['owner', {}],
    ['disabledAt', null],
  ]
  for (const [field, value] of wrong)
    assertRefused(await call('PATCH', path, { [field]: value }), 422, 'validation_failed', [field])
  assert.equal((await patch(path, { timeZone: 'UTC' })).timeZone, 'UTC')
  assert.equal((await admin.patch(path, { name: 'By admin' })).name, 'By admin')
  assertRefused(await admin.call('PATCH', path, { payoutDelay: 0 }), 403, 'forbidden')
})

test('the currency is locked by the first sale', async () => {
  const own = await anAccount(app)
  const { post, call } = callerOf(app, own.token)
  const lead = await post(`/accounts/${own.id}/leads`, { email: anEmail() })
  await post(`/leads/${lead.id}/sales`, { amount: 100 })
  const reply = await call('PATCH', `/accounts/${own.id}`, { defaultCurrency: 'eur' })
  assertRefused(reply, 409, 'invalid_state')
  assert.equal((await call('PATCH', `/accounts/${own.id}`, { defaultCurrency: 'usd' })).status, 200)
})

test('the administrator’s list: status, search by name or owner, sort by name, each with its figures', async () => {
  const name = anEmail('Zebra')
  const [b, a] = [await anAccount(app, { name: `${name} B` }), await anAccount(app, { name: `${name} A` })]
  const found = async (query: string) =>
    (await admin.get(`/accounts?${query}`)).items.map(({ id }: { id: string }) => id)
  const search = `search=${encodeURIComponent(name.toUpperCase())}`
  assert.deepEqual(await found(search), [a.id, b.id])
  assert.deepEqual(await found(`${search}&sort=name`), [a.id, b.id])
  assert.deepEqual(await found(`${search}&sort=-name`), [b.id, a.id])
  assert.deepEqual(await found(`search=${encodeURIComponent(b.ownerEmail)}`), [b.id])
  await admin.post(`/accounts/${b.id}/disable`)
  assert.deepEqual(await found(`${search}&status=disabled`), [b.id])
  assert.deepEqual(await found(`${search}&status=enabled`), [a.id])
  assert.deepEqual(await found(`${search}&status=enabled,disabled`), [a.id, b.id])
  assertRefused(await admin.call('GET', '/accounts?status=none'), 422, 'validation_failed', ['status'])
  const [item] = (await admin.get(`/accounts?${search}&limit=1`)).items
  assertFields(item, `${ACCOUNT}, stats`)
  assertFields(item.stats, STATS)
  assertRefused(await owner.call('GET', '/accounts'), 403, 'forbidden')
})

test('figures: all of time and by period, whose sum they are', async (t) => {
  t.after(() => clock.set(new Date()))
  clock.set('2026-05-01T12:00:00Z')
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartner(app, own)
  clock.set('2026-05-20T12:00:00Z')
  const { get, post, call } = callerOf(app, (await signIn(app, own.ownerEmail)).token)
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
    assertFields(history, 'startDate, endDate, period, currency, deltas')
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
  assert.equal((await callerOf(app, await freshAdmin()).get(`${path}/stats`)).salesRevenue, 110_00)

  const dashboard = await get(`${path}/dashboard/2026-05-01..2026-05-31`)
  assertFields(dashboard, 'current, previous, history, topPartners, topLinks, latestSales, attention, checklist')
  assert.deepEqual(
    [dashboard.current.salesRevenue, dashboard.current.numberOfSales, dashboard.previous.salesRevenue],
    [10_00, 1, 100_00],
  )
  assert.deepEqual(dashboard.topPartners, [
    { partnerId: partner.id, displayName: partner.displayName, numberOfSales: 1, salesRevenue: 10_00 },
  ])
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

async function freshAdmin() {
  return (await signIn(app, ADMINISTRATOR.email, ADMINISTRATOR.password)).token
}

test('what waits for the owner is named with its number', async (t) => {
  t.after(() => clock.set(new Date()))
  const own = await anAccount(app)
  const { post } = callerOf(app, own.token)
  await post(`/accounts/${own.id}/leads`, { email: anEmail() })
  const today = () => new Date(clock.now()).toISOString().slice(0, 10)
  const attention = async () => {
    const { get } = callerOf(app, (await signIn(app, own.ownerEmail)).token)
    const { attention } = await get(`/accounts/${own.id}/dashboard/${today()}..${today()}`)
    return Object.fromEntries(attention.map(({ kind, count }: { kind: string; count: number }) => [kind, count]))
  }
  assert.deepEqual(await attention(), { 'unattributed-leads': 1 })
  clock.advance(48 * 3_600_000 + 1000)
  assert.deepEqual(await attention(), { 'unanswered-leads': 1, 'unattributed-leads': 1 })
})

test('exchange rates: entered, listed, and what waited for one is booked', async () => {
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const { post, get, call } = callerOf(app, own.token)
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

test('the rates of an account: entered by hand, and the published one of its latest sale in each other currency', async () => {
  const own = await anAccount(app)
  const { post, get, call } = callerOf(app, own.token)
  const rates = `/accounts/${own.id}/exchange-rates`
  const { id: lead } = await post(`/accounts/${own.id}/leads`, { email: anEmail() })
  const aSale = (currency: string, saleDate: string) =>
    post(`/leads/${lead}/sales`, { amount: 100, currency, saleDate })
  await aSale('usd', '2026-02-10')
  assert.deepEqual(await get(rates), { items: [], nextCursor: null, total: 0, currencies: [] })

  await ownerOf(app.services.db).run`
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
  const stranger = callerOf(app, other.token)
  assert.deepEqual((await stranger.get(`/accounts/${other.id}/exchange-rates`)).currencies, [])
  for (const path of [rates, `${rates}/csv`]) assertRefused(await stranger.call('GET', path), 404, 'not_found')
})

test('the currencies of an account are found by a step of the index for each, however many sales it has', async () => {
  const own = await anAccount(app)
  const { post } = callerOf(app, own.token)
  const { id: lead } = await post(`/accounts/${own.id}/leads`, { email: anEmail() })
  for (const currency of ['usd', 'gbp', 'jpy'])
    await post(`/leads/${lead}/sales`, { amount: 100, currency, saleDate: '2026-02-10' })
  const plan = await plansInOrder(app.services.db, (tx) =>
    listRates(tx, own.id, { limit: 25, sort: '-date', uncounted: true }),
  )
  assert.match(plan, /Index Scan Backward using sales_in_other_currencies/)
  assert.doesNotMatch(plan, /using sales_(?!in_other_currencies)/)
})

test('the audit log: who changed what, with the old and the new', async () => {
  const own = await anAccount(app)
  const { patch, get } = callerOf(app, own.token)
  await patch(`/accounts/${own.id}`, { defaultCommissionSettings: { layerRates: [30] } })
  const { items } = await get(`/accounts/${own.id}/audit`)
  assertFields(items[0], 'id, at, actor, action, subject, changes')
  assert.equal(items[0].action, 'account.updated')
  assert.equal(items[0].actor.type, 'user')
  assert.deepEqual(items[0].subject, { type: 'account', id: own.id, name: null })
  assert.deepEqual(items[0].changes, {
    defaultCommissionSettings: { old: { layerRates: [0] }, new: { layerRates: [30] } },
  })
  assertRefused(await admin.call('GET', `/accounts/${own.id}/audit`), 403, 'forbidden')
})

test('the Wise header has one form', async () => {
  for (const authorization of ['', 'Bearer x', 'wise:', 'wise: ', 'Wise', 'basic x']) {
    const reply = await app.api('GET', '/wise/profiles', { headers: { authorization } })
    assert.deepEqual([reply.status, reply.body.error.code], [401, 'unauthenticated'], authorization)
  }
  assert.equal((await app.api('GET', '/wise/profiles')).status, 401)
})

test('the embed code: none, made, changed in part, with a check of a page', async () => {
  const own = await anAccount(app)
  const { call, put, get } = callerOf(app, own.token)
  const path = `/accounts/${own.id}/embed-code`
  assertRefused(await call('GET', path), 404, 'not_found')
  const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  const made = await put(path, { config })
  assertFields(made, 'id, createdAt, updatedAt, config, domains, onlyIfReferred, consentMode, snippet')
  const five = { ...config, submitButton: undefined }
  assertRefused(await call('PUT', path, { config: five }), 422, 'validation_failed', ['config.submitButton'])
  const swapped = { ...config, email: { ...config.email, key: 'phone' } }
  assertRefused(await call('PUT', path, { config: swapped }), 422, 'validation_failed', ['config.email.key'])
  for (const [selectorType, selectorValue, valid] of [
    ['id', '#email', true],
    ['id', '#a-b:c.d_1', true],
    ['id', 'email', false],
    ['id', '#1', false],
    ['class', '.field', true],
    ['class', 'form .field', true],
    ['class', 'field', false],
    ['name', 'email', true],
    ['name', ' ', false],
    ['default', 'x', false],
    ['query-selector', 'form > input', true],
    ['query-selector', '', false],
  ] as const) {
    const email = { key: 'email', selectorType, selectorValue }
    const { status } = await call('PUT', path, { config: { ...config, email } })
    assert.equal(status, valid ? 200 : 422, `${selectorType} ${selectorValue}`)
  }
  for (const [domain, valid] of [
    ['shop.example.com', true],
    ['localhost', false],
    ['Shop.example.com', false],
    ['https://shop.example.com', false],
    [`${'a'.repeat(250)}.com`, false],
  ] as const)
    assert.equal((await call('PUT', path, { domains: [domain] })).status, valid ? 200 : 422, domain)
  assert.deepEqual((await get(path)).domains, ['shop.example.com'])
  const elsewhere = await call('POST', `${path}/checks`, { url: 'https://evil.example/' })
  assertRefused(elsewhere, 422, 'validation_failed', ['url'])
  const check = await call('POST', `${path}/checks`, { url: 'https://www.shop.example.com/contact?a=1' })
  assert.equal(check.status, 201)
  assertFields(check.body, 'id, url, expiresAt')
  assert.match(check.body.url, /^https:\/\/www\.shop\.example\.com\/contact\?a=1#tributary-check=/)
  assert.deepEqual(await get(`${path}/checks/${check.body.id}`), { matched: null })
})
