import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, aPartner, expectOk, startApp } from '#test/support/app.ts'

const app = await startApp()
const codesOf = ({ id }: { id: string }, token: string) => ({
  call: (method: string, at = '', body?: unknown) =>
    app.api(method, `/partners/${id}/promotion-codes${at}`, { token, body }),
  add: async (code: string) =>
    expectOk(await app.api('POST', `/partners/${id}/promotion-codes`, { token, body: { code } })).body,
  list: async (query = '?sort=code') => {
    const { items } = expectOk(await app.api('GET', `/partners/${id}/promotion-codes${query}`, { token })).body
    return items.map(({ code }: { code: string }) => code)
  },
})

test('the owner adds, lists and deletes codes, which is recorded in the activity', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const codes = codesOf(partner, account.token)
  const made = await codes.add(' Spring🌷20 ')
  assert.deepEqual([made.partnerId, made.code], [partner.id, 'Spring🌷20'])
  await codes.add('promo_1QbX7s')
  await codes.add('ALSO THIS')
  assert.deepEqual(await codes.list(), ['ALSO THIS', 'promo_1QbX7s', 'Spring🌷20'])
  assert.deepEqual(await codes.list('?search=spring'), ['Spring🌷20'])
  expectOk(await codes.call('DELETE', `/${made.id}`))
  assert.equal((await codes.call('DELETE', `/${made.id}`)).status, 404)
  assert.deepEqual(await codes.list(), ['ALSO THIS', 'promo_1QbX7s'])
  const audit = await app.api('GET', `/accounts/${account.id}/audit?subjectId=${partner.id}`, { token: account.token })
  const events = audit.body.items.map(({ action, changes }: { action: string; changes: Record<string, unknown> }) => [
    action,
    changes.promotionCode,
  ])
  assert.deepEqual(events.slice(0, 2), [
    ['partner.promotion-code-deleted', { old: 'Spring🌷20', new: null }],
    ['partner.promotion-code-added', { old: null, new: 'ALSO THIS' }],
  ])
})

test('a code belongs to one partner of the account, ignoring case, also when added to two concurrently', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const one = await aPartner(app, account, { firstName: 'Nora', lastName: 'Lind' })
  const two = await aPartner(app, account)
  const [ofOne, ofTwo] = [codesOf(one, account.token), codesOf(two, account.token)]
  await ofOne.add('straße10')
  const listed = await ofOne.call('POST', '', { code: 'STRAßE10' })
  assert.deepEqual([listed.status, listed.body.error.reason], [409, 'promotion_code_listed'])
  const taken = await ofTwo.call('POST', '', { code: ' STRAßE10 ' })
  assert.deepEqual([taken.status, taken.body.error.code], [409, 'duplicate'])
  assert.equal(taken.body.error.fields.code, 'This promotion code belongs to Nora Lind.')
  await codesOf(await aPartner(app, other), other.token).add('straße10')

  const racing = await Promise.all(
    Array.from({ length: 10 }, (_, turn) => (turn % 2 ? ofOne : ofTwo).call('POST', '', { code: 'RACE' })),
  )
  assert.deepEqual(racing.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 409)])
  // freed, it can be assigned again
  const { items } = expectOk(await ofOne.call('GET', '?search=straße')).body
  expectOk(await ofOne.call('DELETE', `/${items[0].id}`))
  await ofTwo.add('STRAßE10')
})

test('an invalid code is refused in its field', async () => {
  const account = await anAccount(app)
  const codes = codesOf(await aPartner(app, account), account.token)
  for (const code of ['', '   ', 'x'.repeat(101), 'two\nlines', 'nul\u0000', '\ud800', 20, null, ['A'], undefined]) {
    const { status, body } = await codes.call('POST', '', { code })
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['code']], JSON.stringify(code))
  }
  assert.equal((await codes.call('POST', '', { code: 'X', partnerId: 'mine' })).status, 422)
  await codes.add('x'.repeat(100))
})

test('partners read their own codes and change nothing; others’ are not found', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const parent = await aPartner(app, account, {}, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const { id } = await codesOf(partner, account.token).add('OWN')
  const own = codesOf(partner, partner.token)
  assert.deepEqual(await own.list(), ['OWN'])
  const refused = [
    (await own.call('POST', '', { code: 'MORE' })).status,
    (await own.call('DELETE', `/${id}`)).status,
    (await codesOf(partner, parent.token).call('GET')).status,
    (await codesOf(partner, other.token).call('GET')).status,
    (await codesOf(partner, other.token).call('POST', '', { code: 'MORE' })).status,
    (await codesOf(partner, other.token).call('DELETE', `/${id}`)).status,
    // another partner's path cannot delete it
    (await codesOf(parent, account.token).call('DELETE', `/${id}`)).status,
  ]
  assert.deepEqual(refused, [403, 403, 404, 404, 404, 404, 404])
  assert.deepEqual(await own.list(), ['OWN'])
  // a partner without history can be deleted, which frees the code
  expectOk(await app.api('DELETE', `/partners/${partner.id}`, { token: account.token }))
  await codesOf(parent, account.token).add('own')
})

test('the list of all partners’ codes has exactly the sales that used each, whichever partner they credit', async () => {
  const account = await anAccount(app)
  const nora = await aPartner(app, account, { firstName: 'Nora', lastName: 'Lind' })
  const sam = await aPartner(app, account, { firstName: 'Sam', lastName: 'Ortiz' })
  const get = async (query = '') =>
    expectOk(await app.api('GET', `/accounts/${account.id}/promotion-codes${query}`, { token: account.token })).body
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const push = async (rows: object[], path = 'sales') =>
    expectOk(await app.api('POST', `/push/${path}`, { token: apiKey, body: rows })).body
  const assign = (body: object, token = account.token) =>
    app.api('POST', `/accounts/${account.id}/promotion-codes`, { token, body })
  expectOk(await assign({ partnerId: nora.id, code: 'straße10' }))
  expectOk(await assign({ partnerId: sam.id, code: 'Sam20' }))
  expectOk(await assign({ partnerId: sam.id, code: 'UNUSED' }))
  await push([
    { externalId: 's1', email: 'a@shop.example', promotionCode: 'STRAßE10', amount: 100_00 },
    { externalId: 's2', email: 'b@shop.example', promotionCode: 'sam20', amount: 50_00 },
    // Sam's code at a customer of Nora's counts for the code, while the sale credits Nora
    { externalId: 's3', email: 'a@shop.example', promotionCode: 'SAM20', amount: 30_00 },
    { externalId: 's4', email: 'c@shop.example', referralCode: nora.referralCode, amount: 10_00 },
  ])
  await push([{ externalId: 'r1', saleExternalId: 's2', amount: 20_00 }], 'refunds')
  const { items } = await get('?sort=-revenue')
  const shown = items.map(({ code, partnerName, sales, revenue, source, state }: Record<string, unknown>) => [
    ...[code, partnerName, sales, revenue],
    ...[source, state],
  ])
  assert.deepEqual(shown, [
    ['straße10', 'Nora Lind', 1, 100_00, 'entered', 'active'],
    ['Sam20', 'Sam Ortiz', 2, 60_00, 'entered', 'active'],
    ['UNUSED', 'Sam Ortiz', 0, 0, 'entered', 'active'],
  ])
  assert.deepEqual([items[0].lastUsedAt !== null, items[2].lastUsedAt, items[0].currency], [true, null, 'usd'])

  const s3 = expectOk(await app.api('GET', `/accounts/${account.id}/sales?search=s3`, { token: account.token })).body
    .items[0]
  expectOk(await app.api('POST', `/sales/${s3.id}/void`, { token: account.token, body: { reason: 'A test order' } }))
  assert.equal((await get('?search=sam20')).items[0].sales, 1)
  assert.deepEqual(await verifyLedger(app.services.db), [])

  const codes = async (query: string) => (await get(query)).items.map(({ code }: { code: string }) => code)
  assert.deepEqual(await codes(`?sort=code&partnerId=${sam.id}`), ['Sam20', 'UNUSED'])
  assert.deepEqual(await codes('?sort=code&search=ortiz'), ['Sam20', 'UNUSED'])
  assert.deepEqual(await codes('?sort=-lastUsedAt&limit=1'), (await codes('?sort=-lastUsedAt')).slice(0, 1))
  assert.deepEqual(await codes('?source=stripe'), [])
  expectOk(await app.api('PUT', `/partners/${sam.id}`, { token: account.token, body: { state: 'suspended' } }))
  assert.deepEqual(await codes('?sort=code&state=paused'), ['Sam20', 'UNUSED'])

  const file = await app.api(
    'GET',
    `/accounts/${account.id}/promotion-codes/csv?sort=code&columns=code,sales,revenue`,
    {
      token: account.token,
    },
  )
  assert.deepEqual(String(file.body).trim().split('\r\n').slice(1), [
    '"Sam20","1","30.00"',
    '"straße10","1","100.00"',
    '"UNUSED","0","0.00"',
  ])
})

test('a key that manages partners reads and assigns codes, and other systems hear of each', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const keyOf = async (...rights: string[]) =>
    expectOk(
      await app.api('POST', `/accounts/${account.id}/api-keys`, {
        token: account.token,
        body: { name: rights.join(), rights },
      }),
    ).body.key as string
  const key = await keyOf('partners')
  const path = `/accounts/${account.id}/promotion-codes`
  const body = { partnerId: partner.id, code: 'BYKEY' }
  const made = expectOk(await app.api('POST', path, { token: key, body })).body
  const listed = expectOk(await app.api('GET', path, { token: key })).body
  assert.deepEqual([made.code, listed.total], ['BYKEY', 1])
  const readKey = await keyOf('read')
  assert.equal((await app.api('GET', path, { token: readKey })).status, 200)
  assert.equal((await app.api('POST', path, { token: readKey, body: { ...body, code: 'NO' } })).status, 403)
  const unknown = await app.api('POST', path, { token: account.token, body: { ...body, partnerId: 'nobody' } })
  assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields)], [422, ['partnerId']])
  expectOk(await app.api('DELETE', `/partners/${partner.id}/promotion-codes/${made.id}`, { token: key }))
  const events = await app.services.db.many<{ type: string; code: string }>`
    select type, data -> 'object' ->> 'code' as code from passing_events
    where account_id = ${account.id} and type like 'promotion-code.%' order by id`
  assert.deepEqual(events, [
    { type: 'promotion-code.added', code: 'BYKEY' },
    { type: 'promotion-code.removed', code: 'BYKEY' },
  ])
})
