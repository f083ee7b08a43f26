import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '#test/support/app.ts'
import { aBlueprint, BROWSER, clickInAddress, visitLink } from '#test/support/links.ts'

// Several forms of one visitor are one lead (pages.md, rules 26 and 27). Two processes on one database.

const app = await startApp()
const { db, config: settings } = app.services
const second = await startApp({ db, config: settings })
const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
const SITE = 'https://www.shop.example.com'

type Sent = { clickId?: string; email?: string; phone?: string; firstName?: string; joins?: string; corrects?: boolean }

/** A program that pays 5.00 for a qualified lead, with two partners and their sites' forms. */
async function aProgram() {
  const account = await anAccount(app)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  await call('PUT', `/accounts/${account.id}/embed-code`, { config, domains: [], onlyIfReferred: false })
  const { publicId } = await call('GET', `/accounts/${account.id}`)
  const rules = [{ on: 'qualified-lead', layerAmounts: [5_00] }]
  await call('PUT', `/accounts/${account.id}/terms`, { terms: { rules, otherwise: { layerRates: [10] } } })
  const jane = await aPartner(app, account)
  const bob = await aPartner(app, account)
  const answers: unknown[] = []
  /** Sends a form of a page's visitor, and returns its ID. */
  async function form(sent: Sent, { partner = jane, id = randomUUID() as string, of = app } = {}) {
    const { status, body } = await of.api('POST', `/embed/${publicId}/leads`, {
      body: { referralCode: partner?.referralCode, submissionId: id, ...sent },
      headers: { origin: SITE, 'user-agent': BROWSER },
    })
    answers.push([status, body])
    return id
  }
  const leads = async () =>
    (await call('GET', `/accounts/${account.id}/leads?sort=createdAt`)).items as Record<string, unknown>[]
  const kept = async () =>
    (await leads()).map(({ email, phone, status, partnerId }) => [
      ...[email, phone, status],
      partnerId === jane.id ? 'jane' : partnerId === bob.id ? 'bob' : partnerId,
    ])
  const counted = async (partner = jane) => (await call('GET', `/partners/${partner.id}`)).stats.numberOfLeads
  const become = (lead: { id?: unknown }, status: string, more = {}) =>
    call('POST', `/leads/${lead.id}/status`, { status, ...more })
  const earned = async (partner = jane) =>
    db.value<number>`
      select coalesce(sum(amount), 0)::bigint from commission_entries
      where account_id = ${account.id} and partner_id = ${partner.id}`
  return { account, call, jane, bob, form, leads, kept, counted, become, earned, answers }
}

test('an email and a phone in two steps, in either order, are one lead and pay once', async () => {
  for (const steps of [
    [{ email: 'ann@mail.example', firstName: 'Ann' }, { phone: '+12125550101' }],
    [{ phone: '+12125550101' }, { email: 'ann@mail.example', firstName: 'Ann' }],
  ]) {
    const { form, leads, kept, counted, become, earned, answers } = await aProgram()
    const joins = await form(steps[0]!)
    await form({ ...steps[1]!, joins })
    assert.deepEqual(await kept(), [['ann@mail.example', '+12125550101', 'new', 'jane']])
    const [lead] = await leads()
    assert.equal(lead!.firstName, 'Ann')
    await become(lead!, 'qualified')
    assert.deepEqual([await counted(), await earned()], [1, 5_00])
    // a new lead, a known one and one that joins get the same answer
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(answers[0], [202, null])
  }
})

test('an email that the page refused is corrected, and two people at one tablet stay two', async () => {
  const { form, leads, kept, counted, call } = await aProgram()
  const joins = await form({ email: 'ann@gmail.com', phone: '+12125550101' })
  await form({ email: 'ann@acme.example', phone: '+12125550101', joins, corrects: true })
  assert.deepEqual(await kept(), [['ann@acme.example', '+12125550101', 'new', 'jane']])
  const [lead] = await leads()
  const { items } = await call('GET', `/leads/${lead!.id}/events`)
  assert.deepEqual(
    items.map(({ text }: { text: string }) => text),
    ['Email corrected', 'Submitted through a form on the website'],
  )
  const sent = (await call('GET', `/leads/${lead!.id}/submissions`)).items
  assert.deepEqual(
    sent.map(({ body }: { body: Sent }) => [body.email, body.corrects ?? false]),
    [
      ['ann@acme.example', true],
      ['ann@gmail.com', false],
    ],
  )
  // two emails are two people unless the page says that one corrects the other, and so are two phones
  await form({ email: 'bea@mail.example', joins })
  await form({ phone: '+12125550102', joins })
  assert.equal((await leads()).length, 3)
  assert.equal(await counted(), 3)
})

test('a form received again changes nothing, also at once, by another process, and after its person was erased', async () => {
  const { form, kept, counted, leads, call, account } = await aProgram()
  const joins = await form({ email: 'ann@mail.example' })
  const sent = { phone: '+12125550101', joins }
  const id = randomUUID()
  await Promise.all([app, second, app, second].map((of) => form(sent, { id, of })))
  await form({ email: 'eve@mail.example', joins, corrects: true }, { id })
  assert.deepEqual(await kept(), [['ann@mail.example', '+12125550101', 'new', 'jane']])
  const submissions = () => db.value<number>`select count(*) from lead_submissions where account_id = ${account.id}`
  assert.equal(await submissions(), 2)
  const [lead] = await leads()
  await call('POST', `/leads/${lead!.id}/erase`, {})
  await form(sent, { id })
  await form({ email: 'ann@mail.example' }, { id: joins })
  assert.deepEqual(await kept(), [[null, null, 'expired', 'jane']])
  // what comes later is another lead
  await form({ email: 'ann@mail.example', joins: id })
  assert.deepEqual([(await leads()).length, await counted()], [2, 2])
})

test('steps that overtake each other, and steps at once in two processes, are one lead', async () => {
  const { form, kept, counted } = await aProgram()
  const [first, other] = [randomUUID(), randomUUID()]
  await form({ phone: '+12125550101', joins: first })
  await form({ email: 'ann@mail.example' }, { id: first })
  await form({ email: 'bea@acme.example', joins: other, corrects: true })
  await form({ email: 'bea@gmail.com', phone: '+12125550102' }, { id: other })
  const expected = [
    ['ann@mail.example', '+12125550101', 'new', 'jane'],
    ['bea@acme.example', '+12125550102', 'new', 'jane'],
  ]
  assert.deepEqual(await kept(), expected)
  for (let turn = 0; turn < 8; turn++) {
    const id = randomUUID()
    const phone = `+1212555020${turn}`
    await Promise.all([
      form({ email: `${turn}@mail.example` }, { id }),
      form({ phone, joins: id }, { of: second }),
      form({ phone, joins: id }, { of: second }),
    ])
  }
  assert.equal(await counted(), 10)
  assert.deepEqual(
    (await kept()).slice(2).map(([email, phone]) => [email, phone]),
    Array.from({ length: 8 }, (_, turn) => [`${turn}@mail.example`, `+1212555020${turn}`]),
  )
})

test('the joined lead becomes the duplicate of another with its email or phone, and counts no more', async () => {
  const { form, leads, kept, counted, jane, bob, become, earned, account, call } = await aProgram()
  await form({ phone: '+12125550101' }, { partner: bob })
  const link = await aBlueprint(app, account)
  const clickId = clickInAddress(await visitLink(app, link.key, jane.referralCode))!
  const ofLink = async () => (await call('GET', `/link-blueprints/${link.id}`)).stats.leads
  const joins = await form({ email: 'ann@mail.example', clickId })
  assert.deepEqual([await counted(), await ofLink()], [1, 1])
  await form({ phone: '+12125550101', clickId, joins })
  assert.deepEqual(await kept(), [
    [null, '+12125550101', 'new', 'bob'],
    ['ann@mail.example', null, 'duplicate', 'jane'],
  ])
  const [first, duplicate] = await leads()
  assert.equal(duplicate!.duplicateOfId, first!.id)
  assert.deepEqual([await counted(), await ofLink(), await counted(bob)], [0, 0, 1])

  // the partner's own earlier lead gets what is missing
  await form({ phone: '+12125550102', firstName: 'Bea' })
  const later = await form({ email: 'bea@mail.example' })
  const again = await form({ phone: '+12125550102', joins: later })
  assert.deepEqual((await kept()).slice(2), [
    ['bea@mail.example', '+12125550102', 'new', 'jane'],
    ['bea@mail.example', null, 'duplicate', 'jane'],
  ])
  assert.equal(await counted(), 1)
  await become((await leads())[2]!, 'qualified')
  assert.equal(await earned(), 5_00)
  // the next step finds the lead that remains, which is judged by now
  await form({ email: 'bea@mail.example', joins: again })
  assert.equal((await leads()).length, 4)
  assert.deepEqual(
    (await verifyLedger(db)).filter(({ subject }) => subject.includes(account.id)),
    [],
  )
})

test('nothing is added to a lead that was judged, sold, emptied, given away or is not of the script', async () => {
  const changes: Record<string, (of: Awaited<ReturnType<typeof aProgram>>, id: unknown) => Promise<unknown>> = {
    qualified: ({ become }, id) => become({ id }, 'qualified'),
    rejected: ({ become }, id) => become({ id }, 'rejected', { reason: 'spam' }),
    lost: ({ become }, id) => become({ id }, 'lost', { reason: 'other' }),
    sold: ({ call }, id) => call('POST', `/leads/${id}/sales`, { amount: 10_00 }),
    'a customer without a winning sale': async ({ call, become }, id) => {
      const sale = await call('POST', `/leads/${id}/sales`, { amount: 10_00 })
      await call('POST', `/sales/${sale.id}/void`, { reason: 'a mistake' })
      await become({ id }, 'lost', { reason: 'other' })
      await become({ id }, 'new', { reason: 'other' })
    },
    erased: ({ call }, id) => call('POST', `/leads/${id}/erase`, {}),
    'given away': ({ call, bob }, id) => call('POST', `/leads/${id}/reassign`, { partnerId: bob.id, reason: 'theirs' }),
    'paid, and reopened': async ({ become }, id) => {
      await become({ id }, 'qualified')
      await become({ id }, 'lost', { reason: 'other' })
      await become({ id }, 'new', { reason: 'other' })
    },
    'after its protection': async (_, id) =>
      db.run`update leads set protected_until = now() - interval '1 minute' where id = ${id}`,
    'of a system': async (_, id) => db.run`update leads set source = 'api' where id = ${id}`,
  }
  for (const [name, happens] of Object.entries(changes)) {
    const program = await aProgram()
    const { form, leads } = program
    const joins = await form({ email: 'ann@mail.example' })
    const [before] = await leads()
    await happens(program, before!.id)
    const [changed] = await leads()
    await form({ email: 'eve@mail.example', joins, corrects: true })
    const [lead, another] = await leads()
    assert.deepEqual([lead!.email, lead!.phone], [changed!.email, changed!.phone], name)
    assert.deepEqual([another?.email, another?.status], ['eve@mail.example', 'new'], name)
  }
})

test('a form that names another partner, or one who earns no more, is another lead', async () => {
  const { form, kept, call, jane, bob } = await aProgram()
  const joins = await form({ email: 'ann@mail.example' })
  await form({ phone: '+12125550101', joins }, { partner: bob })
  await call('PUT', `/partners/${jane.id}`, { state: 'suspended' })
  await form({ phone: '+12125550102', joins })
  assert.deepEqual(await kept(), [
    ['ann@mail.example', null, 'new', 'jane'],
    [null, '+12125550101', 'new', 'bob'],
    [null, '+12125550102', 'new', null],
  ])
})

test('a visitor who turns out to be a customer without a partner is rejected as one', async () => {
  const { form, leads, kept, call, account, jane, earned } = await aProgram()
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  const buyer = anEmail('buyer')
  const lead = await call('POST', `/accounts/${account.id}/leads`, { email: buyer })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 10_00 })
  await db.run`update sales set payer_email = ${buyer} where lead_id = ${lead.id}`
  // only the sale remembers them
  await db.run`update leads set email = 'someone@else.example' where id = ${lead.id}`
  const joins = await form({ phone: '+12125550101' })
  await form({ email: buyer, joins })
  const [, joined] = await leads()
  assert.deepEqual((await kept())[1], [buyer, '+12125550101', 'rejected', 'jane'])
  assert.equal(joined!.statusReason, 'existing-customer')
  const sale = { externalId: 'o-1', amount: 20_00, email: buyer }
  expectOk(await app.api('POST', '/push/sales', { token: apiKey, body: sale }))
  assert.equal(await earned(jane), 0)
})

test('what a page may say wrongly is ignored: no IDs, its own, unknown ones, and those of another account', async () => {
  const [one, two] = [await aProgram(), await aProgram()]
  const id = await one.form({ email: 'ann@mail.example' })
  await two.form({ phone: '+12125550101', joins: id })
  // its own of the other account, which is free here
  await two.form({ phone: '+12125550102', joins: randomUUID() }, { id: id.toUpperCase() })
  const own = randomUUID()
  await two.form({ phone: '+12125550103', joins: own }, { id: own })
  await two.form({ email: 'bea@mail.example', joins: 'that one' as string, corrects: 'yes' as never }, { id: 'mine' })
  assert.deepEqual(await one.kept(), [['ann@mail.example', null, 'new', 'jane']])
  assert.deepEqual(
    (await two.kept()).map(([email, phone]) => email ?? phone),
    ['+12125550101', '+12125550102', '+12125550103', 'bea@mail.example'],
  )
  assert.ok([...one.answers, ...two.answers].every((answer) => JSON.stringify(answer) === '[202,null]'))
})
