import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connectTill, sendFakePayEvent, standInTill } from '../../../test/fakes/fake-pay.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { workOff } from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { verifyPayments } from './verify-payments.ts'

// Guarantees for an adapter, shown by a provider unlike Stripe (test/fakes/fake-pay.ts).

const till = await standInTill()
const REGISTERED = 'https://partners.example'
const config = { secretKey: randomBytes(32), appUrl: REGISTERED }
const app = await startApp({ config })
const { db } = app.services
const ADDRESS = `${REGISTERED}/hooks/providers/generic/platform`

let deliveries = 0
const newDelivery = () => `delivery-${++deliveries}`

/** An account with a partner, whose merchant at Till is connected. */
async function aShop(merchant = till.merchant(`merchant-${deliveries}-${randomBytes(4).toString('hex')}`)) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const { referralCode: code } = await aPartner(app, account)
  const connection = expectOk(await connectTill(app, account, merchant.credentials)).body
  const path = `/accounts/${account.id}/payment-providers`
  let key = merchant.credentials.signatureKey
  return {
    ...{ account, merchant, connection, code },
    signBy(other: string) {
      key = other
    },
    tell: (items: object[], more: Partial<Parameters<typeof sendFakePayEvent>[1]> = {}) =>
      sendFakePayEvent(app, { id: newDelivery(), merchant: merchant.id, items, key, signedUrl: ADDRESS, ...more }),
    change: (body: object) => app.api('PATCH', `${path}/${connection.id}`, { token: account.token, body }),
    connections: async () => expectOk(await app.api('GET', path, { token: account.token })).body.items,
    sales: () => salesOf(account),
  }
}

const salesOf = ({ id }: TestAccount) => db.many`
  select amount as net, tax_amount as tax, refunded_amount as refunded, status, matched_by as by,
    (select sum(amount)::bigint from commission_entries e where e.sale_id = s.id) as kept
  from sales s where account_id = ${id} order by created_at, id`

const eventsOf = (account: TestAccount) => db.many`
  select e.external_id as id, e.type, e.state from provider_events e join provider_shops s on s.id = e.shop_id
  where s.account_id = ${account.id} order by e.received_at, e.id`

const sold = { net: 10_000, tax: 2000, refunded: 0, status: 'completed', by: 'code', kept: 2000 }

test('events for many merchants arrive at one address, and each books its merchant’s sale and refund', async () => {
  const [first, second] = [await aShop(), await aShop()]
  for (const { connection } of [first, second])
    assert.deepEqual(
      [connection.webhookUrl, connection.webhookSecretSet, connection.state],
      [ADDRESS, true, 'connected'],
    )
  const mine = till.payment({ total: 12_000, tax: 2000, code: first.code })
  const theirs = till.payment({ total: 6000, tax: 0, code: second.code })
  expectOk(await first.tell([mine.paid, { topic: 'greeting' }]))
  expectOk(await second.tell([theirs.refunded(1000), theirs.paid]))
  await workOff(app)
  assert.deepEqual(await first.sales(), [sold])
  assert.deepEqual(
    (await eventsOf(first.account)).map(({ type, state }) => [type, state]),
    [
      ['payment', 'processed'],
      ['greeting', 'ignored'],
    ],
  )
  const half = { net: 6000, tax: 0, refunded: 1000, status: 'partially-refunded', by: 'code', kept: 1000 }
  assert.deepEqual(await second.sales(), [half])
  expectOk(await first.tell([mine.refunded(3000)]))
  expectOk(await first.tell([mine.refunded(12_000)]))
  await workOff(app)
  assert.deepEqual(await first.sales(), [{ ...sold, refunded: 12_000, status: 'refunded', kept: 0 }])
  assert.deepEqual(await verifyLedger(db), [])
  const { differences, compared } = await verifyPayments(db)
  assert.deepEqual([differences, compared], [[], 2])
})

test('an event not signed by the merchant over the registered address is refused and leaves nothing', async () => {
  const [shop, other] = [await aShop(), await aShop()]
  const { paid } = till.payment({ total: 1000, tax: 0, code: shop.code })
  const refused = [
    await shop.tell([paid], { key: other.merchant.credentials.signatureKey }),
    await shop.tell([paid], { signedUrl: `${app.url}/hooks/providers/generic/platform` }),
    await shop.tell([paid], { signedUrl: `${ADDRESS}/` }),
    await shop.tell([paid], { body: JSON.stringify({ merchant: shop.merchant.id, items: [] }) }),
    await shop.tell('no list' as never),
    await shop.tell([paid], { body: 'not json' }),
    await shop.tell([paid], { merchant: other.merchant.id, claims: shop.merchant.id }),
    await shop.tell([paid], { merchant: '', claims: shop.merchant.id }),
  ]
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.error.code]),
    refused.map(() => [400, 'malformed_request']),
  )
  const unknown = [
    await shop.tell([paid], { merchant: 'nobody' }),
    await shop.tell([paid], { claims: '' }),
    await app.api('POST', '/hooks/providers/stripe', { body: { merchant: shop.merchant.id } }),
    await app.api('POST', '/hooks/providers/none', { body: { merchant: shop.merchant.id } }),
  ]
  assert.deepEqual(
    unknown.map(({ status }) => status),
    [404, 404, 404, 404],
  )
  assert.deepEqual([await eventsOf(shop.account), await eventsOf(other.account)], [[], []])
})

test('the same delivery twice is stored once', async () => {
  const shop = await aShop()
  const { paid } = till.payment({ total: 12_000, tax: 2000, code: shop.code })
  const id = newDelivery()
  expectOk(await shop.tell([paid], { id }))
  expectOk(await shop.tell([paid], { id }))
  assert.deepEqual(await eventsOf(shop.account), [{ id: `${id}/0`, type: 'payment', state: 'received' }])
  await workOff(app)
  assert.deepEqual(await shop.sales(), [sold])
})

test('a merchant connected to two accounts reaches each that can verify the signature', async () => {
  const first = await aShop()
  const second = await aShop(first.merchant)
  expectOk(await first.tell([till.payment({ total: 1000, tax: 0, code: first.code }).paid]))
  assert.deepEqual([(await eventsOf(first.account)).length, (await eventsOf(second.account)).length], [1, 1])
  expectOk(await second.change({ credentials: { signatureKey: 'signing-another' } }))
  expectOk(await first.tell([till.payment({ total: 1000, tax: 0, code: first.code }).paid]))
  assert.deepEqual([(await eventsOf(first.account)).length, (await eventsOf(second.account)).length], [2, 1])
  const off = { connectionId: first.connection.id }
  const { id, token } = first.account
  expectOk(await app.api('DELETE', `/accounts/${id}/payment-providers/disconnect`, { token, body: off }))
  assert.equal((await first.tell([])).status, 400)
})

test('credentials are replaced one by one, and the others stay', async () => {
  const shop = await aShop()
  const { clientId } = shop.merchant.credentials
  const { paid } = till.payment({ total: 12_000, tax: 2000, code: shop.code })
  expectOk(await shop.change({ credentials: { signatureKey: 'signing-new' } }))
  assert.equal((await shop.tell([paid])).status, 400)
  shop.signBy('signing-new')

  till.merchants.set(clientId, { id: shop.merchant.id, secret: 'secret-new', revoked: false })
  const wrong = await shop.change({ credentials: { clientSecret: 'secret-wrong' } })
  assert.deepEqual(wrong.body.error.fields, { 'credentials.clientId': 'Till does not know this client.' })
  expectOk(await shop.change({ credentials: { clientSecret: 'secret-new' } }))
  expectOk(await shop.tell([paid]))
  await workOff(app)
  assert.deepEqual(await shop.sales(), [sold])

  const other = till.merchant('somebody-else').credentials
  const strange = await shop.change({ credentials: { clientId: other.clientId, clientSecret: other.clientSecret } })
  assert.deepEqual([strange.status, strange.body.error.code], [409, 'conflict'])
  const emptied = await shop.change({ webhookSecret: null })
  assert.deepEqual(emptied.body.error.fields, { webhookSecret: 'Enter the signature key' })
  assert.equal((await shop.connections())[0].state, 'connected')
})

test('all fields are encrypted together and none is returned', async () => {
  const shop = await aShop()
  const row = await db.one`select * from provider_connections where id = ${shop.connection.id}`
  const everything = JSON.stringify([row, shop.connection, await shop.connections()])
  for (const value of Object.values(shop.merchant.credentials)) assert.ok(!everything.includes(value))
  const { status, body } = await connectTill(app, await anAccount(app), { clientId: 'client-1', clientSecret: '' })
  assert.deepEqual(
    [status, Object.keys(body.error.fields)],
    [422, ['credentials.clientSecret', 'credentials.signatureKey']],
  )
})

test('a signature that Till has to verify waits for the response; a revoked one is refused', async () => {
  const shop = await aShop()
  const { paid } = till.payment({ total: 12_000, tax: 2000, code: shop.code })
  till.fail('GET /merchant', { status: 503 })
  const away = await shop.tell([paid])
  assert.deepEqual([away.status, away.body.error.code], [502, 'provider_failed'])
  assert.deepEqual(await eventsOf(shop.account), [])
  expectOk(await shop.tell([paid]))
  const otherShop = await aShop(shop.merchant)
  till.fail('GET /merchant', { status: 503 })
  const later = { id: newDelivery() }
  assert.equal((await shop.tell([paid], later)).status, 502)
  expectOk(await shop.tell([paid], later))
  assert.deepEqual([(await eventsOf(shop.account)).length, (await eventsOf(otherShop.account)).length], [2, 1])
  till.merchants.get(shop.merchant.credentials.clientId)!.revoked = true
  assert.equal((await shop.tell([paid])).status, 400)
})

test('an event that waits for a response is booked once it arrives, from the stored event', async () => {
  const shop = await aShop()
  const { paid } = till.payment({ total: 12_000, tax: 2000, code: shop.code })
  expectOk(await shop.tell([paid]))
  till.fail(/orders/, { status: 500 })
  await assert.rejects(workOff(app), /Till answered 500/)
  assert.deepEqual(await shop.sales(), [])
  await workOff(app)
  assert.deepEqual(await shop.sales(), [sold])
})

test('a server with a new address still accepts events signed for the registered one', async () => {
  const shop = await aShop()
  const moved = await startApp({ db, config: { ...config, appUrl: 'https://elsewhere.example' } })
  const { paid } = till.payment({ total: 1000, tax: 0, code: shop.code })
  const { id: merchant, credentials } = shop.merchant
  const sent = { id: newDelivery(), merchant, items: [paid], key: credentials.signatureKey }
  const rebuilt = await sendFakePayEvent(moved, {
    ...sent,
    signedUrl: 'https://elsewhere.example/hooks/providers/generic/platform',
  })
  assert.equal(rebuilt.status, 400)
  expectOk(await sendFakePayEvent(moved, { ...sent, signedUrl: ADDRESS }))
})
