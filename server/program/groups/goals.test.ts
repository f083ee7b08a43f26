import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_GOALS } from '#contract/groups.ts'
import { anAccount, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'

const app = await startApp()

const request = (account: TestAccount, method: string, path: string, body?: object) =>
  app.api(method, path, { token: account.token, body })

async function call(account: TestAccount, method: string, path: string, body?: object) {
  const answer = await request(account, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const refused = async (account: TestAccount, method: string, path: string, body?: object) => {
  const { status, body: answer } = await request(account, method, path, body)
  return [status, answer.error?.reason, ...Object.keys(answer.error?.fields ?? {})]
}

const bonusFor = (atLeast: number, more = {}) => ({
  ...{ name: `At least ${atLeast}`, metric: 'sales', window: 'month', atLeast, bonus: 250_00 },
  ...more,
})

async function aProgram(more = {}) {
  const account = await anAccount(app, more)
  const gold = await call(account, 'POST', `/accounts/${account.id}/groups`, {
    name: 'Gold',
    publicName: 'Gold partners',
  })
  return { account, gold, ofGold: `/groups/${gold.id}/goals`, ofDefault: `/groups/${account.id}/goals` }
}

async function sell(account: TestAccount, partnerId: string, amount: number) {
  const email = `${Math.random()}@buyer.example`
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { partnerId, email })
  return call(account, 'POST', `/leads/${lead.id}/sales`, { amount })
}

test('goals have an order; a change keeps what it does not name, and replaces what excludes the other', async () => {
  const { account, gold, ofDefault } = await aProgram()
  const first = await call(account, 'POST', ofDefault, bonusFor(10))
  assert.deepEqual(first, {
    ...{ id: first.id, groupId: account.id, createdAt: first.createdAt },
    ...{ ...bonusFor(10), below: null, moveToGroupId: null, appliesTo: null },
  })
  const second = await call(account, 'POST', ofDefault, bonusFor(20, { position: 1 }))
  const ids = async () => (await call(account, 'GET', ofDefault)).items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(), [second.id, first.id])
  await call(account, 'PUT', `/goals/${second.id}`, { position: 9 })
  assert.deepEqual(await ids(), [first.id, second.id])

  const moves = await call(account, 'PUT', `/goals/${first.id}`, { moveToGroupId: gold.id })
  assert.deepEqual([moves.bonus, moves.moveToGroupId, moves.appliesTo, moves.atLeast], [null, gold.id, 'all-sales', 10])
  const falls = await call(account, 'PUT', `/goals/${first.id}`, {
    ...{ below: 3, window: 'last-90-days', appliesTo: 'new-customers' },
  })
  assert.deepEqual(
    [falls.atLeast, falls.below, falls.window, falls.appliesTo],
    [null, 3, 'last-90-days', 'new-customers'],
  )
  const { items } = await call(account, 'GET', `/accounts/${account.id}/audit?action=goal.saved`)
  await call(account, 'PUT', `/goals/${first.id}`, { below: 3, position: 1 })
  const again = await call(account, 'GET', `/accounts/${account.id}/audit?action=goal.saved`)
  assert.deepEqual([items.length, again.items.length], [5, 5], 'what changes nothing is no change')
  assert.deepEqual([items[0].subject.name, items[0].changes.below], ['Default', { old: null, new: 3 }])

  await call(account, 'DELETE', `/goals/${first.id}`)
  assert.deepEqual(await ids(), [second.id])
  assert.deepEqual(await refused(account, 'PUT', `/goals/${first.id}`, { position: 1 }), [404, 'not_found'])
})

test('what a goal asks for and what follows go together', async () => {
  const { account, gold, ofGold } = await aProgram()
  const other = await aProgram()
  const moving = {
    name: 'Up',
    metric: 'revenue',
    window: 'last-90-days',
    atLeast: 10_000_00,
    moveToGroupId: account.id,
  }
  const wrong: [string, object, string?][] = [
    ['goal_shape', bonusFor(10, { below: 3 }), 'atLeast'],
    ['goal_shape', bonusFor(10, { atLeast: null }), 'atLeast'],
    ['goal_shape', bonusFor(10, { moveToGroupId: account.id }), 'bonus'],
    ['goal_shape', bonusFor(10, { bonus: null }), 'bonus'],
    ['goal_shape', bonusFor(10, { window: 'last-90-days' }), 'window'],
    ['goal_shape', { ...moving, atLeast: null, below: 5, window: 'month' }, 'window'],
    ['goal_shape', { ...moving, atLeast: null, below: 5, bonus: 5, moveToGroupId: null }, 'window'],
    ['goal_same_group', { ...moving, moveToGroupId: gold.id }, 'moveToGroupId'],
    ['unknown_group', { ...moving, moveToGroupId: other.gold.id }, 'moveToGroupId'],
    ['invalid_fields', bonusFor(10, { name: 'See https://gold.example' }), 'name'],
    ['invalid_fields', bonusFor(0), 'atLeast'],
    ['invalid_fields', bonusFor(10, { bonus: 10 ** 12 + 1 }), 'bonus'],
  ]
  for (const [reason, body, field] of wrong)
    assert.deepEqual(await refused(account, 'POST', ofGold, body), [422, reason, field], JSON.stringify(body))
  const goal = await call(account, 'POST', ofGold, moving)
  assert.deepEqual(await refused(account, 'PUT', `/goals/${goal.id}`, { moveToGroupId: gold.id }), [
    ...[422, 'goal_same_group', 'moveToGroupId'],
  ])
  assert.equal((await request(other.account, 'PUT', `/goals/${goal.id}`, { position: 1 })).status, 404)
  for (let count = 1; count < MOST_GOALS; count++) await call(account, 'POST', ofGold, bonusFor(count))
  assert.deepEqual(await refused(account, 'POST', ofGold, bonusFor(1)), [409, 'too_many_goals'])
})

test('a group is deleted with its goals and those that lead to it', async () => {
  const { account, gold, ofGold, ofDefault } = await aProgram()
  const inside = await call(account, 'POST', ofGold, bonusFor(10))
  const leading = await call(account, 'POST', ofDefault, bonusFor(10, { bonus: null, moveToGroupId: gold.id }))
  const staying = await call(account, 'POST', ofDefault, bonusFor(10))
  await call(account, 'DELETE', `/groups/${gold.id}`)
  for (const { id } of [inside, leading]) assert.equal((await request(account, 'DELETE', `/goals/${id}`)).status, 404)
  assert.deepEqual(
    (await call(account, 'GET', ofDefault)).items.map(({ id }: { id: string }) => id),
    [staying.id],
  )
  const { items } = await call(account, 'GET', `/accounts/${account.id}/audit?action=goal.deleted`)
  assert.equal(items.length, 2)
})

test('an amount in a goal fixes the currency, also after it was deleted', async () => {
  const { account, ofDefault } = await aProgram()
  const change = () => refused(account, 'PATCH', `/accounts/${account.id}`, { defaultCurrency: 'eur' })
  await call(account, 'POST', ofDefault, { ...bonusFor(10), bonus: 5, preview: true })
  const goal = await call(account, 'POST', ofDefault, bonusFor(10))
  await call(account, 'DELETE', `/goals/${goal.id}`)
  assert.deepEqual(await change(), [409, 'currency_fixed_by_terms', 'defaultCurrency'])
})

test('a preview says whom a goal reaches in the next night and what that costs, and saves nothing', async () => {
  const { account, gold, ofDefault } = await aProgram()
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const idle = await aPartner(app, account)
  const suspended = await aPartner(app, account)
  for (const { id } of [one, two, suspended]) await sell(account, id, 100_00)
  await sell(account, one.id, 100_00)
  await call(account, 'PUT', `/partners/${suspended.id}`, { state: 'suspended' })
  await call(account, 'PUT', `/partners/${two.id}`, { keepInGroup: true })
  const preview = (body: object) => call(account, 'POST', ofDefault, { ...body, preview: true })
  assert.deepEqual(await preview(bonusFor(1)), { partners: 2, amount: 500_00 })
  assert.deepEqual(await preview(bonusFor(200_00, { metric: 'revenue', window: 'all-time' })), {
    ...{ partners: 1, amount: 250_00 },
  })
  const moving = { name: 'Up', metric: 'leads', window: 'all-time', atLeast: 1, moveToGroupId: gold.id }
  assert.deepEqual(await preview(moving), { partners: 1, amount: 0 })
  const leaving = { ...moving, atLeast: null, below: 1, window: 'last-90-days' }
  assert.deepEqual(await preview(leaving), { partners: 0, amount: 0 }, `${idle.id} is new in the group`)
  assert.deepEqual((await call(account, 'GET', ofDefault)).items, [])

  const goal = await call(account, 'POST', ofDefault, bonusFor(1))
  assert.deepEqual(await call(account, 'PUT', `/goals/${goal.id}`, { bonus: 10_00, preview: true }), {
    ...{ partners: 2, amount: 20_00 },
  })
  assert.equal((await call(account, 'GET', ofDefault)).items[0].bonus, 250_00)
})

test('partners follow their goals, without a revenue they may not see and goals that would move them down', async () => {
  const { account, gold, ofDefault } = await aProgram()
  const parent = await aPartner(app, account, {}, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  await sell(account, partner.id, 3200_00)
  const revenue = await call(account, 'POST', ofDefault, bonusFor(5000_00, { metric: 'revenue', name: 'Big month' }))
  const up = { name: 'Up', metric: 'sales', window: 'all-time', atLeast: 1, moveToGroupId: gold.id }
  const upwards = await call(account, 'POST', ofDefault, up)
  await call(account, 'POST', ofDefault, { ...up, atLeast: null, below: 1, window: 'last-90-days' })
  const path = `/partners/${partner.id}/goals`
  const big = {
    ...{ goalId: revenue.id, name: 'Big month', metric: 'revenue', window: 'month', atLeast: 5000_00, below: null },
    ...{ current: 3200_00, percent: 64, reached: false, bonus: 250_00, moveTo: null },
  }
  const rise = {
    ...{ goalId: upwards.id, name: 'Up', metric: 'sales', window: 'all-time', atLeast: 1, below: null },
    ...{ current: 1, percent: 100, reached: true, bonus: null, moveTo: 'Gold' },
  }
  const { items } = await call(account, 'GET', path)
  assert.deepEqual(items.slice(0, 2), [big, rise])
  assert.deepEqual([items[2].below, items[2].reached], [1, false])
  await call(account, 'PATCH', `/accounts/${account.id}`, { partnerVisibility: { saleAmounts: false } })
  const read = async (token: string) => (await app.api('GET', path, { token })).body.items
  assert.deepEqual(await read(partner.token), [
    { ...big, current: null },
    { ...rise, moveTo: 'Gold partners' },
  ])
  assert.equal((await app.api('GET', path, { token: parent.token })).status, 404)
})
