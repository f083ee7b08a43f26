import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aBlueprint, aClick, readAccountFacts } from '../../../test/support/leads.ts'
import { transaction } from '../../platform/database/pool.ts'
import { captureLead, type LeadToCapture } from './capture-lead.ts'

const app = await startApp()
const { db } = app.services

const capture = async (account: TestAccount, submission: Partial<LeadToCapture>) => {
  const facts = await readAccountFacts(db, account.id)
  const captured = await transaction(db, (tx) => captureLead(tx, facts, { source: 'embed', ...submission }))
  const { leadId, created, duplicate } = captured
  return { leadId, created, duplicate }
}
const leadOf = async (account: TestAccount, { leadId }: { leadId: string }) =>
  expectOk(await app.api('GET', `/leads/${leadId}`, { token: account.token })).body
const twoPartners = async (account: TestAccount) => [await aPartner(app, account), await aPartner(app, account)]
const numberOfLeads = async (account: TestAccount, id?: string) =>
  expectOk(await app.api('GET', id ? `/partners/${id}` : `/accounts/${account.id}/stats`, { token: account.token }))
    .body

test('a click inside its window is credited before partner and code, one outside is not', async () => {
  const account = await anAccount(app, { attributionModel: 'first-touch' })
  const [one, two] = await twoPartners(account)
  const blueprintId = await aBlueprint(db, account.id, { cookieDays: 30, attributionModel: 'last-touch' })
  const fresh = await aClick(db, account.id, { partnerId: one.id, blueprintId, daysAgo: 29 })
  const stale = await aClick(db, account.id, { partnerId: one.id, blueprintId, daysAgo: 31 })

  const byClick = await leadOf(account, await capture(account, { email: anEmail(), clickId: fresh, partnerId: two.id }))
  assert.deepEqual([byClick.partnerId, byClick.clickId, byClick.blueprintId], [one.id, fresh, blueprintId])
  assert.deepEqual([byClick.attribution.matchedBy, byClick.attribution.model], ['click', 'last-touch'])

  const byCode = await leadOf(
    account,
    await capture(account, { email: anEmail(), clickId: stale, referralCode: two.referralCode.toUpperCase() }),
  )
  assert.deepEqual([byCode.partnerId, byCode.clickId, byCode.blueprintId], [two.id, null, null])
  assert.deepEqual([byCode.attribution.matchedBy, byCode.attribution.model], ['code', 'first-touch'])

  const byNobody = await leadOf(account, await capture(account, { email: anEmail(), referralCode: 'unknown-code' }))
  assert.deepEqual([byNobody.partnerId, byNobody.attribution], [null, null])
})

test('a suspended partner gets no new credit by their code, but keeps that of an earlier click', async () => {
  const account = await anAccount(app)
  const [one] = await twoPartners(account)
  const clickId = await aClick(db, account.id, { partnerId: one.id, blueprintId: await aBlueprint(db, account.id) })
  await app.api('PUT', `/partners/${one.id}`, { token: account.token, body: { state: 'suspended' } })
  const byCode = await leadOf(account, await capture(account, { email: anEmail(), referralCode: one.referralCode }))
  const byClick = await leadOf(account, await capture(account, { email: anEmail(), clickId }))
  assert.deepEqual([byCode.partnerId, byClick.partnerId], [null, one.id])
})

test('a repetition by the same partner adds missing values and changes nothing else', async () => {
  const account = await anAccount(app)
  const [one] = await twoPartners(account)
  const email = anEmail()
  const first = await capture(account, {
    email,
    firstName: 'Ann',
    referralCode: one.referralCode,
    metadata: { a: '1' },
  })
  const again = await capture(account, {
    email: email.toUpperCase(),
    firstName: 'Other',
    lastName: 'Known',
    phone: '212 555 0150',
    referralCode: one.referralCode,
    metadata: { a: '9', b: '2' },
  })
  assert.deepEqual(again, { leadId: first.leadId, created: false, duplicate: false })
  const lead = await leadOf(account, first)
  assert.deepEqual([lead.firstName, lead.lastName, lead.metadata], ['Ann', 'Known', { a: '1', b: '2' }])
  const byPhone = await capture(account, { phone: '+1 (212) 555-0150' })
  assert.equal(byPhone.leadId, first.leadId)
  assert.equal((await numberOfLeads(account)).numberOfLeads, 1)
})

test('a lead without a partner gets its first one, unless its sales bind it', async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const open = await capture(account, { email: 'open@mail.example' })
  const bought = await capture(account, { email: 'bought@mail.example' })
  expectOk(await app.api('POST', `/leads/${bought.leadId}/sales`, { token: account.token, body: { amount: 10_00 } }))
  for (const email of ['open@mail.example', 'bought@mail.example'])
    await capture(account, { email, referralCode: one.referralCode })
  assert.equal((await leadOf(account, open)).partnerId, one.id)
  assert.equal((await leadOf(account, bought)).partnerId, null)
  assert.equal((await numberOfLeads(account, one.id)).stats.numberOfLeads, 1)
  assert.equal((await numberOfLeads(account)).numberOfLeads, 2)
  const late = await capture(account, { email: 'open@mail.example', referralCode: two.referralCode })
  assert.equal(late.duplicate, true)
})

test("another partner's submission is stored once as a duplicate, and not counted", async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const first = await capture(account, { email: 'same@mail.example', referralCode: one.referralCode })
  const second = await capture(account, { email: 'same@mail.example', referralCode: two.referralCode })
  const third = await capture(account, { email: 'same@mail.example', referralCode: two.referralCode })
  assert.deepEqual([second.created, second.duplicate], [true, true])
  assert.deepEqual(third, { leadId: second.leadId, created: false, duplicate: true })
  const duplicate = await leadOf(account, second)
  assert.deepEqual(
    [duplicate.status, duplicate.duplicateOfId, duplicate.partnerId],
    ['duplicate', first.leadId, two.id],
  )
  assert.equal((await numberOfLeads(account)).numberOfLeads, 1)
  assert.equal((await numberOfLeads(account, two.id)).stats.numberOfLeads, 0)
})

test('a rejected lead blocks no other partner, and the same partner cannot create it again', async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const first = await capture(account, { email: 'spam@mail.example', referralCode: one.referralCode })
  const body = { status: 'rejected', reason: 'spam' }
  expectOk(await app.api('POST', `/leads/${first.leadId}/status`, { token: account.token, body }))
  const again = await capture(account, { email: 'spam@mail.example', referralCode: one.referralCode })
  assert.equal(again.leadId, first.leadId)
  assert.equal((await leadOf(account, first)).status, 'rejected')
  const other = await capture(account, { email: 'spam@mail.example', referralCode: two.referralCode })
  assert.deepEqual([other.created, other.duplicate], [true, false])
})

test('an expired lead with a known external ID is new again, for any partner', async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const first = await capture(account, { source: 'api', externalId: 'crm-5', partnerId: one.id })
  await db.run`update leads set status = 'expired', protected_until = now() - interval '1 day' where id = ${first.leadId}`
  const again = await capture(account, { source: 'api', externalId: 'crm-5', partnerId: two.id })
  assert.deepEqual(again, { leadId: first.leadId, created: false, duplicate: false })
  const lead = await leadOf(account, first)
  assert.deepEqual([lead.status, lead.partnerId], ['new', two.id])
  assert.ok(Date.parse(lead.protectedUntil) > Date.now())
  assert.equal((await numberOfLeads(account, one.id)).stats.numberOfLeads, 0)
  assert.equal((await numberOfLeads(account, two.id)).stats.numberOfLeads, 1)
})

test('an expired lead with a known external ID stays expired while its person is another partner’s lead', async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const email = anEmail()
  const first = await capture(account, { source: 'api', externalId: 'crm-6', email, partnerId: one.id })
  await db.run`update leads set status = 'expired', protected_until = now() - interval '1 day' where id = ${first.leadId}`
  const second = await capture(account, { email, partnerId: two.id })
  assert.deepEqual([second.created, second.duplicate], [true, false])
  for (const partnerId of [one.id, null]) {
    await capture(account, { source: 'api', externalId: 'crm-6', partnerId, company: 'Quarry Works' })
    const lead = await leadOf(account, first)
    assert.deepEqual([lead.status, lead.partnerId, lead.company], ['expired', one.id, 'Quarry Works'])
  }
  await capture(account, { source: 'api', externalId: 'crm-6', partnerId: two.id })
  const given = await leadOf(account, first)
  assert.deepEqual([given.status, given.partnerId], ['new', two.id])
})

test('the external ID of a duplicate identifies that lead, for any partner', async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const email = anEmail()
  const first = await capture(account, { source: 'api', email, partnerId: one.id })
  const later = await capture(account, { source: 'api', email, externalId: 'crm-9', partnerId: two.id })
  assert.deepEqual([later.created, later.duplicate], [true, true])
  for (const more of [{ partnerId: two.id }, { email, partnerId: one.id }, { email: anEmail() }, {}])
    assert.deepEqual(await capture(account, { source: 'api', externalId: 'crm-9', ...more }), {
      ...later,
      created: false,
    })
  assert.equal((await leadOf(account, later)).partnerId, two.id)
  assert.equal((await leadOf(account, first)).externalId, null)
  const typed = await app.api('POST', `/accounts/${account.id}/leads`, {
    token: account.token,
    body: { externalId: 'crm-9' },
  })
  assert.deepEqual([typed.status, typed.body.error.details], [409, { leadId: later.leadId }])
  assert.equal((await numberOfLeads(account)).numberOfLeads, 1)
})

test('concurrent submissions create one lead', async () => {
  const account = await anAccount(app)
  const [one, two] = await twoPartners(account)
  const codes = [one.referralCode, two.referralCode]
  const captured = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      capture(account, { email: 'rush@mail.example', phone: '212 555 0160', referralCode: codes[index % 2] }),
    ),
  )
  const made = captured.filter(({ created, duplicate }) => created && !duplicate)
  assert.equal(made.length, 1)
  assert.equal(captured.filter(({ created }) => created).length, 2)
  assert.equal((await numberOfLeads(account)).numberOfLeads, 1)
  const external = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      capture(account, { source: 'api', externalId: 'x-1', email: anEmail(`e${index}`) }),
    ),
  )
  assert.equal(new Set(external.map(({ leadId }) => leadId)).size, 1)
})

test('leads of one account do not affect another', async () => {
  const [here, there] = [await anAccount(app), await anAccount(app)]
  const [one] = await twoPartners(here)
  const first = await capture(here, { email: 'shared@mail.example', externalId: 'e-1' })
  const second = await capture(there, {
    email: 'shared@mail.example',
    externalId: 'e-1',
    referralCode: one.referralCode,
  })
  assert.notEqual(first.leadId, second.leadId)
  assert.equal((await leadOf(there, second)).partnerId, null)
})
