import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fakeReceiver } from '../../../test/fakes/receiver.ts'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { placesWith, tablesAmong } from '../../../test/support/canaries.ts'
import { aGenericConnection, genericEvent, genericPayment, sendCustomEvent } from '../../../test/support/generic.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { readLedgerDigest } from '../../integrations/data-transfer/rows.ts'
import { verifyPayments } from '../../integrations/payment-providers/verify-payments.ts'
import { newId } from '../../platform/database/ids.ts'
import { readMigration } from '../../platform/database/migration-files.ts'
import { transaction } from '../../platform/database/pool.ts'
import { rawSql } from '../../platform/database/sql.ts'
import { getOutboxFolder } from '../../platform/outbox.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ worker: true, config: { allowPrivateWebhookTargets: true } })
const { db } = app.services
const receiver = await fakeReceiver()
after(() => receiver.close())

/** Words looked for in every column of every table, in the outbox and in answers. */
const TRACES = ['canary', 'zwitscher', '2125550177', '212 555 0177']
const who = {
  firstName: 'Canarina',
  lastName: 'Zwitscher',
  email: 'Canary@mail.example',
  phone: '+1 212 555 0177',
  company: 'Canary Works',
  externalId: 'canary-7',
  metadata: { pet: 'canary' },
}
const email = who.email.toLowerCase()

const found = () => placesWith(app, TRACES)

let keys = 0
const digest = (accountId: string) => transaction(db, (tx) => readLedgerDigest(tx, accountId))

async function aCanary() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0 })
  const { id, token } = account
  const call = async (method: string, path: string, body?: unknown, headers = {}) =>
    expectOk(await app.api(method, path, { token, body, headers })).body
  const partner = await aPartner(app, account, { referralCode: 'jane' }, { signIn: true })
  const { apiKey } = await call('PUT', `/accounts/${id}/api-key`)
  const push = async (path: string, body: unknown) =>
    expectOk(
      await app.api('POST', `/push/${path}`, { token: apiKey, body, headers: { 'idempotency-key': `key-${++keys}` } }),
    ).body
  await call('POST', `/accounts/${id}/outgoing-webhooks`, { name: 'CRM', url: receiver.url, events: ['*'] })
  return { ...account, call, push, partner, apiKey }
}

/** One person through every door. Returns their first lead and the payment. */
async function throughEveryDoor({ id, call, push, partner, token }: Awaited<ReturnType<typeof aCanary>>) {
  const lead = await push('leads', { ...who, referralCode: 'jane' })
  await call('PUT', `/leads/${lead.id}`, { company: 'Canary and Sons' }, { 'idempotency-key': 'canaries' })
  await call('POST', `/leads/${lead.id}/notes`, { text: 'Talked to the canary', shared: false })
  await call('POST', `/leads/${lead.id}/status`, {
    status: 'lost',
    reason: 'other',
    note: 'canary',
    sharedNote: 'canary',
  })
  await call('POST', `/leads/${lead.id}/status`, { status: 'new', reason: 'canary came back' })

  const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  await call('PUT', `/accounts/${id}/embed-code`, { config, domains: ['shop.example.com'] })
  const { publicId } = await call('GET', `/accounts/${id}`)
  const form = { email: who.email, phone: who.phone, referralCode: 'jane', pageUrl: 'https://shop.example.com/canary' }
  expectOk(
    await app.api('POST', `/embed/${publicId}/leads`, { body: form, headers: { origin: 'https://shop.example.com' } }),
  )

  const other = await aPartner(app, { id, token }, { referralCode: 'kim' })
  await push('leads', { email, partnerId: other.id, company: 'Canary Twice' })

  const mapping = [
    { field: 'email', path: 'contact.email' },
    { field: 'firstName', path: 'contact.first' },
  ]
  const hook = await call('POST', `/accounts/${id}/incoming-webhooks`, { name: 'CRM', target: 'lead', mapping })
  const send = (payload: unknown) =>
    fetch(hook.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) })
  await send({ contact: { email: who.email, first: 'Canarina' } })
  await send({ contact: { first: 'Canarina' }, mail: who.email })
  await waitUntil(async () =>
    (await call('GET', `/incoming-webhooks/${hook.id}/deliveries`)).items.every(
      ({ state }: { state: string }) => state !== 'received',
    ),
  )

  const csv = `Email,First Name,Company\n${who.email},Canarina,Canary Imports\nbroken canary@mail.example,Canarina,x`
  const started = await call('POST', `/accounts/${id}/imports`, { kind: 'leads', csv, dryRun: false })
  await waitUntil(async () => (await call('GET', `/imports/${started.id}`)).state === 'done')

  const shop = await aGenericConnection(app, { id, token, ownerEmail: '', admin: '' }, 'Own shop')
  const payment = genericPayment({
    ...{ customerId: 'cus_1', email: who.email, name: 'Canarina Zwitscher', description: 'Seeds for the canary' },
    referralCode: 'jane',
  })
  await sendCustomEvent(shop.webhookUrl, payment.paid)
  const sale = await waitUntil(async () => (await call('GET', `/leads/${lead.id}/sales`)).items[0])
  await call('PATCH', `/sales/${sale.id}`, { description: 'canary seeds' })
  await push('sales', {
    externalId: 'order-2',
    email,
    amount: 50_00,
    metadata: { pet: 'canary' },
    description: 'canary',
  })
  const cage = await call('POST', `/leads/${lead.id}/sales`, { amount: 20_00, description: 'canary cage' })
  await call('POST', `/sales/${cage.id}/refunds`, { amount: 10_00, reason: 'The canary was not hungry' })
  const gone = await call('POST', `/leads/${lead.id}/sales`, { amount: 30_00, description: 'canary house' })
  await call('POST', `/sales/${gone.id}/void`, { reason: 'The canary moved out' })
  const name = `new-lead-${newId()}`
  await mkdir(getOutboxFolder(app.services.config), { recursive: true })
  await writeFile(join(getOutboxFolder(app.services.config), `${name}.eml`), 'A new lead: Canarina Zwitscher')
  await db.run`
    insert into mails (id, name, kind, account_id, email, state, created_at)
    values (${newId()}, ${name}, 'new-lead', ${id}, 'nora@northwind.example', 'kept', ${db.now})`
  await db.run`
    update outgoing_deliveries set answer = 'stored Canary@mail.example' where account_id = ${id} and state = 'delivered'`
  return { lead, sale, shop, payment, partner, hook, send }
}

test('reports lose the visit of an erased person, and keep its figures', async () => {
  const account = await aCanary()
  const { call, push, id } = account
  const { id: clickId } = await push('clicks', {
    ...{
      referralCode: 'jane',
      url: 'https://shop.example/canary',
      referrer: 'https://canary.example/',
      subId: 'canary',
    },
  })
  await db.run`update clicks set country = 'DE' where id = ${clickId}`
  const lead = await push('leads', { email, clickId })
  await push('sales', { externalId: 'order-1', email, amount: 50_00 })
  const today = db.now.toISOString().slice(0, 10)
  const report = async (by: string) => (await call('GET', `/accounts/${id}/reports/${today}..${today}?by=${by}`)).items
  for (const by of ['source', 'landing-path', 'sub-id']) assert.match(JSON.stringify(await report(by)), /canary/)
  const byCountry = await report('country')
  assert.equal(byCountry[0].revenue, 50_00)
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  assert.deepEqual(await found(), [])
  for (const by of ['source', 'landing-path', 'sub-id']) {
    const items = await report(by)
    assert.doesNotMatch(JSON.stringify(items), /canary/)
    assert.deepEqual(items.find(({ kind }: { kind: string }) => kind === 'none')?.revenue, 50_00, by)
  }
  assert.deepEqual(await report('country'), byCountry)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a phone that a known lead gets is told in the API’s words, and emptied from its events', async () => {
  const { call, push, id } = await aCanary()
  const lead = await push('leads', { email })
  await push('leads', { email, phone: who.phone })
  const events = () => db.many<{ changes: object }>`
    select data -> 'changes' as changes from told_events where account_id = ${id} and type = 'lead.updated'`
  assert.deepEqual(await events(), [{ changes: { phone: { old: null, new: who.phone } } }])
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  assert.deepEqual(await events(), [{ changes: { phone: { old: null, new: null } } }])
  assert.deepEqual(await found(), [])
})

test('what an earlier release left of erased people is found by verify-ledger, and emptied by the upgrade', async () => {
  const { call, push, id } = await aCanary()
  const lead = await push('leads', { email })
  const sale = await push('sales', { externalId: 'order-1', leadId: lead.id, amount: 50_00 })
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  assert.deepEqual(await verifyLedger(db), [])
  const data = JSON.stringify({ changes: { phoneE164: { old: null, new: '+12125550177' } } })
  for (const table of ['events', 'passing_events'])
    await db.run`
      insert into ${rawSql(table)} (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
      values (${newId()}, ${id}, ${db.now}, 'lead.updated', 'public', false, 'api-key', 'lead', ${lead.id}, ${data}::jsonb)`
  await asDatabaseOwner(db).run`
    with off as (select set_config('session_replication_role', 'replica', true))
    insert into sale_corrections (id, account_id, sale_id, amount_before, tax_amount_before, gross_amount_before, amount,
      tax_amount, gross_amount, reason, created_at)
    select ${newId()}, ${id}, ${sale.id}, 5000, 0, 5000, 5000, 0, 5000, 'Corrected by the canary', ${db.now} from off`
  const left = (await verifyLedger(db)).map(({ check, subject, actual }) => [check, subject.split(' ')[0], actual])
  const check = 'every personal column of an erased person is empty'
  assert.deepEqual(left.sort(), [
    [check, 'events', 'data'],
    [check, 'passing_events', 'data'],
    [check, 'sale_corrections', 'reason'],
  ])
  const { steps } = await readMigration('0532-empty-leftovers.sql')
  for (const { text } of steps!) while (((await asDatabaseOwner(db).pool.query(text)).rowCount ?? 0) > 0);
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual(await found(), [])
})

test('the case of an erased person keeps its findings and loses its texts', async () => {
  const { call, partner, id } = await aCanary()
  const lead = await call('POST', `/accounts/${id}/leads`, { partnerId: partner.id, email: partner.email })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
  const [open] = (await call('GET', `/accounts/${id}/cases`)).items
  await call('POST', `/cases/${open.id}/question`, { text: 'How did you meet?' })
  await call('POST', `/cases/${open.id}/release`, { reason: 'Their uncle' })
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  const { findings, decision, question, reason } = await call('GET', `/cases/${open.id}`)
  assert.deepEqual(
    { findings, decision, question, reason },
    {
      ...{ findings: open.findings, decision: 'released', question: null, reason: null },
    },
  )
})

test('nothing is left of an erased person, and no figure moves', async () => {
  const account = await aCanary()
  const { call, id, push, partner } = account
  const { lead, sale, shop, payment } = await throughEveryDoor(account)
  // the mails and deliveries of what happened
  await waitUntil(async () => {
    const { waiting } = await db.one<{ waiting: number }>`select
      (select count(*) from event_relays) + (select count(*) from outgoing_deliveries where next_at is not null) as waiting`
    return waiting === 0
  })
  const before = await found()
  const tables = tablesAmong(before)
  assert.ok(tables.length > 12, `canaries are in ${tables.sort().join(' ')}`)
  const figures = async () => ({
    stats: await call('GET', `/accounts/${id}/stats`).catch(() => null),
    balance: (await call('GET', `/partners/${partner.id}`)).balanceDue,
    lead: (await call('GET', `/leads/${lead.id}`)).stats,
    digest: await digest(id),
  })
  const was = await figures()
  assert.deepEqual(await verifyLedger(db), [])

  const file = await call('GET', `/leads/${lead.id}/person`)
  assert.ok(
    file.leads.length >= 1 && file.sales.length === 4 && file.leadSubmissions.length > 2,
    Object.keys(file).join(),
  )
  assert.ok(!JSON.stringify(file).includes('Pia'), 'a lead’s file names no partner')
  assert.equal((await app.api('GET', `/leads/${lead.id}/person`, { token: account.apiKey })).status, 403)

  const preview = await call('POST', `/leads/${lead.id}/erase`, { preview: true })
  assert.ok(preview.subjects.length >= 1)
  assert.equal(preview.counts.sales, 4)
  assert.deepEqual((await call('GET', `/leads/${lead.id}`)).email, email)

  const erasure = await call('POST', `/leads/${lead.id}/erase`, {})
  assert.deepEqual([erasure.subject, erasure.reason, erasure.by], [{ type: 'lead', id: lead.id }, 'asked', 'Nora Wind'])
  const shown = await call('GET', `/leads/${lead.id}`)
  assert.deepEqual(
    [shown.displayName, shown.email, shown.metadata, Boolean(shown.erasedAt)],
    [`Erased lead ${lead.id.slice(-4)}`, null, {}, true],
  )
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  assert.deepEqual(await found(), [])
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
  assert.deepEqual(await figures(), was)
  assert.equal((await call('POST', `/leads/${lead.id}/erase`, {})).id, erasure.id)

  // what comes later moves the money and brings nothing back
  const late = payment.refund(2000, { reason: 'canary at last' })
  await sendCustomEvent(shop.webhookUrl, late.told)
  await waitUntil(async () => (await call('GET', `/sales/${sale.id}`)).refundedAmount >= 2000)
  const refund = { id: 'refund-late', paymentId: payment.id, status: 'succeeded', reason: 'canary' }
  for (const [minutes, amount] of [1000, 1500].entries())
    await sendCustomEvent(
      shop.webhookUrl,
      genericEvent('refund', { ...refund, amount }, new Date(Date.now() + minutes * 60_000)),
    )
  await sendCustomEvent(shop.webhookUrl, payment.corrected({ taxAmount: 500, description: 'canary' }))
  await waitUntil(async () => {
    const { taxAmount, refundedAmount } = await call('GET', `/sales/${sale.id}`)
    return taxAmount === 500 && refundedAmount === 3500
  })
  const again = genericEvent('payment', {
    ...{ id: 'order-again', amount: 5000, currency: 'usd', customerId: 'cus_1', email: who.email },
    ...{ name: 'Canarina Zwitscher', description: 'More for the canary' },
  })
  await sendCustomEvent(shop.webhookUrl, again)
  await waitUntil(async () => (await call('GET', `/leads/${lead.id}/sales`)).total === 5)
  await push('sales', { externalId: 'order-2', email: 'x@other.example', amount: 50_00, referralCode: 'jane' }).catch(
    () => null,
  )
  await waitUntil(async () => {
    const { open } = await db.one<{
      open: number
    }>`select count(*) as open from provider_events where state <> 'processed'`
    return open === 0
  })
  assert.deepEqual(await found(), [])
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])

  // a new lead with the same e-mail is a new person
  const anew = await call('POST', `/accounts/${id}/leads`, { email })
  assert.notEqual(anew.id, lead.id)
  for (const [method, path, body] of [
    ['PUT', '', { firstName: 'Canarina' }],
    ['POST', '/notes', { text: 'canary', shared: false }],
    ['POST', '/status', { status: 'new', reason: 'x' }],
    ['DELETE', ''],
    ['POST', '/sales', { amount: 100 }],
    ['POST', '/reassign', { partnerId: null, reason: 'x' }],
  ] as const) {
    const { status, body: answer } = await app.api(method, `/leads/${lead.id}${path}`, { token: account.token, body })
    assert.deepEqual([status, answer.error?.reason], [409, 'erased'], `${method} ${path}`)
  }
})

test('an erasure leaves others alone: equal numbers, another account’s mails, and mails that only name a company', async () => {
  const { call, id, push } = await aCanary()
  const other = await anAccount(app)
  const hook = await call('POST', `/accounts/${id}/incoming-webhooks`, {
    ...{ name: 'CRM', target: 'lead', mapping: [{ field: 'email', path: 'email' }] },
  })
  const send = (payload: unknown) =>
    fetch(hook.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) })
  await send({ email: 'neighbour@mail.example', total: 1001, order: '1001' })
  await send({ note: 'of the erased', customer_id: 1001 })
  await waitUntil(async () => {
    const deliveries = await db.one<{ waiting: number }>`
      select count(*) as waiting from incoming_deliveries where account_id = ${id} and state = 'received'`
    return deliveries.waiting === 0
  })
  const folder = getOutboxFolder(app.services.config)
  await mkdir(folder, { recursive: true })
  const keep = async (accountId: string, text: string) => {
    const name = `new-lead-${newId()}`
    await writeFile(join(folder, `${name}.eml`), text)
    await db.run`
      insert into mails (id, name, kind, account_id, email, state, created_at)
      values (${newId()}, ${name}, 'new-lead', ${accountId}, 'nora@northwind.example', 'kept', ${db.now})`
    return `${name}.eml`
  }
  const theirs = await keep(id, 'A new lead: Alma Finch of Northwind')
  const others = [await keep(other.id, 'A new lead: Alma Finch'), await keep(id, 'Weekly summary of Northwind')]
  const lead = await push('leads', { firstName: 'Alma', lastName: 'Finch', company: 'Northwind', externalId: '1001' })
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  const kept = await db.many<{ payload: string | null }>`
    select payload from incoming_deliveries where account_id = ${id} order by created_at, id`
  assert.deepEqual(
    kept.map(({ payload }) => payload !== null),
    [true, false],
  )
  const files = await readdir(folder)
  assert.deepEqual([files.includes(theirs), ...others.map((name) => files.includes(name))], [false, true, true])
})

test('an erasure waits for an import under way, and empties what it brought', async () => {
  const account = await aCanary()
  const lead = await account.push('leads', { firstName: 'Finchling', email: 'finchling@mail.example' })
  const [importing, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const imported = transaction(db, async (tx) => {
    await tx.run`select from leads where account_id = ${account.id} and id = ${lead.id} for update`
    importing.resolve()
    await waits.promise
    await tx.run`update leads set company = 'Finchling Imports' where account_id = ${account.id} and id = ${lead.id}`
  })
  await importing.promise
  let isAnswered = false
  const erased = account.call('POST', `/leads/${lead.id}/erase`, {}).finally(() => {
    isAnswered = true
  })
  await waitUntil(async () => (await waitingForLocks(db)) > 0)
  assert.equal(isAnswered, false)
  waits.resolve()
  await Promise.all([imported, erased])
  await waitUntil(async () => (await account.call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  assert.deepEqual(await placesWith(app, ['finchling']), [])
})

test('an erased lead gets no sale and no partner by hand, and its sales no description', async () => {
  const account = await aCanary()
  const { call, id, push, partner } = account
  const lead = await push('leads', { email, referralCode: 'jane' })
  const described = await call('POST', `/leads/${lead.id}/sales`, { amount: 20_00 })
  const unattributed = await push('leads', { email: 'zwitscher@mail.example' })
  const own = await push('sales', { externalId: 'own', leadId: unattributed.id, amount: 10_00 })
  await push('leads', { email: 'finch@mail.example' })
  const others = await push('sales', { externalId: 'others', email: 'finch@mail.example', amount: 10_00 })
  for (const one of [lead, unattributed]) await call('POST', `/leads/${one.id}/erase`, {})
  for (const [method, path, body] of [
    ['POST', `/sales/${own.id}/attribute`, { partnerId: partner.id, reason: 'x' }],
    ['POST', `/sales/${others.id}/attribute`, { leadId: lead.id, reason: 'x' }],
    ['PATCH', `/sales/${described.id}`, { description: 'lorikeet seeds' }],
  ] as const) {
    const { status, body: answer } = await app.api(method, path, { token: account.token, body })
    assert.deepEqual([status, answer.error?.reason], [409, 'erased'], `${method} ${path}`)
  }
  assert.equal((await call('GET', `/leads/${unattributed.id}`)).partnerId, null)
  assert.equal((await call('GET', `/sales/${others.id}`)).payerEmail, 'finch@mail.example')
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items.every(isDone))
  assert.deepEqual(await placesWith(app, ['lorikeet']), [])
})

test('reasons that are given later for changes of an erased person’s sales are stored nowhere', async () => {
  const { call, id, push, partner } = await aCanary()
  const lead = await push('leads', { email: partner.email, referralCode: 'jane' })
  const sell = (amount: number) => call('POST', `/leads/${lead.id}/sales`, { amount })
  const [held, gone, other] = [await sell(20_00), await sell(30_00), await sell(40_00)]
  const { items: cases } = await call('GET', `/accounts/${id}/cases`)
  await push('sales', { externalId: 'pushed', leadId: lead.id, amount: 10_00 })
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items.every(isDone))
  await call('POST', `/sales/${held.id}/release`, { reason: 'The budgerigar knows them' })
  await call('POST', `/sales/${held.id}/refunds`, { amount: 10_00, reason: 'Budgerigar was not hungry' })
  await call('POST', `/sales/${gone.id}/void`, { reason: 'Budgerigar moved out' })
  await call('POST', `/cases/${cases.find((one: { saleId: string }) => one.saleId === other.id).id}/void`, {
    reason: 'The budgerigar confessed',
  })
  await push('refunds', { saleExternalId: 'pushed', externalId: 'r-1', reason: 'Sent back by Budgerigar' })
  assert.deepEqual(await placesWith(app, ['budgerigar']), [])
  assert.deepEqual(await verifyLedger(db), [])
})

const isDone = ({ done }: { done: boolean }) => done
