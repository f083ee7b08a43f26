import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { transaction } from '../../platform/database/pool.ts'
import { retention } from '../../retention.ts'
import { captureLead } from './capture-lead.ts'

const DAY = 86_400_000
const clock = turnableClock()
const app = await startApp({ clock, worker: true })
const { db } = app.services
const account = await anAccount(app)
const partner = await aPartner(app, account, { referralCode: 'jane' }, { signIn: true })
const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body

const push = (body: unknown) => app.api('POST', '/push/leads', { token: apiKey, body })
const call = (path: string, token = account.token) => app.api('GET', path, { token })
const sentOf = async (leadId: string, query = '') => expectOk(await call(`/leads/${leadId}/submissions${query}`)).body
const bodiesOf = async (leadId: string) =>
  (await sentOf(leadId, '?limit=100')).items.map(({ body }: { body: unknown }) => body)

test('a pushed row is stored with its lead as received, unless it is refused', async () => {
  const email = anEmail('sent')
  const first = { email: ` ${email.toUpperCase()} `, firstName: '  Lena', metadata: { plan: 'pro', api_key: 'sk-1' } }
  const { id, createdAt } = expectOk(await push(first)).body
  const { items, total, nextCursor } = await sentOf(id)
  assert.deepEqual([total, nextCursor], [1, null])
  assert.deepEqual(items, [
    { at: createdAt, source: 'api', body: { ...first, metadata: { plan: 'pro', api_key: '•••' } } },
  ])
  const rows = [
    { email: anEmail(), referralCode: 'nobody-here' },
    { nonsense: 1 },
    { email, company: 'Quarry  ', lastName: null },
    { email: anEmail(), firstName: 'Other' },
    { email, referralCode: 'JANE' },
  ]
  const { results } = expectOk(await push(rows)).body
  assert.deepEqual(
    results.map(({ status, id: of }: { status: number; id: string }) => [status, of === id]),
    [
      [422, false],
      [422, false],
      [200, true],
      [201, false],
      [200, true],
    ],
  )
  assert.deepEqual(await bodiesOf(id), [rows[4], rows[2], (await bodiesOf(id)).at(-1)])
  assert.deepEqual(await bodiesOf(results[3].id), [rows[3]])
  const [page, next] = [await sentOf(id, '?limit=2'), await sentOf(id)]
  const rest = await sentOf(id, `?limit=2&cursor=${page.nextCursor}`)
  assert.deepEqual([...page.items, ...rest.items], next.items)
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from lead_submissions where account_id = ${account.id} and body like '%nobody-here%'`
  assert.equal(count, 0)
})

test('submissions of the embed script and incoming webhooks are stored; manual and partner’s ones are not', async () => {
  const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  const { id, token } = account
  expectOk(
    await app.api('PUT', `/accounts/${id}/embed-code`, { token, body: { config, domains: ['shop.example.com'] } }),
  )
  const { publicId } = expectOk(await call(`/accounts/${id}`)).body
  const email = anEmail('form')
  const body = {
    email,
    phone: 'call me',
    referralCode: 'jane',
    pageUrl: 'https://shop.example.com/pricing?session=s3cret&ref=jane',
    password: 'hunter2',
    lastName: null,
  }
  const sent = await app.api('POST', `/embed/${publicId}/leads`, {
    body,
    headers: { origin: 'https://shop.example.com' },
  })
  assert.equal(sent.status, 202)
  const [lead] = expectOk(await call(`/accounts/${id}/leads?search=${email}`)).body.items
  const pageUrl = 'https://shop.example.com/pricing?ref=jane'
  const { items } = await sentOf(lead.id)
  assert.deepEqual(
    items.map(({ source, body }: { source: string; body: object }) => [source, body]),
    [['embed', { email, phone: 'call me', referralCode: 'jane', pageUrl }]],
  )

  const mapping = [{ field: 'email', path: 'contact.email' }]
  const hook = expectOk(
    await app.api('POST', `/accounts/${id}/incoming-webhooks`, {
      token,
      body: { name: 'CRM', target: 'lead', mapping },
    }),
  ).body
  const payload = { contact: { email, tags: ['a', 1, null] }, auth: { access_token: 't' }, deep: [{ password: null }] }
  const received = await fetch(hook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  })
  assert.equal(received.status, 200)
  await waitUntil(async () => (await sentOf(lead.id)).total === 2)
  assert.deepEqual((await sentOf(lead.id)).items[0].body, { ...payload, auth: { access_token: '•••' } })
  const tried = await app.api('POST', `/incoming-webhooks/${hook.id}/test`, { token, body: { payload } })
  assert.equal(tried.body.made.created, false)
  assert.equal((await sentOf(lead.id)).total, 2)

  const typed = expectOk(await app.api('POST', `/accounts/${id}/leads`, { token, body: { email: anEmail() } })).body
  assert.equal((await sentOf(typed.id)).total, 0)
  assert.equal((await call(`/leads/${lead.id}/submissions`, partner.token)).status, 403)
  assert.equal((await call(`/leads/${lead.id}/submissions`, (await anAccount(app)).token)).status, 404)
  assert.equal((await call(`/leads/${lead.id}/submissions`, account.admin)).status, 403)
})

test('another partner’s submission is stored with the duplicate', async () => {
  const other = await aPartner(app, account, { referralCode: 'marcus' })
  const email = anEmail('twice')
  const first = expectOk(await push({ email, referralCode: 'jane' })).body
  const second = expectOk(await push({ email, referralCode: 'marcus', company: 'One' })).body
  expectOk(await push({ email, referralCode: 'marcus', company: 'Two' }))
  assert.deepEqual([second.status, second.duplicateOfId, second.partnerId], ['duplicate', first.id, other.id])
  assert.equal((await sentOf(first.id)).total, 1)
  assert.deepEqual(
    (await bodiesOf(second.id)).map(({ company }: { company: string }) => company),
    ['Two', 'One'],
  )
})

test('of many submissions the first and the latest are stored, and the beginning of a long one', async () => {
  const facts = await readAccountFacts(db, account.id)
  const email = anEmail('much')
  const send = (sent: unknown) =>
    transaction(db, (tx) => captureLead(tx, facts, { source: 'import', email, sent: sent as never }))
  const { leadId } = await send({ number: 0 })
  for (let number = 1; number < 60; number++) {
    clock.advance(1)
    await send({ number })
  }
  const numbers = (await bodiesOf(leadId)).map(({ number }: { number: number }) => number)
  assert.deepEqual(numbers, [...Array.from({ length: 49 }, (_, at) => 59 - at), 0])

  // a four-byte character at the cut, and one that PostgreSQL cannot store
  for (const [long, kept] of [
    [`${'x'.repeat(15_990)}${'🏔'.repeat(10)}`, /^{"long":"x{15990}$/],
    [`${'\u0000\ud800'.repeat(4000)}`, /^{"long":"(\\u0000\\ud800)+/],
  ] as const) {
    await send({ long })
    const body = (await bodiesOf(leadId))[0]
    assert.match(body, kept)
    assert.ok(Buffer.byteLength(body) <= 16_000)
  }
  const just = 'x'.repeat(16_000 - '{"long":""}'.length)
  await send({ long: just })
  assert.deepEqual((await bodiesOf(leadId))[0], { long: just })
})

test('a submission is deleted with its lead, and after 400 days', async () => {
  const facts = { ...(await readAccountFacts(db, account.id)), leadProtectionDays: 0 }
  const kept = async (leadId: string) =>
    db.many<{ body: string }>`select body from lead_submissions where lead_id = ${leadId} order by id`
  const deleted = expectOk(await push({ email: anEmail() })).body.id
  assert.equal((await kept(deleted)).length, 1)
  expectOk(await app.api('DELETE', `/leads/${deleted}`, { token: account.token }))
  assert.equal((await kept(deleted)).length, 0)

  const email = anEmail('old')
  const send = (sent: string) =>
    transaction(db, (tx) => captureLead(tx, facts, { source: 'import', email, sent: { sent } }))
  const { leadId } = await send('first')
  clock.advance(200 * DAY)
  await send('second')
  clock.advance(200 * DAY - 60_000)
  await retention.leadSubmissions(app.services)
  assert.equal((await kept(leadId)).length, 2)
  clock.advance(120_000)
  await retention.leadSubmissions(app.services)
  assert.deepEqual(await kept(leadId), [{ body: '{"sent":"second"}' }])
})
