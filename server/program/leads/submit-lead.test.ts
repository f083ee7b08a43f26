import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'

const app = await startApp()

const get = async (token: string, path: string) => expectOk(await app.api('GET', path, { token })).body
const aLead = async (account: TestAccount, body: object) =>
  expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token: account.token, body })).body
const submit = (partner: { id: string }, token: string, body: object) =>
  app.api('POST', `/partners/${partner.id}/leads`, { token, body })
const anOpenAccount = () => anAccount(app, { partnerLeadSubmission: true, leadProtectionDays: 30 })

test('a partner registers leads if the account allows it; the owner always can', async () => {
  const account = await anAccount(app)
  const me = await aPartner(app, account, {}, { signIn: true })
  const refused = await submit(me, me.token, { email: anEmail() })
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'])
  assert.equal((await submit(me, account.token, { email: anEmail() })).status, 201)

  await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { partnerLeadSubmission: true } })
  const email = anEmail()
  const made = await submit(me, me.token, { firstName: 'Ada', email, note: 'Met at the fair' })
  assert.equal(made.status, 201)
  const { verdict, lead, registeredAt, protectedUntil } = made.body
  assert.deepEqual([verdict, lead.source, lead.status, lead.partnerId], ['new', 'partner', 'new', me.id])
  assert.deepEqual([registeredAt, protectedUntil], [lead.createdAt, lead.protectedUntil])
  assert.notEqual(lead.email, email)
  assert.deepEqual((await get(account.token, `/leads/${lead.id}`)).attribution.matchedBy, 'manual')
  const { items } = await get(account.token, `/leads/${lead.id}/events`)
  const note = items.find(({ type }: { type: string }) => type === 'note')
  assert.equal(note.text, 'Met at the fair')
  assert.ok(note.actor)
  assert.match(JSON.stringify(await get(me.token, `/leads/${lead.id}/events`)), /Met at the fair/)
  assert.deepEqual(
    (await get(me.token, `/partners/${me.id}/leads?source=partner&search=Ada`)).items.map(
      (one: { id: string }) => one.id,
    ),
    [lead.id],
  )
})

test('a repetition is already the partner’s own; another partner’s lead is stored as a duplicate without disclosing anything', async () => {
  const account = await anOpenAccount()
  const me = await aPartner(app, account, {}, { signIn: true })
  const rival = await aPartner(app, account, {}, { signIn: true })
  const email = anEmail('wanted')
  const first = expectOk(await submit(rival, rival.token, { firstName: 'Ada', email, company: 'Quarry Works' })).body
  const again = expectOk(await submit(rival, rival.token, { email, phone: '+1 212 555 0142' })).body
  assert.deepEqual([again.verdict, again.lead.id, again.registeredAt], ['yours', first.lead.id, first.registeredAt])

  const late = await submit(me, me.token, { email, note: 'Mine!' })
  assert.equal(late.status, 201)
  assert.deepEqual([late.body.verdict, late.body.lead, late.body.protectedUntil], ['already-registered', null, null])
  assert.doesNotMatch(JSON.stringify(late.body), /Quarry|Ada/)
  assert.doesNotMatch(JSON.stringify(late.body), new RegExp(`${rival.id}|${first.lead.id}`))
  const { items } = await get(account.token, `/accounts/${account.id}/leads?status=duplicate`)
  assert.deepEqual([items.length, items[0].partnerId, items[0].duplicateOfId], [1, me.id, first.lead.id])
  assert.deepEqual((await submit(me, me.token, { email })).body.registeredAt, late.body.registeredAt)
  assert.equal((await get(account.token, `/accounts/${account.id}/leads?status=duplicate`)).items.length, 1)
})

test('a partner cannot take a lead without a partner by entering its e-mail', async () => {
  const account = await anOpenAccount()
  const me = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, { email: anEmail('free') })
  const { body } = await submit(me, me.token, { email: lead.email })
  assert.equal(body.verdict, 'already-registered')
  assert.equal((await get(account.token, `/leads/${lead.id}`)).partnerId, null)
})

test('a partner who names the phone of another one’s lead gets no claim to its person', async () => {
  const account = await anOpenAccount()
  const [rival, me] = [
    await aPartner(app, account, {}, { signIn: true }),
    await aPartner(app, account, {}, { signIn: true }),
  ]
  const [theirs, phone] = [anEmail(), '+1 212 555 0177']
  const first = expectOk(await submit(rival, rival.token, { email: theirs })).body
  const mine = expectOk(await submit(me, me.token, { email: anEmail(), phone })).body
  expectOk(await submit(rival, rival.token, { email: theirs, phone }))
  const again = expectOk(await submit(me, me.token, { phone })).body
  assert.deepEqual([again.verdict, again.lead?.id], ['yours', mine.lead.id])
  assert.equal((await get(account.token, `/leads/${first.lead.id}`)).phone, null)
})

test('a lead must be reachable, and its partner must get new credit', async () => {
  const account = await anOpenAccount()
  const me = await aPartner(app, account, {}, { signIn: true })
  const nobody = await submit(me, me.token, { firstName: 'Ada' })
  assert.deepEqual([nobody.status, nobody.body.error.fields.email], [422, 'Enter an email or phone'])
  assert.equal((await submit(me, me.token, { email: anEmail(), externalId: 'x' })).status, 422)
  const body = { state: 'suspended', reason: 'Asked to' }
  expectOk(await app.api('PUT', `/partners/${me.id}`, { token: account.token, body }))
  const suspended = await submit(me, account.token, { email: anEmail() })
  assert.deepEqual([suspended.status, suspended.body.error.code], [409, 'invalid_state'])
})
