import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCaller } from '#test/support/api.ts'
import { anAccount, aPartner, expectOk, signIn, startApp } from '#test/support/app.ts'
import type { Friend } from '../contract.ts'
import { giveRewards } from './give-rewards.ts'

const app = await startApp()
const DAY = 86_400_000

test('a customer reads in their panel what they get for each friend, and what they were given', async () => {
  app.clock.stop('2026-03-02T09:00:00Z')
  const account = await anAccount(app, { payoutDelay: 7, timeZone: 'UTC' })
  let owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const group = await owner.post(`${home}/groups`, {
    ...{ name: 'App', kind: 'customers', reward: { as: 'units', unitName: 'credits', unitValue: 100 } },
    terms: { otherwise: { layerAmounts: [5_00] } },
  })
  const { key } = await owner.post(`${home}/api-keys`, { name: 'App', rights: ['partners'] })
  const system = createCaller(app, key)
  const enrol = async (id: string) =>
    expectOk(
      await system.call('PUT', `${home}/partners/by-external-id/${id}`, {
        ...{ email: `${id}@app.example`, groupId: group.id },
      }),
    ).body
  const ann = await enrol('ann')
  const friends: { id: string }[] = []
  const paid = (at: number, amount = 20_00) => owner.post(`/leads/${friends[at - 1]!.id}/sales`, { amount })
  for (let at = 1; at <= 5; at++)
    friends.push(await owner.post(`${home}/leads`, { partnerId: ann.id, email: `f${at}@friend.example` }))
  const first = await paid(1)
  app.clock.advance(2 * DAY)
  owner = createCaller(app, (await signIn(app, account.ownerEmail)).token)
  await paid(2)
  const back = await paid(3)
  await owner.post(`/sales/${back.id}/refunds`, { amount: 20_00, reason: 'Returned' })
  await owner.post(`/leads/${friends[3]!.id}/status`, { status: 'rejected', reason: 'other' })

  const open = async () => {
    const { token } = await system.post(`/partners/${ann.id}/portal-sessions`, { kind: 'frame', view: 'invite' })
    return createCaller(app, token)
  }
  const panel = await open()
  assert.equal((await panel.get('/portal')).view, 'invite')
  const shown = async (by = panel) => {
    const { items } = await by.get(`/partners/${ann.id}/friends?sort=createdAt`)
    return items.map(({ number, status, rewardOn, reason }: Friend) => [number, status, rewardOn ?? reason])
  }
  assert.deepEqual(await shown(), [
    [1, 'reward-coming', '2026-03-09'],
    [2, 'reward-coming', '2026-03-11'],
    [3, 'no-reward', 'refunded'],
    [4, 'no-reward', 'rejected'],
    [5, 'signed-up', null],
  ])
  const sums = async (by = panel) => (await by.get(`/partners/${ann.id}/friends`)).rewards
  const none = { count: 0, units: 0, amount: 0 }
  const units = { as: 'units', unitName: 'credits', currency: 'usd' }
  assert.deepEqual(await sums(), { ...units, given: none, onTheirWay: { count: 2, units: 10, amount: 10_00 } })
  assert.deepEqual((await panel.get(`/partners/${ann.id}/offer`)).reward, {
    as: 'units',
    unitName: 'credits',
    unitValue: 100,
  })

  app.clock.stop('2026-03-10T04:00:00Z')
  await giveRewards(app.services)
  const again = createCaller(app, (await signIn(app, account.ownerEmail)).token)
  const later = await open()
  // approved, and not granted by the company yet
  assert.deepEqual((await shown(later))[0], [1, 'reward-coming', null])
  const { items: payouts } = await again.get(`/partners/${ann.id}/payouts?status=approved`)
  await again.post(`/payouts/${payouts[0].id}/acknowledgement`, {})
  assert.deepEqual((await shown(later)).slice(0, 2), [
    [1, 'reward-given', null],
    [2, 'reward-coming', '2026-03-11'],
  ])
  assert.deepEqual(await sums(later), {
    ...units,
    given: { count: 1, units: 5, amount: 5_00 },
    onTheirWay: { count: 1, units: 5, amount: 5_00 },
  })
  // what a refund takes back of a reward that was given is none on its way, and the next one makes it up
  await again.post(`/sales/${first.id}/refunds`, { amount: 20_00, reason: 'Returned' })
  assert.deepEqual((await sums(later)).onTheirWay, none)
  await again.post(`/leads/${friends[4]!.id}/sales`, { amount: 20_00 })
  assert.deepEqual((await sums(later)).onTheirWay, { count: 2, units: 5, amount: 5_00 })
  const page = await later.get(`/partners/${ann.id}/friends?limit=2`)
  assert.deepEqual([page.total, page.items.map(({ number }: Friend) => number)], [5, [5, 4]])
})

test('a view for inviting friends is for customers alone', async () => {
  const account = await anAccount(app)
  const owner = createCaller(app, (await signIn(app, account.ownerEmail)).token)
  const partner = await aPartner(app, account)
  const { key } = await owner.post(`/accounts/${account.id}/api-keys`, { name: 'App', rights: ['partners'] })
  const system = createCaller(app, key)
  const { status, body } = await system.call('POST', `/partners/${partner.id}/portal-sessions`, {
    kind: 'frame',
    view: 'invite',
  })
  assert.deepEqual(
    [status, body.error.reason, Object.keys(body.error.fields)],
    [422, 'group_is_not_for_customers', ['view']],
  )
  const opened = createCaller(
    app,
    (await system.post(`/partners/${partner.id}/portal-sessions`, { kind: 'frame' })).token,
  )
  assert.equal((await opened.get('/portal')).view, 'program')
  assert.equal((await opened.get(`/partners/${partner.id}/friends`)).rewards, null)
})
