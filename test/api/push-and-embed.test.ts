import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFields, assertRefused, callerOf } from '../support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../support/app.ts'
import { aBlueprint, BROWSER, clickOf, visit } from '../support/links.ts'

// Data pushed by own systems and sent by forms on pages.

const app = await startApp()
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
const owner = callerOf(app, account.token)
const home = `/accounts/${account.id}`
const partner = await aPartner(app, account, { referralCode: 'kim' })
const { apiKey, publicId } = await owner.put(`${home}/api-key`)
const push = callerOf(app, apiKey)

test('the key opens the push calls of its account, and nothing else', async () => {
  assertRefused(await push.call('GET', home), 403, 'forbidden')
  assertRefused(await push.call('GET', '/users/me'), 403, 'forbidden')
  assertRefused(await owner.call('POST', '/push/leads', { email: anEmail() }), 401, 'unauthenticated')
  assertRefused(await callerOf(app, null).call('POST', '/push/leads', {}), 401, 'unauthenticated')
  const other = await anAccount(app)
  const stranger = await aPartner(app, other)
  const lead = await callerOf(app, other.token).post(`/accounts/${other.id}/leads`, { email: anEmail() })
  for (const [path, body, field] of [
    ['/push/leads', { email: anEmail(), partnerId: stranger.id }, 'partnerId'],
    ['/push/leads', { email: anEmail(), referralCode: stranger.referralCode }, 'referralCode'],
    ['/push/leads', { email: anEmail(), clickId: 'unknown' }, 'clickId'],
    ['/push/sales', { externalId: anEmail(), leadId: lead.id, amount: 1 }, 'leadId'],
    ['/push/sales', { externalId: anEmail(), email: lead.email, amount: 1 }, 'email'],
    ['/push/sales', { externalId: anEmail(), leadExternalId: 'x', amount: 1 }, 'leadExternalId'],
    ['/push/sales', { externalId: anEmail(), amount: 1 }, 'leadExternalId'],
    ['/push/sales', { email: lead.email, amount: 1 }, 'externalId'],
    ['/push/refunds', { externalId: anEmail(), saleExternalId: 'unknown' }, 'saleExternalId'],
  ] as const)
    assertRefused(await push.call('POST', path, body), 422, 'validation_failed', [field])
  await callerOf(app, account.admin).post(`${home}/disable`)
  assertRefused(await push.call('POST', '/push/leads', { email: anEmail() }), 403, 'account_disabled')
  await callerOf(app, account.admin).post(`${home}/enable`)
})

test('a lead: made, then updated by external id, else e-mail, else phone', async () => {
  const externalId = anEmail()
  const email = anEmail('push')
  const made = await push.call('POST', '/push/leads', { externalId, email: email.toUpperCase(), referralCode: 'KIM' })
  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body.email, made.body.partnerId, made.body.source, made.body.attribution.matchedBy],
    [email, partner.id, 'api', 'code'],
  )
  const again = await push.call('POST', '/push/leads', { externalId, firstName: 'Ann' })
  assert.deepEqual([again.status, again.body.id, again.body.firstName], [200, made.body.id, 'Ann'])
  const byEmail = await push.call('POST', '/push/leads', { email, phone: '+493012345678' })
  assert.deepEqual([byEmail.status, byEmail.body.id, byEmail.body.phone], [200, made.body.id, '+493012345678'])
  const byPhone = await push.call('POST', '/push/leads', { phone: '+49 (30) 1234-5678', company: 'Acme' })
  assert.deepEqual([byPhone.status, byPhone.body.id, byPhone.body.company], [200, made.body.id, 'Acme'])
  assertRefused(await push.call('POST', '/push/leads', { firstName: 'x' }), 422, 'validation_failed', ['email'])
})

test('a sale: once per external id; a code beside an unknown lead makes it', async () => {
  const externalId = anEmail()
  const email = anEmail()
  const body = { externalId, email, referralCode: 'kim', amount: 50_00, taxAmount: 5_00, currency: 'USD' }
  const made = await push.call('POST', '/push/sales', body)
  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body.partnerId, made.body.amount, made.body.grossAmount, made.body.provider, made.body.commissions[0].amount],
    [partner.id, 50_00, 55_00, 'api', 5_00],
  )
  assert.deepEqual([made.body.matchedBy, made.body.externalId], ['code', externalId])
  const lead = await owner.get(`/leads/${made.body.leadId}`)
  assert.deepEqual([lead.email, lead.status], [email, 'won'])
  const again = await push.call('POST', '/push/sales', { ...body, amount: 1 })
  assert.deepEqual([again.status, again.body.id, again.body.amount], [200, made.body.id, 50_00])
  const next = await push.post('/push/sales', { externalId: anEmail(), email: email.toUpperCase(), amount: 1_00 })
  assert.deepEqual([next.leadId, next.matchedBy, next.sequence], [lead.id, 'email', 2])
  for (const [field, value] of [
    ['amount', 0],
    ['amount', 10.5],
    ['currency', 'xxz'],
    ['saleDate', '2999-01-01'],
    ['metadata', { a: { b: 1 } }],
  ] as const) {
    const reply = await push.call('POST', '/push/sales', { ...body, externalId: anEmail(), [field]: value })
    assert.equal(reply.status, 422, field)
    assert.ok(Object.keys(reply.body.error.fields)[0]!.startsWith(field))
  }
  const refund = { externalId: anEmail(), saleExternalId: externalId, amount: 11_00, reason: 'Late' }
  const refunded = await push.call('POST', '/push/refunds', refund)
  assert.equal(refunded.status, 201)
  assertFields(refunded.body, 'id, kind, amount, externalId, status, reason, at')
  const repeated = await push.call('POST', '/push/refunds', { ...refund, amount: 1 })
  assert.deepEqual([repeated.status, repeated.body.id, repeated.body.amount], [200, refunded.body.id, 11_00])
  const tooMuch = await push.call('POST', '/push/refunds', { ...refund, externalId: anEmail(), amount: 44_01 })
  assertRefused(tooMuch, 422, 'validation_failed', ['amount'])
  const { externalId: _, amount: __, ...rest } = refund
  assert.equal((await push.post('/push/refunds', { ...rest, externalId: anEmail() })).amount, 44_00)
  assert.equal((await owner.get(`/sales/${made.body.id}`)).status, 'refunded')
})

test('an external id is that of one refund, and another sale cannot have it', async () => {
  const sell = (externalId: string) => push.post('/push/sales', { externalId, amount: 50_00, referralCode: 'kim' })
  const [one, two] = [await sell(anEmail('order')), await sell(anEmail('order'))]
  const refund = { externalId: anEmail('refund'), saleExternalId: one.externalId, amount: 10_00 }
  assert.equal((await push.call('POST', '/push/refunds', refund)).status, 201)
  const other = await push.call('POST', '/push/refunds', { ...refund, saleExternalId: two.externalId })
  assertRefused(other, 409, 'duplicate', ['externalId'])
  assert.equal(other.body.error.details.saleId, one.id)
  assert.equal((await owner.get(`/sales/${two.id}`)).refundedAmount, 0)
  // at the same moment, too
  const both = { externalId: anEmail('refund'), amount: 10_00 }
  const replies = await Promise.all(
    [one, two].map((sale) => push.call('POST', '/push/refunds', { ...both, saleExternalId: sale.externalId })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
})

test('the number of a guest’s order names no person', async () => {
  const other = await aPartner(app, account)
  const number = anEmail('1001')
  const guest = await push.post('/push/sales', { externalId: number, amount: 50_00, referralCode: 'kim' })
  assert.equal((await owner.get(`/leads/${guest.leadId}`)).externalId, null)
  const user = await push.post('/push/leads', { externalId: number, referralCode: other.referralCode })
  assert.deepEqual([user.partnerId, user.id === guest.leadId], [other.id, false])
  const theirs = await push.post('/push/sales', { externalId: anEmail(), amount: 50_00, leadExternalId: number })
  assert.equal(theirs.partnerId, other.id)
  // a guest can get a name, and the same order belongs to the same guest
  assert.equal((await owner.put(`/leads/${guest.leadId}`, { firstName: 'Ada' })).firstName, 'Ada')
  const again = await push.post('/push/sales', { externalId: number, amount: 50_00, referralCode: 'kim' })
  assert.equal(again.id, guest.id)
})

test('a lead that is deleted while its sale is typed is gone, or stays with the sale', async () => {
  for (let turn = 0; turn < 8; turn++) {
    const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
    const [typed, deleted] = await Promise.all([
      owner.call('POST', `/leads/${lead.id}/sales`, { amount: 10_00 }),
      owner.call('DELETE', `/leads/${lead.id}`),
    ])
    assert.ok(
      ['201 409', '404 204'].includes(`${typed.status} ${deleted.status}`),
      JSON.stringify([typed.body, deleted.body]),
    )
  }
})

test('many at once: each row its own result, in their order', async () => {
  const known = anEmail()
  await push.post('/push/sales', { externalId: known, referralCode: 'kim', amount: 1 })
  const rows = [
    { externalId: anEmail(), referralCode: 'kim', amount: 100 },
    { externalId: anEmail(), referralCode: 'kim', amount: -1 },
    { externalId: known, referralCode: 'kim', amount: 100 },
    { externalId: anEmail(), email: anEmail(), amount: 100 },
    null,
    { externalId: anEmail(), referralCode: 'kim', amount: 200, extra: 1 },
    { externalId: anEmail(), referralCode: 'kim', amount: 300 },
  ]
  const reply = await push.call('POST', '/push/sales', rows)
  assert.equal(reply.status, 200)
  assert.deepEqual(
    reply.body.results.map(({ status }: { status: number }) => status),
    [201, 422, 200, 422, 422, 422, 201],
  )
  for (const { status, id, error } of reply.body.results) {
    assert.equal(id === null, status === 422)
    if (status === 422) assertFields(error, 'code, reason, message, values, fields, details')
    else assert.equal(error, null)
  }
  assert.deepEqual(Object.keys(reply.body.results[1].error.fields), ['amount'])
  for (const path of ['/push/leads', '/push/sales', '/push/refunds', '/push/clicks'])
    for (const body of [[], Array(101).fill({ email: anEmail() })])
      assertRefused(await push.call('POST', path, body), 422, 'validation_failed')
  const hundred = Array.from({ length: 100 }, () => ({ email: anEmail() }))
  const many = await push.call('POST', '/push/leads', hundred)
  assert.ok(many.body.results.every(({ status }: { status: number }) => status === 201))
  const same = anEmail()
  const twins = await push.call('POST', '/push/leads', [{ email: same }, { email: same, firstName: 'x' }])
  assert.deepEqual(
    twins.body.results.map(({ status }: { status: number }) => status),
    [201, 200],
  )
  assert.equal(twins.body.results[0].id, twins.body.results[1].id)
  const big = await push.call('POST', '/push/leads', JSON.stringify([{ email: 'x'.repeat(900_000) }]))
  assert.equal(big.status, 200)
  const tooBig = await push.call('POST', '/push/leads', JSON.stringify([{ email: 'x'.repeat(1_000_001) }]))
  assertRefused(tooBig, 413, 'payload_too_large')
})

test('a form on a page: 202 for any lead, credited by its click', async () => {
  const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  await owner.put(`${home}/embed-code`, { config, domains: ['shop.example.com'] })
  const blueprint = await aBlueprint(app, account)
  const headers = { origin: 'https://www.shop.example.com', 'user-agent': BROWSER }
  const send = (what: string, body: unknown) => app.api('POST', `/embed/${publicId}/${what}`, { body, headers })
  const clickId = clickOf(await visit(app, blueprint.key, 'kim'))
  const email = anEmail('form')
  const sent = await send('leads', { email: email.toUpperCase(), clickId, other: 'ignored', elapsedMs: 4000 })
  assert.deepEqual([sent.status, sent.body], [202, null])
  const [lead] = (await owner.get(`${home}/leads?search=${email}`)).items
  assert.deepEqual(
    [lead.source, lead.partnerId, lead.clickId, lead.blueprintId, lead.attribution.matchedBy],
    ['embed', partner.id, clickId, blueprint.id, 'click'],
  )
  for (const body of [{}, [], null, { email: 'x' }, { email: 7 }]) assert.equal((await send('leads', body)).status, 202)
  const click = await send('clicks', { referralCode: 'KIM', pageUrl: 'https://shop.example.com/landing?ref=kim' })
  assert.equal(click.status, 202)
  assert.equal(typeof click.body.clickId, 'string')
  const unknown = await send('clicks', { referralCode: 'nobody' })
  assert.deepEqual([unknown.status, typeof unknown.body.clickId], [202, 'string'])
  assert.equal((await send('clicks', { referralCode: 7 })).status, 422)
  const script = await app.api('GET', `/embed/${publicId}.js`)
  assert.deepEqual([script.status, script.headers.get('access-control-allow-origin')], [200, '*'])
  assert.ok(!JSON.stringify(script.body).includes(apiKey))
})
