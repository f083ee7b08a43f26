import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_GROUPS } from '#contract/groups.ts'
import { Terms } from '#contract/terms.ts'
import { anAccount, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp()

const paying = (...layerRates: number[]) => ({ otherwise: { layerRates } })

const request = (account: TestAccount, method: string, path: string, body?: object) =>
  app.api(method, path, { token: account.token, body })

const call = async (account: TestAccount, method: string, path: string, body?: object) => {
  const answer = await request(account, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const refused = async (account: TestAccount, method: string, path: string, body?: object) => {
  const { status, body: answer } = await request(account, method, path, body)
  return [status, answer.error?.reason]
}

const aGroup = (account: TestAccount, name: string, more = {}) =>
  call(account, 'POST', `/accounts/${account.id}/groups`, { name, ...more })

/** Books a sale of $100 to a customer of the partner, and returns what the partner earns. */
async function earns(account: TestAccount, partnerId: string) {
  const email = `${Math.random()}@buyer.example`
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId, email })
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
  return sale.commissions[0]?.amount
}

test('a new partner is in the default group, and a move changes what new sales pay', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartner(app, account)
  const gold = await aGroup(account, 'Gold', { terms: paying(25, 5) })
  assert.deepEqual(
    [gold.isDefault, gold.commissionSettings, gold.terms, gold.rules, gold.partners],
    [false, { layerRates: [25, 5] }, Terms.parse(paying(25, 5)), 0, 0],
  )
  const path = `/partners/${partner.id}`
  const before = await call(account, 'GET', path)
  assert.deepEqual([before.groupId, before.groupName, before.keepInGroup], [account.id, 'Default', false])
  const moved = await call(account, 'PUT', path, { groupId: gold.id, keepInGroup: true })
  assert.deepEqual([moved.groupId, moved.groupName, moved.keepInGroup], [gold.id, 'Gold', true])
  assert.deepEqual(moved.effectiveCommissionSettings, { layerRates: [25, 5] })
  assert.equal(await earns(account, partner.id), 25_00)

  const { inForce } = await call(account, 'GET', `${path}/terms`)
  assert.deepEqual(
    [inForce.source, inForce.sourceId, inForce.sourceName, inForce.version],
    ['group', gold.id, 'Gold', 1],
  )
  await call(account, 'PUT', path, { groupId: account.id })
  assert.equal(await earns(account, partner.id), 10_00)
  const { items } = await call(account, 'GET', `/accounts/${account.id}/audit?action=partner.moved`)
  assert.deepEqual(items.map((row: { changes: object }) => row.changes).reverse(), [
    { groupId: { old: account.id, new: gold.id }, appliesTo: { old: null, new: 'all-sales' } },
    { groupId: { old: gold.id, new: account.id }, appliesTo: { old: null, new: 'all-sales' } },
  ])
})

test('a move for new customers leaves the others; again it does nothing, and a wider one moves them too', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartner(app, account)
  const gold = await aGroup(account, 'Gold', { terms: paying(30) })
  const email = 'old@buyer.example'
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
  const renews = async () =>
    (await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00 })).commissions[0].amount
  const move = (appliesTo: string) => call(account, 'PUT', `/partners/${partner.id}`, { groupId: gold.id, appliesTo })
  app.clock.advance(60_000)
  await move('new-customers')
  await move('new-customers')
  assert.deepEqual([await renews(), await earns(account, partner.id)], [10_00, 30_00])
  assert.equal((await call(account, 'GET', `/partners/${partner.id}/terms`)).olderCustomersDiffer, true)
  await move('all-sales')
  assert.equal(await renews(), 30_00)
  assert.equal((await call(account, 'GET', `/partners/${partner.id}/terms`)).olderCustomersDiffer, false)
  const { items } = await call(account, 'GET', `/accounts/${account.id}/audit?action=partner.moved`)
  assert.equal(items.length, 2)
})

test('moves many at once, and lists a group’s partners', async () => {
  const account = await anAccount(app)
  const other = await anAccount(app)
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const stranger = await aPartner(app, other)
  const gold = await aGroup(account, 'Gold')
  const path = `/accounts/${account.id}/partners`
  const partnerIds = [one.id, stranger.id]
  const { results } = await call(account, 'POST', `${path}/move`, { partnerIds, groupId: gold.id })
  assert.deepEqual(
    results.map(({ status, error }: { status: number; error: { reason: string } | null }) => [status, error?.reason]),
    [
      [200, undefined],
      [404, 'not_found'],
    ],
  )
  const idsIn = async (groupId: string) =>
    (await call(account, 'GET', `${path}?groupId=${groupId}`)).items.map(({ id }: { id: string }) => id)
  assert.deepEqual([await idsIn(gold.id), await idsIn(account.id), await idsIn('none')], [[one.id], [two.id], []])
  const { items } = await call(account, 'GET', `/accounts/${account.id}/groups?sort=name`)
  assert.deepEqual(
    items.map(({ name, partners }: { name: string; partners: number }) => [name, partners]),
    [
      ['Default', 1],
      ['Gold', 1],
    ],
  )
  const file = await app.api('GET', `${path}/csv?columns=email,groupName`, { token: account.token })
  assert.ok(String(file.body).includes('Gold'))

  const foreign = await aGroup(other, 'Silver')
  for (const body of [
    { partnerIds, groupId: foreign.id },
    { partnerIds, groupId: 'nothing' },
  ])
    assert.deepEqual(await refused(account, 'POST', `${path}/move`, body), [422, 'unknown_group'])
  const email = 'new@partner.example'
  assert.deepEqual(await refused(account, 'POST', path, { email, groupId: foreign.id }), [422, 'unknown_group'])
  assert.equal((await call(account, 'POST', path, { email, groupId: gold.id })).groupName, 'Gold')
})

test('an erased partner keeps no group from being deleted, and earns nothing from their customers', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const gold = await aGroup(account, 'Gold', { terms: paying(50) })
  const partner = await aPartner(app, account, { groupId: gold.id })
  const email = 'loyal@buyer.example'
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
  app.clock.advance(60_000)
  await call(account, 'POST', `/partners/${partner.id}/archive`, { reason: 'left' })
  await call(account, 'POST', `/partners/${partner.id}/erase`, {})
  assert.deepEqual(await refused(account, 'PUT', `/partners/${partner.id}`, { groupId: account.id }), [409, 'erased'])
  const other = await aPartner(app, account, { groupId: gold.id })
  const inUse = await request(account, 'DELETE', `/groups/${gold.id}`)
  assert.deepEqual([inUse.status, inUse.body.error.details], [409, { partners: 1 }])
  await call(account, 'PUT', `/partners/${other.id}`, { groupId: account.id })
  await call(account, 'DELETE', `/groups/${gold.id}`)
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
  assert.deepEqual(sale.commissions, [])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('the default group is renamed, never deleted, and has no terms; others are deleted when they are empty', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const byDefault = `/groups/${account.id}`
  const renamed = await call(account, 'PUT', byDefault, { name: 'Everyone', publicName: 'Partners' })
  assert.deepEqual([renamed.name, renamed.publicName, renamed.isDefault], ['Everyone', 'Partners', true])
  assert.deepEqual(await refused(account, 'DELETE', byDefault), [409, 'default_group_fixed'])
  const terms = { terms: paying(50) }
  assert.deepEqual(await refused(account, 'PUT', `${byDefault}/terms`, terms), [409, 'default_group_fixed'])
  const state = await call(account, 'GET', `${byDefault}/terms`)
  assert.deepEqual([state.own, state.version, state.inForce.source], [null, 0, 'account'])

  assert.deepEqual(await refused(account, 'POST', `/accounts/${account.id}/groups`, { name: 'everyone' }), [
    409,
    'group_name_taken',
  ])
  const gold = await aGroup(account, 'Gold', terms)
  assert.deepEqual(await refused(account, 'PUT', `/groups/${gold.id}`, { name: 'EVERYONE' }), [409, 'group_name_taken'])
  const partner = await aPartner(app, account, { groupId: gold.id })
  const inUse = await request(account, 'DELETE', `/groups/${gold.id}`)
  assert.deepEqual(
    [inUse.status, inUse.body.error.message, inUse.body.error.details],
    [409, 'Move its 1 partner first.', { partners: 1 }],
  )

  const email = 'loyal@buyer.example'
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
  app.clock.advance(60_000)
  await call(account, 'PUT', `/partners/${partner.id}`, { groupId: account.id, appliesTo: 'new-customers' })
  await call(account, 'DELETE', `/groups/${gold.id}`)
  assert.deepEqual(await refused(account, 'GET', `/groups/${gold.id}`), [404, 'not_found'])
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
  const [{ id, amount }] = sale.commissions
  assert.equal(amount, 50_00, 'a deleted group’s terms stay in force for whom they touch')
  const receipt = await call(account, 'GET', `/commissions/${id}`)
  assert.deepEqual([receipt.terms.source, receipt.terms.sourceName], ['group', 'Gold'])
  await aGroup(account, 'Gold')
})

test('an account has at most fifty groups', async () => {
  const account = await anAccount(app)
  for (let number = 1; number < MOST_GROUPS; number++) await aGroup(account, `Group ${number}`)
  const path = `/accounts/${account.id}/groups`
  assert.deepEqual(await refused(account, 'POST', path, { name: 'One more' }), [409, 'too_many_groups'])
})

test('partners read neither the name of their group nor ids, codes and keys in its terms', async () => {
  const account = await anAccount(app)
  const secret = 'canary-of-the-owner'
  const rule = {
    name: 'Pro',
    when: {
      products: [secret],
      metadata: [{ key: secret, values: [secret] }],
      promotionCode: 'used',
      firstPayments: 3,
    },
    layerRates: [30],
  }
  const terms = { rules: [rule], ...paying(10) }
  const group = await aGroup(account, secret, { terms })
  const parent = await aPartner(app, account, {}, { signIn: true })
  const more = { groupId: group.id, parentPartnerId: parent.id }
  const partner = await aPartner(app, account, more, { signIn: true })
  await earns(account, partner.id)
  const [entry] = (await call(account, 'GET', `/partners/${partner.id}/commissions`)).items

  const own = ['', '/terms', '/commissions', '/statistics', '/partners'].map((end) => `/partners/${partner.id}${end}`)
  const reads = [
    ...[...own, `/commissions/${entry.id}`].map((path) => ({ path, token: partner.token })),
    { path: `/partners/${partner.id}`, token: parent.token },
  ]
  for (const { path, token } of reads) {
    const { status, body } = await app.api('GET', path, { token })
    const text = JSON.stringify(body)
    assert.ok(!text.includes(secret) && !text.includes(group.id), `${status} ${path}: ${text}`)
  }
  const { body } = await app.api('GET', `/partners/${partner.id}`, { token: partner.token })
  assert.deepEqual([body.groupId, body.groupName, body.keepInGroup], [null, null, null])
  const read = await app.api('GET', `/partners/${partner.id}/terms`, { token: partner.token })
  assert.deepEqual(read.body.inForce.terms.rules, [{ ...rule, on: 'sale', when: { firstPayments: 3 } }])
})
