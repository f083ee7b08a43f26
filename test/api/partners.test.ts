import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFields, assertRefused, callerOf } from '../support/api.ts'
import { accept, anAccount, anEmail, aPartner, startApp, turnableClock } from '../support/app.ts'

// Partners.

const clock = turnableClock()
const app = await startApp({ clock })
const account = await anAccount(app, {
  invitationsFromPartners: true,
  defaultCommissionSettings: { layerRates: [20, 5] },
  payoutDelay: 0,
})
const owner = callerOf(app, account.token)
const home = `/accounts/${account.id}`

const PARTNER = `id, accountId, parentPartnerId, firstName, lastName, displayName, email, referralCode,
  commissionSettings, effectiveCommissionSettings, approvedPayoutYears, approvedForPayouts, state, invitationStatus,
  balanceDue, taxForm, stats, createdAt, updatedAt`

test('a partner: made with what is given, the rest at its default', async () => {
  const email = anEmail('Jo.Lee')
  const reply = await owner.call('POST', `${home}/partners`, { email })
  assert.equal(reply.status, 201)
  assertFields(reply.body, PARTNER)
  const { id, referralCode, stats, createdAt, updatedAt, invitationStatus, ...rest } = reply.body
  assert.equal(createdAt, updatedAt)
  assert.match(referralCode, /^[a-z0-9-]{3,32}$/)
  assert.ok(['pending', 'sent'].includes(invitationStatus))
  assert.equal(stats.currency, 'usd')
  assert.deepEqual(rest, {
    accountId: account.id,
    parentPartnerId: null,
    firstName: null,
    lastName: null,
    displayName: email.toLowerCase().split('@')[0],
    email: email.toLowerCase(),
    note: null,
    commissionSettings: null,
    effectiveCommissionSettings: { layerRates: [20, 5] },
    approvedPayoutYears: [],
    approvedForPayouts: false,
    state: 'invited',
    balanceDue: 0,
    taxForm: null,
  })
  assert.deepEqual(await owner.get(`/partners/${id}`), reply.body)
  const quiet = await owner.post(`${home}/partners`, { email: anEmail(), sendInvitation: false })
  assert.equal(quiet.invitationStatus, null)
  assertRefused(await owner.call('GET', `/partners/${quiet.id}/invitation`), 404, 'not_found')
  assertRefused(await owner.call('DELETE', `/partners/${quiet.id}/invitation`), 404, 'not_found')
  assert.equal((await owner.post(`/partners/${quiet.id}/invitation/retries`)).sendCount, 1)
})

test('a referral code: any case, kept in lower case, its former ones stay aliases', async () => {
  const partner = await aPartner(app, account, { referralCode: ' Spring-26 ' })
  assert.equal(partner.referralCode, 'spring-26')
  const path = `/partners/${partner.id}`
  assert.equal((await owner.put(path, { referralCode: 'SUMMER' })).referralCode, 'summer')
  for (const referralCode of ['spring-26', 'summer', 'Summer']) {
    const reply = await owner.call('POST', `${home}/partners`, { email: anEmail(), referralCode })
    assertRefused(reply, 409, 'duplicate', ['referralCode'])
  }
  assert.equal((await owner.put(path, { referralCode: 'Spring-26' })).referralCode, 'spring-26')
  for (const referralCode of ['ab', 'x'.repeat(33), 'a_b', 'admin', 'none', 'ünï', ''])
    assertRefused(await owner.call('PUT', path, { referralCode }), 422, 'validation_failed', ['referralCode'])
  const other = await anAccount(app)
  assert.equal((await aPartner(app, other, { referralCode: 'summer' })).referralCode, 'summer')
  const blueprint = await owner.post(`${home}/link-blueprints`, { name: 'x', destinationUrl: 'https://a.example.com/' })
  for (const code of ['spring-26', 'SUMMER']) {
    const { headers } = await app.api('GET', `/r/${blueprint.key}/${code}`, {
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' },
    })
    assert.equal(new URL(headers.get('location')!).searchParams.get('ref'), 'spring-26')
  }
})

test('a change keeps what it leaves out, and null empties', async () => {
  const partner = await aPartner(app, account, { firstName: 'Pia', lastName: 'Tern' })
  const path = `/partners/${partner.id}`
  const year = new Date().getUTCFullYear()
  const changes: Record<string, unknown> = {
    firstName: 'Ada',
    commissionSettings: { layerRates: [12.5] },
    approvedPayoutYears: [year, year + 1],
    taxForm: { kind: 'w-8ben', receivedOn: '2026-01-05' },
    state: 'suspended',
  }
  let before = await owner.get(path)
  const derived = { updatedAt: 0, displayName: 0, effectiveCommissionSettings: 0, approvedForPayouts: 0 }
  for (const [field, value] of Object.entries(changes)) {
    const after = await owner.put(path, { [field]: value })
    assert.deepEqual(after[field], value, field)
    assert.deepEqual({ ...after, ...derived, [field]: 0 }, { ...before, ...derived, [field]: 0 }, field)
    before = after
  }
  assert.deepEqual([before.displayName, before.approvedForPayouts], ['Ada Tern', true])
  assert.deepEqual(before.effectiveCommissionSettings, { layerRates: [12.5] })
  const emptied = await owner.put(path, { firstName: null, lastName: '', commissionSettings: null, taxForm: null })
  assert.deepEqual(
    [emptied.firstName, emptied.lastName, emptied.commissionSettings, emptied.taxForm],
    [null, null, null, null],
  )
  assert.deepEqual(emptied.effectiveCommissionSettings, { layerRates: [20, 5] })
  const back = await owner.put(path, { state: 'active', reason: 'Paid up' })
  assert.equal(back.state, 'invited')
  const wrong: [string, unknown][] = [
    ['state', 'archived'],
    ['state', 'invited'],
    ['approvedPayoutYears', ['2026']],
    ['approvedPayoutYears', [26]],
    ['email', 'x'],
    ['email', null],
    ['taxForm', { kind: 'w-9', receivedOn: '2026-02-30' }],
    ['commissionSettings', { layerRates: [60, 41] }],
    ['accountId', account.id],
  ]
  for (const [field, value] of wrong) {
    const reply = await owner.call('PUT', path, { [field]: value })
    assert.equal(reply.status, 422, field)
    assert.ok(Object.keys(reply.body.error.fields)[0]!.startsWith(field), JSON.stringify(reply.body))
  }
})

test('the tree: no circle, ten levels, foreign parents are unknown', async () => {
  const own = await anAccount(app)
  const { put, call } = callerOf(app, own.token)
  const line = [await aPartner(app, own)]
  while (line.length < 10) line.push(await aPartner(app, own, { parentPartnerId: line.at(-1)!.id }))
  const body = { email: anEmail(), parentPartnerId: line.at(-1)!.id }
  assertRefused(await call('POST', `/accounts/${own.id}/partners`, body), 422, 'validation_failed', ['parentPartnerId'])
  assertRefused(
    await call('POST', `/partners/${line.at(-1)!.id}/partners`, { email: anEmail() }),
    422,
    'validation_failed',
    ['parentPartnerId'],
  )
  for (const below of [line[0]!, line[1]!, line[9]!])
    assertRefused(
      await call('PUT', `/partners/${line[0]!.id}`, { parentPartnerId: below.id }),
      422,
      'validation_failed',
      ['parentPartnerId'],
    )
  const foreign = await aPartner(app, account)
  for (const parentPartnerId of [foreign.id, 'unknown'])
    assertRefused(await call('PUT', `/partners/${line[1]!.id}`, { parentPartnerId }), 422, 'validation_failed', [
      'parentPartnerId',
    ])
  const short = await aPartner(app, own)
  await aPartner(app, own, { parentPartnerId: short.id })
  const tooDeep = await call('PUT', `/partners/${short.id}`, { parentPartnerId: line[8]!.id })
  assertRefused(tooDeep, 422, 'validation_failed', ['parentPartnerId'])
  assert.equal((await put(`/partners/${short.id}`, { parentPartnerId: line[7]!.id })).parentPartnerId, line[7]!.id)
  assert.equal((await put(`/partners/${short.id}`, { parentPartnerId: null })).parentPartnerId, null)
})

test('a partner invites a sub-partner, corrects until acceptance, and reads it reduced', async () => {
  const parent = await aPartner(app, account, { firstName: 'Par' }, { signIn: true })
  const me = callerOf(app, parent.token)
  const email = anEmail('sam')
  const reply = await me.call('POST', `/partners/${parent.id}/partners`, { email, firstName: 'Sam' })
  assert.equal(reply.status, 201)
  const sub = reply.body
  assertFields(sub, PARTNER)
  assert.deepEqual([sub.parentPartnerId, sub.email, sub.state], [parent.id, email, 'invited'])
  const taken = await me.call('POST', `/partners/${parent.id}/partners`, { email })
  assertRefused(taken, 409, 'duplicate', ['email'])
  for (const [field, value] of [
    ['commissionSettings', { layerRates: [1] }],
    ['referralCode', 'mine-now'],
    ['parentPartnerId', parent.id],
  ] as const) {
    const refused = await me.call('POST', `/partners/${parent.id}/partners`, { email: anEmail(), [field]: value })
    assertRefused(refused, 422, 'validation_failed', [field])
  }
  const corrected = await me.put(`/partners/${sub.id}`, { lastName: 'Sand' })
  assert.equal(corrected.displayName, 'Sam Sand')
  assertRefused(await me.call('PUT', `/partners/${sub.id}`, { state: 'suspended' }), 422, 'validation_failed', [
    'state',
  ])
  assertRefused(await me.call('PUT', `/partners/${parent.id}`, { firstName: 'x' }), 403, 'forbidden')
  const invitation = await me.get(`/partners/${sub.id}/invitation`)
  assertFields(invitation, 'status, sentAt, expiresAt, acceptedAt, sendCount, lastError, url')
  assert.equal(invitation.url, null, 'a link shown to them would let them become their own sub-partner')
  const { url } = await owner.get(`/partners/${sub.id}/invitation`)
  assertRefused(await me.call('POST', `/partners/${sub.id}/invitation/retries`), 429, 'rate_limited')
  const session = await accept(app, url)
  const accepted = await owner.get(`/partners/${sub.id}/invitation`)
  assert.deepEqual([accepted.status, accepted.url], ['accepted', null])
  assertRefused(await me.call('POST', `/partners/${sub.id}/invitation/retries`), 409, 'invalid_state')
  assertRefused(await me.call('DELETE', `/partners/${sub.id}/invitation`), 409, 'invalid_state')
  assertRefused(await me.call('PUT', `/partners/${sub.id}`, { firstName: 'x' }), 403, 'forbidden')

  await owner.put(`/partners/${sub.id}`, { commissionSettings: { layerRates: [10, 3] }, approvedPayoutYears: [2026] })
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: sub.id })
  await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  const seen = await me.get(`/partners/${sub.id}`)
  assertFields(seen, PARTNER)
  const hidden = ['commissionSettings', 'effectiveCommissionSettings', 'approvedPayoutYears', 'balanceDue', 'taxForm']
  for (const field of hidden) assert.equal(seen[field], null, field)
  assert.equal(seen.email, `s•••@mail.example`)
  assert.deepEqual(
    [seen.stats.salesRevenue, seen.stats.salesProfit, seen.stats.salesRevenueShare, seen.stats.numberOfSales],
    [null, null, 3_00, 1],
  )
  const [row] = (await me.get(`/partners/${parent.id}/partners`)).items
  assert.deepEqual(row, seen)
  for (const query of ['approved=true', 'sort=salesRevenue', 'sort=-salesRevenue'])
    assert.equal((await me.call('GET', `/partners/${parent.id}/partners?${query}`)).status, 422, query)
  assert.equal((await me.get(`/partners/${parent.id}/partners?search=${email.slice(0, 8)}`)).total, 0)
  for (const path of ['stats', 'balance', 'leads', 'commissions', 'payouts', 'links', 'payout-settings'])
    assertRefused(await me.call('GET', `/partners/${sub.id}/${path}`), 404, 'not_found')
  assertRefused(await me.call('GET', `/leads/${lead.id}`), 404, 'not_found')

  const own = await callerOf(app, session.token).get(`/partners/${sub.id}`)
  assert.deepEqual(own.commissionSettings, { layerRates: [10, 3] })
  assert.deepEqual(
    [own.email, own.balanceDue, own.stats.salesProfit, own.stats.salesRevenue],
    [email, 10_00, null, 100_00],
  )
  const stats = await callerOf(app, session.token).get(`/partners/${sub.id}/stats`)
  assert.deepEqual([stats.salesProfit, stats.salesRevenueShare], [null, 10_00])
  const ownersStats = await owner.get(`/partners/${sub.id}/stats`)
  assert.equal(ownersStats.salesProfit, 90_00)
  const day = new Date().toISOString().slice(0, 10)
  const history = await callerOf(app, session.token).get(`/partners/${sub.id}/historical-stats/${day}..${day}`)
  assert.deepEqual([history.deltas[0].salesProfit, history.deltas[0].salesRevenue], [null, 100_00])
  await owner.patch(home, { partnerVisibility: { saleAmounts: false } })
  assert.equal((await callerOf(app, session.token).get(`/partners/${sub.id}/stats`)).salesRevenue, null)
  await owner.patch(home, { partnerVisibility: { saleAmounts: true }, invitationsFromPartners: false })
  assertRefused(await me.call('POST', `/partners/${parent.id}/partners`, { email: anEmail() }), 403, 'forbidden')
  assert.equal((await owner.call('POST', `/partners/${parent.id}/partners`, { email: anEmail() })).status, 201)
  await owner.patch(home, { invitationsFromPartners: true })
})

test('an invitation: revoked and sent anew, five a day, another e-mail kills the link', async (t) => {
  t.after(() => clock.set(new Date()))
  const partner = await aPartner(app, account)
  const path = `/partners/${partner.id}/invitation`
  const first = await owner.get(path)
  assert.equal((await owner.call('DELETE', path)).status, 204)
  assert.deepEqual([(await owner.get(path)).status, (await owner.get(path)).url], ['revoked', null])
  assert.equal((await callerOf(app, tokenIn(first.url)).get('/auth/user-setup')).status, 'expired')
  clock.advance(61_000)
  const again = await owner.post(`${path}/retries`)
  assert.deepEqual([again.sendCount, again.status === 'revoked'], [2, false])
  assert.notEqual(again.url, first.url)
  assert.equal((await callerOf(app, tokenIn(first.url)).call('GET', '/auth/user-setup')).status, 401)
  const changed = anEmail()
  await owner.put(`/partners/${partner.id}`, { email: changed })
  const moved = await owner.get(path)
  assert.notEqual(moved.url, again.url)
  assert.equal((await callerOf(app, tokenIn(moved.url)).get('/auth/user-setup')).email, changed)
  for (let sent = 3; sent < 5; sent++) {
    clock.advance(61_000)
    await owner.post(`${path}/retries`)
  }
  clock.advance(61_000)
  const reply = await owner.call('POST', `${path}/retries`)
  assertRefused(reply, 429, 'rate_limited')
  assert.ok(Number(reply.headers.get('retry-after')) > 60)
})

const tokenIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('token')!

test('the list: state, parent, approval, sort and search', async () => {
  const own = await anAccount(app)
  const { get, put, post } = callerOf(app, own.token)
  const year = new Date().getUTCFullYear()
  const a = await aPartner(app, own, { firstName: 'Ann', lastName: 'Lee', referralCode: 'ann-code' }, { signIn: true })
  const b = await aPartner(app, own, { firstName: 'bob', parentPartnerId: a.id })
  const c = await aPartner(app, own, { firstName: 'Cid' })
  await put(`/partners/${a.id}`, { approvedPayoutYears: [year] })
  await put(`/partners/${b.id}`, { state: 'suspended', approvedPayoutYears: [year - 1] })
  await post(`/partners/${c.id}/archive`, {})
  const lead = await post(`/accounts/${own.id}/leads`, { email: anEmail(), partnerId: a.id })
  await post(`/leads/${lead.id}/sales`, { amount: 500 })
  const found = async (query: string) =>
    (await get(`/accounts/${own.id}/partners?${query}`)).items.map(({ firstName }: { firstName: string }) => firstName)
  assert.deepEqual(await found(''), ['Cid', 'bob', 'Ann'])
  assert.deepEqual(await found('sort=name'), ['Ann', 'bob', 'Cid'])
  assert.deepEqual((await found('sort=-salesRevenue'))[0], 'Ann')
  assert.deepEqual(await found('state=active'), ['Ann'])
  assert.deepEqual(await found('state=suspended,archived'), ['Cid', 'bob'])
  assert.deepEqual(await found('approved=true'), ['Ann'])
  assert.deepEqual(await found('approved=false'), ['Cid', 'bob'])
  assert.deepEqual(await found('search=ANN-C'), ['Ann'])
  assert.deepEqual(await found('search=ann lee'), ['Ann'])
  assert.deepEqual(await found(`search=${b.email.toUpperCase().slice(0, 20)}`), ['bob'])
  assert.deepEqual(await found(`parentPartnerId=${a.id}`), ['bob'])
  assert.deepEqual((await get(`/partners/${a.id}/partners`)).items.length, 1)
  assert.equal((await get(`/accounts/${own.id}/partners`)).total, 3)
})

test('deleting needs a clean slate; archiving moves sub-partners up and settles the balance', async () => {
  const parent = await aPartner(app, account)
  const partner = await aPartner(app, account, { parentPartnerId: parent.id })
  const sub = await aPartner(app, account, { parentPartnerId: partner.id })
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  const refused = await owner.call('DELETE', `/partners/${partner.id}`)
  assertRefused(refused, 409, 'in_use')
  assert.deepEqual(
    [refused.body.error.details.leads, refused.body.error.details.sales, refused.body.error.details.subPartners],
    [1, 1, 1],
  )
  assert.equal((await owner.get(`/partners/${partner.id}`)).balanceDue, 20_00)
  const noReason = await owner.call('POST', `/partners/${partner.id}/archive`, { balance: 'void' })
  assertRefused(noReason, 422, 'validation_failed', ['reason'])
  const archived = await owner.post(`/partners/${partner.id}/archive`, { balance: 'void', reason: 'Fraud' })
  assert.deepEqual([archived.state, archived.balanceDue], ['archived', 0])
  assert.equal((await owner.get(`/partners/${sub.id}`)).parentPartnerId, parent.id)
  assert.equal((await owner.get(`/partners/${parent.id}/stats`)).numberOfPartners, 2, 'the archived one too')
  assertRefused(await owner.call('POST', `/partners/${partner.id}/archive`, {}), 409, 'invalid_state')
  assertRefused(
    await owner.call('POST', `${home}/leads`, { email: anEmail(), partnerId: partner.id }),
    422,
    'validation_failed',
    ['partnerId'],
  )
  const earners = async () =>
    (await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })).commissions.map(
      (entry: { partnerId: string; layer: number }) => [entry.partnerId, entry.layer],
    )
  assert.deepEqual(
    await earners(),
    [[parent.id, 1]],
    'nothing falls due any more to whoever was archived without balance',
  )
  await owner.put(`/partners/${parent.id}`, { state: 'suspended' })
  assert.deepEqual(await earners(), [], 'the share of a disabled ancestor is not paid')
  assert.equal((await owner.put(`/partners/${partner.id}`, { state: 'active' })).state, 'invited')
  const fresh = await aPartner(app, account)
  assert.equal((await owner.call('DELETE', `/partners/${fresh.id}`)).status, 204)
  assertRefused(await owner.call('GET', `/partners/${fresh.id}`), 404, 'not_found')
  assertRefused(await owner.call('DELETE', `/partners/${fresh.id}`), 404, 'not_found')
})

test('deposit details: the partner’s alone, checked field by field, answered masked', async (t) => {
  t.after(() => clock.set(new Date()))
  const partner = await aPartner(app, account, {}, { signIn: true })
  const me = callerOf(app, partner.token)
  const path = `/partners/${partner.id}/payout-settings`
  assert.deepEqual(await me.get(path), { enabled: false, depositInfo: null, updatedAt: null, formOnFile: false })
  const address = { country: 'us', state: 'NY', city: 'New York', addressLine: '1 Main Street', zipCode: '10001' }
  const info = {
    legalType: 'PRIVATE',
    name: 'Pia Tern',
    routingNumber: '021000021',
    accountNumber: '000123456789',
    accountType: 'CHECKING',
    address,
  }
  const wrong: [string, unknown][] = [
    ['routingNumber', '021000022'],
    ['routingNumber', '000000000'],
    ['routingNumber', '02100002'],
    ['accountNumber', '123'],
    ['accountNumber', '1'.repeat(18)],
    ['accountNumber', '12 34'],
    ['name', 'Pia'],
    ['name', 'Pia 2nd Tern'],
    ['legalType', 'private'],
    ['accountType', 'checking'],
  ]
  for (const [field, value] of wrong)
    assertRefused(await me.call('POST', path, { ...info, [field]: value }), 422, 'validation_failed', [field])
  for (const [field, value] of [
    ['state', 'zz'],
    ['state', 'new york'],
    ['city', ' '],
    ['addressLine', ''],
    ['zipCode', ' 1234 '],
    ['country', 'ca'],
  ] as const) {
    const reply = await me.call('POST', path, { ...info, address: { ...address, [field]: value } })
    assertRefused(reply, 422, 'validation_failed', [`address.${field}`])
  }
  assertRefused(await owner.call('POST', path, info), 403, 'forbidden')
  const saved = await me.call('POST', path, info)
  assert.equal(saved.status, 200)
  assert.equal(saved.body.enabled, true)
  assert.deepEqual(saved.body.depositInfo, {
    ...info,
    routingNumber: '•••••0021',
    accountNumber: '•••••6789',
    address: { ...address, state: 'ny' },
  })
  assert.deepEqual(await owner.get(path), saved.body)
  assert.equal((await me.call('POST', path, { ...info, legalType: 'BUSINESS', name: 'A1' })).status, 200)
  clock.advance(11 * 60_000)
  assertRefused(await me.call('POST', path, info), 403, 'recent_sign_in_required')
  assertRefused(await me.call('DELETE', path), 403, 'recent_sign_in_required')
})

test('commissions and adjustments: signed entries, without sale, layer or rate', async () => {
  const partner = await aPartner(app, account, {}, { signIn: true })
  const path = `/partners/${partner.id}/adjustments`
  for (const amount of [0, 1.5, '1', 1_000_000_000_001])
    assertRefused(await owner.call('POST', path, { amount, reason: 'x' }), 422, 'validation_failed', ['amount'])
  assertRefused(await owner.call('POST', path, { amount: 1 }), 422, 'validation_failed', ['reason'])
  const reply = await owner.call('POST', path, { amount: -5_00, reason: 'Chargeback fee' })
  assert.equal(reply.status, 201)
  assertFields(
    reply.body,
    `id, saleId, refundId, partnerId, partnerName, layer, rate, baseAmount, amount, currency, kind, status, availableAt,
      payoutId, reason, createdAt`,
  )
  const { saleId, layer, rate, kind, status, amount } = reply.body
  assert.deepEqual([saleId, layer, rate, kind, status, amount], [null, null, null, 'adjustment', 'due', -5_00])
  const seen = (await callerOf(app, partner.token).get(`/partners/${partner.id}/commissions`)).items
  assert.deepEqual([seen.length, seen[0].amount, seen[0].reason], [1, -5_00, 'Chargeback fee'])
  const balance = await callerOf(app, partner.token).get(`/partners/${partner.id}/balance`)
  assertFields(balance, 'partnerId, partnerName, currency, held, due, onHold, inPayout, paid, nextPayoutDate, blockers')
  assert.deepEqual([balance.due, balance.held, balance.paid], [-5_00, 0, 0])
  assert.equal((await owner.get(`/partners/${partner.id}/stats`)).salesRevenueShare, 0)
})
