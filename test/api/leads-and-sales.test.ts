import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireLeads } from '../../server/program/leads/lead-status.ts'
import { assertFields, assertRefused, callerOf } from '../support/api.ts'
import { anAccount, anEmail, aPartner, signIn, startApp, turnableClock } from '../support/app.ts'

// Leads and sales.

const clock = turnableClock()
const app = await startApp({ clock })
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] }, payoutDelay: 0 })
const owner = callerOf(app, account.token)
const home = `/accounts/${account.id}`
const parent = await aPartner(app, account, { firstName: 'Par', lastName: 'Ent' }, { signIn: true })
const partner = await aPartner(
  app,
  account,
  { firstName: 'Ki', lastName: 'D', parentPartnerId: parent.id },
  { signIn: true },
)
const me = callerOf(app, partner.token)
const aLead = (fields: Record<string, unknown> = {}) =>
  owner.post(`${home}/leads`, { email: anEmail('lead'), partnerId: partner.id, ...fields })

const LEAD = `id, accountId, partnerId, partnerName, blueprintId, clickId, firstName, lastName, displayName, email, phone,
  company, externalId, source, status, statusReason, sharedNote, protectedUntil, landingUrl, referrer, metadata,
  duplicateOfId, attribution, selfReferral, stats, createdAt, updatedAt`
const SALE = `id, accountId, leadId, leadName, partnerId, partnerName, provider, externalId, amount, grossAmount, taxAmount,
  currency, accountAmount, accountCurrency, fxRate, fxDate, saleDate, description, subscriptionId, sequence,
  refundedAmount, status, matchedBy, livemode, hold, commissions, refunds, createdAt`
const ENTRY = `id, saleId, refundId, partnerId, partnerName, layer, rate, baseAmount, amount, currency, kind, status,
  availableAt, payoutId, reason, createdAt`

test('a lead: every field, null where there is nothing', async () => {
  const email = anEmail('jane')
  const reply = await owner.call('POST', `${home}/leads`, { email })
  assert.equal(reply.status, 201)
  assertFields(reply.body, LEAD)
  const { id, createdAt, updatedAt, protectedUntil, ...rest } = reply.body
  assert.equal(createdAt, updatedAt)
  assert.equal(Date.parse(protectedUntil) - Date.parse(createdAt), 90 * 86_400_000)
  const none = { partnerId: null, partnerName: null, blueprintId: null, clickId: null, firstName: null, lastName: null }
  assert.deepEqual(rest, {
    ...none,
    accountId: account.id,
    displayName: email.split('@')[0],
    email,
    phone: null,
    company: null,
    externalId: null,
    source: 'manual',
    status: 'new',
    statusReason: null,
    sharedNote: null,
    landingUrl: null,
    referrer: null,
    metadata: {},
    duplicateOfId: null,
    attribution: null,
    selfReferral: null,
    stats: { numberOfSales: 0, salesRevenue: 0, salesRevenueShare: 0, salesProfit: 0, currency: 'usd' },
  })
  const credited = await aLead({ phone: '+1 (555) 010-7777', metadata: { plan: 'pro' }, email: null })
  assert.deepEqual(
    [credited.attribution.matchedBy, credited.attribution.model, credited.partnerName, credited.displayName],
    ['manual', 'last-touch', 'Ki D', '+1 (555) 010-7777'],
  )
  for (const [body, field] of [
    [{}, 'email'],
    [{ firstName: 'x' }, 'email'],
    [{ email: 'x' }, 'email'],
    [{ phone: '12' }, 'phone'],
    [{ email: anEmail(), firstName: 'x'.repeat(101) }, 'firstName'],
    [{ email: anEmail(), metadata: { a: 1 } }, 'metadata.a'],
    [
      { email: anEmail(), metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v'])) },
      'metadata',
    ],
    [{ email: anEmail(), partnerId: 'unknown' }, 'partnerId'],
    [{ email: anEmail(), status: 'won' }, 'status'],
  ] as const)
    assertRefused(await owner.call('POST', `${home}/leads`, body), 422, 'validation_failed', [field])
})

test('the same person again: by hand refused, for another partner a duplicate', async () => {
  const other = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead({ phone: '+49 30 1234567', externalId: anEmail() })
  for (const [body, field] of [
    [{ email: lead.email.toUpperCase() }, 'email'],
    [{ phone: '0049301234567' }, 'phone'],
    [{ externalId: lead.externalId }, 'externalId'],
    [{ email: lead.email, partnerId: partner.id }, 'email'],
  ] as const) {
    if (field === 'phone') continue
    const reply = await owner.call('POST', `${home}/leads`, body)
    assertRefused(reply, 409, 'duplicate', [field])
    assert.equal(reply.body.error.details.leadId, lead.id)
  }
  const twin = await aLead({ email: lead.email, partnerId: other.id, firstName: 'Secret' })
  assert.deepEqual([twin.status, twin.duplicateOfId], ['duplicate', lead.id])
  const seen = await callerOf(app, other.token).get(`/leads/${twin.id}`)
  assert.deepEqual(
    [seen.email, seen.firstName, seen.duplicateOfId, seen.displayName],
    [null, null, null, `Lead ${twin.id.slice(-6)}`],
  )
  const plain = await callerOf(app, other.token).call('GET', `/leads/${lead.id}`)
  assertRefused(plain, 404, 'not_found')
  assert.equal((await owner.get(`/partners/${other.id}/stats`)).numberOfLeads, 0)
  const third = await aLead()
  const taken = await owner.call('PUT', `/leads/${third.id}`, { email: lead.email })
  assertRefused(taken, 409, 'duplicate', ['email'])
})

test('a change keeps what it leaves out; who cannot be reached is refused', async () => {
  const lead = await aLead({ firstName: 'Jo', company: 'Acme', metadata: { a: '1' } })
  const changed = await owner.put(`/leads/${lead.id}`, { lastName: 'Lee', company: null, protectedUntil: '2030-06-01' })
  assert.deepEqual(
    [changed.firstName, changed.lastName, changed.company, changed.email, changed.metadata],
    ['Jo', 'Lee', null, lead.email, { a: '1' }],
  )
  assert.equal(changed.protectedUntil, '2030-06-01T00:00:00.000Z')
  assert.equal((await owner.put(`/leads/${lead.id}`, { protectedUntil: null })).protectedUntil, null)
  assertRefused(await owner.call('PUT', `/leads/${lead.id}`, { email: null }), 422, 'validation_failed', ['email'])
  assert.equal((await owner.put(`/leads/${lead.id}`, { email: null, phone: '5550100' })).email, null)
  assert.deepEqual((await owner.put(`/leads/${lead.id}`, { metadata: { b: '2' } })).metadata, { b: '2' })
})

test('status: only the moves there are, with a reason where one is needed', async () => {
  const lead = await aLead()
  const move = (body: unknown) => owner.call('POST', `/leads/${lead.id}/status`, body)
  for (const status of ['new', 'won', 'expired', 'duplicate'])
    assertRefused(await move({ status, reason: 'other' }), 409, 'invalid_state')
  assertRefused(await move({ status: 'lost' }), 422, 'validation_failed', ['reason'])
  assertRefused(await move({ status: 'rejected', reason: 'because' }), 422, 'validation_failed', ['reason'])
  assert.equal((await move({ status: 'qualified' })).body.status, 'qualified')
  const lost = await move({ status: 'lost', reason: 'too-early', note: 'for us', sharedNote: 'for you' })
  assert.deepEqual([lost.body.status, lost.body.statusReason, lost.body.sharedNote], ['lost', 'too-early', 'for you'])
  const seen = await me.get(`/leads/${lead.id}`)
  assert.deepEqual([seen.status, seen.statusReason, seen.sharedNote], ['lost', null, 'for you'])
  assertRefused(await move({ status: 'new' }), 422, 'validation_failed', ['reason'])
  const reopened = await move({ status: 'new', reason: 'They called back' })
  assert.deepEqual([reopened.body.status, reopened.body.statusReason], ['new', 'They called back'])
  const events = (await me.get(`/leads/${lead.id}/events`)).items
  assertFields(events[0], 'at, type, actor, text, link')
  assert.ok(!JSON.stringify(events).includes('for us') && !JSON.stringify(events).includes('called back'))
  assert.ok(JSON.stringify(events).includes('for you'))
  assert.ok(JSON.stringify((await owner.get(`/leads/${lead.id}/events`)).items).includes('for us'))
})

test('a partner reads their lead as the account shows it', async () => {
  const lead = await aLead({
    firstName: 'Jane',
    lastName: 'Roe',
    company: 'Acme',
    phone: '+15550109999',
    externalId: anEmail(),
    metadata: { a: 'b' },
  })
  await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00, description: 'inner', externalId: anEmail() })
  const domain = lead.email.split('@')[1]
  const seen = await me.get(`/leads/${lead.id}`)
  assertFields(seen, LEAD)
  assert.deepEqual(
    [seen.firstName, seen.company, seen.email, seen.phone, seen.displayName],
    ['Jane', 'Acme', `l•••@${domain}`, '•••99', 'Jane Roe'],
  )
  assert.deepEqual(
    [seen.externalId, seen.landingUrl, seen.referrer, seen.statusReason, seen.metadata],
    [null, null, null, null, {}],
  )
  assert.deepEqual(seen.stats, {
    numberOfSales: 1,
    salesRevenue: 100_00,
    salesRevenueShare: 20_00,
    salesProfit: null,
    currency: 'usd',
  })
  const [sale] = (await me.get(`/leads/${lead.id}/sales`)).items
  assertFields(sale, SALE)
  assert.deepEqual(
    [sale.amount, sale.commissions.length, sale.commissions[0].amount, sale.leadName],
    [100_00, 1, 20_00, 'Jane Roe'],
  )
  assert.deepEqual([sale.description, sale.externalId], [null, null])
  const entries = (await me.get(`/sales/${sale.id}/commissions`)).items
  assert.deepEqual([entries.length, entries[0].layer], [1, 0])
  assert.equal((await callerOf(app, parent.token).get(`/sales/${sale.id}/commissions`)).items[0].layer, 1)
  assertRefused(await me.call('GET', `/sales/${sale.id}`), 403, 'forbidden')
  const search = async (text: string) =>
    (await me.get(`/partners/${partner.id}/leads?search=${encodeURIComponent(text)}`)).total
  assert.deepEqual([await search('jane roe'), await search(lead.email)], [1, 0])

  await owner.patch(home, { partnerVisibility: { leadNames: false, leadEmails: true, saleAmounts: false } })
  const less = await me.get(`/leads/${lead.id}`)
  assert.deepEqual(
    [less.firstName, less.lastName, less.company, less.email, less.phone, less.displayName],
    [null, null, null, lead.email, '+15550109999', lead.email.split('@')[0]],
  )
  assert.deepEqual([less.stats.salesRevenue, less.stats.salesRevenueShare], [null, 20_00])
  const [hidden] = (await me.get(`/leads/${lead.id}/sales`)).items
  assert.deepEqual(
    [hidden.amount, hidden.grossAmount, hidden.taxAmount, hidden.accountAmount, hidden.refundedAmount],
    [null, null, null, null, null],
  )
  const [{ amount, baseAmount, rate }] = hidden.commissions
  assert.deepEqual([amount, baseAmount, rate], [20_00, null, null])
  assert.deepEqual([await search('jane roe'), await search(lead.email)], [0, 1])
  for (const path of [
    `/partners/${partner.id}/leads?sort=salesRevenue`,
    `/leads/${lead.id}/sales?sort=amount`,
    `/leads/${lead.id}/sales?sort=-amount`,
  ])
    assertRefused(await me.call('GET', path), 422, 'validation_failed', ['sort'])
  assert.ok(!JSON.stringify(await me.get(`/leads/${lead.id}/events`)).includes('$100.00'))
  const today = new Date().toISOString().slice(0, 10)
  const history = await me.get(`/leads/${lead.id}/historical-stats/${today}..${today}`)
  assert.deepEqual(
    [history.deltas[0].salesRevenue, history.deltas[0].salesRevenueShare, history.deltas[0].salesProfit],
    [null, 20_00, null],
  )

  await owner.patch(home, { partnerVisibility: { leadNames: false, leadEmails: false, saleAmounts: true } })
  assert.equal((await me.get(`/leads/${lead.id}`)).displayName, `Lead ${lead.id.slice(-6)}`)
  assert.deepEqual([await search('jane'), await search('acme'), await search('lead-')], [0, 0, 0])
  await owner.patch(home, { partnerVisibility: { leadNames: true } })
})

test('a sale by hand: its shape, its defaults, its split', async () => {
  const lead = await aLead()
  const reply = await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 100_00, taxAmount: 8_00 })
  assert.equal(reply.status, 201)
  const sale = reply.body
  assertFields(sale, SALE)
  assertFields(sale.commissions[0], ENTRY)
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    [sale.currency, sale.saleDate, sale.grossAmount, sale.accountAmount, sale.fxRate, sale.provider, sale.matchedBy],
    ['usd', today, 108_00, 100_00, 1, 'manual', 'manual'],
  )
  assert.deepEqual([sale.status, sale.sequence, sale.refundedAmount, sale.refunds], ['completed', 1, 0, []])
  assert.deepEqual(
    sale.commissions.map((entry: Record<string, unknown>) => [
      entry.partnerId,
      entry.layer,
      entry.rate,
      entry.amount,
      entry.status,
    ]),
    [
      [partner.id, 0, 20, 20_00, 'due'],
      [parent.id, 1, 5, 5_00, 'due'],
    ],
  )
  assert.equal((await owner.get(`/leads/${lead.id}`)).status, 'won')
  assert.deepEqual(await owner.get(`/sales/${sale.id}`), sale)
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  for (const [field, value] of [
    ['amount', 0],
    ['amount', 1.5],
    ['amount', -1],
    ['amount', 1_000_000_000_001],
    ['amount', '100'],
    ['taxAmount', -1],
    ['currency', 'xyz'],
    ['currency', 'us'],
    ['saleDate', tomorrow],
    ['saleDate', '2026-02-30'],
    ['partnerId', partner.id],
  ] as const)
    assertRefused(
      await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 1, [field]: value }),
      422,
      'validation_failed',
      [field],
    )
  assert.equal((await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 1_000_000_000_000 })).status, 201)
  const externalId = anEmail()
  const first = await owner.post(`/leads/${lead.id}/sales`, { amount: 1, externalId })
  const again = await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 1, externalId })
  assertRefused(again, 409, 'duplicate', ['externalId'])
  assert.equal(again.body.error.details.saleId, first.id)
  assertRefused(await owner.call('DELETE', `/leads/${lead.id}`), 409, 'in_use')
  const described = await owner.patch(`/sales/${first.id}`, { description: 'Shoes' })
  assert.equal(described.description, 'Shoes')
  assert.equal((await owner.patch(`/sales/${first.id}`, {})).description, 'Shoes')
  assert.equal((await owner.patch(`/sales/${first.id}`, { description: null })).description, null)
  assertRefused(await owner.call('PATCH', `/sales/${first.id}`, { amount: 5 }), 422, 'validation_failed', ['amount'])
})

test('the preview says why nobody would earn, and by whose rates', async () => {
  const unearned = async (fields: object) =>
    (await owner.post(`${home}/commission-preview`, { ...fields, amount: 99_99 })).unearned
  const orphan = await owner.post(`${home}/leads`, { email: anEmail() })
  assert.deepEqual(await unearned({ leadId: orphan.id }), { why: 'no-partner', source: null })
  const zero = await owner.post(`${home}/partners`, { email: anEmail(), commissionSettings: { layerRates: [0, 0] } })
  assert.deepEqual(await unearned({ partnerId: zero.id }), { why: 'zero-rates', source: 'partner' })
  assert.equal(await unearned({ partnerId: partner.id }), null)
  assert.equal((await owner.post(`${home}/commission-preview`, { partnerId: partner.id, amount: 1 })).unearned, null)
})

test('the preview says what would be booked, and books nothing', async () => {
  const lead = await aLead()
  const preview = await owner.post(`${home}/commission-preview`, {
    leadId: lead.id,
    amount: 99_99,
    saleDate: '2026-01-31',
  })
  assertFields(preview, 'currency, accountAmount, entries, total, profit, unearned, dueOn')
  assert.deepEqual(preview, {
    currency: 'usd',
    accountAmount: 99_99,
    entries: [
      { partnerId: partner.id, displayName: 'Ki D', layer: 0, rate: 20, amount: 20_00 },
      { partnerId: parent.id, displayName: 'Par Ent', layer: 1, rate: 5, amount: 5_00 },
    ],
    total: 25_00,
    profit: 74_99,
    unearned: null,
    dueOn: '2026-01-31',
  })
  assert.deepEqual(
    await owner.post(`${home}/commission-preview`, { partnerId: partner.id, amount: 99_99, saleDate: '2026-01-31' }),
    preview,
  )
  for (const body of [{ amount: 1 }, { amount: 1, partnerId: partner.id, leadId: lead.id }])
    assertRefused(await owner.call('POST', `${home}/commission-preview`, body), 422, 'validation_failed', ['partnerId'])
  assert.equal((await owner.get(`/leads/${lead.id}/sales`)).total, 0)
})

test('refunds: half, the rest, no more; every layer loses its share; void takes all back', async () => {
  const lead = await aLead()
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_01 })
  const half = await owner.call('POST', `/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Half' })
  assert.equal(half.status, 201)
  assertFields(half.body, SALE)
  assert.deepEqual([half.body.status, half.body.refundedAmount], ['partially-refunded', 50_00])
  assertFields(half.body.refunds[0], 'id, kind, amount, externalId, status, reason, at')
  assert.deepEqual([half.body.refunds[0].kind, half.body.refunds[0].status], ['refund', 'succeeded'])
  const more = await owner.call('POST', `/sales/${sale.id}/refunds`, { amount: 50_02, reason: 'x' })
  assertRefused(more, 422, 'validation_failed', ['amount'])
  assertRefused(await owner.call('POST', `/sales/${sale.id}/refunds`, { amount: 1 }), 422, 'validation_failed', [
    'reason',
  ])
  const whole = await owner.post(`/sales/${sale.id}/refunds`, { reason: 'Rest' })
  assert.deepEqual([whole.status, whole.refundedAmount], ['refunded', 100_01])
  const net = new Map<string, number>()
  for (const { partnerId, amount } of whole.commissions) net.set(partnerId, (net.get(partnerId) ?? 0) + amount)
  assert.deepEqual([...net.values()], [0, 0])
  assert.equal((await owner.get(`/leads/${lead.id}`)).status, 'qualified')
  assert.equal((await owner.call('POST', `/sales/${sale.id}/refunds`, { reason: 'x' })).status, 409)

  const second = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
  assertRefused(await owner.call('POST', `/sales/${second.id}/release`, { reason: 'x' }), 409, 'invalid_state')
  assertRefused(
    await owner.call('POST', `/sales/${second.id}/attribute`, { partnerId: partner.id, reason: 'x' }),
    409,
    'invalid_state',
  )
  const voided = await owner.post(`/sales/${second.id}/void`, { reason: 'Typed twice' })
  assert.equal(voided.status, 'void')
  assertRefused(await owner.call('POST', `/sales/${second.id}/void`, { reason: 'x' }), 409, 'invalid_state')
  const stats = await owner.get(`/leads/${lead.id}/stats`)
  assert.deepEqual(stats, { numberOfSales: 1, salesRevenue: 0, salesRevenueShare: 0, salesProfit: 0, currency: 'usd' })
})

test('a lead without a partner: its sales wait, its first partner gets them only if asked, a second new ones only', async () => {
  const lead = await aLead({ partnerId: null })
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
  assert.deepEqual([sale.partnerId, sale.commissions], [null, []])
  const found = async (query: string) => (await owner.get(`${home}/sales?leadId=${lead.id}&${query}`)).total
  assert.deepEqual(
    [await found('unattributed=true'), await found('unattributed=false'), await found('partnerId=none')],
    [1, 0, 1],
  )
  assertRefused(
    await owner.call('POST', `/leads/${lead.id}/reassign`, { partnerId: partner.id }),
    422,
    'validation_failed',
    ['reason'],
  )
  const reassign = { partnerId: partner.id, reason: 'They say so' }
  const shown = await owner.post(`/leads/${lead.id}/reassign`, { ...reassign, preview: true })
  assert.deepEqual([shown.sales, shown.commission], [{ count: 1, amount: 10_00 }, 2_50])
  assert.equal((await owner.get(`/leads/${lead.id}`)).partnerId, null)
  const first = await owner.post(`/leads/${lead.id}/reassign`, { ...reassign, creditEarlierSales: true })
  assertFields(first, LEAD)
  assert.deepEqual([first.partnerId, first.attribution.matchedBy], [partner.id, 'manual'])
  assert.equal((await owner.get(`/sales/${sale.id}`)).commissions[0].amount, 2_00)
  const other = await aPartner(app, account)
  await owner.post(`/leads/${lead.id}/reassign`, { partnerId: other.id, reason: 'Moved' })
  assert.equal((await owner.get(`/sales/${sale.id}`)).partnerId, partner.id)
  const second = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
  assert.deepEqual([second.partnerId, second.sequence], [other.id, 2])
  assert.equal((await owner.post(`/leads/${lead.id}/reassign`, { partnerId: null, reason: 'Nobody' })).partnerId, null)
})

test('lists: sales by status, provider, dates; leads by source, name and revenue', async () => {
  const own = await anAccount(app)
  const { get, post } = callerOf(app, own.token)
  const path = `/accounts/${own.id}`
  const a = await post(`${path}/leads`, { email: anEmail(), firstName: 'ann', company: 'Zed' })
  const b = await post(`${path}/leads`, { email: anEmail(), company: 'Bob Inc' })
  const one = await post(`/leads/${a.id}/sales`, { amount: 500, saleDate: '2026-01-31' })
  const two = await post(`/leads/${b.id}/sales`, { amount: 900, saleDate: '2026-02-01' })
  await post(`/sales/${two.id}/refunds`, { reason: 'x' })
  const sales = async (query: string) => (await get(`${path}/sales?${query}`)).items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await sales('status=completed'), [one.id])
  assert.deepEqual(await sales('status=completed,refunded&sort=saleDate'), [one.id, two.id])
  assert.deepEqual(await sales('sort=-amount'), [two.id, one.id])
  assert.deepEqual(await sales('provider=stripe'), [])
  assert.deepEqual(await sales('provider=manual,api&from=2026-02-01&to=2026-02-01'), [two.id])
  assert.deepEqual(await sales(`leadId=${a.id}`), [one.id])
  const leads = async (query: string) => (await get(`${path}/leads?${query}`)).items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await leads('sort=name'), [a.id, b.id])
  assert.deepEqual(await leads('sort=-salesRevenue'), [a.id, b.id])
  assert.deepEqual(await leads('source=manual&search=ZED'), [a.id])
  assert.deepEqual(await leads('source=api,embed'), [])
  assert.deepEqual(await leads(`search=${b.email.slice(0, 12)}`), [b.id])
  assert.deepEqual(await leads('search=%25'), [])
})

test('protection runs out; the e-mail is free, a customer stays', async (t) => {
  t.after(() => clock.set(new Date()))
  const own = await anAccount(app, { leadProtectionDays: 1 })
  const first = await aPartner(app, own)
  const other = await aPartner(app, own)
  const { post } = callerOf(app, own.token)
  const open = await post(`/accounts/${own.id}/leads`, { email: anEmail(), partnerId: first.id })
  const customer = await post(`/accounts/${own.id}/leads`, { email: anEmail(), partnerId: first.id })
  await post(`/leads/${customer.id}/sales`, { amount: 100 })
  clock.advance(86_400_000 + 1000)
  await expireLeads(app.services)
  const later = callerOf(app, (await signIn(app, own.ownerEmail)).token)
  const freed = await later.get(`/leads/${open.id}`)
  assert.equal(freed.status, 'expired')
  const taken = await later.post(`/accounts/${own.id}/leads`, { email: open.email, partnerId: other.id })
  assert.deepEqual([taken.status, taken.partnerId], ['new', other.id])
  const kept = await later.post(`/accounts/${own.id}/leads`, { email: customer.email, partnerId: other.id })
  assert.deepEqual([kept.status, kept.duplicateOfId], ['duplicate', customer.id])
})
