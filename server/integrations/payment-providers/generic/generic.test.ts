import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { anAccount, anEmail, expectOk, startApp } from '../../../../test/support/app.ts'
import {
  aGenericConnection,
  connectGeneric,
  type GenericEvent,
  genericEvent,
  genericPayment,
  SECRET,
  sendCustomEvent,
  signBody,
} from '../../../../test/support/generic.ts'
import { aShop } from '../../../../test/support/provider-stories.ts'

const app = await startApp()
const { db } = app.services
const { account, partner, aLead, salesOf, deliverAndBook, fromFile, inEveryOrder, connection } =
  await aShop<GenericEvent>(app, (owner) => aGenericConnection(app, owner), sendCustomEvent)
const saleOf = (externalId: string) => db.maybe`
  select amount as net, tax_amount as tax, gross_amount as gross, currency, matched_by as by, partner_id as partner,
    description, subscription_id as subscription
  from sales where account_id = ${account.id} and external_id = ${externalId}`

test('one payment with tax and shipping, reported twice, ends as last reported', async () => {
  await inEveryOrder(
    (email) => {
      const payment = genericPayment({ email, amount: 8000, taxAmount: 1900, shippingAmount: 1000 })
      return [payment.paid, payment.corrected({ amount: 9000 })]
    },
    ([sale, ...others]) => {
      assert.deepEqual(others, [])
      assert.deepEqual([sale?.amount, sale?.taxAmount, sale?.grossAmount], [9000, 1900, 11_900])
    },
    10,
  )
})

test('a refund of a payment that only a file has reaches its sale', async () => {
  const payment = genericPayment()
  await fromFile({ externalId: payment.id }, [payment.refund(4000).told], {
    refunded: 4000,
    status: 'partially-refunded',
  })
  const contested = genericPayment()
  const dispute = contested.dispute(10_000)
  await fromFile({ externalId: contested.id }, [dispute.opened], { refunded: 0, status: 'disputed' })
  await deliverAndBook([dispute.closed('lost')])
  const [sale] = await db.many`select status from sales where external_id = ${contested.id}`
  assert.equal(sale?.status, 'charged-back')
})

test('a subscription’s trial is not a sale, every bill is one', async () => {
  await inEveryOrder(
    (email) => {
      const of = { email, customerId: `customer-${email}`, subscriptionId: `subscription-${email}` }
      return [
        genericPayment({ ...of, amount: 0 }).paid,
        genericPayment({ ...of, amount: 1000 }).paid,
        genericPayment({ ...of, amount: 2000 }).paid,
      ]
    },
    (sales) =>
      assert.deepEqual(
        sales.map(({ amount }) => amount),
        [1000, 2000],
      ),
    10,
  )
})

test('partial refunds, then of the rest', async () => {
  await inEveryOrder(
    (email) => {
      const payment = genericPayment({ email, amount: 10_000, taxAmount: 1900 })
      return [payment.paid, ...[5000, 5000, 1900].map((amount) => payment.refund(amount).told)]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [11_900, 'refunded']),
    10,
  )
})

test('a refund that fails later restores the commission', async () => {
  await inEveryOrder(
    (email) => {
      const payment = genericPayment({ email })
      const refund = payment.refund(4000, { status: 'pending' })
      return [payment.paid, refund.told, refund.becomes('succeeded'), refund.becomes('failed')]
    },
    ([sale]) => assert.deepEqual([sale?.refundedAmount, sale?.status], [0, 'completed']),
    10,
  )
})

for (const [outcome, status, refundedAmount] of [
  ['won', 'partially-refunded', 3000],
  ['lost', 'charged-back', 10_000],
] as const)
  test(`a dispute that is ${outcome} after a partial refund`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = genericPayment({ email })
        const dispute = payment.dispute(7000)
        return [payment.paid, payment.refund(3000).told, dispute.opened, dispute.closed(outcome)]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      10,
    )
  })

for (const [first, last, status, refundedAmount] of [
  ['won', 'lost', 'charged-back', 7000],
  ['lost', 'won', 'completed', 0],
] as const)
  test(`a dispute that is ${first}, and later ${last}`, async () => {
    await inEveryOrder(
      (email) => {
        const payment = genericPayment({ email })
        const dispute = payment.dispute(7000)
        return [payment.paid, dispute.closed(first), dispute.closed(last, 2)]
      },
      ([sale]) => assert.deepEqual([sale?.status, sale?.refundedAmount], [status, refundedAmount]),
      6,
    )
  })

test('a payment has its own fields for code, lead and customer', async () => {
  const lead = await aLead()
  const byCode = genericPayment({
    referralCode: partner.referralCode,
    currency: 'JPY',
    amount: 1234,
    description: 'A plan',
  })
  const byLead = genericPayment({ leadId: lead.id, name: 'Zoë\nO’Neil 🦊', subscriptionId: 'sub-1' })
  const nobodys = genericPayment({ email: anEmail('nobody'), clickId: 'none', name: null })
  await deliverAndBook([byCode.paid, byLead.paid, nobodys.paid])
  const { by, partner: credited, currency, net, description } = (await saleOf(byCode.id))!
  assert.deepEqual([by, credited, currency, net, description], ['code', partner.id, 'jpy', 1234, 'A plan'])
  assert.deepEqual((await saleOf(byLead.id))?.by, 'lead-id')
  assert.equal((await saleOf(byLead.id))?.subscription, 'sub-1')
  assert.equal((await saleOf(nobodys.id))?.partner, null)
})

test('a zero payment makes its payer a lead, who is credited with the first real one', async () => {
  const email = anEmail('trial')
  const of = { email, customerId: 'customer-of-trial', name: 'Tri Al', referralCode: partner.referralCode }
  await deliverAndBook([genericPayment({ ...of, amount: 0 }).paid])
  const [lead] = await db.many<{
    id: string
  }>`select id from leads where account_id = ${account.id} and email = ${email}`
  const later = genericPayment({ customerId: 'customer-of-trial', amount: 500 })
  await deliverAndBook([later.paid])
  assert.equal((await salesOf(lead!.id))[0].externalId, later.id)
})

test('an altered event, or one with another secret or signature method, is refused and leaves nothing', async () => {
  const { webhookUrl } = connection()
  const { paid } = genericPayment()
  const text = JSON.stringify(paid)
  const tries = [
    await sendCustomEvent(webhookUrl, paid, { secret: 'another-secret-entirely' }),
    await sendCustomEvent(webhookUrl, paid, { body: text.replace('10000', '90000') }),
    await sendCustomEvent(webhookUrl, paid, { body: `${text}\n` }),
    await sendCustomEvent(webhookUrl, paid, { encoding: 'base64' }),
    await sendCustomEvent(webhookUrl, paid, { header: 'X-Other' }),
    await sendCustomEvent(webhookUrl, paid, { signature: null }),
    await sendCustomEvent(webhookUrl, paid, { signature: '' }),
    await sendCustomEvent(webhookUrl, paid, { signature: 'zz' }),
    await sendCustomEvent(webhookUrl, paid, { signature: 'a'.repeat(64) }),
  ]
  assert.deepEqual(
    tries.map(({ status, body }) => [status, body.error.code]),
    tries.map(() => [400, 'malformed_request']),
  )
  assert.deepEqual(await db.many`select from provider_events where external_id = ${paid.id}`, [])
  const other = signBody(text, { secret: 'the-former-secret-of-it' })
  expectOk(await sendCustomEvent(webhookUrl, paid, { signature: `${other}, ${signBody(text, { prefix: 'sha256=' })}` }))
  expectOk(await sendCustomEvent(webhookUrl, paid))
  assert.equal((await db.many`select from provider_events where external_id = ${paid.id}`).length, 1)
})

test('a signed but invalid event is refused with the name of the field', async () => {
  const readRefusal = async (event: unknown) => {
    const { status, body } = await sendCustomEvent(connection().webhookUrl, event)
    assert.deepEqual([status, body.error.code], [400, 'malformed_request'])
    return body.error.message as string
  }
  const { paid } = genericPayment()
  assert.equal(await readRefusal('not json'), 'The event isn’t a JSON object.')
  assert.match(await readRefusal({ ...paid, id: undefined }), /^id: /)
  assert.match(await readRefusal({ ...paid, at: 'yesterday' }), /^at: Enter an instant/)
  assert.match(await readRefusal({ ...paid, payment: undefined }), /^payment: /)
  assert.match(await readRefusal(genericPayment({ amount: 19.9 }).paid), /^payment\.amount: /)
  assert.match(await readRefusal(genericPayment({ amount: -1 }).paid), /^payment\.amount: Enter 0 or more/)
  assert.match(await readRefusal(genericPayment({ currency: 'xxx' }).paid), /^payment\.currency: Enter a currency code/)
  assert.match(await readRefusal(genericPayment({ refferalCode: 'x' }).paid), /refferalCode" is not recognized/)
  assert.match(await readRefusal(genericEvent('refund', { id: 'r', amount: 1 })), /^refund\.paymentId: /)
  assert.match(await readRefusal(genericPayment().refund(0).told), /^refund\.amount: /)
  assert.match(await readRefusal(genericPayment().dispute(1).closed('settled')), /^dispute\.status: /)
  const unknown = genericEvent('payout', { whatever: [1] })
  expectOk(await sendCustomEvent(connection().webhookUrl, unknown))
  const [kept] = await db.many`select state from provider_events where external_id = ${unknown.id}`
  assert.deepEqual(kept, { state: 'ignored' })
})

test('each name is a connection of its own, with its own header and encoding', async () => {
  const owner = await anAccount(app)
  await aGenericConnection(app, owner)
  const again = await connectGeneric(app, owner, { name: 'Own shop', signingSecret: SECRET })
  assert.deepEqual([again.status, again.body.error.code], [409, 'duplicate'])
  const form = { name: 'Another shop', signingSecret: SECRET, signatureHeader: 'X-Shop-Hmac', encoding: 'base64' }
  const { status, body } = await connectGeneric(app, owner, form)
  assert.deepEqual(
    [status, body.accountName, body.providerAccountIdentifier, body.state],
    [201, 'Another shop', 'Another shop', 'connected'],
  )
  assert.ok(!JSON.stringify(body).includes(SECRET))
  const { paid } = genericPayment()
  assert.equal((await sendCustomEvent(body.webhookUrl, paid)).status, 400)
  expectOk(await sendCustomEvent(body.webhookUrl, paid, { header: 'X-Shop-Hmac', encoding: 'base64' }))
  const change = (id: string, change: object) =>
    app.api('PATCH', `/accounts/${owner.id}/payment-providers/${id}`, { token: owner.token, body: change })
  expectOk(await change(body.id, { webhookSecret: 'a-new-secret-of-their-own' }))
  assert.equal(
    (await sendCustomEvent(body.webhookUrl, paid, { header: 'X-Shop-Hmac', encoding: 'base64' })).status,
    400,
  )
  assert.equal((await change(body.id, { credentials: { name: 'A third shop' } })).status, 409)
  const wrong = { name: ' ', signingSecret: 'short', signatureHeader: 'X Y', encoding: 'utf8' }
  assert.deepEqual(Object.keys((await connectGeneric(app, owner, wrong)).body.error.fields), [
    'credentials.name',
    'credentials.signingSecret',
    'credentials.signatureHeader',
    'credentials.encoding',
  ])
})

test('the sample in the documentation reports a payment', async () => {
  const docs = readFileSync(new URL('../../../../docs/integrations/custom-integration.md', import.meta.url), 'utf8')
  const [, sample = ''] = /```js\n([\s\S]*?)```/.exec(docs) ?? []
  assert.match(sample, /createHmac/)
  const env = { ...process.env, WEBHOOK_URL: connection().webhookUrl, SIGNING_SECRET: SECRET }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', sample], { env, timeout: 20_000 })
  await deliverAndBook([])
  const sale = await saleOf('order-1001')
  assert.deepEqual([sale?.net, sale?.tax, sale?.gross], [10_000, 1900, 11_900])
})
