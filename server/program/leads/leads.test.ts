import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  type TestAccount,
  turnableClock,
} from '../../../test/support/app.ts'
import { aBlueprint, aClick, readAccountFacts } from '../../../test/support/leads.ts'
import { aPayee, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'
import { system } from '../../platform/author.ts'
import { NIL } from '../../platform/database/ids.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { captureLead } from './capture-lead.ts'
import { lockLeads, markUnwon, markWon } from './lead-facts.ts'
import { expireLeads } from './lead-status.ts'
import { findLeadForPayment } from './match-payment.ts'

const clock = turnableClock()
const app = await startApp({ clock })
const { db } = app.services

const get = async (token: string, path: string) => expectOk(await app.api('GET', path, { token })).body
const post = (token: string, path: string, body: unknown = {}) => app.api('POST', path, { token, body })
const put = (token: string, id: string, body: unknown) => app.api('PUT', `/leads/${id}`, { token, body })
const aLead = async (account: TestAccount, body: object) =>
  expectOk(await post(account.token, `/accounts/${account.id}/leads`, body)).body
const toStatus = (account: TestAccount, id: string, body: object) => post(account.token, `/leads/${id}/status`, body)
const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)

/** Returns the numbers of leads of the account and of each partner, from the roll-up, by day and in all. */
async function counted(accountId: string, ...partnerIds: string[]) {
  const rows = await db.many<{ partnerId: string; days: number; total: number }>`
    select t.partner_id, t.leads as total, (select sum(leads)::int from day_stats d
      where d.account_id = t.account_id and d.partner_id = t.partner_id and d.blueprint_id = ${NIL}) as days
    from total_stats t where t.account_id = ${accountId} and t.blueprint_id = ${NIL}`
  for (const { days, total } of rows) assert.equal(days, total)
  const of = (id: string) => rows.find((row) => row.partnerId === id)?.total ?? 0
  return [of(NIL), ...partnerIds.map(of)]
}

test('a lead entered by hand is new, protected and counted', async () => {
  const account = await anAccount(app, { leadProtectionDays: 10 })
  const partner = await aPartner(app, account)
  const lead = await aLead(account, {
    partnerId: partner.id,
    firstName: 'Ada',
    email: 'Ada@Quarry.example',
    metadata: { plan: 'pro' },
  })
  assert.equal(lead.email, 'ada@quarry.example')
  assert.deepEqual([lead.displayName, lead.status, lead.source], ['Ada', 'new', 'manual'])
  assert.deepEqual(
    [lead.partnerName, lead.attribution.matchedBy, lead.attribution.model],
    ['Pia Tern', 'manual', 'last-touch'],
  )
  assert.equal(Date.parse(lead.protectedUntil) - Date.parse(lead.createdAt), 10 * 86_400_000)
  assert.deepEqual(lead.metadata, { plan: 'pro' })
  assert.deepEqual([lead.stats.numberOfSales, lead.stats.salesProfit], [0, 0])
  assert.deepEqual(await counted(account.id, partner.id), [1, 1])
  assert.deepEqual(await get(account.token, `/leads/${lead.id}`), lead)

  await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { leadProtectionDays: 0 } })
  const unprotected = await aLead(account, { phone: '+1 212 555 0142' })
  assert.deepEqual(
    [unprotected.protectedUntil, unprotected.attribution, unprotected.displayName],
    [null, null, '+1 212 555 0142'],
  )
})

test('a lead without e-mail, phone and external id, or of an unknown partner, is refused', async () => {
  const account = await anAccount(app)
  const foreign = await aPartner(app, await anAccount(app))
  const suspended = await aPartner(app, account)
  await app.api('PUT', `/partners/${suspended.id}`, { token: account.token, body: { state: 'suspended' } })
  const enter = (body: object) => post(account.token, `/accounts/${account.id}/leads`, body)
  assert.ok((await enter({ firstName: 'Nobody' })).body.error.fields.email)
  const alike = await Promise.all(
    [foreign.id, NIL, 'nonsense'].map((partnerId) => enter({ email: anEmail(), partnerId })),
  )
  assert.deepEqual(
    alike.map(({ status }) => status),
    [422, 422, 422],
  )
  assert.equal(new Set(alike.map(({ body }) => body.error.fields.partnerId)).size, 1)
  assert.ok((await enter({ email: anEmail(), partnerId: suspended.id })).body.error.fields.partnerId)
})

test('a lead entered twice is refused with the ID of the first, by e-mail, phone or external ID', async () => {
  const account = await anAccount(app)
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const first = await aLead(account, {
    partnerId: one.id,
    email: 'dup@mail.example',
    phone: '(212) 555-0142',
    externalId: 'crm-1',
  })
  const enter = (body: object) => post(account.token, `/accounts/${account.id}/leads`, body)
  for (const body of [
    { partnerId: one.id, email: ' DUP@mail.example ' },
    { email: 'dup@mail.example' },
    { partnerId: one.id, phone: '+12125550142' },
    { partnerId: two.id, externalId: 'crm-1' },
  ]) {
    const refused = await enter(body)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'duplicate'], JSON.stringify(body))
    assert.equal(refused.body.error.details.leadId, first.id)
  }
  const other = await aLead(account, { partnerId: two.id, email: 'dup@mail.example' })
  assert.deepEqual([other.status, other.duplicateOfId], ['duplicate', first.id])
  assert.equal((await enter({ partnerId: two.id, email: 'dup@mail.example' })).status, 409)
  assert.deepEqual(await counted(account.id, one.id, two.id), [1, 1, 0])
  assert.equal((await get(account.token, `/accounts/${account.id}/leads`)).total, 2)
  assert.equal((await get(account.token, `/partners/${two.id}/leads`)).total, 1)
})

test('a lead is changed and emptied, but stays reachable', async () => {
  const account = await anAccount(app, { timeZone: 'America/New_York' })
  const lead = await aLead(account, { email: 'a@mail.example', phone: '+12125550143', metadata: { a: '1' } })
  const taken = await aLead(account, { email: 'taken@mail.example', externalId: 'x-9' })
  const changed = await put(account.token, lead.id, { firstName: 'Bo', email: null, protectedUntil: '2030-07-01' })
  assert.deepEqual([changed.body.firstName, changed.body.email, changed.body.phone], ['Bo', null, '+12125550143'])
  assert.deepEqual(changed.body.metadata, { a: '1' })
  assert.deepEqual((await put(account.token, lead.id, { metadata: { b: '2' } })).body.metadata, { b: '2' })
  assert.equal(changed.body.protectedUntil, '2030-07-01T04:00:00.000Z')
  assert.equal(
    (await put(account.token, lead.id, { phone: null })).body.error.fields.email,
    'Enter an email, phone or external ID',
  )
  const sameEmail = await put(account.token, lead.id, { email: 'taken@mail.example' })
  assert.deepEqual([sameEmail.status, sameEmail.body.error.details.leadId], [409, taken.id])
  assert.ok((await put(account.token, lead.id, { externalId: 'x-9' })).body.error.fields.externalId)
  assert.equal((await put(account.token, lead.id, { protectedUntil: null })).body.protectedUntil, null)
  assert.equal((await put(account.token, lead.id, { status: 'won' })).status, 422)
})

test('only the documented changes of status can be made by hand', async () => {
  const account = await anAccount(app)
  const moves: Record<string, string[]> = {
    new: ['qualified', 'lost', 'rejected'],
    qualified: ['lost', 'rejected'],
    lost: ['new', 'qualified'],
    rejected: ['new', 'qualified'],
    expired: ['new', 'qualified'],
    won: [],
    duplicate: [],
  }
  const all = Object.keys(moves)
  const first = await aLead(account, { email: anEmail() })
  for (const from of all)
    for (const to of all) {
      const { id } = await aLead(account, { email: anEmail() })
      await db.run`update leads set status = ${from}, duplicate_of_id = ${from === 'duplicate' ? first.id : null} where id = ${id}`
      const { status, body } = await toStatus(account, id, { status: to, reason: 'spam' })
      assert.equal(status, moves[from]!.includes(to) ? 200 : 409, `${from} to ${to}`)
      assert.equal(status === 200 ? body.status : body.error.code, status === 200 ? to : 'invalid_state')
    }
})

test('closing a lead needs a reason, and so does reopening it, which renews the protection', async () => {
  const account = await anAccount(app, { leadProtectionDays: 30 })
  const { id } = await aLead(account, { email: anEmail() })
  assert.ok((await toStatus(account, id, { status: 'lost' })).body.error.fields.reason)
  assert.ok((await toStatus(account, id, { status: 'lost', reason: 'whatever' })).body.error.fields.reason)
  const lost = await toStatus(account, id, {
    status: 'lost',
    reason: 'too-early',
    note: 'ask in spring',
    sharedNote: 'not yet',
  })
  assert.deepEqual([lost.body.statusReason, lost.body.sharedNote], ['too-early', 'not yet'])
  assert.ok((await toStatus(account, id, { status: 'new' })).body.error.fields.reason)
  await db.run`update leads set protected_until = now() - interval '1 day' where id = ${id}`
  const again = await toStatus(account, id, { status: 'qualified', reason: 'they called back' })
  assert.ok(Date.parse(again.body.protectedUntil) > Date.now() + 29 * 86_400_000)
  assert.deepEqual([again.body.sharedNote, again.body.statusReason], [null, 'they called back'])
})

test('a lead expires with its protection and frees its e-mail; customers never expire', async () => {
  const account = await anAccount(app, { leadProtectionDays: 5 })
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const open = await aLead(account, { partnerId: one.id, email: 'open@mail.example' })
  const customer = await aLead(account, { partnerId: one.id, email: 'customer@mail.example' })
  expectOk(await post(account.token, `/leads/${customer.id}/sales`, { amount: 10_00 }))
  await db.run`update leads set protected_until = now() - interval '1 minute' where account_id = ${account.id}`
  assert.ok((await expireLeads(app.services)) >= 1)
  assert.equal(await expireLeads(app.services), 0)
  assert.equal((await get(account.token, `/leads/${open.id}`)).status, 'expired')
  assert.equal((await get(account.token, `/leads/${customer.id}`)).status, 'won')
  assert.equal((await aLead(account, { partnerId: two.id, email: 'open@mail.example' })).status, 'new')
  assert.equal((await aLead(account, { partnerId: two.id, email: 'customer@mail.example' })).status, 'duplicate')
})

test('a customer whose sales were all refunded never expires, and stays with the first partner', async () => {
  const account = await anAccount(app)
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const email = anEmail()
  const customer = await aLead(account, { partnerId: one.id, email })
  const sale = expectOk(await post(account.token, `/leads/${customer.id}/sales`, { amount: 10_00 })).body
  expectOk(await post(account.token, `/sales/${sale.id}/refunds`, { amount: 10_00, reason: 'Broken' }))
  await db.run`update leads set protected_until = now() - interval '1 minute' where account_id = ${account.id}`
  await expireLeads(app.services)
  assert.equal((await get(account.token, `/leads/${customer.id}`)).status, 'qualified')
  const clickId = await aClick(db, account.id, { partnerId: two.id, blueprintId: await aBlueprint(db, account.id) })
  const facts = await readAccountFacts(db, account.id)
  const { match } = await findLeadForPayment(db, facts, { references: [clickId], email }, db.now)
  assert.deepEqual(match, { leadId: customer.id, matchedBy: 'email' })
})

test('a note shared with a former partner is not read by the one to whom an expired lead comes back', async () => {
  const account = await anAccount(app, { leadProtectionDays: 5 })
  const [one, two] = [await aPartner(app, account), await aPartner(app, account, {}, { signIn: true })]
  const person = { email: anEmail('lead'), externalId: 'crm-77' }
  const lead = await aLead(account, { ...person, partnerId: one.id })
  expectOk(await toStatus(account, lead.id, { status: 'qualified', sharedNote: 'As you said on the phone' }))
  await db.run`update leads set protected_until = now() - interval '1 minute' where id = ${lead.id}`
  await expireLeads(app.services)
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  assert.equal(expectOk(await post(apiKey, '/push/leads', { ...person, partnerId: two.id })).body.id, lead.id)
  const seen = await get(two.token, `/leads/${lead.id}`)
  assert.deepEqual([seen.partnerId, seen.status, seen.sharedNote], [two.id, 'new', null])
})

test('a lead without sales can be deleted, and its duplicate takes its place; one with sales cannot', async () => {
  const account = await anAccount(app)
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const first = await aLead(account, { partnerId: one.id, email: 'gone@mail.example' })
  const second = await aLead(account, { partnerId: two.id, email: 'gone@mail.example' })
  assert.equal((await app.api('DELETE', `/leads/${first.id}`, { token: account.token })).status, 204)
  assert.equal((await app.api('GET', `/leads/${first.id}`, { token: account.token })).status, 404)
  const promoted = await get(account.token, `/leads/${second.id}`)
  assert.deepEqual([promoted.status, promoted.duplicateOfId], ['new', null])
  assert.deepEqual(await counted(account.id, one.id, two.id), [1, 0, 1])
  expectOk(await post(account.token, `/leads/${second.id}/sales`, { amount: 1_00 }))
  const refused = await app.api('DELETE', `/leads/${second.id}`, { token: account.token })
  assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.details.sales], [409, 'in_use', 1])
})

test('a lead does not come back beside another one that has its person by now, and takes no sale from its partner', async () => {
  const account = await anAccount(app, { leadProtectionDays: 5 })
  const [one, two, three] = [
    await aPartner(app, account),
    await aPartner(app, account),
    await aPartner(app, account),
  ] as const
  const leadOf = (partner: { id: string }, email: string) => aLead(account, { partnerId: partner.id, email })
  const endProtection = async (id: string) => {
    await db.run`update leads set protected_until = now() - interval '1 minute' where id = ${id}`
    await expireLeads(app.services)
  }
  const body = { name: 'Shop', rights: ['push'] }
  const { key } = expectOk(await post(account.token, `/accounts/${account.id}/api-keys`, body)).body
  const creditedFor = async (email: string) =>
    expectOk(await post(key, '/push/sales', { email, amount: 100_00, externalId: anEmail() })).body.partnerId
  const emails = [anEmail(), anEmail(), anEmail()] as const

  const expired = await leadOf(one, emails[0])
  await endProtection(expired.id)
  const holder = await leadOf(three, emails[0])
  const reopened = await toStatus(account, expired.id, { status: 'new', reason: 'other' })
  assert.deepEqual(
    [reopened.status, reopened.body.error.reason, reopened.body.error.details],
    [409, 'lead_held', { leadId: holder.id }],
  )
  assert.equal(await creditedFor(emails[0]), three.id)

  const lost = await leadOf(one, emails[1])
  expectOk(await toStatus(account, lost.id, { status: 'lost', reason: 'too-early' }))
  await endProtection(lost.id)
  const next = await leadOf(three, emails[1])
  const extended = await put(account.token, lost.id, { protectedUntil: '2099-01-01' })
  assert.deepEqual([extended.status, extended.body.error.reason], [409, 'lead_held'])
  expectOk(await toStatus(account, next.id, { status: 'rejected', reason: 'spam' }))
  expectOk(await put(account.token, lost.id, { protectedUntil: '2099-01-01' }))

  const first = await leadOf(one, emails[2])
  const duplicate = await leadOf(two, emails[2])
  await endProtection(first.id)
  const since = await leadOf(three, emails[2])
  assert.equal((await app.api('DELETE', `/leads/${first.id}`, { token: account.token })).status, 204)
  const kept = await get(account.token, `/leads/${duplicate.id}`)
  assert.deepEqual([kept.status, kept.duplicateOfId], ['duplicate', since.id])
  assert.equal(await creditedFor(emails[2]), three.id)
})

test('moving a lead to another partner moves its figure and is recorded', async () => {
  const account = await anAccount(app)
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const lead = await aLead(account, { partnerId: one.id, email: anEmail() })
  const moved = expectOk(
    await post(account.token, `/leads/${lead.id}/reassign`, { partnerId: two.id, reason: 'wrong code' }),
  )
  assert.deepEqual([moved.body.partnerId, moved.body.attribution.matchedBy], [two.id, 'manual'])
  assert.deepEqual(await counted(account.id, one.id, two.id), [1, 0, 1])
  expectOk(await post(account.token, `/leads/${lead.id}/reassign`, { partnerId: null, reason: 'nobody' }))
  assert.deepEqual(await counted(account.id, one.id, two.id), [1, 0, 0])
  assert.equal((await get(account.token, `/leads/${lead.id}`)).attribution, null)
  const rows = await db.many`select from audit where subject_id = ${lead.id} and action = 'lead.reassigned'`
  assert.equal(rows.length, 2)
})

test('a note is a line of the timeline; the partner sees it only if it is shared', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, { partnerId: partner.id, email: anEmail() })
  const add = (body: unknown, token = account.token) => post(token, `/leads/${lead.id}/notes`, body)
  const own = expectOk(await add({ text: '  Wants a quote\nfor 40 seats 👩‍👩‍👧  ' }))
  const { firstName, lastName, email } = await get(account.token, '/users/me')
  const actor = [firstName, lastName].filter(Boolean).join(' ') || email
  assert.equal(own.status, 201)
  assert.deepEqual(own.body, {
    at: own.body.at,
    type: 'note',
    actor,
    text: 'Wants a quote\nfor 40 seats 👩‍👩‍👧',
    link: null,
  })
  const shared = expectOk(await add({ text: 'We call on Monday', shared: true })).body
  expectOk(await add({ text: 'x'.repeat(2000), shared: false }))

  const notes = async (token: string) =>
    (await get(token, `/leads/${lead.id}/events`)).items.filter(({ type }: { type: string }) => type === 'note')
  const lines = await notes(account.token)
  assert.deepEqual(lines.length, 3)
  assert.ok([own.body, shared].every((line) => lines.some((one: object) => isDeepStrictEqual(one, line))))
  assert.deepEqual(await notes(partner.token), [{ ...shared, actor: null }])
  const wrong = [
    {},
    { text: ' ' },
    { text: 'x'.repeat(2001) },
    { text: 1 },
    { text: 'x', shared: 'yes' },
    { text: 'x', by: 1 },
  ]
  for (const body of wrong) assert.equal((await add(body)).status, 422, JSON.stringify(body))
  assert.equal((await add({ text: 'x' }, partner.token)).status, 403)
  assert.equal((await add({ text: 'x' }, (await anAccount(app)).token)).status, 404)
  assert.equal((await notes(account.token)).length, 3)
})

test('a lead that was moved shows its partner no note that was shared with another one', async () => {
  const account = await anAccount(app)
  const [one, two] = [
    await aPartner(app, account, {}, { signIn: true }),
    await aPartner(app, account, {}, { signIn: true }),
  ]
  const lead = await aLead(account, { email: anEmail() })
  const share = async (text: string) =>
    expectOk(await post(account.token, `/leads/${lead.id}/notes`, { text, shared: true })).body.text
  const move = async (to: { id: string }) =>
    expectOk(await post(account.token, `/leads/${lead.id}/reassign`, { partnerId: to.id, reason: 'Asked to' }))
  const notesOf = async ({ token }: { token: string }) =>
    (await get(token, `/leads/${lead.id}/events?sort=createdAt`)).items
      .filter(({ type }: { type: string }) => type === 'note')
      .map(({ text }: { text: string }) => text)
      .toSorted()
  await share('1 To the next partner')
  await move(one)
  await share('2 You get 5 % more for this one')
  expectOk(
    await toStatus(account, lead.id, {
      status: 'qualified',
      sharedNote: '3 Thanks for the lunch',
    }),
  )
  assert.deepEqual(await notesOf(one), [
    '1 To the next partner',
    '2 You get 5 % more for this one',
    '3 Thanks for the lunch',
  ])
  await move(two)
  await share('4 Please call them')
  assert.deepEqual(await notesOf(two), ['1 To the next partner', '4 Please call them'])
  assert.equal((await get(two.token, `/leads/${lead.id}`)).sharedNote, null)
  await move(one)
  assert.deepEqual(await notesOf(one), [
    '1 To the next partner',
    '2 You get 5 % more for this one',
    '3 Thanks for the lunch',
  ])
})

test('later registrations are listed by the first one', async () => {
  const account = await anAccount(app)
  const [one, two, three] = [await aPartner(app, account), await aPartner(app, account), await aPartner(app, account)]
  const email = anEmail('twice')
  const first = await aLead(account, { partnerId: one.id, email })
  const later = [
    await aLead(account, { partnerId: two.id, email }),
    await aLead(account, { partnerId: three.id, email }),
  ]
  await aLead(account, { partnerId: two.id, email: anEmail() })
  const found = async (id: string) =>
    (await get(account.token, `/accounts/${account.id}/leads?sort=createdAt&duplicateOfId=${id}`)).items.map(
      (lead: { id: string }) => lead.id,
    )
  assert.deepEqual(await found(first.id), [later[0].id, later[1].id])
  assert.deepEqual(await found(later[0].id), [])
  expectOk(await app.api('DELETE', `/leads/${first.id}`, { token: account.token }))
  assert.deepEqual(await found(later[0].id), [later[1].id])
})

test('sales and refunds change whether a lead is won; a duplicate that buys counts from then on', async () => {
  const account = await anAccount(app)
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const first = await aLead(account, { partnerId: one.id, email: 'buyer@mail.example' })
  const second = await aLead(account, { partnerId: two.id, email: 'buyer@mail.example' })
  const won = [first, second].map(({ id }) => ({ accountId: account.id, leadId: id, by: system }))
  await inTransaction(async (tx) => {
    const locked = await lockLeads(tx, [account.id], [second.id, first.id, NIL])
    assert.deepEqual(
      locked.map(({ id, status, email }) => [id, status, email]),
      [
        [first.id, 'new', 'buyer@mail.example'],
        [second.id, 'duplicate', 'buyer@mail.example'],
      ],
    )
    await markWon(tx, won)
    await markWon(tx, won)
  })
  assert.deepEqual(await counted(account.id, one.id, two.id), [2, 1, 1])
  await inTransaction((tx) => markUnwon(tx, [{ accountId: account.id, leadId: first.id, by: system }]))
  assert.equal((await get(account.token, `/leads/${first.id}`)).status, 'qualified')
  const { length } = await db.many`
    select from told_events where account_id = ${account.id} and type = 'lead.status-changed'`
  assert.equal(length, 3)
})

test('the list is filtered, searched, sorted and paged', async () => {
  const account = await anAccount(app, { timeZone: 'Pacific/Auckland' })
  const partner = await aPartner(app, account)
  const ada = await aLead(account, {
    firstName: 'Ada',
    lastName: 'Stone',
    email: 'ada@quarry.example',
    externalId: 'CRM-2125',
    partnerId: partner.id,
  })
  const acme = await aLead(account, { company: 'Acme & Sons', phone: '+12125550144' })
  const cy = await aLead(account, { email: 'cy@quarry.example' })
  await toStatus(account, cy.id, { status: 'qualified' })
  await db.run`update leads set created_at = '2026-03-01T10:59:59Z', created_on = '2026-03-01' where id = ${ada.id}`
  await db.run`update leads set created_at = '2026-03-01T11:00:00Z', created_on = '2026-03-02' where id = ${acme.id}`
  const found = async (query: string) => {
    const { items, total } = await get(account.token, `/accounts/${account.id}/leads?${query}`)
    assert.equal(total, items.length)
    return items.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await found(''), [cy.id, acme.id, ada.id])
  assert.deepEqual(await found('sort=name'), [acme.id, ada.id, cy.id])
  assert.deepEqual(await found('status=qualified'), [cy.id])
  assert.deepEqual(await found('source=manual&status=new'), [acme.id, ada.id])
  assert.deepEqual(await found('partnerId=none'), [cy.id, acme.id])
  assert.deepEqual(await found(`partnerId=${partner.id}`), [ada.id])
  assert.deepEqual(await found(`partnerId=${partner.id},none&sort=createdAt`), [ada.id, acme.id, cy.id])
  assert.deepEqual(await found('from=2026-03-01&to=2026-03-01'), [ada.id])
  assert.deepEqual(await found('from=2026-03-02&to=2026-03-02'), [acme.id])
  assert.deepEqual(await found('search=quarry'), [cy.id, ada.id])
  assert.deepEqual(await found('search=acme%20%26'), [acme.id])
  // a phone in any notation, and a part of it; an external id
  for (const typed of ['(212) 555-0144', '+1 212 555', '2125550144', '555.0144', '001 212'])
    assert.deepEqual(await found(`search=${encodeURIComponent(typed)}`), [acme.id], typed)
  assert.deepEqual(await found('search=crm-2125'), [ada.id])
  assert.deepEqual(await found('search=2125'), [acme.id, ada.id])
  expectOk(await post(account.token, `/leads/${ada.id}/sales`, { amount: 5_00 }))
  assert.deepEqual((await found('sort=-salesRevenue'))[0], ada.id)

  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const page = await get(
      account.token,
      `/accounts/${account.id}/leads?limit=1&sort=name${cursor && `&cursor=${cursor}`}`,
    )
    assert.equal(page.total, 3)
    paged.push(page.items[0].id)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  assert.deepEqual(paged, [acme.id, ada.id, cy.id])
})

test('a partner reads their leads masked by the account’s settings, and cannot search masked values', async () => {
  const account = await anAccount(app)
  const me = await aPartner(app, account, {}, { signIn: true })
  const other = await aPartner(app, account)
  const lead = await aLead(account, {
    partnerId: me.id,
    firstName: 'Cora',
    lastName: 'Lane',
    company: 'Lanes Ltd',
    email: 'cora@secret.example',
    phone: '+1 212 555 0177',
    externalId: 'crm-77',
    metadata: { plan: 'pro' },
  })
  const theirs = await aLead(account, { partnerId: other.id, email: 'theirs@secret.example', firstName: 'Theo' })
  const mineToo = await aLead(account, { partnerId: me.id, email: 'theirs@secret.example', firstName: 'Theo' })
  await toStatus(account, lead.id, {
    status: 'rejected',
    reason: 'spam',
    note: 'inner words',
    sharedNote: 'outer words',
  })
  const visible = (partnerVisibility: object) =>
    app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { partnerVisibility } })

  const seen = await get(me.token, `/leads/${lead.id}`)
  assert.deepEqual(
    [seen.displayName, seen.company, seen.email, seen.phone],
    ['Cora Lane', 'Lanes Ltd', 'c•••@secret.example', '•••77'],
  )
  assert.deepEqual(
    [seen.externalId, seen.statusReason, seen.sharedNote, seen.metadata],
    [null, null, 'outer words', {}],
  )
  assert.deepEqual([seen.stats.salesProfit, seen.stats.salesRevenue], [null, 0])
  assert.equal((await app.api('GET', `/leads/${theirs.id}`, { token: me.token })).status, 404)
  const duplicate = await get(me.token, `/leads/${mineToo.id}`)
  assert.deepEqual(
    [duplicate.status, duplicate.firstName, duplicate.email, duplicate.duplicateOfId],
    ['duplicate', null, null, null],
  )
  assert.equal(duplicate.displayName, `Lead ${mineToo.id.slice(-6)}`)

  const list = (query = '') => app.api('GET', `/partners/${me.id}/leads?${query}`, { token: me.token })
  const total = async (query: string) => expectOk(await list(query)).body.total
  assert.deepEqual([await total(''), await total('search=cora'), await total('search=secret')], [2, 1, 0])
  assert.deepEqual([await total('search=theo'), await total('search=crm-77')], [0, 0])

  await visible({ leadNames: false, leadEmails: false, saleAmounts: false })
  const hidden = await get(me.token, `/leads/${lead.id}`)
  assert.deepEqual([hidden.displayName, hidden.firstName, hidden.company], [`Lead ${lead.id.slice(-6)}`, null, null])
  assert.equal(hidden.stats.salesRevenue, null)
  assert.deepEqual([await total('search=cora'), await total('search=555-0177')], [0, 0])
  assert.equal((await list('sort=salesRevenue')).status, 422)

  await visible({ leadEmails: true })
  const open = await get(me.token, `/leads/${lead.id}`)
  assert.deepEqual([open.email, open.phone, open.displayName], ['cora@secret.example', '+1 212 555 0177', 'cora'])
  assert.deepEqual(
    [await total('search=secret'), await total('search=555-0177'), await total('search=crm-77')],
    [1, 1, 0],
  )
})

test('the timeline goes from click to payout; a partner reads shared lines and their own money', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0 })
  const me = await aPartner(app, account, {}, { signIn: true })
  const blueprintId = await aBlueprint(db, account.id)
  const clickId = await aClick(db, account.id, { partnerId: me.id, blueprintId })
  const facts = await readAccountFacts(db, account.id)
  const { leadId } = await inTransaction((tx) => captureLead(tx, facts, { source: 'embed', email: anEmail(), clickId }))
  await toStatus(account, leadId, { status: 'lost', reason: 'too-early', note: 'inner', sharedNote: 'outer' })
  await toStatus(account, leadId, { status: 'new', reason: 'called back' })
  const sale = expectOk(await post(account.token, `/leads/${leadId}/sales`, { amount: 50_00 })).body
  expectOk(await post(account.token, `/sales/${sale.id}/refunds`, { amount: 10_00, reason: 'broken' }))
  const twice = expectOk(await post(account.token, `/leads/${leadId}/sales`, { amount: 70_00 })).body
  expectOk(await post(account.token, `/sales/${twice.id}/void`, { reason: 'entered_by_mistake' }))

  const events = await get(account.token, `/leads/${leadId}/events?sort=createdAt`)
  const texts = events.items.map(({ type, text }: { type: string; text: string }) => `${type}: ${text}`)
  assert.equal(events.total, texts.length)
  for (const expected of [
    'click: Clicked a link: Spring',
    'lead: Submitted through a form on the website',
    'status: Lost',
    'note: Too early: inner',
    'note: outer',
    'sale: Sale of $50.00',
    'status: Won by a sale',
    'refund: Refund of $10.00: broken',
    'sale: Sale of $70.00, voided: entered by mistake',
  ])
    assert.ok(texts.includes(expected), `${expected} in ${texts.join(', ')}`)
  assert.equal(texts[0], 'click: Clicked a link: Spring')
  for (const done of ['Lost', 'Refund of $10.00: broken'])
    assert.equal(events.items.find(({ text }: { text: string }) => text === done).actor, 'Nora Wind')

  const shared = await get(me.token, `/leads/${leadId}/events`)
  const text = JSON.stringify(shared.items)
  assert.doesNotMatch(text, /inner|Nora|broken|mistake|called back|[Tt]oo.early/)
  assert.match(text, /outer/)
  assert.match(text, /Sale of \$50\.00/)
  await app.api('PATCH', `/accounts/${account.id}`, {
    token: account.token,
    body: { partnerVisibility: { saleAmounts: false } },
  })
  assert.doesNotMatch(JSON.stringify((await get(me.token, `/leads/${leadId}/events`)).items), /\$/)
})

test('the timeline names the provider of a sale, and a payout by its number and partner', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0 })
  const partner = await aPayee(app, account, { firstName: 'Pia', lastName: 'Tern' })
  const lead = await aLead(account, { partnerId: partner.id, email: anEmail() })
  const sale = expectOk(await post(account.token, `/leads/${lead.id}/sales`, { amount: 50_00 })).body
  await db.run`update sales set provider = 'stripe', created_by = null where id = ${sale.id}`
  await requestRefresh(app, account)
  const [payout] = await listPayouts(app, account, partner)
  expectOk(await post(account.token, `/payouts/${payout?.id}/mark-paid`, { reference: 'T-1' }))

  const readEvent = async (token: string, type: string) => {
    const { items } = await get(token, `/leads/${lead.id}/events`)
    const { text, actor } = items.find((event: { type: string }) => event.type === type)
    return { text, actor }
  }
  assert.deepEqual(await readEvent(account.token, 'sale'), { text: 'Sale of $50.00', actor: 'Stripe' })
  assert.deepEqual(await readEvent(account.token, 'payout'), {
    text: 'Payout PO-1 paid: $5.00 for Pia Tern',
    actor: null,
  })
  assert.deepEqual(await readEvent(partner.token, 'sale'), { text: 'Sale of $50.00', actor: null })
  assert.deepEqual(await readEvent(partner.token, 'payout'), { text: 'Payout PO-1 paid: $5.00', actor: null })
})

test('a partner reads timelines and hidden names in their language; their files and the team read English', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0 })
  expectOk(
    await app.api('PATCH', `/accounts/${account.id}`, {
      token: account.token,
      body: { partnerVisibility: { leadNames: false, leadEmails: false } },
    }),
  )
  const me = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, { partnerId: me.id, firstName: 'Ada', email: anEmail() })
  await toStatus(account, lead.id, { status: 'lost', reason: 'too-early', sharedNote: 'Won by a sale' })
  await toStatus(account, lead.id, { status: 'new', reason: 'called back' })
  const sale = expectOk(await post(account.token, `/leads/${lead.id}/sales`, { amount: 50_00 })).body
  expectOk(await post(account.token, `/sales/${sale.id}/refunds`, { amount: 10_00, reason: 'broken' }))
  const inGerman = async (token: string, path: string) =>
    expectOk(await app.api('GET', path, { token, headers: { 'accept-language': 'de' } })).body

  const texts = async (token: string) =>
    (await inGerman(token, `/leads/${lead.id}/events`)).items.map(({ text }: { text: string }) => text)
  const mine = await texts(me.token)
  for (const text of ['Manuell hinzugefügt', 'Verloren', 'Wieder neu', 'Durch einen Verkauf gewonnen'])
    assert.ok(mine.includes(text), `${text} in ${mine.join(', ')}`)
  assert.ok(
    mine.includes('Erstattung über 10,00\u00a0$') && mine.includes('Verkauf über 50,00\u00a0$'),
    mine.join(', '),
  )
  assert.ok(mine.includes('Won by a sale'), 'a note stays as it is')
  assert.ok((await texts(account.token)).includes('Added manually'))
  assert.match(await inGerman(me.token, `/leads/${lead.id}/events/csv`), /Added manually/)

  const hidden = `Lead ${lead.id.slice(-6)}`
  assert.equal((await inGerman(me.token, `/leads/${lead.id}`)).displayName, hidden)
  await app.api('POST', `/leads/${lead.id}/erase`, { token: account.token, body: {} })
  assert.equal((await inGerman(me.token, `/leads/${lead.id}`)).displayName, `Gelöschter Lead ${lead.id.slice(-4)}`)
  assert.equal((await inGerman(account.token, `/leads/${lead.id}`)).displayName, `Erased lead ${lead.id.slice(-4)}`)
})

test('no line of the timeline is lost where a page ends between two lines of one event', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const lead = await aLead(account, { email: anEmail() })
  expectOk(
    await post(account.token, `/leads/${lead.id}/reassign`, { partnerId: partner.id, reason: 'Met at the fair' }),
  )
  expectOk(await toStatus(account, lead.id, { status: 'lost', reason: 'not-a-fit', sharedNote: 'Too small' }))
  for (const sort of ['-createdAt', 'createdAt']) {
    const path = `/leads/${lead.id}/events?sort=${sort}`
    const { items: all } = await get(account.token, path)
    const paged: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: unknown[]; nextCursor: string | null } = await get(
        account.token,
        `${path}&limit=1${cursor && `&cursor=${cursor}`}`,
      )
      paged.push(...page.items)
      cursor = page.nextCursor
    }
    assert.equal(all.length, 6)
    assert.deepEqual(paged, all)
  }
})

test('pushed leads are created, updated and refused one by one', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, { referralCode: 'push-me' })
  const key = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body.apiKey
  const push = (body: unknown) => app.api('POST', '/push/leads', { token: key, body })
  const made = await push({
    externalId: 'p-1',
    email: 'One@push.example',
    referralCode: 'PUSH-ME',
    metadata: { a: '1' },
  })
  assert.deepEqual(
    [made.status, made.body.partnerId, made.body.source, made.body.attribution.matchedBy],
    [201, partner.id, 'api', 'code'],
  )
  const again = await push({ externalId: 'p-1', firstName: 'Uno', email: 'uno@push.example', metadata: { b: '2' } })
  assert.deepEqual(
    [again.status, again.body.id, again.body.email, again.body.firstName],
    [200, made.body.id, 'uno@push.example', 'Uno'],
  )
  assert.deepEqual(again.body.metadata, { a: '1', b: '2' })
  const byEmail = await push({ email: 'uno@push.example', company: 'Uno Ltd' })
  assert.deepEqual([byEmail.status, byEmail.body.id, byEmail.body.company], [200, made.body.id, 'Uno Ltd'])
  assert.ok((await push({ email: anEmail(), referralCode: 'nobody-here' })).body.error.fields.referralCode)
  assert.ok((await push({ email: anEmail(), partnerId: NIL })).body.error.fields.partnerId)
  assert.ok((await push({ firstName: 'Nobody' })).body.error.fields.email)

  const bulk = await push([
    { externalId: 'p-2' },
    { externalId: 'p-1' },
    { nonsense: 1 },
    { email: anEmail(), referralCode: 'nobody-here' },
    { externalId: 'p-2', firstName: 'Two' },
  ])
  assert.equal(bulk.status, 200)
  assert.deepEqual(
    bulk.body.results.map(({ status }: { status: number }) => status),
    [201, 200, 422, 422, 200],
  )
  assert.equal(bulk.body.results[4].id, bulk.body.results[0].id)
  assert.deepEqual(await counted(account.id, partner.id), [2, 1])
  assert.equal((await push([])).status, 422)
})

test('a lead shows the owner the outcome of its self-referral, a hold only while it lasts', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const me = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, { partnerId: me.id, email: me.email })
  const readSelfReferral = async (token = account.token) => (await get(token, `/leads/${lead.id}`)).selfReferral
  const sell = async (selfReferralPolicy: string) => {
    const body = { selfReferralPolicy }
    expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body }))
    return expectOk(await post(account.token, `/leads/${lead.id}/sales`, { amount: 10_00 })).body
  }
  await sell('allow')
  assert.equal(await readSelfReferral(), null)
  const held = await sell('hold')
  assert.deepEqual([await readSelfReferral(), await readSelfReferral(me.token)], ['hold', null])
  await sell('flag')
  assert.equal(await readSelfReferral(), 'hold')
  expectOk(await post(account.token, `/sales/${held.id}/release`, { reason: 'Known' }))
  assert.equal(await readSelfReferral(), 'flag')
  await sell('refuse')
  assert.equal(await readSelfReferral(), 'refuse')
})
