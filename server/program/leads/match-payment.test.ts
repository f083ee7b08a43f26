import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aBlueprint, aClick, aConnectedShop, readAccountFacts } from '../../../test/support/leads.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { findLeadForPayment, type PaymentReferences, rememberCustomer } from './match-payment.ts'

const app = await startApp()
const { db } = app.services

const findLead = async (account: TestAccount, refs: Partial<PaymentReferences>) =>
  findLeadForPayment(db, await readAccountFacts(db, account.id), { references: [], ...refs }, db.now)
const match = async (account: TestAccount, refs: Partial<PaymentReferences>) => {
  const { match: found } = await findLead(account, refs)
  if (!found || !('leadId' in found)) return found
  const { isFirst: _, ...rest } = found
  return rest
}
const triedOf = async (account: TestAccount, refs: Partial<PaymentReferences>) =>
  (await findLead(account, refs)).tried.map(({ rule, outcome }) => `${rule} ${outcome}`)
const aLead = async (account: TestAccount, body: object): Promise<{ id: string }> =>
  expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body })).body
const sell = async (account: TestAccount, { id }: { id: string }) =>
  expectOk(await app.api('POST', `/leads/${id}/sales`, { token: account.token, body: { amount: 10_00 } }))
const remember = async (account: TestAccount, customerId: string, { id }: { id: string }) => {
  const shopId = await aConnectedShop(db, account.id)
  await transaction(db, (tx) => rememberCustomer(tx, account.id, { shopId, customerId, leadId: id }))
}

const bind = (account: TestAccount, { id }: { id: string }, code: string) => db.run`
  insert into promotion_codes (id, account_id, partner_id, code, created_at)
  values (${newId()}, ${account.id}, ${id}, ${code}, ${db.now})`

test('each rule yields to the ones before it', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const blueprintId = await aBlueprint(db, account.id)
  const clickId = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const leads = {
    click: await aLead(account, { email: anEmail(), partnerId: partner.id }),
    'lead-id': await aLead(account, { email: anEmail(), partnerId: partner.id }),
    customer: await aLead(account, { email: anEmail(), partnerId: partner.id }),
    'external-id': await aLead(account, { externalId: 'cus_1', partnerId: partner.id }),
    email: await aLead(account, { email: 'payer@mail.example', partnerId: partner.id }),
  }
  await db.run`update leads set click_id = ${clickId} where id = ${leads.click.id}`
  await remember(account, 'cus_1', leads.customer)

  const refs: Partial<PaymentReferences> = {
    references: [leads['lead-id'].id, clickId],
    customer: { shopId: await aConnectedShop(db, account.id), id: 'cus_1' },
    email: ' Payer@Mail.example',
  }
  assert.deepEqual(await match(account, refs), { leadId: leads.click.id, matchedBy: 'click' })
  refs.references = ['', leads['lead-id'].id]
  assert.deepEqual(await match(account, refs), { leadId: leads['lead-id'].id, matchedBy: 'lead-id' })
  refs.references = ['neither-this']
  assert.deepEqual(await match(account, refs), { leadId: leads.customer.id, matchedBy: 'customer' })
  refs.customer = { shopId: await aConnectedShop(db, account.id, 'another shop'), id: 'cus_1' }
  assert.deepEqual(await match(account, refs), { leadId: leads['external-id'].id, matchedBy: 'external-id' })
  refs.customer = null
  assert.deepEqual(await match(account, refs), { leadId: leads.email.id, matchedBy: 'email' })
  assert.equal(await match(account, { email: 'nobody@mail.example' }), null)
})

test('a click or code without a lead creates one for its partner, in any field of the payment', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const blueprintId = await aBlueprint(db, account.id, { cookieDays: 10, attributionModel: 'first-touch' })
  const clickId = await aClick(db, account.id, { partnerId: partner.id, blueprintId })
  const stale = await aClick(db, account.id, { partnerId: partner.id, blueprintId, daysAgo: 11 })
  const credited = { partnerId: partner.id, blueprintId, linkId: null, subId: null, clickId, country: null }
  const byClick = { ...credited, model: 'first-touch', matchedBy: 'click' }
  const byCode = { partnerId: partner.id, blueprintId: null, clickId: null, model: 'last-touch', matchedBy: 'code' }
  for (const refs of [{ references: [clickId] }, { clickId }, { leadId: clickId }, { referralCode: clickId }])
    assert.deepEqual(await match(account, refs), { makeLead: byClick })
  for (const refs of [
    { references: [partner.referralCode] },
    { clickId: partner.referralCode.toUpperCase() },
    { referralCode: partner.referralCode },
  ])
    assert.deepEqual(await match(account, refs), { makeLead: byCode })
  assert.equal(await match(account, { clickId: stale }), null)
  const other = await anAccount(app)
  assert.equal(await match(other, { clickId, referralCode: partner.referralCode }), null)
})

test("a code beside a known e-mail takes the partner's own lead", async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const own = await aLead(account, { email: 'own@mail.example', partnerId: partner.id })
  const referralCode = partner.referralCode
  assert.deepEqual(await match(account, { referralCode, email: 'own@mail.example' }), {
    leadId: own.id,
    matchedBy: 'code',
  })
  await aLead(account, { email: 'free@mail.example' })
  assert.ok('makeLead' in (await match(account, { referralCode, email: 'free@mail.example' }))!)
})

test('a buyer stays with the first partner; before the first sale the last touch wins, or the first if the account chose it', async () => {
  const account = await anAccount(app)
  const [first, later] = [await aPartner(app, account), await aPartner(app, account)]
  const lead = await aLead(account, { email: 'torn@mail.example', partnerId: first.id })
  const refs = { referralCode: later.referralCode, email: 'torn@mail.example' }
  assert.equal(((await match(account, refs)) as { makeLead: { partnerId: string } }).makeLead.partnerId, later.id)
  await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { attributionModel: 'first-touch' } })
  assert.deepEqual(await match(account, refs), { leadId: lead.id, matchedBy: 'email' })
  await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { attributionModel: 'last-touch' } })
  await sell(account, lead)
  assert.deepEqual(await match(account, refs), { leadId: lead.id, matchedBy: 'email' })
})

test('a promotion code comes after the customer and before the e-mail', async () => {
  const account = await anAccount(app)
  const [first, bound] = [await aPartner(app, account), await aPartner(app, account)]
  const lead = await aLead(account, { email: 'coupon@mail.example', partnerId: first.id })
  const customers = await aLead(account, { email: anEmail(), partnerId: first.id })
  await remember(account, 'cus_2', customers)
  await bind(account, bound, 'SPRING20')
  await bind(account, first, 'promo_1first')
  const refs = { promotionCodes: ['nobody-has-this', ' spring20 '], email: 'coupon@mail.example' }
  const made = (await match(account, refs)) as { makeLead: { partnerId: string; matchedBy: string } }
  assert.deepEqual([made.makeLead.partnerId, made.makeLead.matchedBy], [bound.id, 'coupon'])
  const withCustomer = await match(account, {
    ...refs,
    customer: { shopId: await aConnectedShop(db, account.id), id: 'cus_2' },
  })
  assert.deepEqual(withCustomer, { leadId: customers.id, matchedBy: 'customer' })
  // the first of several counts
  assert.deepEqual(await match(account, { ...refs, promotionCodes: ['promo_1FIRST', 'SPRING20'] }), {
    leadId: lead.id,
    matchedBy: 'coupon',
  })
  // a code is one account's
  assert.equal(await match(await anAccount(app), { promotionCodes: ['SPRING20'] }), null)
})

test('an e-mail finds open, won and lost leads that are protected or have bought, and rejected ones as a reason', async () => {
  const account = await anAccount(app)
  const lead = await aLead(account, { email: 'state@mail.example' })
  const found = async () => (await match(account, { email: 'state@mail.example' })) !== null
  for (const status of ['new', 'qualified', 'won', 'lost', 'rejected', 'expired']) {
    await db.run`update leads set status = ${status} where id = ${lead.id}`
    assert.equal(await found(), status !== 'expired', status)
  }
  await db.run`update leads set status = 'new', protected_until = now() - interval '1 day' where id = ${lead.id}`
  assert.equal(await found(), false)
  await sell(account, lead)
  assert.equal(await found(), true)
})

test('rules tried before the one that found the lead are reported with their outcomes', async () => {
  const account = await anAccount(app)
  const [first, later] = [await aPartner(app, account), await aPartner(app, account)]
  const blueprintId = await aBlueprint(db, account.id, { cookieDays: 10 })
  const stale = await aClick(db, account.id, { partnerId: first.id, blueprintId, daysAgo: 11 })
  const lead = await aLead(account, { email: 'tried@mail.example', partnerId: first.id })

  const absent = ['click absent', 'lead-id absent', 'code absent', 'customer absent', 'external-id absent']
  assert.deepEqual(await triedOf(account, {}), [...absent, 'coupon absent', 'email absent'])
  assert.deepEqual(await triedOf(account, { references: [lead.id] }), ['click absent'])
  assert.deepEqual((await triedOf(account, { references: [newId()] })).slice(0, 2), [
    'click unknown',
    'lead-id unknown',
  ])
  assert.deepEqual(
    await triedOf(account, {
      references: [stale, 'nobody-here'],
      customer: { shopId: await aConnectedShop(db, account.id), id: 'cus_0' },
      promotionCodes: ['NOBODYS', 'x'.repeat(5000)],
      email: 'tried@mail.example',
    }),
    ['click expired', 'lead-id absent', 'code unknown', 'customer unknown', 'external-id unknown', 'coupon unknown'],
  )
  await bind(account, later, 'LATER')
  await app.api('PUT', `/partners/${later.id}`, {
    token: account.token,
    body: { state: 'suspended', reason: 'Asked to' },
  })
  const refs = { referralCode: later.referralCode, email: 'tried@mail.example' }
  assert.ok((await triedOf(account, refs)).includes('code inactive'))
  assert.ok((await triedOf(account, { promotionCodes: ['later'] })).includes('coupon inactive'))
  await app.api('PUT', `/partners/${later.id}`, { token: account.token, body: { state: 'active' } })
  await sell(account, lead)
  assert.deepEqual(await triedOf(account, refs), [
    ...['click absent', 'lead-id absent', 'code bought-before', 'customer absent', 'external-id absent'],
    'coupon absent',
  ])
})

test('a customer stays with the lead of their first payment', async () => {
  const account = await anAccount(app)
  const [one, two] = [await aLead(account, { email: anEmail() }), await aLead(account, { email: anEmail() })]
  await remember(account, 'cus_9', one)
  await remember(account, 'cus_9', two)
  assert.deepEqual(await match(account, { customer: { shopId: await aConnectedShop(db, account.id), id: 'cus_9' } }), {
    leadId: one.id,
    matchedBy: 'customer',
  })
})

test('a code credits its partner, but a number where shops put their customers’ is none', async () => {
  const account = await anAccount(app)
  const { id } = await aPartner(app, account, { referralCode: '4711', earlierCodes: ['Jane_D', '42'] })
  const credited = async (refs: Partial<PaymentReferences>) => {
    const found = await match(account, { email: anEmail(), ...refs })
    return found && 'makeLead' in found ? found.makeLead.partnerId : null
  }
  assert.equal(await credited({ references: ['JANE_D'] }), id)
  for (const number of ['4711', '42']) {
    assert.equal(await credited({ references: [number] }), null)
    assert.equal(await credited({ referralCode: number }), id)
  }
})
