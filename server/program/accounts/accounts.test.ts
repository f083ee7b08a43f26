import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../../../test/support/app.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { rolledBack } from '../../platform/database/pool.ts'
import { databaseZone } from '../../platform/time/time-zone.ts'

const app = await startApp()
const { admin: adminToken, token } = await anAccount(app)
const admin = createCaller(app, adminToken)

test('a new account has its defaults', async () => {
  const reply = await admin.call('POST', '/accounts', {})
  assert.equal(reply.status, 201)
  const { id: _, publicId: __, createdAt, updatedAt, supportEmail, ...rest } = reply.body
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
    paydays: { every: 'day' },
    timeZone: 'UTC',
    language: 'en',
    pageLanguages: [],
    leadProtectionDays: 90,
    attributionModel: 'last-touch',
    attributionOrder: 'click-first',
    returningCustomers: 'keep-partner',
    oldLinkParameters: [],
    partnerVisibility: { leadNames: true, leadEmails: false, saleAmounts: true },
    partnerLeadSubmission: false,
    recurringMonths: null,
    selfReferralPolicy: 'hold',
    requireSecondFactor: 'off',
    retention: { rawDataDays: 400, idleLeadMonths: null, payeeYears: 7 },
    owner: null,
    ownerInvitation: null,
    host: null,
    hasCustomerGroups: false,
    disabledAt: null,
    disabledReason: null,
  })
  const wrong = { name: 'x'.repeat(101), defaultCurrency: 'xyz', owner: { email: 'no' }, apiKey: 'x' }
  const fields = ['name', 'defaultCurrency', 'owner.email', 'apiKey']
  assertRefused(await admin.call('POST', '/accounts', wrong), 422, 'validation_failed', fields)
  assert.equal((await admin.post('/accounts', { name: 'Eur', defaultCurrency: ' EUR ' })).defaultCurrency, 'eur')
  const email = anEmail()
  assert.equal((await admin.post('/accounts', { owner: { email } })).displayName, email)
})

test('a partner reads some fields of the account', async () => {
  const own = await anAccount(app)
  const partner = await aPartner(app, own, {}, { signIn: true })
  const seen = await createCaller(app, partner.token).get(`/accounts/${own.id}`)
  const fields = `id, name, displayName, defaultCurrency, timeZone, invitationsFromPartners, partnerLeadSubmission,
    payoutDelay, minimumPayout, paydays, supportEmail, programUrl, logoUrl, accent, language, disabledAt`
  assert.deepEqual(Object.keys(seen).sort(), fields.split(/[,\s]+/).sort())
})

test('changing one setting keeps the others; an administrator changes only the name', async () => {
  const own = await anAccount(app)
  const { patch, call } = createCaller(app, own.token)
  const path = `/accounts/${own.id}`
  const change = {
    name: ' Renamed ',
    defaultCurrency: 'EUR',
    defaultCommissionSettings: { layerRates: [20, 7.5] },
    invitationsFromPartners: true,
    payoutDelay: 45,
    minimumPayout: 50_00,
    paydays: { every: 'month', days: [1, 15] },
    timeZone: 'Europe/Berlin',
    leadProtectionDays: 0,
    attributionModel: 'first-touch',
    attributionOrder: 'code-first',
    returningCustomers: 'latest-click',
    partnerVisibility: { leadNames: false, leadEmails: true, saleAmounts: false },
    partnerLeadSubmission: true,
    recurringMonths: 12,
    selfReferralPolicy: 'refuse',
    retention: { rawDataDays: 7, idleLeadMonths: 3, payeeYears: 0 },
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
  assert.deepEqual((await patch(path, { retention: { rawDataDays: 30 } })).retention, {
    rawDataDays: 30,
    idleLeadMonths: 3,
    payeeYears: 0,
  })
  assert.equal((await patch(path, { retention: { idleLeadMonths: null } })).retention.idleLeadMonths, null)
  for (const retention of [{ rawDataDays: 6 }, { idleLeadMonths: 2 }, { payeeYears: 13 }, { rawDataDays: null }]) {
    const [field] = Object.keys(retention)
    assertRefused(await call('PATCH', path, { retention }), 422, 'validation_failed', [`retention.${field}`])
  }
  const emptied = await patch(path, { name: null, recurringMonths: null })
  assert.deepEqual([emptied.name, emptied.recurringMonths, emptied.displayName], [null, null, own.ownerEmail])
  const wrong: [string, unknown][] = [
    ['payoutDelay', 10],
    ['leadProtectionDays', 366],
    ['timeZone', 'Mars/Olympus'],
    ['minimumPayout', -1],
    ['paydays', { every: 'week', weekday: 8 }],
    ['paydays', { every: 'month', days: [15, 15] }],
    ['attributionModel', 'linear'],
    ['attributionOrder', 'email-first'],
    ['returningCustomers', 'first-click'],
    ['autoPayoutsEnabled', true],
    ['owner', {}],
    ['disabledAt', null],
  ]
  for (const [field, value] of wrong)
    assertRefused(await call('PATCH', path, { [field]: value }), 422, 'validation_failed', [field])
  for (const timeZone of ['ECT', 'US/Pacific-New', 'SystemV/EST5', 'IST', 'CET', 'europe/berlin'])
    assertRefused(await call('PATCH', path, { timeZone }), 422, 'validation_failed', ['timeZone'])
  for (const timeZone of ['Asia/Kolkata', 'Europe/Kyiv', 'EST', 'UTC'])
    assert.equal((await patch(path, { timeZone })).timeZone, timeZone)
  assert.equal((await admin.patch(path, { name: 'By admin' })).name, 'By admin')
  assertRefused(await admin.call('PATCH', path, { payoutDelay: 0 }), 403, 'forbidden')
})

test('a zone that a browser offers by a former name is saved by the name that the database has', async () => {
  await rolledBack(app.services.db, async (tx) => {
    await tx.run`
      create temporary table pg_timezone_names on commit drop as
        select name from pg_catalog.pg_timezone_names where name not in ('Asia/Calcutta', 'Europe/Kiev')`
    await tx.run`set local search_path = pg_temp, public, pg_catalog`
    const names = {
      'Asia/Calcutta': 'Asia/Kolkata',
      'Europe/Kiev': 'Europe/Kyiv',
      'Asia/Tokyo': 'Asia/Tokyo',
      ECT: undefined,
    }
    for (const [offered, name] of Object.entries(names)) assert.equal(await databaseZone(tx, offered), name)
  })
})

test('an account begins in the zone that is given, by the name that the database has, and refuses an unknown one', async () => {
  const { id } = await admin.post('/accounts', { timeZone: 'Europe/Kyiv' })
  assert.equal((await admin.get(`/accounts/${id}`)).timeZone, 'Europe/Kyiv')
  for (const timeZone of ['Mars/Olympus', '+02:00', 'CET'])
    assertRefused(await admin.call('POST', '/accounts', { timeZone }), 422, 'validation_failed', ['timeZone'])
})

test('an account of 1.0.0 in a zone that PostgreSQL does not know gets the name that it knows', async () => {
  const { db } = app.services
  const given = ['ECT', 'SystemV/PST8PDT', 'PST', 'Asia/Tokyo']
  const accounts = await Promise.all(given.map(async (zone) => ({ zone, ...(await anAccount(app)) })))
  for (const { id, zone } of accounts) await db.run`update accounts set time_zone = ${zone} where id = ${id}`
  const heal = await readFile(new URL(KNOWN_ZONES, import.meta.url), 'utf8')
  await asDatabaseOwner(db).pool.query(heal)
  const zones = await Promise.all(accounts.map(async ({ id }) => (await admin.get(`/accounts/${id}`)).timeZone))
  assert.deepEqual(zones, ['Europe/Paris', 'America/Los_Angeles', 'PST', 'Asia/Tokyo'])
  await db.run`update accounts set time_zone = 'UTC' where time_zone = 'PST'`
})

const KNOWN_ZONES = '../../platform/database/migrations/0488-known-time-zones.sql'

test('accounts are found by status, name and owner, and sorted by name', async () => {
  const name = anEmail('Zebra').replace('@', ' ')
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
  assert.equal((await admin.get(`/accounts?${search}&limit=1`)).items[0].stats.numberOfPartners, 0)
  assertRefused(await createCaller(app, token).call('GET', '/accounts'), 403, 'forbidden')
})

/** An account with a partner, its owner and its API key. */
async function anOwner(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0, ...settings })
  const partner = await aPartner(app, account, { referralCode: 'kim' })
  const owner = createCaller(app, account.token)
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  const home = `/accounts/${account.id}`
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  return { account, partner, owner, apiKey: apiKey as string, push: createCaller(app, apiKey), home, lead }
}

test('a sale, an adjustment or an exchange rate fixes the currency, and the refusal says which', async () => {
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

test('changing the currency concurrently with the first sale leaves both in one currency', async () => {
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

test('changing the currency concurrently with the first adjustment leaves both in one currency', async () => {
  for (let round = 0; round < 10; round++) {
    const { owner, home, partner } = await anOwner()
    const [, adjusted] = await Promise.all([
      owner.call('PATCH', home, { defaultCurrency: 'jpy' }),
      owner.post(`/partners/${partner.id}/adjustments`, { amount: 5000, reason: 'agreed' }),
    ])
    assert.equal(adjusted.currency, (await owner.get(home)).defaultCurrency)
  }
})
