import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeListener, workOnCode } from '#features/promotion-codes/server/make-codes.ts'
import { relayOnce } from '#server/platform/events/relay.ts'
import { fakeStripe } from '#test/fakes/stripe.ts'
import { stripeId } from '#test/fakes/stripe-events.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, aPartner, expectOk } from '#test/support/app.ts'
import { aConnection, startWithProvider } from '#test/support/payment-providers.ts'

const stripe = await fakeStripe()
const app = await startWithProvider('stripe', stripe)
const { services } = app

/** Makes a program whose customers get a promotion code at Stripe for friends, 10 % off. */
async function aProgram() {
  const account = await anAccount(app)
  const connection = await aConnection(app, account, stripe)
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const couponId = stripeId('coupon')
  stripe.store.set(couponId, {
    ...{ id: couponId, object: 'coupon', name: 'Friends', valid: true, created: 1, livemode: false },
    ...{ percent_off: 10, amount_off: null },
  })
  const group = await owner.post(`${home}/groups`, {
    ...{ name: 'Customers', kind: 'customers', reward: { as: 'units', unitName: 'credits', unitValue: 100 } },
    terms: { otherwise: { layerAmounts: [5_00] } },
  })
  const rule = { when: 'approval', pattern: '{name}{number}', couponId }
  await owner.put(`${home}/payment-providers/${connection.id}/code-rule`, { rule })
  const publicId = await services.db.value<string>`select public_id from accounts where id = ${account.id}`
  const enrol = async (fields: object) => {
    const partner = await owner.post(`${home}/partners`, { sendInvitation: false, groupId: group.id, ...fields })
    await makeCodes()
    return partner
  }
  return { account, owner, publicId, enrol }
}

async function makeCodes() {
  while ((await relayOnce(services, [codeListener])) > 0);
  const due = await services.db.many<{ accountId: string; codeId: string }>`
    select account_id, id as code_id from made_codes where next_at <= ${services.db.now}`
  for (const one of due) await workOnCode(services, one)
}

const stranger = createCaller(app, null)
const find = (code: string, account?: string) =>
  stranger.call('GET', `/offers/${code}${account ? `?account=${account}` : ''}`)

test('a friend’s page reads the offer behind a code; whatever is none answers alike', async () => {
  const { owner, publicId, enrol } = await aProgram()
  const jane = await enrol({ firstName: 'Jane', email: 'jane@app.example', referralCode: 'jane-of-acme' })
  const { code } = await owner.get(`/partners/${jane.id}/offer`)
  const made = [...stripe.store.values()].find((one) => one.object === 'promotion_code' && one.code === code)!
  const offer = { code, percentOff: 10, amountOff: null, currency: null, providerCodeId: made.id, from: null }
  // links that friends have keep an earlier code
  await owner.put(`/partners/${jane.id}`, { referralCode: 'jane-at-acme' })
  for (const given of ['jane-of-acme', 'JANE-of-acme', 'jane-at-acme', code, code.toLowerCase()]) {
    assert.deepEqual(expectOk(await find(given, publicId)).body, offer)
    assert.deepEqual(expectOk(await find(given)).body, offer)
  }
  const { headers } = await fetch(`${app.url}/api/v1/offers/jane-of-acme?account=${publicId}`)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  await owner.put(`/partners/${jane.id}`, { state: 'suspended' })
  const other = await aProgram()
  await other.enrol({ firstName: 'Kim', email: 'kim@app.example', referralCode: 'kim-of-both' })
  await enrol({ firstName: 'Kim', email: 'kim2@app.example', referralCode: 'kim-of-both' })
  const plain = await owner.post(`/accounts/${jane.accountId}/partners`, {
    email: 'plain@app.example',
    referralCode: 'plain-partner',
  })
  await makeCodes()
  assert.equal((await find('kim-of-both', publicId)).status, 200)
  const answers = await Promise.all([
    find('nobody', publicId),
    find('jane-of-acme', publicId),
    find(code),
    find('kim-of-both'),
    find(plain.referralCode, publicId),
    find('jane-of-acme', 'no-such-account'),
  ])
  const shown = answers.map(({ status, body: { error, requestId: _ } }) => JSON.stringify([status, error]))
  assert.deepEqual([...new Set(shown)].length, 1, shown.join('\n'))
  assert.match(shown[0]!, /^\[404/)
})

test('a customer shows their first name to friends in their own panel', async () => {
  const account = await anAccount(app)
  const owner = createCaller(app, account.token)
  const partner = await aPartner(app, account)
  const path = `/partners/${partner.id}/offer`
  const none = { code: null, percentOff: null, amountOff: null, currency: null, showFirstName: false, reward: null }
  assert.deepEqual(await owner.get(path), none)
  const { key } = await owner.post(`/accounts/${account.id}/api-keys`, { name: 'App', rights: ['partners'] })
  const system = createCaller(app, key)
  const { token } = await system.post(`/partners/${partner.id}/portal-sessions`, { kind: 'frame' })
  const panel = createCaller(app, token)
  assert.deepEqual(await panel.put(path, { showFirstName: true }), { ...none, showFirstName: true })
  assert.equal((await panel.get(path)).showFirstName, true)
  assert.equal((await system.put(path, { showFirstName: false })).showFirstName, false)
  assert.equal((await owner.call('PUT', path, { showFirstName: true })).status, 403)
})
