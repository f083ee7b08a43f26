import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, ok, startApp } from '../../../test/support/app.ts'

const app = await startApp()
const codesOf = ({ id }: { id: string }, token: string) => ({
  call: (method: string, at = '', body?: unknown) =>
    app.api(method, `/partners/${id}/promotion-codes${at}`, { token, body }),
  add: async (code: string) =>
    ok(await app.api('POST', `/partners/${id}/promotion-codes`, { token, body: { code } })).body,
  list: async (query = '?sort=code') => {
    const { items } = ok(await app.api('GET', `/partners/${id}/promotion-codes${query}`, { token })).body
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
  ok(await codes.call('DELETE', `/${made.id}`))
  assert.equal((await codes.call('DELETE', `/${made.id}`)).status, 404)
  assert.deepEqual(await codes.list(), ['ALSO THIS', 'promo_1QbX7s'])
  const audit = await app.api('GET', `/accounts/${account.id}/audit?subjectId=${partner.id}`, { token: account.token })
  const told = audit.body.items.map(({ action, changes }: { action: string; changes: Record<string, unknown> }) => [
    action,
    changes.promotionCode,
  ])
  assert.deepEqual(told.slice(0, 2), [
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
  const { items } = ok(await ofOne.call('GET', '?search=straße')).body
  ok(await ofOne.call('DELETE', `/${items[0].id}`))
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
  ok(await app.api('DELETE', `/partners/${partner.id}`, { token: account.token }))
  await codesOf(parent, account.token).add('own')
})
