import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import } from '#contract/imports.ts'
import { createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../test/support/generic.ts'
import { aBlueprint, aClick } from '../../../test/support/leads.ts'
import { workOff } from '../../../test/support/payment-providers.ts'
import { processImport } from '../../integrations/imports/run-import.ts'
import { transaction } from '../../platform/database/pool.ts'
import { count } from '../stats/count.ts'
import { verifyLedger } from '../stats/verify.ts'

// Whose the orders of customers are who have bought before: lives 7 and 8 of the design, and what hangs on them.

const app = await startApp()
const { db } = app.services

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const dayOf = (days: number) => daysAgo(days).toISOString().slice(0, 10)

/** A shop with Jane's customer, who bought 120 days ago, and Bob, whose link has a window of 30 days. */
async function aShop(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, {
    ...{ defaultCommissionSettings: { layerRates: [20] }, returningCustomers: 'latest-click', ...settings },
  })
  const owner = createCaller(app, account.token)
  const jane = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane' })
  const bob = await aPartner(app, account, { firstName: 'Bob', lastName: 'Okafor', referralCode: 'bob' })
  const blueprintId = await aBlueprint(db, account.id, { cookieDays: 30 })
  const { webhookUrl } = await aGenericConnection(app, account)
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  async function clickOf({ id: partnerId }: { id: string }, days = 0) {
    const clickId = await aClick(db, account.id, { partnerId, blueprintId, daysAgo: days })
    const day = dayOf(days)
    const counted = { accountId: account.id, partnerId, blueprintId, day, clicks: 1, uniqueClicks: 1 }
    await transaction(db, (tx) => count(tx, [counted]))
    return clickId
  }
  const email = anEmail('customer')
  const customerId = `cus-${email}`
  /** A payment so many days ago, by its provider. */
  async function pay(amount: number, facts: Record<string, unknown> = {}, days = 0) {
    const payment = { id: `order-${anEmail()}`, amount, currency: 'usd', email, customerId, ...facts }
    expectOk(await sendCustomEvent(webhookUrl, genericEvent('payment', payment, daysAgo(days))))
    await workOff(app)
    return saleOf(payment.id)
  }
  const tell = async (type: string, facts: Record<string, unknown>) => {
    expectOk(await sendCustomEvent(webhookUrl, genericEvent(type, facts)))
    await workOff(app)
  }
  async function saleOf(externalId: string) {
    const { id } = await db.one<{ id: string }>`
      select id from sales where account_id = ${account.id} and external_id = ${externalId}`
    return owner.get(`/sales/${id}`)
  }
  /** Returns a partner's earnings by now. */
  const earned = ({ id }: { id: string }) => db.value<number>`
    select coalesce(sum(amount), 0)::int from commission_entries where account_id = ${account.id} and partner_id = ${id}`
  const why = ({ id }: { id: string }) => owner.get(`/sales/${id}/match`)
  const first = await pay(50_00, { referralCode: 'jane' }, 120)
  assert.equal(first.partnerId, jane.id)
  const push = createCaller(app, apiKey)
  const base = { account, owner, jane, bob, blueprintId, webhookUrl, email, customerId, first, push }
  return { ...base, clickOf, pay, tell, saleOf, earned, why }
}

const isWhole = async () => assert.deepEqual(await verifyLedger(db), [])

test('a returning customer’s order is the last click’s, if the account says so, and the customer stays', async () => {
  for (const returningCustomers of ['keep-partner', 'latest-click']) {
    const { jane, bob, pay, clickOf, earned, tell, owner, first, why } = await aShop({ returningCustomers })
    assert.equal(await earned(jane), 10_00)
    const clickId = await clickOf(bob)
    const sale = await pay(80_00, { clickId })
    if (returningCustomers === 'keep-partner') {
      assert.deepEqual([sale.partnerId, await earned(jane), await earned(bob)], [jane.id, 26_00, 0])
      continue
    }
    assert.deepEqual([sale.partnerId, sale.leadId, sale.matchedBy], [bob.id, first.leadId, 'click'])
    assert.deepEqual([await earned(jane), await earned(bob)], [10_00, 16_00])
    assert.equal((await owner.get(`/leads/${sale.leadId}`)).partnerId, jane.id)
    const { rule, why: words } = await why(sale)
    assert.equal(rule, 'click')
    assert.equal(
      words,
      'The sale came with a click on the partner’s link, within its attribution window. Each order of a returning customer goes to its last click; the customer stays with Jane Whitfield',
    )
    await tell('refund', { id: `refund-${sale.id}`, paymentId: sale.externalId, amount: 20_00 })
    assert.equal(await earned(bob), 12_00)
    const next = await pay(30_00)
    assert.deepEqual([next.partnerId, await earned(jane)], [jane.id, 16_00])
  }
  await isWhole()
})

test('renewals follow their subscription’s first sale after the window, and after the setting was changed back', async () => {
  const { account, owner, jane, bob, pay, clickOf, earned, why } = await aShop()
  const subscriptionId = 'sub-bobs'
  const clickId = await clickOf(bob, 101)
  await pay(40_00, { clickId, subscriptionId }, 100)
  for (const days of [70, 40]) await pay(40_00, { clickId, subscriptionId }, days)
  await owner.patch(`/accounts/${account.id}`, { returningCustomers: 'keep-partner' })
  const fourth = await pay(40_00, { clickId, subscriptionId }, 10)
  assert.deepEqual([fourth.partnerId, await earned(bob), await earned(jane)], [bob.id, 32_00, 10_00])
  assert.equal(
    (await why(fourth)).why,
    'Renewals follow their subscription’s first sale, which was this partner’s; the customer stays with Jane Whitfield',
  )
  // another order of the customer without a click stays theirs
  assert.equal((await pay(10_00)).partnerId, jane.id)
  await isWhole()
})

test('a renewal that repeats what its subscription’s first sale named stays with that sale’s partner', async () => {
  const { account, owner, jane, bob, pay, clickOf, why } = await aShop()
  await owner.post(`/partners/${bob.id}/promotion-codes`, { code: 'BOB10' })
  await db.run`update promotion_codes set created_at = ${daysAgo(200)} where account_id = ${account.id}`
  const subscriptionId = 'sub-janes'
  const promotionCode = 'bob10'
  const clickId = await clickOf(jane, 60)
  // Jane's click goes before Bob's code, which the shop applies to every renewal
  const first = await pay(40_00, { clickId, subscriptionId, promotionCode }, 59)
  assert.equal(first.partnerId, jane.id)
  const renewal = await pay(40_00, { clickId, subscriptionId, promotionCode }, 1)
  assert.deepEqual([renewal.partnerId, renewal.matchedBy], [jane.id, 'customer'])
  assert.ok(
    (await why(renewal)).others.some(
      ({ why: words }: { why: string }) =>
        words ===
        'The promotion code names Bob Okafor. Renewals follow their subscription’s first sale, which named them too',
    ),
  )
  // a code entered now is new
  const later = await pay(40_00, { subscriptionId, referralCode: 'bob' }, 0)
  assert.equal(later.partnerId, jane.id, 'Bob was named by the first sale')
  const plain = 'sub-plain'
  await pay(40_00, { subscriptionId: plain }, 50)
  const named = await pay(40_00, { subscriptionId: plain, promotionCode }, 1)
  assert.equal(named.partnerId, bob.id)
  await isWhole()
})

test('the recurring limit ends no order that names another partner itself', async () => {
  const { jane, bob, pay, clickOf, earned } = await aShop({ recurringMonths: 1 })
  const subscriptionId = 'sub-long'
  await pay(40_00, { subscriptionId }, 110)
  await pay(40_00, { subscriptionId }, 40)
  assert.equal(await earned(jane), 18_00)
  const sale = await pay(40_00, { subscriptionId, clickId: await clickOf(bob) })
  assert.deepEqual([sale.partnerId, await earned(bob)], [bob.id, 8_00])
  // its own subscription ends after the same time
  const bobs = 'sub-bobs'
  const clickId = await clickOf(bob, 91)
  for (const days of [90, 65, 30]) await pay(10_00, { subscriptionId: bobs, clickId }, days)
  assert.equal(await earned(bob), 12_00)
  await isWhole()
})

test('it is a repeat sale to rules about the customer’s payments, by the terms of the partner named', async () => {
  const { owner, bob, pay, clickOf, earned } = await aShop()
  await owner.put(`/partners/${bob.id}/terms`, {
    terms: {
      rules: [{ name: 'First order', on: 'sale', when: { firstPayments: 1 }, layerRates: [50] }],
      otherwise: { layerRates: [5] },
    },
  })
  await pay(100_00, { clickId: await clickOf(bob) })
  assert.equal(await earned(bob), 5_00)
  await owner.post(`/partners/${bob.id}/promotion-codes`, { code: 'BOB10' })
  const sale = await pay(100_00, { promotionCode: 'BOB10' })
  assert.deepEqual([sale.partnerId, sale.matchedBy, await earned(bob)], [bob.id, 'coupon', 10_00])
  await isWhole()
})

test('pushed sales go by the same rule: click, code, promotion code, in either order', async () => {
  for (const attributionOrder of ['click-first', 'code-first']) {
    const { owner, push, jane, bob, email, clickOf, why } = await aShop({ attributionOrder })
    await owner.post(`/partners/${bob.id}/promotion-codes`, { code: 'BOB10' })
    const sell = (facts: Record<string, unknown>) =>
      push.post('/push/sales', { externalId: anEmail(), email, amount: 10_00, ...facts })
    const coded = await sell({ referralCode: 'bob' })
    assert.deepEqual([coded.partnerId, coded.matchedBy], [bob.id, 'code'])
    const clicked = await sell({ referralCode: await clickOf(bob) })
    assert.deepEqual([clicked.partnerId, clicked.matchedBy], [bob.id, 'click'])
    const promoted = await sell({ promotionCode: 'bob10' })
    assert.deepEqual([promoted.partnerId, promoted.matchedBy], [bob.id, 'coupon'])
    assert.equal((await sell({})).partnerId, jane.id)
    const both = await sell({ referralCode: 'jane', promotionCode: 'bob10' })
    assert.equal(both.partnerId, attributionOrder === 'code-first' ? bob.id : jane.id)
    assert.equal((await why(both)).others.length > 0, true)
    const { id } = await owner.get(`/leads/${coded.leadId}`)
    assert.equal((await owner.get(`/leads/${id}`)).partnerId, jane.id)
  }
  await isWhole()
})

test('a list of pushed sales: renewals follow a first sale of the same list', async () => {
  const { push, bob, email } = await aShop()
  const row = { email, amount: 10_00, subscriptionId: 'sub-of-a-list' }
  await push.post('/push/sales', [
    { ...row, externalId: anEmail(), referralCode: 'bob', saleDate: dayOf(40) },
    { ...row, externalId: anEmail(), saleDate: dayOf(10) },
  ])
  const rows = await db.many<{ partnerId: string; latestClick: string }>`
    select partner_id, latest_click from sales where subscription_id = 'sub-of-a-list' order by sale_date`
  assert.deepEqual(rows, [
    { partnerId: bob.id, latestClick: 'order' },
    { partnerId: bob.id, latestClick: 'renewal' },
  ])
  await isWhole()
})

test('the credited partner sees the sale with its own visit, without the other partner’s customer', async () => {
  const { account, owner, pay, clickOf, first, blueprintId } = await aShop()
  const kim = await aPartner(app, account, { firstName: 'Kim', lastName: 'Ito' }, { signIn: true })
  const clickId = await clickOf(kim)
  await db.run`update clicks set sub_id = 'newsletter', referrer_host = 'news.example' where id = ${clickId}`
  await db.run`update leads set sub_id = 'of-jane' where account_id = ${account.id}`
  const sale = await pay(80_00, { clickId })
  assert.equal(sale.partnerId, kim.id)
  const asKim = createCaller(app, kim.token)
  assert.equal((await asKim.call('GET', `/leads/${sale.leadId}`)).status, 404)
  const { items } = await owner.get(`/accounts/${account.id}/commissions`)
  const subIds = items.map((one: { saleId: string; subId: string | null }) => [one.saleId, one.subId])
  assert.deepEqual(
    new Map(subIds),
    new Map([
      [sale.id, 'newsletter'],
      [first.id, 'of-jane'],
    ]),
  )
  const [entry] = (await owner.get(`/sales/${sale.id}`)).commissions
  assert.equal((await owner.get(`/commissions/${entry.id}`)).click.id, clickId)
  const receipt = await asKim.get(`/commissions/${entry.id}`)
  assert.match(receipt.match.why, /stays with their partner$/)
  assert.deepEqual([receipt.lead, receipt.sale.leadId, receipt.sale.leadName], [null, null, null])
  const today = dayOf(0)
  const report = await owner.get(`/accounts/${account.id}/reports/${today}..${today}?by=sub-id`)
  const rows = report.items.map(({ value, clicks, sales }: Record<string, unknown>) => [value, clicks, sales])
  const expected = [
    ['newsletter', 1, 1],
    ['of-jane', 0, 0],
  ]
  assert.deepEqual(rows.sort(), expected)
  const links = await owner.get(`/accounts/${account.id}/reports/${today}..${today}?by=link`)
  const ofLink = links.items.find(({ value }: { value: string }) => value === blueprintId)
  assert.deepEqual([ofLink.clicks, ofLink.sales], [1, 1])
  await isWhole()
})

/** Imports past sales to the end; each line is a row without its header. */
async function importsInto({ account, owner }: Awaited<ReturnType<typeof aShop>>, lines: string[], dryRun = false) {
  const csv = ['ID,Email,Customer ID,Partner Email,Amount,Date,Subscription ID', ...lines].join('\n')
  const { id } = await owner.post(`/accounts/${account.id}/imports`, { kind: 'sales', csv, dryRun })
  return importDone(owner, id)
}

async function importDone(owner: ReturnType<typeof createCaller>, id: string): Promise<Import> {
  await processImport(app.services, { importId: id })
  const done = await owner.get(`/imports/${id}`)
  return ['waiting', 'running', 'undoing'].includes(done.state) ? importDone(owner, id) : done
}

test('a row of a file that names another partner for a customer is theirs, as with each order, and undone exactly', async () => {
  for (const returningCustomers of ['keep-partner', 'latest-click']) {
    const shop = await aShop({ returningCustomers })
    const { owner, jane, bob, email, first, saleOf, earned, why } = shop
    await db.run`update leads set external_id = 'c-1' where id = ${first.leadId}`
    const [one, other] = [anEmail(), anEmail()]
    const lines = [`${one},,c-1,${bob.email},80,${dayOf(30)},`, `${other},${email},,${bob.email},40,${dayOf(20)},`]
    for (const dryRun of [true, false]) {
      const { created, errors } = await importsInto(shop, lines, dryRun)
      const refused = errors.map((error: { message: string }) => error.message)
      const isKept = returningCustomers === 'keep-partner'
      assert.deepEqual([created, refused], isKept ? [1, ['This customer belongs to another partner']] : [2, []])
    }
    const sale = await saleOf(other)
    assert.equal(sale.partnerId, bob.id)
    assert.equal((await owner.get(`/leads/${first.leadId}`)).partnerId, jane.id)
    if (returningCustomers === 'keep-partner') {
      assert.notEqual(sale.leadId, first.leadId, 'a lead of their own, as before')
      continue
    }
    assert.deepEqual([sale.leadId, (await saleOf(one)).leadId], [first.leadId, first.leadId])
    assert.deepEqual([await earned(jane), await earned(bob)], [10_00, 24_00])
    assert.equal(
      (await why(sale)).why,
      'Someone recorded or attributed it manually; the customer stays with Jane Whitfield',
    )
    const { id } = (await owner.get(`/accounts/${shop.account.id}/imports`)).items.find(
      ({ dryRun }: { dryRun: boolean }) => !dryRun,
    )
    await owner.post(`/sales/${sale.id}/refunds`, { amount: 10_00, reason: 'Returned' })
    assert.equal(await earned(bob), 22_00)
    await owner.post(`/imports/${id}/undo`)
    assert.equal((await importDone(owner, id)).state, 'undone')
    assert.deepEqual([await earned(jane), await earned(bob)], [10_00, 0])
    assert.equal((await owner.get(`/leads/${first.leadId}`)).partnerId, jane.id)
  }
  await isWhole()
})

test('a file’s own customers stay with the partner of their first row', async () => {
  const shop = await aShop()
  const { owner, jane, bob, saleOf, earned } = shop
  const ids = Array.from({ length: 5 }, () => anEmail())
  const email = anEmail()
  const lines = [
    `${ids[0]},${email},,${jane.email},100,${dayOf(60)},`,
    `${ids[1]},${email},,${bob.email},100,${dayOf(50)},sub-of-file`,
    `${ids[2]},${email},,${bob.email},100,${dayOf(20)},sub-of-file`,
    `${ids[3]},${email},,${jane.email},100,${dayOf(10)},sub-of-file`,
    `${ids[4]},${email},,,100,${dayOf(5)},`,
  ]
  for (const dryRun of [true, false]) assert.equal((await importsInto(shop, lines, dryRun)).created, 5)
  const sales = await Promise.all(ids.map(saleOf))
  assert.equal(new Set(sales.map(({ leadId }) => leadId)).size, 1)
  assert.deepEqual(
    sales.map(({ partnerId }) => partnerId),
    [jane.id, bob.id, bob.id, jane.id, jane.id],
  )
  const kinds = await db.many<{ latestClick: string | null }>`
    select latest_click from sales where lead_id = ${sales[0].leadId} order by sale_date`
  assert.deepEqual(
    kinds.map(({ latestClick }) => latestClick),
    [null, 'order', 'renewal', null, null],
  )
  assert.deepEqual([await earned(jane), await earned(bob)], [70_00, 40_00])
  assert.equal((await owner.get(`/leads/${sales[0].leadId}`)).partnerId, jane.id)
  await isWhole()
})

test('a row that names a suspended partner for another’s customer is refused, as it was', async () => {
  const shop = await aShop()
  const { owner, bob, first } = shop
  await db.run`update leads set external_id = 'c-1' where id = ${first.leadId}`
  await owner.put(`/partners/${bob.id}`, { state: 'suspended', reason: 'Checks' })
  const { created, errors } = await importsInto(shop, [`${anEmail()},,c-1,${bob.email},80,${dayOf(0)},`])
  assert.deepEqual([created, errors[0]?.message], [0, 'This customer belongs to another partner'])
})

test('a sale of another partner’s customer that is attributed by hand is theirs, and the customer stays', async () => {
  for (const returningCustomers of ['keep-partner', 'latest-click']) {
    const { owner, jane, bob, pay, tell, earned, why } = await aShop({ returningCustomers })
    const email = anEmail('customer')
    const payer = { email, customerId: `cus-${email}` }
    const first = await pay(50_00, { ...payer, referralCode: 'jane' }, 40)
    // before Jane's referral, so that they have no partner
    const [sale, other] = [await pay(80_00, payer, 50), await pay(60_00, payer, 45)]
    assert.deepEqual([sale.partnerId, other.partnerId], [null, null])
    const path = `/sales/${sale.id}/attribute`
    const body = { partnerId: bob.id, reason: 'Asked' }
    if (returningCustomers === 'keep-partner') {
      const refused = await owner.call('POST', path, body)
      assert.deepEqual([refused.status, refused.body.error.reason], [409, 'payer_has_other_partner'])
      continue
    }
    const shown = await owner.post(path, { ...body, preview: true })
    assert.deepEqual(shown, { sales: { count: 0, amount: 0 }, commission: 0, leadPay: 0 })
    await owner.post(path, { ...body, creditEarlierSales: true, shown })
    const given = await owner.get(`/sales/${sale.id}`)
    assert.deepEqual([given.partnerId, given.leadId], [bob.id, first.leadId])
    assert.equal((await owner.get(`/sales/${other.id}`)).partnerId, null, 'of the customer, who stays')
    assert.equal((await owner.get(`/leads/${first.leadId}`)).partnerId, jane.id)
    assert.deepEqual([await earned(jane), await earned(bob)], [20_00, 16_00])
    assert.equal(
      (await why(given)).why,
      'Someone recorded or attributed it manually; the customer stays with Jane Whitfield',
    )
    await tell('refund', { id: `refund-${sale.id}`, paymentId: sale.externalId, amount: 40_00 })
    assert.deepEqual([await earned(jane), await earned(bob)], [20_00, 8_00])
    await owner.post(`/sales/${sale.id}/void`, { reason: 'By mistake' })
    assert.deepEqual([await earned(jane), await earned(bob)], [20_00, 0])
  }
  await isWhole()
})
