import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmail, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { aShop, type Shop } from '../../../test/support/same-person-shop.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { emptyPayloadsBefore } from './queries.ts'

// A delivery that names another person’s external ID is recorded by email, until its owner says that both
// are the same person.

const app = await startApp({ worker: true })
const { db } = app.services

/** Jane's customer 55, and an order of theirs by another email. */
async function anotherOrder(shop: Shop) {
  const [known, other] = [anEmail('known'), anEmail('other')]
  const { made: lead } = await shop.leadHook.take({ externalId: '55', email: known, ref: shop.jane.referralCode })
  const order = { externalId: 'order-1', leadExternalId: '55', email: other, amount: 50_00 }
  const delivery = await shop.saleHook.take(order)
  return { known, other, leadId: lead.id as string, order, delivery, saleId: delivery.made.id as string }
}

test('a delivery remembers whose external ID it names, and Same person gives that lead its sale and its email', async () => {
  const shop = await aShop(app)
  const { other, leadId, order, delivery, saleId } = await anotherOrder(shop)
  assert.deepEqual(delivery.others, [{ externalId: '55', leadId }])
  const before = await shop.get(`/sales/${saleId}`)
  assert.deepEqual([before.partnerId, await shop.entriesOf(saleId)], [null, []])

  const after = await shop.saleHook.same(delivery.id)
  assert.deepEqual([after.state, after.made, after.warnings, after.others], ['processed', delivery.made, [], []])
  const sale = await shop.get(`/sales/${saleId}`)
  assert.deepEqual([sale.leadId, sale.partnerId], [leadId, shop.jane.id])
  assert.deepEqual(await shop.entriesOf(saleId), [[shop.jane.id, 10_00]])
  const lead = await shop.get(`/leads/${leadId}`)
  assert.deepEqual([lead.email, lead.externalId, lead.status], [other, '55', 'won'])
  const former = await shop.get(`/leads/${before.leadId}`)
  assert.deepEqual([former.status, former.duplicateOfId], ['duplicate', leadId])

  const again = await shop.saleHook.press(delivery.id)
  assert.deepEqual(
    [again.status, again.body.error.code, again.body.error.message],
    [409, 'invalid_state', 'This delivery names no other person.'],
  )
  // the next order is theirs by itself
  const next = await shop.saleHook.take({ ...order, externalId: 'order-2' })
  const sold = await shop.get(`/sales/${next.made.id}`)
  assert.deepEqual([next.warnings, sold.leadId, sold.partnerId], [[], leadId, shop.jane.id])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a delivery that names nobody else, is unknown or of another webhook is refused', async () => {
  const shop = await aShop(app)
  const { delivery } = await anotherOrder(shop)
  const own = await shop.leadHook.take({ externalId: '56', email: anEmail() })
  assert.equal((await shop.leadHook.press(own.id)).body.error.reason, 'delivery_names_no_other')
  assert.equal((await shop.leadHook.press(delivery.id)).status, 404)
  assert.equal((await shop.leadHook.press('00000000-0000-7000-8000-000000000000')).status, 404)
})

test('pressed twice at once, it is done once', async () => {
  const shop = await aShop(app)
  const { delivery, saleId } = await anotherOrder(shop)
  const statuses = (await Promise.all([shop.saleHook.press(delivery.id), shop.saleHook.press(delivery.id)])).map(
    ({ status }) => status,
  )
  assert.ok(statuses.includes(202))
  await waitUntil(async () => (await shop.saleHook.delivery(delivery.id)).others.length === 0)
  await waitUntil(async () => (await shop.entriesOf(saleId)).length > 0)
  assert.deepEqual(await shop.entriesOf(saleId), [[shop.jane.id, 10_00]])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a refund before or after counts, and a void sale earns once it is restored', async () => {
  const shop = await aShop(app)
  const { delivery, saleId } = await anotherOrder(shop)
  expectOk(await shop.call('POST', `/sales/${saleId}/refunds`, { amount: 20_00, reason: 'half' }))
  await shop.saleHook.same(delivery.id)
  assert.deepEqual(await shop.entriesOf(saleId), [[shop.jane.id, 6_00]])
  expectOk(await shop.call('POST', `/sales/${saleId}/refunds`, { amount: 10_00, reason: 'more' }))
  assert.deepEqual(await shop.entriesOf(saleId), [[shop.jane.id, 4_00]])

  const other = await aShop(app)
  const second = await anotherOrder(other)
  expectOk(await other.call('POST', `/sales/${second.saleId}/void`, { reason: 'mistake' }))
  await other.saleHook.same(second.delivery.id)
  assert.deepEqual(await other.entriesOf(second.saleId), [])
  assert.equal((await other.get(`/sales/${second.saleId}`)).leadId, second.leadId)
  expectOk(await other.call('POST', `/sales/${second.saleId}/restore`, { reason: 'none' }))
  assert.deepEqual(await other.entriesOf(second.saleId), [[other.jane.id, 10_00]])
  assert.deepEqual(await verifyLedger(db), [])
})

test('an archived partner earns it, as any other sale of a customer of theirs', async () => {
  const shop = await aShop(app)
  const { delivery, saleId, known } = await anotherOrder(shop)
  expectOk(await shop.call('POST', `/partners/${shop.jane.id}/archive`, { reason: 'gone', balance: 'pay-out' }))
  const usual = await shop.saleHook.take({ externalId: 'order-9', email: known, amount: 50_00 })
  await shop.saleHook.same(delivery.id)
  for (const id of [usual.made.id, saleId]) assert.deepEqual(await shop.entriesOf(id), [[shop.jane.id, 10_00]])
  assert.deepEqual(await verifyLedger(db), [])
})

test('what credits a partner already stays there, and the delivery says so', async () => {
  const shop = await aShop(app)
  const { known, other, leadId, delivery, saleId } = await anotherOrder(shop)
  // Bob brings the one with the other email, who buys again
  await shop.saleHook.take({ externalId: 'order-2', email: other, amount: 30_00, ref: shop.bob.referralCode })
  const { warnings } = await shop.saleHook.same(delivery.id)
  assert.deepEqual(warnings, [
    `${other.replace(/^(.).*@/, '$1•••@')} stays a lead of its own, as it credits a partner already.`,
  ])
  assert.deepEqual(await shop.entriesOf(saleId), [[shop.jane.id, 10_00]])
  assert.equal((await shop.get(`/leads/${leadId}`)).email, known)

  // a sale that Bob’s lead made is Bob’s
  const third = await shop.saleHook.take({ externalId: 'order-3', leadExternalId: '55', email: other, amount: 10_00 })
  await shop.saleHook.same(third.id)
  assert.deepEqual(await shop.entriesOf(third.made.id), [[shop.bob.id, 2_00]])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale from before the referral moves, and earns nothing by itself', async () => {
  const shop = await aShop(app)
  const [known, other] = [anEmail('known'), anEmail('other')]
  const { made: lead } = await shop.leadHook.take({ externalId: '55', email: known })
  const delivery = await shop.saleHook.take({ externalId: 'o-1', leadExternalId: '55', email: other, amount: 50_00 })
  expectOk(await shop.call('POST', `/leads/${lead.id}/reassign`, { partnerId: shop.jane.id, reason: 'hers' }))
  await db.run`update leads set attributed_at = attributed_at + interval '2 days' where id = ${lead.id}`
  const { warnings } = await shop.saleHook.same(delivery.id)
  assert.deepEqual(warnings, ['This sale was made before the lead was referred. Assign it by hand to credit it.'])
  const sale = await shop.get(`/sales/${delivery.made.id}`)
  assert.deepEqual([sale.leadId, sale.partnerId], [lead.id, null])
  expectOk(await shop.call('POST', `/sales/${sale.id}/attribute`, { leadId: lead.id, reason: 'hers' }))
  assert.deepEqual(await shop.entriesOf(sale.id), [[shop.jane.id, 10_00]])
})

test('a lead that a delivery made becomes the duplicate of the one whose ID it names', async () => {
  const shop = await aShop(app)
  const [known, other] = [anEmail('known'), anEmail('other')]
  const { made: lead } = await shop.leadHook.take({ externalId: '55', email: known, ref: shop.jane.referralCode })
  const delivery = await shop.leadHook.take({ externalId: '55', email: other })
  await shop.leadHook.same(delivery.id)
  const [one, duplicate] = [await shop.get(`/leads/${lead.id}`), await shop.get(`/leads/${delivery.made.id}`)]
  assert.deepEqual([one.email, duplicate.status, duplicate.duplicateOfId], [other, 'duplicate', lead.id])
  assert.deepEqual(await verifyLedger(db), [])
})

test('of a delivery of several records each is settled, and together they put their webhook in attention', async () => {
  const shop = await aShop(app)
  const [known, ben, carl] = [anEmail('known'), anEmail('ben'), anEmail('carl')]
  const { made: lead } = await shop.leadHook.take({ externalId: '55', email: known, ref: shop.jane.referralCode })
  const mapping = ['externalId', 'email'].map((field) => ({ field, path: field }))
  const rule = { name: 'People', target: 'lead', each: 'people', mapping }
  expectOk(await shop.call('PUT', shop.leadHook.path, { rules: [rule] }))
  const people = [ben, carl].map((email) => ({ externalId: '55', email }))
  const delivery = await shop.leadHook.take({ people })
  const other = { externalId: '55', leadId: lead.id }
  assert.deepEqual([delivery.others, delivery.warnings.length], [[other, other], 1])
  assert.equal((await shop.leadHook.read()).attention.value, '55')
  assert.deepEqual((await shop.leadHook.same(delivery.id)).warnings, [])
  assert.equal((await shop.leadHook.read()).attention, null)
  for (const { id } of delivery.records) assert.equal((await shop.get(`/leads/${id}`)).duplicateOfId, lead.id)
  assert.equal((await shop.get(`/leads/${lead.id}`)).email, carl)
  assert.deepEqual(await verifyLedger(db), [])
})

test('the second conflict of an ID puts its webhook in attention, until its mapping changes or one is settled', async () => {
  const shop = await aShop(app)
  const id = 'lT4Z3j'
  const take = (email: string) => shop.leadHook.take({ externalId: id, email })
  await take(anEmail('anna'))
  const ben = anEmail('ben')
  const first = await take(ben)
  await shop.leadHook.take({ externalId: id, email: ben, again: true })
  assert.deepEqual([(await shop.leadHook.read()).attention, await shop.attention()], [null, undefined])
  await take(anEmail('carl'))
  const { attention } = await shop.leadHook.read()
  assert.deepEqual([attention.reason, attention.value], ['same-id', id])
  assert.ok(Date.parse(attention.since) > 0)
  const listed = await shop.get(`/accounts/${shop.account.id}/incoming-webhooks`)
  assert.deepEqual(listed.items.map(({ attention }: { attention: object | null }) => attention !== null).sort(), [
    false,
    true,
  ])
  assert.deepEqual(await shop.attention(), {
    ...{ kind: 'incoming-webhook-conflict', count: 1, amount: null, since: null, value: id },
    link: '/integrations/incoming-webhooks',
  })

  expectOk(await shop.call('PUT', shop.leadHook.path, { name: 'Renamed' }))
  assert.notEqual((await shop.leadHook.read()).attention, null)
  expectOk(await shop.call('PUT', shop.leadHook.path, { mapping: [{ field: 'email', path: 'email' }] }))
  assert.deepEqual([(await shop.leadHook.read()).attention, await shop.attention()], [null, undefined])
  const mapping = ['externalId', 'email'].map((field) => ({ field, path: field }))
  expectOk(await shop.call('PUT', shop.leadHook.path, { mapping }))
  await take(anEmail('dora'))
  assert.notEqual((await shop.leadHook.read()).attention, null)
  const deliveries = await shop.get(`${shop.leadHook.path}/deliveries`)
  for (const { id, others } of deliveries.items) if (others.length > 0 && id !== first.id) await shop.leadHook.same(id)
  assert.equal((await shop.leadHook.read()).attention, null)
})

test('an ID whose deliveries are emptied makes room for another', async () => {
  const shop = await aShop(app)
  const take = (externalId: string) => shop.leadHook.take({ externalId, email: anEmail() })
  for (let at = 0; at < 3; at++) await take('first')
  assert.equal((await shop.leadHook.read()).attention.value, 'first')
  await emptyPayloadsBefore(db, shop.account.id, new Date(db.now.getTime() + 1000))
  assert.equal((await shop.leadHook.read()).attention, null)
  for (let at = 0; at < 3; at++) await take('second')
  assert.equal((await shop.leadHook.read()).attention.value, 'second')
})

test('an erased person is named by no delivery, and deleted payloads leave no ID behind', async () => {
  const shop = await aShop(app)
  const { leadId, delivery } = await anotherOrder(shop)
  await shop.saleHook.take({ externalId: 'order-2', leadExternalId: '55', email: anEmail('third'), amount: 5_00 })
  const kept = () => db.many<{ id: string }>`
    select id from incoming_deliveries where account_id = ${shop.account.id} and others_id is not null`
  assert.equal((await kept()).length, 2)
  const noted = () =>
    db.value<boolean>`select same_id is not null from incoming_webhooks where id = ${shop.saleHook.id}`
  assert.equal(await noted(), true)
  expectOk(await shop.call('POST', `/leads/${leadId}/erase`, {}))
  assert.equal((await shop.saleHook.press(delivery.id)).status, 409)
  await waitUntil(async () => (await shop.get(`/accounts/${shop.account.id}/erasures`)).items[0].done)
  assert.deepEqual([await kept(), await noted()], [[], false])

  const other = await aShop(app)
  const second = await anotherOrder(other)
  await db.run`update incoming_deliveries set created_at = created_at - interval '29 days' where account_id = ${other.account.id}`
  await emptyPayloadsBefore(db, other.account.id, new Date(db.now.getTime() - 7 * 86_400_000))
  assert.deepEqual((await other.saleHook.delivery(second.delivery.id)).others, [])
  assert.equal((await other.saleHook.press(second.delivery.id)).status, 409)
})
