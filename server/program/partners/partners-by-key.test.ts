import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'

const app = await startApp()

async function aKey() {
  const account = await anAccount(app)
  const make = { name: 'App', rights: ['partners'] }
  const { key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body: make }),
  ).body
  const send = async (method: string, path: string, body?: unknown, token: string = key) => {
    const reply = await app.api(method, path, { token, body })
    return { ...reply, outcome: reply.body?.error ? `${reply.status} ${reply.body.error.reason}` : `${reply.status}` }
  }
  const upsert = (externalId: string, body: object, token?: string) =>
    send('PUT', `/accounts/${account.id}/partners/by-external-id/${encodeURIComponent(externalId)}`, body, token)
  const listed = async (externalId: string) =>
    (await send('GET', `/accounts/${account.id}/partners?externalId=${encodeURIComponent(externalId)}`)).body.items
  return { account, key, send, upsert, listed }
}

test('a key creates a partner by the id of its own system, updates them, and never joins one by e-mail', async () => {
  const { account, send, upsert, listed } = await aKey()
  const email = anEmail('pia')
  const id = 'Nutzer 7/ü?%'
  const made = await upsert(id, { email, firstName: 'Pia', referralCode: 'pia-7' })
  assert.deepEqual(
    [made.outcome, made.body.externalId, made.body.referralCode, made.body.invitationStatus],
    ['201', id, 'pia-7', null],
  )
  const again = await upsert(id, { email, firstName: 'Pia Maria', referralCode: 'another', sendInvitation: true })
  assert.deepEqual(
    [again.outcome, again.body.id, again.body.firstName, again.body.referralCode, again.body.invitationStatus],
    ['200', made.body.id, 'Pia Maria', 'pia-7', null],
  )
  assert.deepEqual(
    (await listed(id)).map((one: { id: string }) => one.id),
    [made.body.id],
  )
  assert.deepEqual(await listed('nutzer 7/ü?%'), [])

  const typedIn = await aPartner(app, account, { email: anEmail('kim') })
  const taken = await upsert('kim', { email: typedIn.email })
  assert.deepEqual([taken.outcome, taken.body.error.details.partnerId], ['409 partner_email_taken', typedIn.id])
  assert.equal((await send('PUT', `/partners/${typedIn.id}`, { externalId: 'kim' })).outcome, '200')
  assert.equal((await upsert('kim', { email: typedIn.email })).body.id, typedIn.id)
  assert.equal((await send('PUT', `/partners/${typedIn.id}`, { externalId: 'kim-2' })).outcome, '409 external_id_fixed')
  assert.equal((await send('PUT', `/partners/${typedIn.id}`, { externalId: null })).outcome, '409 external_id_fixed')
  const byOwner = await send('PUT', `/partners/${typedIn.id}`, { externalId: id }, account.token)
  assert.equal(byOwner.outcome, '409 external_id_taken')
  assert.equal((await send('PUT', `/partners/${typedIn.id}`, { externalId: '' }, account.token)).body.externalId, null)

  assert.equal((await upsert('x'.repeat(101), { email: anEmail() })).status, 422)
  assert.equal((await upsert('𝒳'.repeat(50), { email: anEmail() })).status, 201)
  await send('POST', `/partners/${made.body.id}/archive`, { reason: 'x' }, account.token)
  assert.equal((await upsert(id, { email })).outcome, '409 partner_archived')
})

test('a key leaves alone what a partner earns, and the e-mail of who has accepted', async () => {
  const { account, send, upsert } = await aKey()
  const partner = await aPartner(app, account, { externalId: 'u1' }, { signIn: true })
  const own = `/partners/${partner.id}`
  for (const body of [
    { note: 'x' },
    { state: 'suspended' },
    { commissionSettings: { layerRates: [90] } },
    { approvedPayoutYears: [2026] },
    { parentPartnerId: null },
    { referralCode: 'mine' },
    { email: anEmail() },
  ]) {
    const { outcome, body: answer } = await send('PUT', own, { firstName: 'Changed', ...body })
    assert.deepEqual([outcome, Object.keys(answer.error.fields)], ['422 field_not_for_keys', Object.keys(body)])
  }
  assert.equal((await upsert('u1', { email: anEmail() })).outcome, '422 field_not_for_keys')
  assert.notEqual((await send('GET', own)).body.firstName, 'Changed')
  assert.equal((await send('PUT', own, { firstName: 'Petra', email: partner.email })).body.firstName, 'Petra')
  const rates = { email: anEmail(), commissionSettings: { layerRates: [90] } }
  assert.equal((await send('POST', `/accounts/${account.id}/partners`, rates)).outcome, '422 field_not_for_keys')
  const code = await send('POST', `${own}/promotion-codes`, { code: 'PIA10' })
  assert.equal((await send('DELETE', `${own}/promotion-codes/${code.body.id}`)).outcome, '204')
  const { events } = await app.services.db.one<{ events: number }>`
    select count(*) as events from events where account_id = ${account.id} and actor_type = 'api-key' and audited`
  assert.equal(events, 3)

  // partners read no external id, other accounts no partner
  assert.equal((await send('GET', own, undefined, partner.token)).body.externalId, null)
  const stranger = await aKey()
  assert.equal((await stranger.send('PUT', own, { firstName: 'x' })).outcome, '404 not_found')
  assert.equal((await send('POST', `/accounts/${stranger.account.id}/partners`, { email: anEmail() })).status, 404)
})

type Known = { id: string; email: string; archived: boolean }

for (const seed of listSeeds(2))
  test(`calls for many partners at once keep one of each id (seed ${seed})`, async () => {
    const random = randomFrom(seed)
    const { account, send, upsert, listed } = await aKey()
    const model = new Map<string, Known>()
    const emails = Array.from({ length: 6 }, () => anEmail())
    const ids = ['a', 'A', 'b', 'b ', 'ä', '1'].map((id) => `${id}x`)
    const expectedOf = (id: string, email: string) => {
      const known = model.get(id)
      if (known?.archived) return '409 partner_archived'
      const other = [...model].find(([key, one]) => key !== id && one.email === email)
      if (other) return '409 partner_email_taken'
      return known ? '200' : '201'
    }
    for (let step = 0; step < 40; step++) {
      const id = random.pick(ids)
      const email = random.pick(emails)
      const known = model.get(id)
      if (known && random.chance(15)) {
        const path = `/partners/${known.id}`
        if (known.archived) await send('PUT', path, { state: 'active' }, account.token)
        else await send('POST', `${path}/archive`, { reason: 'x' }, account.token)
        known.archived = !known.archived
        continue
      }
      const expected = expectedOf(id, email)
      const replies = await Promise.all(Array.from({ length: random.between(1, 4) }, () => upsert(id, { email })))
      const [first = '', ...rest] = replies
        .map(({ outcome }) => outcome)
        .toSorted()
        .toReversed()
      assert.equal(first, expected, `step ${step}`)
      for (const one of rest) assert.equal(one, expected === '201' ? '200' : expected, `step ${step}`)
      const done = replies.find(({ status }) => status < 300)
      if (done) model.set(id, { id: done.body.id, email, archived: false })
    }
    for (const id of ids)
      assert.deepEqual(
        (await listed(id)).map((one: Known) => [one.id, one.email]),
        model.has(id) ? [[model.get(id)!.id, model.get(id)!.email]] : [],
      )
  })
