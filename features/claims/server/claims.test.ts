import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sale } from '#contract/sales.ts'
import { system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { addDays, dayIn } from '#server/platform/time/days.ts'
import { getAccountFacts } from '#server/program/access/account-facts.ts'
import { runErasure } from '#server/program/privacy/run-erasure.ts'
import { recordSale, type SaleToRecord } from '#server/program/sales/record-sale.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, aPartner, expectOk, type Reply, startApp, turnableClock } from '#test/support/app.ts'
import type { Claim, ClaimCandidate } from '../contract.ts'
import { emptyOldClaims } from './empty-old-claims.ts'

const clock = turnableClock()
const app = await startApp({ clock })
const { db } = app.services

/** An account with two partners; its unattributed sales are recorded as a provider's. */
async function aProgram(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, ...settings })
  const jane = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' }, { signIn: true })
  const marc = await aPartner(app, account, { firstName: 'Marc', lastName: 'Hale' }, { signIn: true })
  const call = (method: string, path: string, body?: unknown, token = account.token) =>
    app.api(method, path, { token, body })
  const get = async (path: string, token?: string) => expectOk(await call('GET', path, undefined, token)).body
  const claim = (body: object, of = jane) => call('POST', `/partners/${of.id}/claims`, body, of.token)
  const claimed = async (body: object, of = jane) => expectOk(await claim(body, of)).body
  const sell = async (fields: Partial<SaleToRecord> = {}) => {
    const amount = fields.amount ?? 100_00
    const given = { leadId: null, provider: 'stripe', externalId: newId(), taxAmount: 0, currency: 'usd' } as const
    const sale = { account, ...given, grossAmount: amount, saleDate: today(), matchedBy: null, by: system }
    return (await recordSale(db, { ...sale, ...fields, amount })).id
  }
  const aLead = async (fields: object) => expectOk(await call('POST', `/accounts/${account.id}/leads`, fields)).body
  const accept = (id: string, body: object, token?: string) => call('POST', `/claims/${id}/accept`, body, token)
  const refuse = (id: string, reason = 'Not yours') => call('POST', `/claims/${id}/refuse`, { reason })
  return { account, jane, marc, call, get, claim, claimed, sell, aLead, accept, refuse }
}

const today = () => dayIn('UTC', clock.now())
const daysAgo = (days: number) => addDays(today(), -days)
const reasonOf = (reply: Reply) => [reply.status, reply.body.error?.reason]
const fieldsOf = (reply: Reply) => [reply.status, Object.keys(reply.body.error?.fields ?? {})]

test('a partner’s answer is equal whether or not what they name exists, and whoever’s it is', async () => {
  const { account, jane, marc, call, get, claim, sell, aLead, accept, claimed } = await aProgram()
  const mail = (name: string) => `${name}@shop.example`
  await sell({ externalId: 'free-1', payerEmail: mail('free') })
  await sell({ externalId: 'void-1' }).then((id) => call('POST', `/sales/${id}/void`, { reason: 'Mistake' }))
  const theirs = await aLead({ partnerId: marc.id, email: mail('marcs'), externalId: 'marcs-lead' })
  await sell({ externalId: 'marcs-1', payerEmail: mail('marcs'), leadId: theirs.id })
  const own = await aLead({ partnerId: jane.id, email: mail('own') })
  await sell({ externalId: 'own-1', leadId: own.id })
  await claimed({ orderId: 'claimed-1' }, marc)
  const { id } = await claimed({ orderId: 'accepted-1' }, marc)
  expectOk(await accept(id, { saleId: await sell({ externalId: 'accepted-1' }) }))

  const orders = ['none-1', 'free-1', 'void-1', 'marcs-1', 'marcs-lead', 'own-1', 'claimed-1', 'accepted-1']
  const emails = ['none', 'free', 'marcs', 'own'].map(mail)
  const bodies = [...orders.map((orderId) => ({ orderId })), ...emails.map((email) => ({ email, day: today() }))]
  const plain = (answer: { body: Claim }, sent: { orderId?: string; email?: string }) => {
    const { id, createdAt, ...body } = answer.body
    return { ...body, orderId: sent.orderId && 'it', email: sent.email && 'it', keys: Object.keys(answer.body) }
  }
  const answers = []
  for (const body of bodies) {
    const answer = await claim(body)
    assert.equal(answer.status, 201)
    answers.push({ sent: body, answer: plain(answer, body) })
  }
  const [byOrder, byEmail] = [answers[0]!.answer, answers[orders.length]!.answer]
  for (const { sent, answer } of answers) assert.deepEqual(answer, 'orderId' in sent ? byOrder : byEmail)

  const { items } = await get(`/partners/${jane.id}/claims`, jane.token)
  assert.equal(items.length, bodies.length)
  for (const item of items) {
    assert.deepEqual([item.credited, item.saleId, item.leadId, item.leadName, item.decidedBy], Array(5).fill(null))
    assert.equal(item.state, 'open')
  }
  // the team sees which sale is the partner's already
  const seen = await get(`/accounts/${account.id}/claims?partnerId=${jane.id}`)
  const credited = seen.items.filter((item: Claim) => item.credited).map((item: Claim) => item.orderId ?? item.email)
  assert.deepEqual(credited.sort(), ['own-1', mail('own')])
  assert.deepEqual(reasonOf(await call('GET', `/claims/${items[0].id}`, undefined, jane.token)), [
    403,
    'role_not_allowed',
  ])
  const others = await call('GET', `/partners/${marc.id}/claims`, undefined, jane.token)
  assert.deepEqual(reasonOf(others), [404, 'not_found'])
})

test('a partner’s calls wait for no table of customers, sales or leads, and so take the same time', async () => {
  const { jane, get, claimed } = await aProgram()
  await transaction(db, async (tx) => {
    await tx.run`lock table sales, leads, shop_customers, clicks in access exclusive mode`
    const { id } = await claimed({ orderId: 'A-1' })
    await claimed({ email: 'kim@shop.example', day: today() })
    assert.equal((await claimed({ orderId: 'A-1' })).id, id)
    assert.equal((await get(`/partners/${jane.id}/claims`, jane.token)).total, 2)
  })
})

test('a claim names an order, or an e-mail and a day of the last sixty', async () => {
  const { claim } = await aProgram()
  const email = 'kim@shop.example'
  for (const [body, fields] of [
    [{}, ['orderId']],
    [{ note: 'It is missing' }, ['orderId']],
    [{ orderId: 'A1', email, day: today() }, ['email']],
    [{ orderId: 'A1', day: today() }, ['email']],
    [{ email }, ['day']],
    [{ day: today() }, ['orderId']],
    [{ orderId: email }, ['orderId']],
    [{ orderId: 'a'.repeat(201) }, ['orderId']],
    [{ orderId: 'A1', note: 'a'.repeat(1001) }, ['note']],
    [{ email: 'kim', day: today() }, ['email']],
    [{ email, day: daysAgo(-1) }, ['day']],
    [{ email, day: daysAgo(61) }, ['day']],
    [{ orderId: 'A1', partnerId: 'x' }, ['partnerId']],
  ] as const)
    assert.deepEqual(fieldsOf(await claim(body)), [422, fields], JSON.stringify(body))
  for (const body of [
    { orderId: 'a'.repeat(200), note: 'a'.repeat(1000) },
    { email, day: daysAgo(60) },
    { email, day: today() },
  ])
    expectOk(await claim(body))
})

test('the day ends with the account’s calendar', async () => {
  const { claim } = await aProgram({ timeZone: 'Pacific/Kiritimati' })
  const there = dayIn('Pacific/Kiritimati', clock.now())
  expectOk(await claim({ email: 'kim@shop.example', day: there }))
  assert.deepEqual(fieldsOf(await claim({ email: 'kim@shop.example', day: addDays(there, 1) })), [422, ['day']])
})

test('the same claim is made once while it is open, also by two at once', async () => {
  const { claimed, refuse, jane, get, marc } = await aProgram()
  const same = await Promise.all(['#A-7', 'a-7', ' A-7 ', 'A-7'].map((orderId) => claimed({ orderId })))
  assert.equal(new Set(same.map(({ id }) => id)).size, 1)
  const mailed = { email: 'Kim@Shop.example', day: today() }
  const [one, two] = [await claimed(mailed), await claimed({ ...mailed, email: 'kim@shop.example', note: 'Again' })]
  assert.equal(two.id, one.id)
  assert.equal(two.note, null)
  assert.notEqual((await claimed({ ...mailed, day: daysAgo(1) })).id, one.id)
  assert.notEqual((await claimed({ orderId: 'A-7' }, marc)).id, same[0].id)
  expectOk(await refuse(same[0].id))
  assert.notEqual((await claimed({ orderId: 'A-7' })).id, same[0].id)
  assert.equal((await get(`/partners/${jane.id}/claims`)).total, 4)
})

test('a partner has twenty open claims, and makes twenty a day', async () => {
  const { claim, refuse, claimed } = await aProgram()
  const ids: string[] = []
  for (let number = 1; number <= 20; number++) ids.push((await claimed({ orderId: `order ${number}` })).id)
  assert.deepEqual(reasonOf(await claim({ orderId: 'order 21' })), [409, 'claims_open'])
  assert.equal((await claimed({ orderId: 'order 3' })).id, ids[2])
  expectOk(await refuse(ids[0]!))
  assert.deepEqual(reasonOf(await claim({ orderId: 'order 21' })), [409, 'claims_today'])
})

test('sales that fit are found by all that a claim names, and weighed by the rules of attribution', async () => {
  const { account, jane, marc, call, get, claimed, sell, aLead } = await aProgram()
  expectOk(await call('POST', `/partners/${jane.id}/promotion-codes`, { code: 'JANE20' }))
  const plain = await sell({ externalId: 'A-1001', saleDate: daysAgo(3) })
  const inText = await sell({ description: 'Order #A-1001, yearly' })
  await sell({ externalId: 'xA-1001' })
  await sell({ externalId: 'a-1001', provider: 'paypal', saleDate: daysAgo(61) })
  const coupon = await sell({ promotionCodes: ['jane20'] })
  const evidence = await sell({ evidence: [{ rule: 'click', outcome: 'expired', partnerId: jane.id }] })
  const { id } = await claimed({ orderId: '#a-1001' })
  const found = await get(`/claims/${id}`)
  assert.deepEqual([found.from, found.to], [daysAgo(60), daysAgo(-1)])
  const facts = (all: ClaimCandidate[]) =>
    all.map((one) => [one.id, one.named, one.fits.map((fit) => [fit.rule, fit.counts]), one.score])
  assert.deepEqual(facts(found.candidates), [
    [inText, ['Its text contains the order ID'], [], 0],
    [plain, ['It has this order ID'], [], 0],
    [coupon, [], [['coupon', true]], 2],
    [evidence, [], [['click', false]], 0],
  ])

  const email = 'kim@shop.example'
  const lead = await aLead({ partnerId: jane.id, email: 'lee@shop.example' })
  const kim = await aLead({ email, externalId: 'cus-kim' })
  const paid = await sell({ payerEmail: email, promotionCodes: ['JANE20'], saleDate: daysAgo(1) })
  const ofLead = await sell({ leadId: kim.id, payerEmail: 'boss@shop.example' })
  const marcs = await aLead({ partnerId: marc.id, externalId: 'marcs' })
  const others = await sell({ leadId: marcs.id, payerEmail: email, saleDate: daysAgo(2) })
  await sell({ payerEmail: 'someone@shop.example', leadId: lead.id })
  const mailed = await get(`/claims/${(await claimed({ email, day: daysAgo(1) })).id}`)
  assert.deepEqual(
    mailed.candidates
      .filter((one: ClaimCandidate) => one.named.length > 0)
      .map((one: ClaimCandidate) => [one.kind, one.id, one.state, one.score]),
    [
      ['sale', paid, 'ready', 2],
      ['sale', ofLead, 'ready', 0],
      ['lead', kim.id, 'ready', 0],
      ['sale', others, 'of-other-partner', 0],
    ],
  )
  assert.deepEqual(mailed.others, [])
  const again = await claimed({ email, day: today() }, marc)
  assert.deepEqual(
    (await get(`/claims/${again.id}`)).others.map((one: Claim) => one.partnerName),
    ['Jane Whitfield'],
  )
  assert.equal((await get(`/accounts/${account.id}/claims?search=KIM`)).items.length, 2)
})

test('accepting an unattributed sale credits it like an attribution by hand, once', async () => {
  const { jane, get, claimed, sell, accept, refuse } = await aProgram()
  const saleId = await sell({ externalId: 'A-1', payerEmail: 'kim@shop.example' })
  const [first, second] = [
    await claimed({ orderId: 'A-1' }),
    await claimed({ email: 'kim@shop.example', day: today() }),
  ]
  const answers = await Promise.all([accept(first.id, { saleId }), accept(first.id, { saleId })])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const reply of answers) if (reply.status !== 200) assert.deepEqual(reasonOf(reply), [409, 'claim_decided'])
  const claim = await get(`/claims/${first.id}`)
  assert.deepEqual([claim.state, claim.saleId, claim.decidedBy], ['accepted', saleId, 'Nora Wind'])
  assert.deepEqual(
    claim.others.map(({ id }: Claim) => id),
    [second.id],
  )
  const sale = await get(`/sales/${saleId}`)
  assert.deepEqual([sale.partnerId, sale.matchedBy], [jane.id, 'manual'])
  assert.deepEqual(
    sale.commissions.map((entry: Sale['commissions'][number]) => entry.amount),
    [10_00],
  )
  // a duplicate of the claim: the sale is credited, and accepting books nothing more
  assert.equal((await get(`/claims/${second.id}`)).credited, true)
  const duplicate = expectOk(await accept(second.id, { saleId })).body
  assert.deepEqual([duplicate.state, duplicate.credited], ['accepted', false])
  assert.equal((await get(`/sales/${saleId}`)).commissions.length, 1)
  const own = (await get(`/partners/${jane.id}/claims`, jane.token)).items
  assert.deepEqual(
    own.map((item: Claim) => [item.state, item.reason, item.saleId]),
    [
      ['accepted', null, null],
      ['accepted', null, null],
    ],
  )
  assert.deepEqual(await verifyLedger(db), [])

  const third = await claimed({ orderId: 'A-1' })
  const both = await Promise.all([accept(third.id, { saleId }), refuse(third.id)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
})

test('a sale or lead of another partner is refused with what to do', async () => {
  const { jane, marc, call, claimed, sell, aLead, accept, get } = await aProgram()
  const marcs = await aLead({ partnerId: marc.id, email: 'kim@shop.example' })
  const credited = await sell({ leadId: marcs.id })
  const free = await sell({ payerEmail: 'kim@shop.example' })
  const voided = await sell()
  expectOk(await call('POST', `/sales/${voided}/void`, { reason: 'Mistake' }))
  const rejected = await aLead({ email: 'lee@shop.example' })
  expectOk(await call('POST', `/leads/${rejected.id}/status`, { status: 'rejected', reason: 'spam' }))
  const ofRejected = await sell({ leadId: rejected.id })
  const { id } = await claimed({ orderId: 'A-1' })
  for (const [body, status, reason] of [
    [{ saleId: credited }, 409, 'claim_sale_of_other_partner'],
    [{ saleId: free }, 409, 'payer_has_other_partner'],
    [{ saleId: voided }, 409, 'sale_is_void'],
    [{ saleId: ofRejected }, 409, 'lead_is_rejected'],
    [{ leadId: marcs.id }, 409, 'claim_lead_of_other_partner'],
    [{ leadId: rejected.id }, 409, 'lead_is_rejected'],
  ] as const)
    assert.deepEqual(reasonOf(await accept(id, body)), [status, reason], JSON.stringify(body))
  assert.deepEqual(fieldsOf(await accept(id, { saleId: newId() })), [422, ['saleId']])
  assert.deepEqual(fieldsOf(await accept(id, { leadId: 'x' })), [422, ['leadId']])
  assert.deepEqual(fieldsOf(await accept(id, {})), [422, ['saleId']])
  assert.deepEqual(fieldsOf(await accept(id, { saleId: free, leadId: marcs.id })), [422, ['saleId']])
  expectOk(await call('PUT', `/partners/${jane.id}`, { state: 'suspended', reason: 'Checks' }))
  assert.deepEqual(reasonOf(await accept(id, { saleId: await sell() })), [409, 'claim_partner_inactive'])
  assert.equal((await get(`/claims/${id}`)).state, 'open')
  assert.deepEqual(reasonOf(await call('POST', `/partners/${jane.id}/claims`, { orderId: 'A-2' }, jane.token)), [
    409,
    'partner_inactive',
  ])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a claimed sale of another partner’s customer is the claimant’s if each order is its last click’s, and the customer stays', async () => {
  const { jane, marc, get, claimed, sell, aLead, accept } = await aProgram({ returningCustomers: 'latest-click' })
  const lead = await aLead({ partnerId: marc.id, email: 'kim@shop.example' })
  const saleId = await sell({ payerEmail: 'kim@shop.example', externalId: 'A-1' })
  const { id } = await claimed({ orderId: 'A-1' })
  const stateNow = async () =>
    (await get(`/claims/${id}`)).candidates.find((one: ClaimCandidate) => one.id === saleId).state
  // a lead of another partner who has not bought is no customer
  assert.equal(await stateNow(), 'of-other-partner')
  assert.deepEqual(reasonOf(await accept(id, { saleId })), [409, 'payer_has_other_partner'])
  await sell({ leadId: lead.id })
  assert.equal(await stateNow(), 'ready')
  expectOk(await accept(id, { saleId }))
  assert.equal(await stateNow(), 'credited')
  const sale = await get(`/sales/${saleId}`)
  assert.deepEqual([sale.partnerId, sale.leadId], [jane.id, lead.id])
  assert.equal((await get(`/leads/${lead.id}`)).partnerId, marc.id)
  assert.equal(
    (await get(`/sales/${saleId}/match`)).why,
    'Someone recorded or attributed it manually; the customer stays with Marc Hale',
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('accepting a lead without a partner gives it to the partner, for new sales', async () => {
  const { jane, claimed, sell, aLead, accept, get } = await aProgram()
  const lead = await aLead({ email: 'kim@shop.example' })
  const earlier = await sell({ leadId: lead.id })
  const { id } = await claimed({ email: 'kim@shop.example', day: today() })
  const accepted = expectOk(await accept(id, { leadId: lead.id, reason: 'Seen at the webinar' })).body
  assert.deepEqual(
    [accepted.state, accepted.leadId, accepted.leadName, accepted.reason],
    ['accepted', lead.id, 'kim', 'Seen at the webinar'],
  )
  assert.equal((await get(`/leads/${lead.id}`)).partnerId, jane.id)
  assert.equal((await get(`/sales/${earlier}`)).partnerId, null)
  assert.equal((await get(`/sales/${await sell({ leadId: lead.id })}`)).partnerId, jane.id)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a refusal needs a reason, which the partner reads', async () => {
  const { jane, claimed, refuse, call, get, accept, sell } = await aProgram()
  const { id } = await claimed({ orderId: 'A-1' })
  assert.deepEqual(fieldsOf(await call('POST', `/claims/${id}/refuse`, {})), [422, ['reason']])
  assert.deepEqual(fieldsOf(await call('POST', `/claims/${id}/refuse`, { reason: '  ' })), [422, ['reason']])
  assert.deepEqual(fieldsOf(await refuse(id, 'a'.repeat(501))), [422, ['reason']])
  expectOk(await refuse(id, 'We found no such order'))
  assert.deepEqual(reasonOf(await refuse(id)), [409, 'claim_decided'])
  assert.deepEqual(reasonOf(await accept(id, { saleId: await sell() })), [409, 'claim_decided'])
  const [own] = (await get(`/partners/${jane.id}/claims`, jane.token)).items
  assert.deepEqual([own.state, own.reason, own.decidedBy], ['refused', 'We found no such order', null])
})

test('decided claims keep no e-mail and note once the account’s raw data is old', async () => {
  const { account, claimed, refuse } = await aProgram({ retention: { rawDataDays: 30 } })
  const decided = await claimed({ email: 'kim@shop.example', day: today(), note: 'Kim bought it' })
  const open = await claimed({ email: 'lee@shop.example', day: today(), note: 'Lee bought it' })
  expectOk(await refuse(decided.id))
  const facts = (await getAccountFacts(db, [account.id])).get(account.id)!
  const texts = async (id: string) => {
    const { email, note } = await db.one`select email, note from claims where account_id = ${account.id} and id = ${id}`
    return [email, note]
  }
  await emptyOldClaims(facts, app.services)
  assert.deepEqual(await texts(decided.id), ['kim@shop.example', 'Kim bought it'])
  clock.advance(31 * 86_400_000)
  await emptyOldClaims(facts, app.services)
  assert.deepEqual(await texts(decided.id), [null, null])
  assert.deepEqual(await texts(open.id), ['lee@shop.example', 'Lee bought it'])
})

test('erasing a partner empties the e-mail, note and reason of their claims', async () => {
  const { account, jane, marc, call, claimed, refuse } = await aProgram()
  const day = today()
  const { id } = await claimed({ email: 'kim@shop.example', day, note: 'Kim told me' })
  await claimed({ email: 'kim@shop.example', day, note: 'Kim told me too' }, marc)
  expectOk(await refuse(id, 'Kim was here before Jane'))
  expectOk(await call('POST', `/partners/${jane.id}/archive`, { subPartners: 'keep', balance: 'void', reason: 'Left' }))
  const erasure = expectOk(await call('POST', `/partners/${jane.id}/erase`, {})).body
  await runErasure(app.services, { accountId: account.id, erasureIds: [erasure.id] })
  const rows = await db.many<{ texts: string[] }>`
    select array_remove(array[email, note, reason], null) as texts from claims
    where account_id = ${account.id} order by created_at`
  assert.deepEqual(
    rows.map(({ texts }) => texts),
    [[], ['kim@shop.example', 'Kim told me too']],
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('a missing sale is reported in the portal, by the key that opened it', async () => {
  const { account, jane, call, get } = await aProgram()
  const post = async (path: string, body: object, token?: string) =>
    expectOk(await call('POST', path, body, token)).body
  const { id: keyId, key } = await post(`/accounts/${account.id}/api-keys`, { name: 'App', rights: ['partners'] })
  const { token } = await post(`/partners/${jane.id}/portal-sessions`, { kind: 'frame' }, key)
  const claim = () => post(`/partners/${jane.id}/claims`, { orderId: 'A-17' }, token)
  const made = await claim()
  assert.deepEqual([made.partnerId, made.state, (await claim()).id], [jane.id, 'open', made.id])
  const { items } = await get(`/accounts/${account.id}/claims`)
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    [made.id],
  )
  const { actorType, actorId } = await db.one<{ actorType: string; actorId: string }>`
    select actor_type, actor_id from passing_events where account_id = ${account.id} and type = 'claim.made'`
  assert.deepEqual([actorType, actorId], ['portal', keyId])
})

test('a sale that was never recorded is recorded as the claim is accepted, once, for the customer’s lead or a new one', async () => {
  const { account, jane, marc, call, get, claimed, aLead } = await aProgram()
  const email = 'kim@shop.example'
  const { id } = await claimed({ email, day: daysAgo(3) })
  const add = (id: string, sale: object) => call('POST', `/claims/${id}/accept`, { sale })
  const sale = { email, amount: 200_00, saleDate: daysAgo(3), externalId: 'INV-9' }
  const replies = await Promise.all([add(id, sale), add(id, sale)])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
  const { state, saleId, leadId } = await get(`/claims/${id}`)
  assert.equal(state, 'accepted')
  const recorded = await get(`/sales/${saleId}`)
  assert.deepEqual(
    [recorded.partnerId, recorded.amount, recorded.saleDate, recorded.externalId, recorded.leadId],
    [jane.id, 200_00, daysAgo(3), 'INV-9', leadId],
  )
  assert.equal((await get(`/leads/${leadId}`)).email, email)
  assert.equal((await get(`/partners/${jane.id}/commissions`)).items[0].amount, 20_00)
  assert.equal((await get(`/accounts/${account.id}/sales`)).total, 1)

  // the lead without a partner becomes theirs; another partner's stays, and so does the claim
  const own = await aLead({ email: 'lee@shop.example' })
  const second = await claimed({ orderId: 'X-2' })
  expectOk(await add(second.id, { email: 'Lee@shop.example', amount: 50_00 }))
  assert.deepEqual(
    [(await get(`/claims/${second.id}`)).leadId, (await get(`/leads/${own.id}`)).partnerId],
    [own.id, jane.id],
  )
  await aLead({ email: 'max@shop.example', partnerId: marc.id })
  const third = await claimed({ orderId: 'X-3' })
  const theirs = await add(third.id, { email: 'max@shop.example', amount: 50_00 })
  assert.deepEqual(reasonOf(theirs), [409, 'claim_lead_of_other_partner'])
  const taken = await add(third.id, { email, amount: 50_00, externalId: 'INV-9' })
  assert.deepEqual([...reasonOf(taken), fieldsOf(taken)[1]], [409, 'sale_external_id_taken', ['externalId']])
  assert.deepEqual(reasonOf(await add(third.id, { email, amount: 50_00, saleDate: daysAgo(-2) })), [
    422,
    'day_in_future',
  ])
  assert.deepEqual(fieldsOf(await add(third.id, { amount: 50_00 })), [422, ['sale.email']])
  assert.deepEqual(fieldsOf(await call('POST', `/claims/${third.id}/accept`, {})), [422, ['saleId']])
  expectOk(await call('PUT', `/partners/${jane.id}`, { state: 'suspended' }))
  const inactive = await add(third.id, { email: 'new@shop.example', amount: 50_00 })
  assert.deepEqual(reasonOf(inactive), [409, 'claim_partner_inactive'])
  assert.equal((await get(`/claims/${third.id}`)).state, 'open')
  assert.equal((await get(`/accounts/${account.id}/leads?search=new@shop.example`)).total, 0)
  assert.deepEqual(await verifyLedger(db), [])
})
