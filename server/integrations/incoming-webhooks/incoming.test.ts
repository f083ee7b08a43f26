import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { IncomingWebhookChange } from '#contract/incoming-webhooks.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  type TestAccount,
  waitUntil,
} from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { retention } from '../../retention.ts'
import { replayAllFailed } from './deliveries.ts'
import { MOST_KEPT_BYTES, ROOM_BYTES } from './receive.ts'
import { changeIncomingWebhook, deleteIncomingWebhook, MOST_INCOMING_WEBHOOKS } from './webhooks.ts'

const config = { secretKey: randomBytes(32), logLevel: 'silent' as const }
const app = await startApp({ config, worker: true })
const { db } = app.services
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] } })
const partner = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane' })
const blueprint = await aBlueprint(app, account)

const LEAD = [
  { field: 'email', path: 'contact.email', transform: 'lowercase' },
  { field: 'firstName', path: 'contact.first', transform: 'trim' },
  { field: 'externalId', path: 'id' },
]
const SALE = [
  { field: 'externalId', path: 'order.id' },
  { field: 'email', path: 'order.email', transform: 'lowercase' },
  { field: 'amount', path: 'order.total', transform: 'cents' },
  { field: 'currency', path: 'order.currency', transform: 'lowercase' },
  { field: 'saleDate', path: 'order.paid_at', transform: 'date' },
]
const BY_CODE = { by: 'referralCode', path: 'ref' }

async function aHook(fields: object = {}, its: Pick<TestAccount, 'id' | 'token'> = account) {
  const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: its.token, body })
  const body = { name: 'CRM contacts', target: 'lead', mapping: LEAD, partnerMatch: BY_CODE, ...fields }
  const { body: hook } = expectOk(await call('POST', `/accounts/${its.id}/incoming-webhooks`, body))
  const path = `/incoming-webhooks/${hook.id}`
  const deliveries = async (query = '') => expectOk(await call('GET', `${path}/deliveries${query}`)).body.items
  const send = (
    payload: unknown,
    { url = hook.url, headers = {} }: { url?: string; headers?: Record<string, string> } = {},
  ) => sendTo(url, payload, headers)
  return {
    ...hook,
    path,
    call,
    deliveries,
    send,
    read: async () => expectOk(await call('GET', path)).body,
    /** Sends a payload and returns its delivery once it was processed. */
    async take(payload: unknown, headers?: Record<string, string>) {
      const { body } = await send(payload, { headers: headers ?? {} })
      return settled(deliveries, body.deliveryId)
    },
  }
}

type Delivery = {
  id: string
  state: string
  payload: Record<string, unknown> | null
  payloadBytes: number | null
  made: object | null
}

/** Reads one delivery by its own address. */
const alone = async (hook: { path: string; call: Awaited<ReturnType<typeof aHook>>['call'] }, id: string) =>
  expectOk(await hook.call('GET', `${hook.path}/deliveries/${id}`)).body

const anotherHook = (its: Pick<TestAccount, 'id' | 'token'>) =>
  app.api('POST', `/accounts/${its.id}/incoming-webhooks`, { token: its.token, body: { name: 'One', target: 'lead' } })

const settled = (deliveries: () => Promise<{ id: string; state: string }[]>, id: string) =>
  waitUntil(async () => {
    const found = (await deliveries()).find((one) => one.id === id)
    return found && found.state !== 'received' ? (found as never) : null
  }) as Promise<{
    id: string
    state: string
    reason: string | null
    fields: Record<string, string> | null
    made: { type: string; id: string } | null
    payload: unknown
  }>

async function sendTo(url: string, payload: unknown, headers: Record<string, string> = {}) {
  const isText = typeof payload === 'string' || payload instanceof Uint8Array
  const body = isText ? payload : JSON.stringify(payload)
  const response = await fetch(url, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, body: await response.json() }
}

const later = new Date(app.clock.now().getTime() + 31 * 86_400_000)
let made = 0
const aContact = (more: object = {}) => ({
  id: `crm-${++made}`,
  contact: { email: `Lena.${made}@Customer.example `, first: ' Lena ' },
  ref: 'JANE',
  plan: 'Pro',
  ...more,
})
const lead = async (id: string) => expectOk(await app.api('GET', `/leads/${id}`, { token: account.token })).body
const sale = async (id: string) => expectOk(await app.api('GET', `/sales/${id}`, { token: account.token })).body

describe('allowed addresses', () => {
  test('a delivery from another address is refused, and nothing of it is stored', async () => {
    const hook = await aHook({ allowedIps: ['203.0.113.9/24', '2001:DB8::7'] })
    assert.deepEqual(hook.allowedIps, ['203.0.113.0/24', '2001:db8::7'])
    const { status, body } = await hook.send('x'.repeat(300_000))
    assert.deepEqual([status, body.error.code, body.error.reason], [403, 'forbidden', 'incoming_address_not_allowed'])
    assert.deepEqual(await hook.deliveries(), [])
    const seen = await hook.read()
    assert.deepEqual([seen.sample, seen.lastReceivedAt], [null, null])

    // other changes keep the allowed addresses, and so does a new URL, also at the former one
    expectOk(await hook.call('PUT', hook.path, { name: 'Still closed' }))
    const { url } = expectOk(await hook.call('POST', `${hook.path}/secret`)).body
    for (const at of [url, hook.url]) assert.equal((await hook.send(aContact(), { url: at })).status, 403)
    // without a proxy, a forwarded address is not trusted
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    assert.equal((await hook.send(aContact(), { headers: forwarded })).status, 403)

    expectOk(await hook.call('PUT', hook.path, { allowedIps: ['::ffff:127.0.0.0/104', '::1'] }))
    assert.deepEqual((await hook.read()).allowedIps, ['127.0.0.0/8', '::1'])
    assert.equal((await hook.send(aContact())).status, 200)
    expectOk(await hook.call('PUT', hook.path, { allowedIps: [] }))
    assert.equal((await hook.send(aContact())).status, 200)
  })

  test('invalid addresses are refused by name, and more than fifty are refused', async () => {
    const hook = await aHook()
    const change = async (allowedIps: unknown) => (await hook.call('PUT', hook.path, { allowedIps })).body.error?.fields
    assert.match((await change(['203.0.113.7', 'office']))['allowedIps.1'], /^Enter an IP address such as/)
    assert.match((await change(['203.0.113.7/33']))['allowedIps.0'], /^Enter an IP address such as/)
    const many = Array.from({ length: 51 }, (_, at) => `203.0.113.${at}`)
    assert.equal((await change(many)).allowedIps, 'Use at most 50 addresses')
    assert.equal(await change(many.slice(1)), undefined)
  })
})

describe('leads', () => {
  test('a payload creates a lead of its partner; unmapped keys go to its metadata', async () => {
    const hook = await aHook()
    assert.equal(hook.state, 'active')
    const sent = aContact()
    const reply = await hook.send(sent)
    assert.equal(reply.status, 200)
    const delivery = await settled(hook.deliveries, reply.body.deliveryId)
    assert.deepEqual([delivery.state, delivery.reason, delivery.made?.type], ['processed', null, 'lead'])
    assert.deepEqual(delivery.payload, sent)
    const its = await lead(delivery.made!.id)
    assert.deepEqual(
      [its.email, its.firstName, its.externalId, its.partnerId, its.source, its.metadata],
      [`lena.${made}@customer.example`, 'Lena', sent.id, partner.id, 'incoming-webhook', { plan: 'Pro' }],
    )
    assert.deepEqual((await hook.read()).counts, { processed: 1, ignored: 0, failed: 0 })
    assert.ok((await hook.read()).lastReceivedAt)
  })

  test('values read by a JSON pointer, or as an item of a list, count as mapped', async () => {
    const mapping = [
      { field: 'email', path: '/contact/email' },
      { field: 'company', path: 'fields[label=Company].value' },
    ]
    const hook = await aHook({ mapping, partnerMatch: { by: 'referralCode', path: '/ref' } })
    const { made: one } = await hook.take({
      contact: { email: `pointed.${made}@customer.example` },
      fields: [{ value: 'Acme' }, { label: 'Company', value: 'Globex' }],
      ref: partner.referralCode,
    })
    const { company, partnerId, metadata } = await lead(one!.id)
    assert.deepEqual(
      [company, partnerId, metadata],
      ['Globex', partner.id, { 'fields.0.value': 'Acme', 'fields.1.label': 'Company' }],
    )
  })

  test('a constant reads nothing: the value at its path counts as unmapped', async () => {
    const fixed = { field: 'company', path: 'plan', transform: 'constant', default: 'Acme' }
    const hook = await aHook({ mapping: [...LEAD, fixed] })
    const { made: one } = await hook.take(aContact())
    const { company, metadata } = await lead(one!.id)
    assert.deepEqual([company, metadata], ['Acme', { plan: 'Pro' }])
  })

  test('an unmapped value that metadata does not accept is cut or left out; the lead is stored', async () => {
    const hook = await aHook()
    // each of these letters becomes two
    const hindi = 'लड़का '.replace('ड़', '\u095c').repeat(200)
    const marks = `a${'\u0315'.repeat(50)}`
    const { made: one } = await hook.take(aContact({ message: hindi, odd: marks, [marks]: 'x' }))
    const { plan, message, ...others } = (await lead(one!.id)).metadata
    assert.deepEqual([plan, message, others], ['Pro', hindi.normalize().slice(0, 1000).trim(), {}])
  })

  test('an unknown partner is ignored: the lead is stored for manual assignment', async () => {
    const hook = await aHook()
    const { made: one } = await hook.take(aContact({ ref: 'nobody-knows' }))
    assert.equal((await lead(one!.id)).partnerId, null)
    const { made: two } = await hook.take(aContact({ ref: undefined }))
    assert.equal((await lead(two!.id)).partnerId, null)
  })

  test('a partner is matched by e-mail, by ID, and by the click', async () => {
    const click = clickInAddress(await visitLink(app, blueprint.key, 'jane'))
    for (const [by, value] of [
      ['email', partner.email.toUpperCase()],
      ['id', partner.id],
      ['clickId', click],
    ]) {
      const hook = await aHook({ partnerMatch: { by, path: 'who' } })
      const { made } = await hook.take(aContact({ who: value }))
      assert.equal((await lead(made!.id)).partnerId, partner.id, by!)
    }
  })

  test('a repeated delivery gets the first response, even when sent concurrently', async () => {
    const hook = await aHook()
    const sent = aContact()
    const accepted = async (to: typeof hook, payload: unknown): Promise<string> => {
      const { status, body } = await to.send(payload)
      assert.equal(status, 200)
      return body.deliveryId
    }
    const ids = await Promise.all(Array.from({ length: 5 }, () => accepted(hook, sent)))
    assert.equal(new Set(ids).size, 1)
    const named = await aHook({ dedupePath: 'id' })
    const ofName = await accepted(named, { ...sent, n: 1 })
    assert.equal(await accepted(named, { ...sent, n: 2 }), ofName)
    const unnamed = { ...sent, id: undefined }
    const ofBody = await accepted(named, unnamed)
    assert.equal(await accepted(named, unnamed), ofBody)
    app.clock.advance(25 * 3_600_000)
    assert.ok(!ids.includes(await accepted(hook, sent)), 'a day later the same body is new')
    assert.equal(await accepted(named, { ...sent, n: 3 }), ofName, 'what is named stays known')
    assert.notEqual(await accepted(named, unnamed), ofBody, 'what is not named is known by its body, for a day')
    app.clock.advance(-25 * 3_600_000)
  })

  test('a duplicate may be told by a header', async () => {
    const hook = await aHook({ dedupePath: 'header:Webhook-Id' }, await anAccount(app))
    const accepted = async (payload: unknown, id?: string): Promise<string> =>
      expectOk(await hook.send(payload, { headers: id === undefined ? {} : { 'webhook-id': id } })).body.deliveryId
    const sent = aContact()
    const first = await accepted(sent, 'msg_1')
    assert.equal(await accepted({ ...sent, attempt: 2 }, 'msg_1'), first)
    assert.notEqual(await accepted(sent, 'msg_2'), first, 'the same body with another ID')
    const unnamed = await accepted(sent)
    assert.notEqual(unnamed, first)
    assert.equal(await accepted(sent, ''), unnamed, 'without the header, by its body')
    for (const dedupePath of ['header:', 'header:web hook', 'header:a.b'])
      assert.equal((await hook.call('PUT', hook.path, { dedupePath })).status, 422, dedupePath)
    assert.equal(expectOk(await hook.call('PUT', hook.path, { dedupePath: 'headers.id' })).status, 200)
  })

  test('ids of more digits than JavaScript keeps remain apart, also as duplicate keys and in form fields', async () => {
    const mapping = [
      { field: 'externalId', path: 'id' },
      { field: 'amount', path: 'total', transform: 'cents' },
      { field: 'email', path: 'email' },
    ]
    const hook = await aHook({ target: 'sale', mapping, dedupePath: 'id' })
    const inForm = await aHook({ mapping: [{ field: 'externalId', path: 'raw.id' }], partnerMatch: null })
    for (const id of ['7301234567890123456', '7301234567890123457']) {
      const { made } = await hook.take(`{"id": ${id}, "total": 1.5e1, "email": "${anEmail('digits')}"}`)
      const { externalId, amount } = await sale(made!.id)
      assert.deepEqual([externalId, amount], [id, 1500])
      const { made: person } = await inForm.take(`raw=${encodeURIComponent(`{"id":${id}}`)}`)
      assert.equal((await lead(person!.id)).externalId, id)
    }
  })

  test('a content type that is none changes nothing', async () => {
    const hook = await aHook()
    for (const type of ['json', '', 'application/json, application/json', 'charset=utf-8'])
      assert.equal((await hook.take(aContact(), { 'content-type': type })).state, 'processed', type)
  })

  test('forms are parsed, whatever their content type', async () => {
    const hook = await aHook({
      mapping: [
        { field: 'email', path: 'fields.email.value' },
        { field: 'firstName', path: 'first name' },
      ],
      partnerMatch: null,
    })
    const form = (n: number) =>
      new URLSearchParams({ 'fields[email][value]': `form-${n}@mail.example`, 'first name': 'Lena' })
    for (const [n, type] of ['application/x-www-form-urlencoded', 'text/plain', 'application/json'].entries()) {
      const delivery = await hook.take(String(form(n)), { 'content-type': type })
      assert.equal(delivery.state, 'processed', type)
    }
    const parts = new FormData()
    parts.set('fields[email][value]', 'parts@mail.example')
    const encoded = new Response(parts)
    const type = encoded.headers.get('content-type')!
    const delivery = await hook.take(new Uint8Array(await encoded.arrayBuffer()), { 'content-type': type })
    assert.equal((await lead(delivery.made!.id)).email, 'parts@mail.example')
  })
})

describe('sales, refunds and statuses', () => {
  test('a promotion code credits its partner; a click goes first unless the account chose the code', async () => {
    const its = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
    const [jane, samuel] = [await aPartner(app, its, { referralCode: 'jane' }), await aPartner(app, its)]
    const link = await aBlueprint(app, its)
    const mapping = [...SALE.filter(({ field }) => field !== 'saleDate'), { field: 'promotionCode', path: 'coupon' }]
    const hook = await aHook({ target: 'sale', mapping, partnerMatch: { by: 'clickId', path: 'click' } }, its)
    await hook.call('POST', `/partners/${samuel.id}/promotion-codes`, { code: 'SPRING25' })
    const take = async (click: string | null = null) => {
      const order = { id: anEmail('order'), email: anEmail('buyer'), total: '$10.00', currency: 'USD' }
      const { made } = await hook.take({ order, coupon: 'spring25', click })
      const { partnerId, matchedBy, promotionCodes } = expectOk(await hook.call('GET', `/sales/${made!.id}`)).body
      return [partnerId, matchedBy, promotionCodes]
    }
    const click = async () => clickInAddress(await visitLink(app, link.key, 'jane'))
    assert.deepEqual(await take(), [samuel.id, 'coupon', ['SPRING25']])
    assert.equal((await take(await click()))[0], jane.id)
    expectOk(await hook.call('PATCH', `/accounts/${its.id}`, { attributionOrder: 'code-first' }))
    assert.deepEqual(await take(await click()), [samuel.id, 'coupon', ['SPRING25']])
  })

  test('a sale gives a known lead without a partner the one that it names, in every way', async () => {
    const click = clickInAddress(await visitLink(app, blueprint.key, 'jane'))
    for (const [by, value, matchedBy, ofLead] of [
      ['referralCode', 'jane', 'code', 'code'],
      ['email', partner.email, 'email', 'manual'],
      ['id', partner.id, 'email', 'manual'],
      ['clickId', click, 'click', 'click'],
    ] as const) {
      const hook = await aHook({ target: 'sale', mapping: SALE, partnerMatch: { by, path: 'who' } })
      const email = anEmail('known')
      const { id } = expectOk(await hook.call('POST', `/accounts/${account.id}/leads`, { email })).body
      const order = { id: anEmail('order'), email, total: '$10.00', currency: 'USD' }
      const { made } = await hook.take({ order, who: value })
      const its = await sale(made!.id)
      assert.deepEqual([its.leadId, its.partnerId, its.matchedBy], [id, partner.id, matchedBy], by)
      const { partnerId, attribution, clickId } = await lead(id)
      assert.deepEqual(
        [partnerId, attribution.matchedBy, clickId],
        [partner.id, ofLead, by === 'clickId' ? click : null],
      )
    }
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a sale of a partner’s customer tells whom its click, ID or code names besides', async () => {
    const other = await aPartner(app, account)
    const click = clickInAddress(await visitLink(app, blueprint.key, 'jane'))
    for (const [by, value] of [
      ['clickId', click],
      ['id', partner.id],
      ['referralCode', 'jane'],
    ] as const) {
      const hook = await aHook({ target: 'sale', mapping: SALE, partnerMatch: { by, path: 'who' } })
      const email = anEmail('known')
      expectOk(await hook.call('POST', `/accounts/${account.id}/leads`, { email, partnerId: other.id }))
      const order = { id: anEmail('order'), email, total: '$10.00', currency: 'USD' }
      const { made } = await hook.take({ order, who: value })
      assert.equal((await sale(made!.id)).partnerId, other.id)
      const { rule, others } = expectOk(await hook.call('GET', `/sales/${made!.id}/match`)).body
      const named = others.filter(({ partnerId }: { partnerId: string | null }) => partnerId)
      assert.deepEqual(
        [rule, named.map(({ partnerId }: { partnerId: string }) => partnerId)],
        ['email', [partner.id]],
        by,
      )
      assert.match(named[0].why, /the email’s lead goes first/)
      await hook.call('DELETE', hook.path)
    }
  })

  test('a sale creates its lead, is credited by its code, and is refunded by its number', async () => {
    const hook = await aHook({ target: 'sale', mapping: SALE })
    const order = {
      id: 'order-1',
      email: anEmail('buyer'),
      total: '$1,234.50',
      currency: 'USD',
      paid_at: '2026-03-09T10:00:00Z',
    }
    const { made } = await hook.take({ order, ref: 'jane' })
    const its = await sale(made!.id)
    assert.deepEqual(
      [its.amount, its.currency, its.provider, its.externalId, its.partnerId, its.saleDate],
      [1234_50, 'usd', 'incoming-webhook', 'order-1', partner.id, '2026-03-09'],
    )
    assert.equal(its.commissions[0].amount, 246_90)
    const again = await hook.take({ order: { ...order, total: '9' }, ref: 'jane' })
    assert.equal(again.made!.id, made!.id, 'the same number is the same sale')
    const product = [
      ...[
        SALE,
        [
          { field: 'country', path: 'order.country' },
          { field: 'productId', path: 'order.product' },
        ],
      ].flat(),
      { field: 'priceId', path: 'order.plan' },
    ]
    const named = await aHook({ target: 'sale', mapping: product })
    const pro = { ...order, id: 'order-3', country: 'de', product: 'pro', plan: 7 }
    for (const [country, shown] of [
      ['de', 'DE'],
      ['Germany', null],
    ]) {
      const { made: sold } = await named.take({ order: { ...pro, id: `order of ${country}`, country }, ref: 'jane' })
      const { lines, country: told } = await sale(sold!.id)
      const line = { id: '1', productId: 'pro', priceId: '7', sku: null, name: null, quantity: null, amount: 1234_50 }
      assert.deepEqual([told, lines], [shown, [line]])
    }
    const anonymous = await hook.take({ order: { ...order, id: 'order-2', email: anEmail('unknown') } })
    assert.equal((await sale(anonymous.made!.id)).partnerId, null)

    const refunds = await aHook({
      target: 'refund',
      partnerMatch: null,
      mapping: [
        { field: 'externalId', path: 'id' },
        { field: 'saleExternalId', path: 'order' },
        { field: 'amount', path: 'amount', transform: 'number' },
      ],
    })
    const refunded = await refunds.take({ id: 'refund-1', order: 'order-1', amount: 34_50 })
    assert.deepEqual([refunded.state, refunded.made?.type], ['processed', 'refund'])
    assert.equal((await sale(made!.id)).refundedAmount, 34_50)
    const unknown = await refunds.take({ id: 'refund-2', order: 'order-9', amount: 1 })
    assert.deepEqual([unknown.state, Object.keys(unknown.fields ?? {})], ['failed', ['saleExternalId']])
    const tooMuch = await refunds.take({ id: 'refund-3', order: 'order-1', amount: 999_999_99 })
    assert.deepEqual([tooMuch.state, Object.keys(tooMuch.fields ?? {})], ['failed', ['amount']])
    assert.deepEqual(await verifyLedger(db), [])
  })

  test('a time in UTC is a date in the account’s time zone, so that a lead of that morning comes before its sale', async () => {
    const own = await anAccount(app, { timeZone: 'Pacific/Auckland' })
    const { id: partnerId } = await aPartner(app, own)
    const hook = await aHook({ target: 'sale', mapping: SALE }, own)
    for (const paidAt of [
      '2026-03-09T20:05:00Z',
      '2026-03-09 20:05:00+00:00',
      '1773086700',
      'Mon, 09 Mar 2026 20:05:00 GMT',
    ]) {
      const email = anEmail('morning')
      const { id } = expectOk(await hook.call('POST', `/accounts/${own.id}/leads`, { email, partnerId })).body
      await db.run`update leads set attributed_at = '2026-03-09T20:00:00Z' where id = ${id}`
      const order = { id: anEmail('order'), email, total: '10', currency: 'usd', paid_at: paidAt }
      const { made } = await hook.take({ order })
      const its = expectOk(await hook.call('GET', `/sales/${made!.id}`)).body
      assert.deepEqual([its.saleDate, its.partnerId], ['2026-03-10', partnerId], paidAt)
    }
  })

  test('shipping is part of what the customer paid, beside a total or beside a net amount', async () => {
    const of = (field: string, path = field) => ({ field, path, transform: 'cents' })
    const parts = SALE.filter(({ field }) => field !== 'amount' && field !== 'saleDate')
    for (const [field, told] of [
      ['grossAmount', '130.00'],
      ['amount', '100.00'],
    ] as const) {
      const mapping = [...parts, of(field, 'total'), of('taxAmount'), of('shippingAmount')]
      const hook = await aHook({ target: 'sale', mapping })
      const order = { id: anEmail('order'), email: anEmail('buyer'), currency: 'USD' }
      const { made } = await hook.take({ order, total: told, taxAmount: '20.00', shippingAmount: '10.00' })
      const { amount, taxAmount, grossAmount } = await sale(made!.id)
      assert.deepEqual([amount, taxAmount, grossAmount], [100_00, 20_00, 130_00], field)
    }
  })

  test('an impossible total or shipping is refused by its field', async () => {
    const of = (field: string) => ({ field, path: field, transform: 'number' })
    const parts = SALE.filter(({ field }) => field !== 'amount' && field !== 'saleDate')
    const hook = await aHook({ target: 'sale', mapping: [...parts, of('grossAmount'), of('shippingAmount')] })
    for (const [grossAmount, shippingAmount] of [
      ['100000000000000000', '99999999999998976'],
      ['10000000000000000000', '9999999999999997952'],
    ]) {
      const order = { id: anEmail('order'), email: anEmail('buyer'), currency: 'USD' }
      const delivery = await hook.take({ order, grossAmount, shippingAmount })
      const { state, fields } = delivery
      assert.deepEqual([state, Object.keys(fields ?? {})], ['failed', ['grossAmount', 'shippingAmount']])
    }
  })

  test('a refund is read in the currency of its sale', async () => {
    const hook = await aHook({ target: 'sale', mapping: SALE })
    const refunds = await aHook({
      target: 'refund',
      partnerMatch: null,
      mapping: [
        { field: 'externalId', path: 'id' },
        { field: 'saleExternalId', path: 'order' },
        { field: 'amount', path: 'amount', transform: 'cents' },
      ],
    })
    for (const [currency, total, amount, refundedAmount] of [
      ['KWD', '10.5', '2.5', 2500],
      ['JPY', '5000', '40', 40],
      ['EUR', '10.50', '€2.50', 250],
    ] as const) {
      const id = anEmail('order')
      const { made } = await hook.take({ order: { id, email: anEmail('buyer'), total, currency } })
      const refunded = await refunds.take({ id: `of ${id}`, order: id, amount })
      assert.equal(refunded.state, 'processed', refunded.reason ?? '')
      assert.equal((await sale(made!.id)).refundedAmount, refundedAmount, currency)
    }
  })

  test('a lead moves to the status that is sent', async () => {
    const leads = await aHook()
    const { made: one } = await leads.take(aContact())
    const { externalId } = await lead(one!.id)
    const hook = await aHook({
      target: 'lead-status',
      partnerMatch: null,
      mapping: [
        { field: 'leadExternalId', path: 'contact' },
        { field: 'status', path: 'stage' },
        { field: 'reason', path: 'why' },
      ],
    })
    assert.equal((await hook.take({ contact: externalId, stage: 'Qualified' })).state, 'processed')
    assert.equal((await lead(one!.id)).status, 'qualified')
    assert.equal((await hook.take({ contact: externalId, stage: 'qualified', again: 1 })).state, 'processed')
    for (const [payload, field] of [
      [{ contact: externalId, stage: 'lost' }, 'reason'],
      [{ contact: externalId, stage: 'elsewhere' }, 'status'],
      [{ contact: 'nobody', stage: 'lost', why: 'not-a-fit' }, 'leadExternalId'],
    ] as const) {
      const delivery = await hook.take(payload)
      assert.deepEqual([delivery.state, Object.keys(delivery.fields ?? {})], ['failed', [field]])
    }
  })
})

describe('accepted and refused senders', () => {
  test('a sender authenticates with a signature over the bytes, or with a password', async () => {
    const secret = 'of the form'
    const sign = (body: string, encoding: 'hex' | 'base64') =>
      createHmac('sha256', secret).update(body).digest(encoding)
    const auth = { type: 'header-hmac', header: 'Typeform-Signature', encoding: 'base64', prefix: 'sha256=', secret }
    const hook = await aHook({ auth })
    const { secret: _, ...shown } = auth
    const defaults = { algorithm: 'sha256', signed: '{body}', layout: 'single', key: 'text', timestampHeader: null }
    assert.deepEqual(hook.auth, { ...shown, ...defaults, idHeader: null })
    const body = JSON.stringify(aContact(), null, 2)
    assert.equal(
      (await hook.send(body, { headers: { 'typeform-signature': `sha256=${sign(body, 'base64')}` } })).status,
      200,
    )
    const other = JSON.stringify(aContact())
    for (const headers of [
      {},
      { 'typeform-signature': `sha256=${sign(body, 'base64')}` },
      { 'typeform-signature': sign(other, 'base64') },
      { 'typeform-signature': `sha256=${sign(other, 'hex')}` },
    ] as Record<string, string>[]) {
      const { status, body } = await hook.send(other, { headers })
      assert.deepEqual([status, body.error.code], [401, 'unauthenticated'])
    }
    const refused = await hook.deliveries('?state=failed')
    assert.equal(refused.length, 4, 'each with a line')
    assert.equal(refused[0].payload, null)
    const kept = await hook.call('PUT', hook.path, { auth: { type: 'header-hmac', header: 'X-Other' } })
    assert.equal(expectOk(kept).body.auth.header, 'X-Other')
    assert.equal(
      (await hook.send(other, { headers: { 'x-other': sign(other, 'hex') } })).status,
      200,
      'the secret stays',
    )

    const basic = await aHook({ auth: { type: 'basic', username: 'crm', password: 'p:ä' } })
    const authorization = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    assert.equal((await basic.send(aContact(), { headers: authorization('crm:p:ä') })).status, 200)
    for (const wrong of ['crm:', 'crm:p', ':p:ä', 'x:p:ä'])
      assert.equal((await basic.send(aContact(), { headers: authorization(wrong) })).status, 401)
    const rows = await db.many`select auth, mapping from incoming_webhooks`
    assert.ok(!JSON.stringify(rows).includes('p:ä') && !JSON.stringify(rows).includes('of the form'))
    for (const missing of [
      { type: 'basic', username: 'x' },
      { type: 'header-hmac', header: 'X' },
    ]) {
      const reply = await basic.call('POST', `/accounts/${account.id}/incoming-webhooks`, {
        name: 'x',
        target: 'lead',
        auth: missing,
      })
      assert.equal(reply.status, 422)
    }
  })

  test('a signature with a timestamp is accepted once, and for five minutes', async () => {
    const secret = 'of the calendar'
    const auth = { type: 'header-hmac', header: 'Calendly-Webhook-Signature', prefix: 'v1=', secret }
    const hook = await aHook({ auth: { ...auth, signed: 'timestamp-dot-body' } })
    assert.deepEqual(
      [hook.auth.signed, hook.auth.layout, hook.auth.timestampHeader],
      ['{timestamp}.{body}', 'named', null],
    )
    const body = JSON.stringify(aContact())
    const at = Math.floor(app.clock.now().getTime() / 1000)
    const signature = `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
    const caught = { headers: { 'calendly-webhook-signature': signature } }
    const [first, again] = [await hook.send(body, caught), await hook.send(body, caught)]
    assert.deepEqual([first.status, again.status, again.body.deliveryId], [200, 200, first.body.deliveryId])
    app.clock.advance(6 * 60_000)
    const late = await hook.send(body, caught)
    assert.deepEqual([late.status, late.body.error.reason], [401, 'incoming_signature_late'])
    assert.match((await hook.deliveries('?state=failed'))[0].reason, /more than five minutes off/)
    app.clock.advance(-6 * 60_000)

    const signed = { signed: 'method-url-body-timestamp', timestampHeader: 'X-Time', encoding: 'base64' }
    const byUrl = await aHook({ auth: { type: 'header-hmac', header: 'X-Signed', secret, ...signed } })
    const proofOf = (url: string) => ({
      'x-time': `${at}000`,
      'x-signed': createHmac('sha256', secret).update(`POST${url}${body}${at}000`).digest('base64'),
    })
    assert.equal((await byUrl.send(body, { headers: proofOf(hook.url) })).status, 401)
    assert.equal((await byUrl.send(body, { headers: proofOf(byUrl.url) })).status, 200)
    // as the release before templates saved it
    await db.run`update incoming_webhooks set auth = auth - 'layout' - 'idHeader' - 'key' where id = ${hook.id}`
    const { auth: shown } = await hook.read()
    assert.deepEqual(
      [shown.signed, shown.layout, shown.idHeader, shown.key],
      ['{timestamp}.{body}', 'named', null, 'text'],
    )
    assert.equal((await hook.send(body, caught)).status, 200)
    assert.equal(expectOk(await hook.call('PUT', hook.path, { auth: { ...shown } })).body.auth.layout, 'named')
    assert.equal((await hook.send(body, caught)).status, 200)
    await db.run`update incoming_webhooks set auth = auth - 'signed' - 'timestampHeader' - 'layout' where id = ${hook.id}`
    assert.equal((await hook.read()).auth.signed, '{body}', 'as it was before there were times')
  })

  test('a new address works at once, the former one for a day, and no other', async () => {
    const hook = await aHook()
    const { body } = expectOk(await hook.call('POST', `${hook.path}/secret`))
    assert.notEqual(body.url, hook.url)
    for (const url of [hook.url, body.url]) assert.equal((await hook.send(aContact(), { url })).status, 200)
    await db.run`update incoming_webhooks set former_token_until = ${app.clock.now()} where id = ${hook.id}`
    assert.equal((await hook.send(aContact())).status, 404)
    assert.equal((await hook.send(aContact(), { url: `${app.url}/hooks/in/unknown` })).status, 404)
    expectOk(await hook.call('DELETE', hook.path))
    assert.equal((await hook.send(aContact(), { url: body.url })).status, 404)
  })

  test('a delivery sent while its webhook is being deleted gets a 404', async () => {
    const hook = await aHook({ auth: { type: 'basic', username: 'crm', password: 'p' } })
    const proof = { authorization: `Basic ${Buffer.from('crm:p').toString('base64')}` }
    const place = { id: hook.id, accountId: account.id }
    const replies = await transaction(db, async (tx) => {
      await deleteIncomingWebhook(tx, system, place)
      // they find the webhook, which still exists for them, and then wait for the deletion
      const sending = [
        hook.send(aContact(), { headers: proof }),
        hook.send('{"a": ', { headers: proof }),
        hook.send('x'),
      ]
      await waitUntil(async () => (await waitingForLocks(db)) === 3)
      return sending
    })
    assert.deepEqual(
      (await Promise.all(replies)).map(({ status }) => status),
      [404, 404, 404],
    )
  })

  test('the last delivery is reported to the instant, even after its log line is deleted', async () => {
    const hook = await aHook()
    assert.equal(hook.lastReceivedAt, null)
    await hook.take(aContact())
    app.clock.advance(7000)
    const last = await hook.take(aContact())
    const { receivedAt } = (await hook.deliveries()).find(({ id }: { id: string }) => id === last.id)
    assert.equal((await hook.read()).lastReceivedAt, receivedAt)
    await retention.incomingDeliveries({ ...app.services, db: { ...db, clock: { now: () => later }, now: later } })
    assert.deepEqual([(await hook.deliveries()).length, (await hook.read()).lastReceivedAt], [0, receivedAt])
    app.clock.advance(-7000)
  })

  test('without a mapping samples are captured, and guesses locate the fields', async () => {
    const hook = await aHook({ mapping: [], partnerMatch: null })
    assert.equal(hook.state, 'capturing')
    const sample = { data: { fields: [{ label: 'Email', type: 'INPUT_EMAIL', value: 'lena@mail.example' }] } }
    const delivery = await hook.take(sample)
    assert.deepEqual([delivery.state, delivery.made], ['ignored', null])
    const read = await hook.read()
    assert.deepEqual(read.sample, sample)
    assert.deepEqual(read.guesses, [{ field: 'email', path: 'data.fields[label=Email].value', transform: 'lowercase' }])
    const { body } = expectOk(await hook.call('PUT', hook.path, { mapping: read.guesses }))
    assert.equal(body.state, 'active')
    expectOk(await hook.call('POST', `${hook.path}/deliveries/${delivery.id}/replays`))
    const replayed = await settled(hook.deliveries, delivery.id)
    assert.deepEqual([replayed.state, replayed.made?.type], ['replayed', 'lead'])
    assert.equal((await hook.call('POST', `${hook.path}/deliveries/${delivery.id}/replays`)).status, 409)
  })

  test('errors are reported field by field, and all failures are replayed once the mapping is fixed', async () => {
    const hook = await aHook({ target: 'sale', mapping: SALE.filter(({ field }) => field !== 'amount') })
    const order = (n: number) => ({
      order: { id: `late-${n}`, email: anEmail(), total: '10.00', currency: 'usd' },
      ref: 'jane',
    })
    const failed = [await hook.take(order(1)), await hook.take(order(2))]
    for (const { state, fields } of failed) assert.deepEqual([state, Object.keys(fields ?? {})], ['failed', ['amount']])
    expectOk(await hook.call('PUT', hook.path, { mapping: SALE }))
    assert.deepEqual(expectOk(await hook.call('POST', `${hook.path}/replays`)).body, { count: 2 })
    for (const { id } of failed) assert.equal((await settled(hook.deliveries, id)).state, 'replayed')
    assert.deepEqual(expectOk(await hook.call('POST', `${hook.path}/replays`)).body, { count: 0 })
    const odd = await hook.take({ order: { id: 'odd', email: 'a@b.example', total: 'ten', currency: 'usd' } })
    assert.deepEqual([odd.state, odd.fields], ['failed', { amount: '"ten" is not an amount.' }])
  })

  test('a delivery that would fail while its mapping is being fixed is processed by the new mapping', async () => {
    const hook = await aHook({ mapping: LEAD.map((line) => ({ ...line, transform: 'cents' })) })
    const place = { id: hook.id, accountId: account.id }
    const { body: sent } = await transaction(db, async (tx) => {
      await changeIncomingWebhook(tx, app.services, system, place, IncomingWebhookChange.parse({ mapping: LEAD }))
      const answer = await hook.send(aContact())
      await waitUntil(async () => (await waitingForLocks(db)) === 1)
      assert.deepEqual(await replayAllFailed(tx, app.services.jobs, system, place), { count: 0 })
      return answer
    })
    assert.equal((await settled(hook.deliveries, sent.deliveryId)).state, 'processed')
  })

  test('filters leave out other kinds of payload; a disabled webhook stores its deliveries', async () => {
    const hook = await aHook({ filters: [{ path: 'event', equals: 'created' }] })
    const other = await hook.take(aContact({ event: 'deleted' }))
    assert.deepEqual([other.state, other.reason], ['ignored', 'event is not "created".'])
    assert.equal((await hook.take(aContact({ event: 'created' }))).state, 'processed')
    expectOk(await hook.call('PUT', hook.path, { enabled: false }))
    const off = await hook.take(aContact({ event: 'created' }))
    assert.deepEqual([off.state, off.reason], ['ignored', 'The webhook was turned off.'])
    assert.equal((await hook.call('POST', `${hook.path}/deliveries/${off.id}/replays`)).status, 409)
    expectOk(await hook.call('PUT', hook.path, { enabled: true }))
    expectOk(await hook.call('POST', `${hook.path}/deliveries/${off.id}/replays`))
    assert.equal((await settled(hook.deliveries, off.id)).state, 'replayed')
  })

  test('what was only captured, or came while the webhook was off, is no duplicate when it is sent again', async () => {
    const hook = await aHook({ mapping: [] })
    const contact = aContact()
    assert.equal((await hook.take(contact)).state, 'ignored')
    expectOk(await hook.call('PUT', hook.path, { mapping: LEAD, enabled: false }))
    assert.equal((await hook.take(contact)).reason, 'The webhook was turned off.')
    expectOk(await hook.call('PUT', hook.path, { enabled: true }))
    const taken = await hook.take(contact)
    assert.equal(taken.state, 'processed')
    assert.deepEqual(await hook.send(contact), { status: 200, body: { deliveryId: taken.id } })
  })

  test('what a filter leaves out is no duplicate of what follows under the same key', async () => {
    const hook = await aHook({ filters: [{ path: 'status', equals: 'paid' }], dedupePath: 'id' })
    const contact = aContact({ status: 'pending' })
    assert.equal((await hook.take(contact)).state, 'ignored')
    const paid = await hook.take({ ...contact, status: 'paid' })
    assert.equal(paid.state, 'processed')
    assert.equal((await hook.send({ ...contact, status: 'paid', n: 2 })).body.deliveryId, paid.id)
  })

  test('a dry run reports exactly what would happen, and stores nothing', async () => {
    const hook = await aHook()
    const tables = () =>
      db.one`select (select count(*) from leads) as leads, (select count(*) from events) + (select count(*) from passing_events) as events,
        (select count(*) from incoming_deliveries) as deliveries`
    const before = await tables()
    const { body } = expectOk(await hook.call('POST', `${hook.path}/test`, { payload: aContact() }))
    assert.deepEqual([body.state, body.made.type, body.made.created], ['processed', 'lead', true])
    assert.equal(body.made.object.partnerName, 'Jane Whitfield')
    assert.equal(body.values.firstName, 'Lena')
    const wrong = expectOk(await hook.call('POST', `${hook.path}/test`, { payload: { contact: { email: 'no' } } })).body
    assert.deepEqual([wrong.state, Object.keys(wrong.fields)], ['failed', ['email']])
    const guessed = { payload: { Email: 'lena@mail.example' }, mapping: [] }
    assert.equal(expectOk(await hook.call('POST', `${hook.path}/test`, guessed)).body.state, 'processed')
    assert.deepEqual(await tables(), before)
  })

  test('an unreadable body is logged with its reason, and costs little', async () => {
    const hook = await aHook()
    const refused = async (payload: unknown, headers?: Record<string, string>) => {
      const { status, body } = await hook.send(payload, { headers: headers ?? {} })
      const line = status === 200 && (await hook.deliveries()).find(({ id }: { id: string }) => id === body.deliveryId)
      return line ? [line.state, line.reason] : status
    }
    assert.deepEqual(await refused('{"a": '), ['failed', 'The body isn’t valid JSON or form data.'])
    assert.deepEqual(await refused(Uint8Array.of(0x7b, 0xff, 0x7d)), ['failed', 'The body isn’t valid UTF-8.'])
    assert.deepEqual(await refused('text'), ['failed', 'The body isn’t valid JSON or form data.'])
    assert.deepEqual(await refused('['.repeat(5000)), ['failed', 'The body is nested too deeply.'])
    assert.equal(await refused(`{"a":"${'x'.repeat(260_000)}"}`), 413)
    const inForms = {
      'nested too deeply': `{"a":${'{"a":'.repeat(3000)}1${'}'.repeat(3001)}`,
      'deep lists': `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'too many values': `{"a":[${'1,'.repeat(6000)}1]}`,
    }
    for (const [what, nested] of Object.entries(inForms)) {
      const form = new FormData()
      form.set('a', nested)
      const type = 'application/x-www-form-urlencoded'
      const { body, headers } = new Response(form)
      const inParts = new Uint8Array(await new Response(body).arrayBuffer())
      const reason = /values/.test(what)
        ? 'The body has too many fields or items. Send at most 5,000 at once.'
        : 'The body is nested too deeply.'
      assert.deepEqual(await refused(`a=${nested}`, { 'content-type': type }), ['failed', reason], what)
      assert.deepEqual(await refused(inParts, { 'content-type': headers.get('content-type')! }), ['failed', reason])
    }
    const together = Array.from({ length: 900 }, (_, at) => `k${at}=${encodeURIComponent('{"a":[1,1,1,1,1,1]}')}`)
    assert.deepEqual((await refused(together.join('&')))[0], 'failed')
    const odd = await hook.take({
      contact: { email: 'nul\u0000@mail.example', first: '\ud800' },
      constructor: 1,
      __proto__: 2,
    })
    assert.equal(odd.state, 'failed')
    const nul = { target: 'lead-status', partnerMatch: null, mapping: [{ field: 'leadExternalId', path: 'id' }] }
    for (const other of [hook, await aHook({ partnerMatch: { by: 'email', path: 'ref' } }), await aHook(nul)]) {
      const named = await other.take({ ...aContact({ ref: 'a\u0000b' }), id: `\u0000\udc00${++made}` })
      assert.equal(named.state, other.target === 'lead' ? 'processed' : 'failed')
      if (named.made) assert.equal((await lead(named.made.id)).externalId, `\ufffd\ufffd${made}`)
    }
    const polluting = await hook.take(
      '__proto__[polluted]=1&contact[email]=a%40b.example&constructor[prototype][x]=1',
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    )
    assert.equal(polluting.state, 'processed')
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })

  test('secrets in a payload are not stored; payloads are deleted after 30 days, the objects they created stay', async () => {
    const hook = await aHook()
    const { id, made } = await hook.take(aContact({ password: 'hunter2', card: { card_number: '4242' } }))
    const { rows } = await db.pool.query('select payload from incoming_deliveries where id = $1', [id])
    assert.doesNotMatch(rows[0].payload, /hunter2|4242/)
    await retention.incomingDeliveries({ ...app.services, db: { ...db, clock: { now: () => later }, now: later } })
    assert.deepEqual(await hook.deliveries(), [])
    assert.ok((await lead(made!.id)).id)
  })

  test('a list includes short payloads and samples; a long one is returned individually', async () => {
    const hook = await aHook()
    const short = await hook.take(aContact())
    const long = await hook.take(aContact({ note: 'é'.repeat(2000) }))
    const bytes = Buffer.byteLength(JSON.stringify((await alone(hook, long.id)).payload))
    const listed = (await hook.deliveries()).map(({ id, payload, payloadBytes }: Delivery) => [
      id,
      payload,
      payloadBytes,
    ])
    assert.deepEqual(listed, [
      [long.id, null, bytes],
      [short.id, (await alone(hook, short.id)).payload, Buffer.byteLength(JSON.stringify(short.payload))],
    ])
    const inList = async () => {
      const { items } = expectOk(await hook.call('GET', `/accounts/${account.id}/incoming-webhooks?limit=100`)).body
      return items.find(({ id }: { id: string }) => id === hook.id)
    }
    assert.equal((await hook.read()).sample.note.length, 2000)
    assert.deepEqual([(await inList()).sample, (await inList()).guesses], [null, []])
    const latest = await hook.take(aContact())
    assert.deepEqual((await inList()).sample, latest.payload)
    const other = await aHook()
    const elsewhere = await hook.call('GET', `${other.path}/deliveries/${long.id}`)
    assert.deepEqual([elsewhere.status, (await hook.call('GET', `${hook.path}/deliveries/none`)).status], [404, 404])
  })

  test('the oldest payloads are deleted above a size limit; their log lines and objects stay', async () => {
    const hook = await aHook()
    const sent: Delivery[] = []
    const note = 'x'.repeat(200_000)
    for (let n = 0; n < 3; n++) sent.push(await hook.take(aContact({ note })))
    const bytesKept = () => db.value<number>`select bytes from incoming_payloads where webhook_id = ${hook.id}`
    const each = Math.round((await bytesKept()) / 3)
    // as if earlier payloads had filled it except for one more
    const others = MOST_KEPT_BYTES - ROOM_BYTES - 3 * each
    await db.run`update incoming_payloads set bytes = bytes + ${others + ROOM_BYTES} where webhook_id = ${hook.id}`
    const last = await hook.take(aContact({ note }))
    const lines: Delivery[] = await hook.deliveries()
    assert.deepEqual(
      lines.map(({ id, payloadBytes }) => [id, payloadBytes !== null]),
      [[last.id, true], ...sent.toReversed().map(({ id }) => [id, false])],
    )
    assert.ok(lines.every(({ state, made }) => state === 'processed' && made))
    assert.ok(Math.abs((await bytesKept()) - (others + ROOM_BYTES + each)) < 100)
    const replayed = await hook.call('POST', `${hook.path}/deliveries/${sent[0]!.id}/replays`)
    assert.equal(replayed.body.error.reason, 'delivery_not_replayable')
  })

  test('an account has at most fifty incoming webhooks', async () => {
    const its = await anAccount(app)
    const hooks = await Promise.all(Array.from({ length: MOST_INCOMING_WEBHOOKS + 2 }, () => anotherHook(its)))
    assert.equal(hooks.filter(({ status }) => status === 201).length, MOST_INCOMING_WEBHOOKS)
    assert.equal(hooks.find(({ status }) => status !== 201)!.body.error.reason, 'too_many_incoming_webhooks')
  })

  test('mappings that cannot work are refused, each with its position', async () => {
    const hook = await aHook()
    const fieldsOf = async (change: object) =>
      Object.keys((await hook.call('PUT', hook.path, change)).body.error?.fields ?? {})
    assert.deepEqual(await fieldsOf({ mapping: [{ field: 'amount', path: 'a' }] }), ['mapping.0.field'])
    assert.deepEqual(await fieldsOf({ mapping: [LEAD[0], { field: 'email', path: 'b' }] }), ['mapping.1.field'])
    assert.deepEqual(await fieldsOf({ mapping: [{ field: 'email', path: 'a..b[' }] }), ['mapping.0.path'])
    assert.deepEqual(await fieldsOf({ mapping: [{ field: 'email' }] }), ['mapping.0.path'])
    assert.deepEqual(await fieldsOf({ partnerMatch: { by: 'email', path: ']' } }), ['partnerMatch.path'])
    assert.deepEqual(await fieldsOf({ filters: [{ path: '[', equals: 'x' }], dedupePath: '[' }), [
      'filters.0.path',
      'dedupePath',
    ])
  })
})
