import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, signIn, startApp, waitUntil } from '../../../test/support/app.ts'
import { placesWith, tablesAmong } from '../../../test/support/canaries.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../test/support/generic.ts'
import { enableInvoicing, invoiceDetails } from '../../../test/support/invoices.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { aPayout, bankDetails, bookDue } from '../../../test/support/payouts.ts'
import { readLedgerDigest } from '../../integrations/data-transfer/rows.ts'
import { transaction } from '../../platform/database/pool.ts'
import { accountRetention } from '../../retention.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ worker: true })
const { db } = app.services
/** Words looked for in every column of every table, and in the outbox. */
const TRACES = ['canary', 'zwitscher']
const digest = (accountId: string) => transaction(db, (tx) => readLedgerDigest(tx, accountId))

async function aCanary() {
  const account = await anAccount(app, {
    defaultCommissionSettings: { layerRates: [20, 10] },
    payoutDelay: 0,
    minimumPayout: 0,
  })
  const call = async (method: string, path: string, body?: unknown, headers = {}) =>
    expectOk(await app.api(method, path, { token: account.token, body, headers })).body
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await app.api(method, path, { token: account.token, body })
    return `${status} ${answer.error?.reason}`
  }
  const who = { firstName: 'Canarina', lastName: 'Zwitscher', email: 'first-canary@mail.example' }
  const partner = await aPartner(app, account, { ...who, referralCode: 'canary-first' }, { signIn: true })
  await call('PUT', `/partners/${partner.id}`, { email: 'canary@mail.example', note: 'Likes the canary' })
  await call('PUT', `/partners/${partner.id}`, { externalId: 'canary-17' })
  await call('PUT', `/partners/${partner.id}`, { referralCode: 'canary-code' }, { 'idempotency-key': 'codes' })
  await call('POST', `/partners/${partner.id}/promotion-codes`, { code: 'CANARY10' })
  const ownTerms = { terms: { otherwise: { layerRates: [20, 10] } }, note: 'As the canary asked' }
  await call('PUT', `/partners/${partner.id}/terms`, ownTerms)
  const lead = await call('POST', `/accounts/${account.id}/leads`, {
    email: 'lead@other.example',
    partnerId: partner.id,
  })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
  expectOk(
    await app.api('POST', `/partners/${partner.id}/payout-settings`, {
      token: partner.token,
      body: bankDetails({ name: 'Canarina Zwitscher' }),
    }),
  )
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner, { legalName: 'Canarina Zwitscher' })
  await call('POST', `/accounts/${account.id}/agreement`, { text: 'Be kind.' })
  expectOk(await app.api('POST', `/partners/${partner.id}/acceptances`, { token: partner.token, body: { version: 1 } }))
  await call('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [app.clock.now().getUTCFullYear()] })
  await call('POST', `/partners/${partner.id}/adjustments`, { amount: 5_00, reason: 'The canary sang' })
  const site = { destinationUrl: 'https://shop.example/', name: 'Shop' }
  await call('POST', `/accounts/${account.id}/link-blueprints`, site)
  const asPartner = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: partner.token, body })).body
  const link = { destinationUrl: 'https://shop.example/tea', name: 'Canary newsletter', subId: 'canary-1' }
  const { id: ownLinkId } = await asPartner('POST', `/partners/${partner.id}/links`, link)
  const { id: linkId } = await asPartner('POST', `/partners/${partner.id}/links`, link)
  await asPartner('PUT', `/partner-links/${linkId}`, { name: 'Canary blog', subId: 'canary-2' })
  await asPartner('DELETE', `/partner-links/${linkId}`)
  // where others name them
  const below = await aPartner(app, account, { parentPartnerId: partner.id, referralCode: 'below' })
  const others = await call('POST', `/accounts/${account.id}/leads`, {
    ...{ email: 'below@other.example', partnerId: below.id },
  })
  await call('POST', `/leads/${others.id}/sales`, { amount: 10_00 })
  await call('POST', `/leads/${others.id}/reassign`, { partnerId: partner.id, reason: 'Back to work' })
  await call('POST', `/leads/${others.id}/reassign`, { partnerId: below.id, reason: 'Gone again' })
  expectOk(
    await app.api('POST', `/partners/${partner.id}/members`, {
      token: partner.token,
      body: { email: 'canary-colleague@mail.example', role: 'member', firstName: 'Zwitscher' },
    }),
  )
  const shop = await aGenericConnection(app, account, 'Own shop')
  const event = genericEvent('account', { id: 'a-1', email: 'canary@mail.example', name: 'Canarina Zwitscher' })
  assert.equal((await sendCustomEvent(shop.webhookUrl, event)).status, 200)
  await waitUntil(async () => {
    const { open } = await db.one<{ open: number }>`
      select count(*) as open from provider_events where account_id = ${account.id} and state in ('received', 'failed')`
    return open === 0
  })
  const csv = 'Email,First Name,Last Name\ncanary@mail.example,Canarina,Zwitscher\n'
  const { id: importId } = await call('POST', `/accounts/${account.id}/imports`, {
    kind: 'partners',
    csv,
    dryRun: false,
  })
  await waitUntil(async () => (await call('GET', `/imports/${importId}`)).state === 'done')
  // a file of past payouts warns about the partner’s balance by their name
  const { id: paidId } = await call('POST', `/accounts/${account.id}/imports`, {
    ...{ kind: 'payouts', csv: 'Partner Email,Amount,Paid On\ncanary@mail.example,900.00,2026-01-31\n', dryRun: false },
  })
  const paid = await waitUntil(async () => {
    const { state, warnings } = await call('GET', `/imports/${paidId}`)
    return state === 'done' && warnings
  })
  assert.match(JSON.stringify(paid), /Canarina Zwitscher/)
  await call('POST', `/imports/${paidId}/undo`)
  await waitUntil(async () => (await call('GET', `/imports/${paidId}`)).state === 'undone')
  const signInAgain = async () => Object.assign(account, await signIn(app, account.ownerEmail))
  return { ...account, call, refused, signInAgain, partner, lead, ownLinkId }
}

test('warnings of imports no longer name an erased partner with a first name alone, or renamed since', async () => {
  const account = await anAccount(app)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const { id } = await aPartner(app, account, { email: 'solveig@mail.example', firstName: 'Solveig', lastName: 'Dahl' })
  const imported = async () => {
    const { id: importId } = await call('POST', `/accounts/${account.id}/imports`, {
      ...{ kind: 'payouts', csv: 'Partner Email,Amount,Paid On\nsolveig@mail.example,9.00,2026-01-31\n', dryRun: true },
    })
    await waitUntil(async () => (await call('GET', `/imports/${importId}`)).state === 'done')
    return importId
  }
  const warning = async (importId: string) => (await call('GET', `/imports/${importId}`)).warnings[0].message
  const before = await imported()
  await call('PUT', `/partners/${id}`, { firstName: 'Sunniva', lastName: null })
  const ids = [before, await imported()]
  for (const one of ids) assert.match(await warning(one), /^The balance due to Sunniva would fall to -\$9\.00\./)
  await call('POST', `/partners/${id}/archive`, {})
  await call('POST', `/partners/${id}/erase`, {})
  for (const one of ids) assert.doesNotMatch(await warning(one), /Solveig|Sunniva/i)
  await waitUntil(async () => (await call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  assert.deepEqual(tablesAmong(await placesWith(app, ['solveig', 'sunniva'])), [])
})

test('a partner is erased once archived and settled; entries, payouts and leads stay', async () => {
  const { call, refused, signInAgain, partner, lead, ownLinkId, ...account } = await aCanary()
  const erase = `/partners/${partner.id}/erase`
  assert.equal(await refused('POST', erase, {}), '409 partner_not_archived')
  await call('POST', `/partners/${partner.id}/archive`, { reason: 'Canary left' })
  assert.equal(await refused('POST', erase, {}), '409 not_settled')
  const payout = await aPayout(app, account, partner, 1_00)
  await call('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'Check 17' })
  // as one paid before the product was there: who was paid is sealed into it by the erasure
  await db.run`update payouts set details_sealed = null where id = ${payout.id}`
  await waitUntil(async () => {
    const { waiting } = await db.one<{ waiting: number }>`select count(*) as waiting from event_relays`
    return waiting === 0
  })
  const tables = tablesAmong(await placesWith(app, TRACES))
  assert.ok(tables.length > 8 && tables.includes('provider_events'), tables.join(' '))
  const figures = async () => ({
    balance: { ...(await call('GET', `/partners/${partner.id}/balance`)), partnerName: null, blockers: null },
    payout: { ...(await call('GET', `/payouts/${payout.id}`)), partnerName: null, updatedAt: null },
    stats: (await call('GET', `/partners/${partner.id}`)).stats,
    lead: { ...(await call('GET', `/leads/${lead.id}`)), partnerName: null },
    digest: await digest(account.id),
  })
  const was = await figures()

  const file = await call('GET', `/partners/${partner.id}/person`)
  assert.deepEqual(
    [file.partners[0].note, file.payoutSettings[0].accountLast4, file.formerEmails[0].email],
    ['Likes the canary', '6789', 'first-canary@mail.example'],
  )
  assert.ok(!JSON.stringify(file).includes('lead@other.example'), 'a partner’s file has none of their leads')

  const preview = await call('POST', erase, { preview: true })
  assert.deepEqual(preview.blockers, [])
  const thisYear = app.clock.now().getUTCFullYear()
  const endAfter = (years: number) => `${thisYear + years}-12-31`
  const erasure = await call('POST', erase, {})
  assert.deepEqual([erasure.subject, erasure.recordsUntil], [{ type: 'partner', id: partner.id }, endAfter(10)])
  const shown = await call('GET', `/partners/${partner.id}`)
  assert.deepEqual(
    [shown.displayName, shown.email, shown.note, Boolean(shown.erasedAt)],
    [`Erased partner ${partner.id.slice(-4)}`, null, null, true],
  )
  const listed = await app.api('GET', `/accounts/${account.id}/partners/csv`, { token: account.token })
  const event = await db.many<{ data: unknown }>`
    select data from passing_events where account_id = ${account.id} and type = 'partner.erased'
    union all select data from events where account_id = ${account.id} and type = 'partner.erased'`
  for (const text of [String(listed.body), JSON.stringify(event)]) assert.ok(!text.includes('erased.invalid'), text)
  assert.match(shown.referralCode, /^erased-[0-9a-f]{24}$/)
  assert.ok(!shown.referralCode.includes(partner.id.replaceAll('-', '').slice(0, 12)), 'a random code')
  await waitUntil(async () => (await call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  // an invoice is a record, too
  assert.deepEqual(tablesAmong(await placesWith(app, TRACES)), ['invoices'])
  const { digits } = await db.one<{ digits: number }>`
    select count(*) as digits from (select account_id, data from events union all select account_id, data from passing_events) e
    where account_id = ${account.id} and data -> 'changes' -> 'accountLast4' ->> 'new' is not null`
  assert.equal(digits, 0)
  assert.deepEqual(await figures(), was)
  assert.deepEqual(await verifyLedger(db), [])
  assert.equal((await call('POST', erase, {})).id, erasure.id)

  // the person cannot sign in, and may come again as another
  assert.equal((await app.api('GET', '/users/me', { token: partner.token })).status, 401)
  await assert.rejects(signIn(app, 'first-canary@mail.example'))
  assert.equal(await refused('PUT', `/partners/${partner.id}`, { firstName: 'Canarina' }), '409 erased')
  assert.equal(await refused('POST', `/partners/${partner.id}/promotion-codes`, { code: 'CANARY11' }), '409 erased')
  assert.equal(await refused('DELETE', `/partners/${partner.id}`), '409 erased')
  assert.equal(await refused('POST', `/partners/${partner.id}/invitation/retries`), '409 erased')
  assert.equal(await refused('DELETE', `/partners/${partner.id}/invitation`), '409 erased')
  assert.equal(await refused('POST', `/partners/${partner.id}/archive`, {}), '409 erased')
  const ownTerms = { terms: { otherwise: { layerRates: [5] } }, note: 'Canary fare' }
  assert.equal(await refused('PUT', `/partners/${partner.id}/terms`, ownTerms), '409 erased')
  assert.equal(await refused('PUT', `/partner-links/${ownLinkId}`, { name: 'Canary page' }), '409 erased')
  const member = { email: 'canary-member@mail.example', role: 'owner' }
  assert.equal(await refused('POST', `/partners/${partner.id}/members`, member), '409 erased')
  await bookDue(app, account, partner, -1_00)
  assert.equal((await call('GET', `/partners/${partner.id}/balance`)).due, -1_00)
  await aPartner(app, account, { email: 'canary@mail.example', referralCode: 'canary-code' })

  // the statement and the year report name who was paid until the records end, and nothing else does
  const statement = () => call('GET', `/payouts/${payout.id}/statement`, undefined, { accept: 'application/json' })
  const named = async () => [
    (await statement()).payout.partnerName,
    (await call('GET', `/accounts/${account.id}/tax-years/${thisYear}?paid=true`)).items[0].partnerName,
  ]
  assert.deepEqual(await named(), ['Canarina Zwitscher', 'Canarina Zwitscher'])
  assert.equal((await call('GET', `/payouts/${payout.id}`)).partnerName, `Erased partner ${partner.id.slice(-4)}`)

  // another number of years is shown at once, and acts on the next night
  const keepFor = async (payeeYears: number) => {
    await call('PATCH', `/accounts/${account.id}`, { retention: { payeeYears } })
    return (await call('GET', `/accounts/${account.id}/erasures`)).items[0].recordsUntil
  }
  // invoices name their seller for ten years at least
  assert.deepEqual([await keepFor(0), await keepFor(12), await keepFor(1)], [10, 12, 10].map(endAfter))
  const night = async (at: string) => {
    app.clock.set(at)
    await accountRetention.payeeRecords(await readAccountFacts(db, account.id), app.services)
    await signInAgain()
  }
  await night(`${thisYear + 1}-12-31T12:00:00Z`)
  assert.deepEqual(await named(), ['Canarina Zwitscher', 'Canarina Zwitscher'])
  await night(`${thisYear + 2}-01-01T12:00:00Z`)
  assert.deepEqual(await named(), Array(2).fill(`Erased partner ${partner.id.slice(-4)}`))
  assert.ok(tablesAmong(await placesWith(app, TRACES)).includes('invoices'))
  assert.equal(await keepFor(1), endAfter(10))
  await night(`${thisYear + 10}-12-31T12:00:00Z`)
  assert.ok(tablesAmong(await placesWith(app, TRACES)).includes('invoices'))
  await night(`${thisYear + 11}-01-01T12:00:00Z`)
  assert.ok(!tablesAmong(await placesWith(app, TRACES)).includes('invoices'))
  const [invoice] = (await call('GET', `/accounts/${account.id}/invoices`)).items
  const document = await call('GET', `/invoices/${invoice.id}`, undefined, { accept: 'application/json' })
  assert.deepEqual([document.partner, document.account.legalName, document.tax > 0], [null, 'Acme GmbH', true])
  assert.equal(await keepFor(12), endAfter(10), 'what was emptied does not come back')
})

test('an erased partner earns nothing new, and isn’t erased while a sale waits for its rate', async () => {
  const account = await anAccount(app, { payoutDelay: 0, minimumPayout: 0 })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const home = `/accounts/${account.id}`
  const rules = [{ on: 'qualified-lead', layerAmounts: [40_00, 4_00] }]
  await call('PUT', `${home}/terms`, { terms: { rules, otherwise: { layerRates: [20, 10] } } })
  const above = await aPartner(app, account)
  const partner = await aPartner(app, account, { parentPartnerId: above.id })
  const lead = (email: string) => call('POST', `${home}/leads`, { email, partnerId: partner.id })
  const [customer, open] = [await lead('one@mail.example'), await lead('two@mail.example')]
  const sell = (more: object) => call('POST', `/leads/${customer.id}/sales`, { amount: 100_00, ...more })
  await sell({ amount: 1_000, currency: 'jpy' })
  const payInCash = (amount: number) =>
    call('POST', `/partners/${partner.id}/adjustments`, { amount: -amount, reason: 'Paid in cash' })
  await payInCash(40_00)
  await call('POST', `/partners/${partner.id}/archive`, {})
  const erase = (body: object) => app.api('POST', `/partners/${partner.id}/erase`, { token: account.token, body })
  const words = 'A sale of ¥1,000 has no exchange rate yet. Enter the rate, and settle what it earns.'
  assert.deepEqual(expectOk(await erase({ preview: true })).body.blockers, [words])
  const { status, body } = await erase({})
  assert.deepEqual([status, body.error.reason, body.error.message], [409, 'sale_without_rate', words])
  const date = app.clock.now().toISOString().slice(0, 10)
  await call('POST', `${home}/exchange-rates`, { currency: 'jpy', date, rate: 0.01 })
  const due = async ({ id }: { id: string }) => (await call('GET', `/partners/${id}/balance`)).due
  assert.deepEqual([await due(partner), await due(above)], [2_00, 4_00 + 1_00])
  assert.equal((await erase({})).body.error.reason, 'not_settled')
  await payInCash(2_00)
  expectOk(await erase({}))

  const renewal = await sell({})
  await call('POST', `/leads/${open.id}/status`, { status: 'qualified' })
  await sell({ amount: 2_000, currency: 'jpy' })
  assert.deepEqual([await due(partner), await due(above)], [0, 5_00 + 10_00 + 4_00 + 2_00])
  await call('POST', `/sales/${renewal.id}/refunds`, { amount: 50_00, reason: 'Asked' })
  assert.deepEqual([await due(partner), await due(above)], [0, 5_00 + 5_00 + 4_00 + 2_00])
  assert.deepEqual(await verifyLedger(db), [])
})
