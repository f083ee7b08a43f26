import assert from 'node:assert/strict'
import { z } from 'zod'
import { endpoints } from '#contract/index.ts'
import { transaction } from '../../server/platform/database/pool.ts'
import { getAccountFacts } from '../../server/program/access/account-facts.ts'
import { judgeGoals } from '../../server/program/groups/run-goals.ts'
import { markReturned } from '../../server/program/payouts/apply-transfer.ts'
import { anAccount, aPartner, expectOk, startApp, type TestApp, turnableClock, waitUntil } from './app.ts'
import { aCase } from './fraud-cases.ts'
import { anInternet } from './internet.ts'
import { anInvoice } from './invoices.ts'
import { readAccountFacts } from './leads.ts'
import { aBlueprint } from './links.ts'
import { aPaymentFile } from './payment-files.ts'
import { aPayee, requestRefresh } from './payouts.ts'
import { aPicture, base64 } from './pictures.ts'
import { addStrangeThings } from './sweep.ts'

const NOW = new Date('2026-11-20T16:00:00Z')

/** Characters that break spreadsheets, lines, quotes and files. */
const STRANGE = `=1+1`
const names = [
  '=HYPERLINK("x";"y")',
  "'quoted",
  "''",
  '+49 30',
  '@mention',
  '-',
  '＝fullwidth',
  'Zoë "Zo" 👩‍👩‍👧‍👦, Ltd.',
  'a,b;c',
  'ends with "',
]

/** Creates an account with special characters in every text that people type. */
export async function aStrangeAccount() {
  const clock = turnableClock(NOW)
  const { outbound } = anInternet()
  const app = await startApp({ clock, outbound, config: { allowPrivateWebhookTargets: true } })
  const account = await anAccount(app, {
    retention: { rawDataDays: 30, idleLeadMonths: 24, payeeYears: 10 },
    name: STRANGE,
    payoutDelay: 0,
    defaultCommissionSettings: { layerRates: [20, 5] },
  })
  const { id, token } = account
  const call = async (method: string, path: string, body?: unknown, by = token) =>
    expectOk(await app.api(method, path, { token: by, body })).body
  const parent = await aPayee(app, account, { firstName: names[0], lastName: names[1] })
  const child = await aPayee(app, account, { firstName: names[2], lastName: names[7], parentPartnerId: parent.id })
  // older than its parent, so that its row comes first
  const moved = await aPartner(app, account, { firstName: names[3], lastName: names[4], note: 'line 1\nline 2\n\t=3' })
  const above = await aPartner(app, account, { firstName: names[5], lastName: names[6] })
  await call('PUT', `/partners/${moved.id}`, { parentPartnerId: above.id })
  await call('PUT', `/partners/${moved.id}`, { email: 'moved@mail.example' })
  const terms = { otherwise: { layerRates: [33, 5] } }
  const group = await call('POST', `/accounts/${id}/groups`, {
    ...{ name: names[8], publicName: names[9], joinSlug: 'strange-group', terms },
  })
  const former = await call('POST', `/accounts/${id}/groups`, { name: 'Former', terms })
  await call('PUT', `/groups/${id}`, { name: '=Default' })
  await call('PUT', `/partners/${child.id}`, { groupId: former.id })
  await call('PUT', `/partners/${child.id}`, { groupId: group.id, keepInGroup: true })
  await call('DELETE', `/groups/${former.id}`)
  const blueprint = await aBlueprint(app, account, { name: names[8], commissionSettings: { layerRates: [30, 1] } })
  await call('PUT', `/accounts/${id}/embed-code`, {
    config: embedConfig,
    domains: ['shop.example.com'],
    checkoutDomains: ['pay.shop.example.com'],
  })
  const leadOf = (partner: { id: string }, fields: object) =>
    call('POST', `/accounts/${id}/leads`, { partnerId: partner.id, ...fields })
  const lead = await leadOf(child, {
    firstName: names[9],
    company: names[7],
    email: 'lead@shop.example',
    metadata: { 'a "key"': "=it's", empty: '' },
  })
  await leadOf(moved, { externalId: '=1', phone: '+1 415 555 0142' })
  const sale = await call('POST', `/leads/${lead.id}/sales`, {
    amount: 500_00,
    taxAmount: 95_00,
    description: names[0],
  })
  await call('POST', `/sales/${sale.id}/refunds`, { amount: 100_00, reason: '-too expensive' })
  await call('PUT', `/accounts/${id}/tax-years/2026`, { threshold: 1234_56 })
  await call('POST', `/accounts/${id}/exchange-rates`, { currency: 'chf', date: '2026-11-19', rate: 1.1 })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 90_00, currency: 'chf', description: 'by its own rate' })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 70_00, currency: 'nok', description: 'waits for a rate' })
  await app.services.db
    .run`insert into euro_rates (currency, date, rate) values ('usd', '2026-11-18', 1.08), ('sek', '2026-11-18', 11.2)`
  await call('POST', `/leads/${lead.id}/sales`, { amount: 80_00, currency: 'sek', saleDate: '2026-11-18' })
  const goal = { name: '=Goal', metric: 'sales', window: 'all-time', atLeast: 1 }
  await call('POST', `/groups/${group.id}/goals`, { ...goal, bonus: 10_00 })
  await call('POST', `/groups/${group.id}/goals`, { ...goal, atLeast: 1000, moveToGroupId: id })
  await judgeGoals((await getAccountFacts(app.services.db, [id])).get(id)!, app.services)
  assert.equal((await call('GET', `/partners/${child.id}/commissions?kind=bonus`)).items.length, 1)
  await call('POST', `/partners/${child.id}/adjustments`, { amount: -500, reason: '=adjusted' })
  const things = await addStrangeThings({ accountId: id, partner: parent, call, text: () => STRANGE })
  await call('PUT', `/accounts/${id}/program`, {
    ...{ state: 'open', slug: 'strange', headline: names[0], text: `# ${names[7]}\n\n=1+1`, reapplyAfterDays: null },
    questions: [{ label: names[1], kind: 'choice', choices: [names[8], STRANGE] }],
  })
  await call('POST', `/accounts/${id}/agreement`, { text: `# ${names[7]}\n\n=1+1`, requiredFrom: '2027-01-01' })
  await call('POST', `/partners/${parent.id}/acceptances`, { version: 1 }, parent.token)
  await call('POST', `/accounts/${id}/agreement`, { text: STRANGE, changes: names[8] })
  const anApplication = (fields: object) =>
    call('POST', `/accounts/${id}/applications`, {
      ...{ firstName: names[0], lastName: names[7], answers: [{ label: STRANGE, value: 'a "b",\n=c' }] },
      ...{ emailConfirmed: true, ...fields },
    })
  const decide = (body: object) => call('POST', `/accounts/${id}/applications/decisions`, body)
  const application = await anApplication({
    email: 'apply@strange.example',
    by: above.referralCode,
    groupId: group.id,
  })
  await decide({ ids: [application.id], decision: 'approve' })
  const rejected = await anApplication({ email: 'rejected@strange.example' })
  await decide({ ids: [rejected.id], decision: 'reject', reason: 'other', message: '=no', silent: true })
  await anApplication({ email: 'waiting@strange.example' })
  await call('PUT', `/accounts/${id}/brand`, {
    logo: base64(aPicture()),
    accent: '#0e7c86',
    host: 'join.strange.example',
  })
  const fraudCase = await aCase(app, account, { id: child.id, email: child.email })
  await call('POST', `/cases/${fraudCase.id}/question`, { text: STRANGE })
  const { apiKey } = await call('PUT', `/accounts/${id}/api-key`)
  const { referralCode } = await call('GET', `/partners/${child.id}`)
  await call('POST', '/push/sales', { externalId: 'inv-1', email: 'lead@shop.example', amount: 20_00 }, apiKey)
  await call(
    'POST',
    '/push/sales',
    { externalId: 'inv-2', email: 'new@shop.example', referralCode, amount: 30_00 },
    apiKey,
  )
  await requestRefresh(app, account)
  const { items } = await call('GET', `/accounts/${id}/payouts`)
  await call('POST', `/payouts/${items[0].id}/mark-paid`, { reference: '@bank' })
  await call('POST', `/payouts/${items[1].id}/approve`)
  const paymentFile = await aPaymentFile(app.services, id, items[0].id)
  const invoice = await anInvoice(app, account, parent)
  await call('PUT', `/accounts/${id}/invoicing`, {
    nextNumber: 40,
    reason: '=jump',
    journalAccounts: { cash: '=1200' },
  })
  await transaction(app.services.db, async (tx) => {
    const facts = await readAccountFacts(tx, id)
    await markReturned(tx, facts, invoice.payoutId, { reason: 'Returned', change: { old: 'paid', new: 'returned' } })
  })
  const [again] = (await call('GET', `/partners/${parent.id}/payouts?status=due`)).items
  await call('POST', `/payouts/${again.id}/mark-paid`, { reference: 'Once more' })
  const webhook = await call('POST', `/accounts/${id}/outgoing-webhooks`, {
    name: '=CRM',
    url: 'http://127.0.0.1:9/hook',
    events: ['*'],
    headers: { 'x-key': 'canary-header' },
  })
  await call('POST', `/outgoing-webhooks/${webhook.id}/test`)
  const incoming = await call('POST', `/accounts/${id}/incoming-webhooks`, {
    name: 'form',
    target: 'lead',
    auth: { type: 'basic', username: 'form', password: 'canary-password' },
    mapping: [{ field: 'email', path: 'contact.email' }],
  })
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`form:${password}`).toString('base64')}` })
  const sent = { method: 'POST', body: JSON.stringify({ contact: { email: 'form@shop.example' } }) }
  await fetch(incoming.url, { ...sent, headers: basic('canary-password') })
  const connection = await aPastConnection(app, id)
  // written a moment after the answer
  await waitUntil(async () => (await call('GET', `/accounts/${id}/push-requests`)).total === 2)
  return {
    app,
    account,
    clock,
    parent,
    child,
    lead,
    paymentFile,
    sale,
    group,
    application,
    things,
    blueprint,
    webhook,
    incoming,
    invoice,
    connection,
    basic,
    fraudCase,
    sent,
    apiKey,
  }
}

/** A disconnected shop, and one of its events. */
async function aPastConnection({ services: { db } }: TestApp, accountId: string) {
  const { id: shopId } = await db.one<{ id: string }>`
    insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
    values (gen_random_uuid(), ${accountId}, 'stripe', true, 'acct_1=Past', ${db.now}) returning id`
  const connection = await db.one<{ id: string }>`
    insert into provider_connections (id, account_id, shop_id, provider, method, account_name, livemode,
      provider_account_id, disconnected_at, created_at, updated_at)
    values (gen_random_uuid(), ${accountId}, ${shopId}, 'stripe', 'credentials', '=Past', true, 'acct_1=Past', ${db.now},
      ${db.now}, ${db.now}) returning id`
  await db.run`
    insert into provider_events (id, account_id, shop_id, connection_id, external_id, type, at, body, state, received_at, processed_at)
    values (gen_random_uuid(), ${accountId}, ${shopId}, ${connection.id}, 'evt_1', 'customer.created', ${db.now}, '{"id":"evt_1"}',
      'ignored', ${db.now}, ${db.now})`
  return connection
}

const embedConfig = Object.fromEntries(
  ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton'].map((key) => [
    key,
    { key, selectorType: 'default', selectorValue: '' },
  ]),
)

/** The calls that read the account, by name, each at an address with objects of its own. */
export async function listReads({ app, account, ...world }: Awaited<ReturnType<typeof aStrangeAccount>>) {
  const payouts = expectOk(await app.api('GET', `/partners/${world.child.id}/payouts`, { token: account.token }))
  const subjects: Record<string, string> = {
    account: account.id,
    partner: world.child.id,
    group: world.group.id,
    application: world.application.id,
    ...world.things,
    'link-blueprint': world.blueprint.id,
    lead: world.lead.id,
    sale: world.sale.id,
    case: world.fraudCase.id,
    commission: world.sale.commissions[0].id,
    payout: payouts.body.items[0].id,
    'payment-file': world.paymentFile.id,
    invoice: world.invoice.id,
    'outgoing-webhook': world.webhook.id,
    'incoming-webhook': world.incoming.id,
  }
  const reads = endpoints.filter(
    ({ name, method, allow, subject, path, produces }) =>
      // calls the provider, with a key that is not exported
      name !== 'listCoupons' &&
      // imports, bulk actions and rehearsals are not exported
      method === 'GET' &&
      !produces &&
      allow.includes('owner') &&
      subject &&
      subject !== 'import' &&
      !/:(bulkActionId|checkId|provider|rehearsalId)/.test(path),
  )
  assert.ok(reads.length > 40)
  const { body: received } = await app.api('GET', `/incoming-webhooks/${world.incoming.id}/deliveries`, {
    token: account.token,
  })
  return reads.map(({ name, path, subject, query }) => ({
    name,
    at:
      path
        .replace(':id', subjects[subject!]!)
        .replace(':connectionId', world.connection.id)
        .replace(':deliveryId', received.items[0].id)
        .replace(':version', '1')
        .replace(':range', '2026-11-01..2026-11-30')
        .replace(':day', '2026-11-01')
        .replace(':year', '2026') + (query instanceof z.ZodObject && 'limit' in query.shape ? '?limit=100' : ''),
  }))
}
