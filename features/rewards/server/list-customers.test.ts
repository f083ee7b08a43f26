import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCaller } from '#test/support/api.ts'
import { anAccount, aPartner, expectOk, signIn, startApp } from '#test/support/app.ts'
import { giveRewards } from './give-rewards.ts'

const app = await startApp()
const DAY = 86_400_000
const credits = { as: 'units', unitName: 'credits', unitValue: 100 }
const namesOf = ({ items }: { items: { displayName: string }[] }) => items.map(({ displayName }) => displayName)

test('with a group of customers its partners are in a list of their own, which both kinds count', async () => {
  const account = await anAccount(app, { payoutDelay: 7, timeZone: 'UTC' })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const pia = await aPartner(app, account)
  const gold = await owner.post(`${home}/groups`, { name: 'Gold' })
  await owner.post(`${home}/partners`, { firstName: 'Gus', email: 'gus@x.example', groupId: gold.id })
  const shown = async (query: string) => {
    const page = await owner.get(`${home}/partners?sort=name${query}`)
    return [page.total, namesOf(page)]
  }
  assert.deepEqual(await shown('&groupKind=partners'), await shown(''))
  assert.deepEqual(await shown('&groupKind=customers'), [0, []])

  const terms = { otherwise: { layerAmounts: [10_00] } }
  const customers = await owner.post(`${home}/groups`, { name: 'App', kind: 'customers', reward: credits, terms })
  const { key } = await owner.post(`${home}/api-keys`, { name: 'App', rights: ['partners'] })
  const system = createCaller(app, key)
  const enrol = async (id: string) =>
    expectOk(
      await system.call('PUT', `${home}/partners/by-external-id/${id}`, {
        email: `${id}@app.example`,
        groupId: customers.id,
      }),
    ).body
  const [ann] = [await enrol('ann'), await enrol('bo')]
  assert.deepEqual(await shown('&groupKind=partners'), [2, ['Gus', 'Pia Tern']])
  assert.deepEqual(await shown('&groupKind=customers'), [2, ['ann', 'bo']])
  assert.deepEqual(await shown('&groupKind=partners&limit=1'), [2, ['Gus']])
  assert.deepEqual(await shown('&groupKind=customers&limit=1'), [2, ['ann']])
  assert.deepEqual(await shown('&groupKind=partners&search=ann'), [0, []])
  assert.deepEqual(await shown(`&groupKind=customers&groupId=${gold.id}`), [0, []])
  const counted = (body: object) =>
    owner.post(`${home}/announcements`, { subject: 'Hi', body: 'Hi', preview: true, filter: body })
  assert.equal((await counted({ groupKind: 'partners', ids: [pia.id, ann.id] })).count, 0)

  const friend = await owner.post(`${home}/leads`, { partnerId: ann.id, email: 'f@friend.example' })
  await owner.post(`/leads/${friend.id}/sales`, { amount: 40_00 })
  await owner.post(`${home}/leads`, { partnerId: ann.id, email: 'g@friend.example' })
  app.clock.set(new Date(Math.floor(app.clock.now().getTime() / DAY) * DAY + 8 * DAY + 4 * 3_600_000))
  await giveRewards(app.services)
  const again = createCaller(app, (await signIn(app, account.ownerEmail)).token)
  const list = (query = '') => again.get(`${home}/referring-customers?sort=-referred${query}`)
  const { items: before } = await list()
  assert.deepEqual(
    before.map((one: Record<string, unknown>) => [one.displayName, one.referred, one.rewards, one.lastRewardOn]),
    [
      ['ann', 2, 0, null],
      ['bo', 0, 0, null],
    ],
  )
  const { items: payouts } = await again.get(`/partners/${ann.id}/payouts`)
  await again.post(`/payouts/${payouts[0].id}/acknowledgement`, {})
  for (const [as, numbers] of [
    ['units', ['PO-1']],
    ['credit', []],
    ['units,money', ['PO-1']],
  ] as const) {
    const found = await again.get(`${home}/payouts?givenAs=${as}`)
    assert.deepEqual(
      [found.totals.count, found.items.map((one: { statementNumber: number }) => `PO-${one.statementNumber}`)],
      [numbers.length, numbers],
    )
  }
  const page = await list()
  const today = app.clock.now().toISOString().slice(0, 10)
  const { externalId, groupName, referred, rewards, as, units, unitName, amount, lastRewardOn } = page.items[0]
  assert.deepEqual(
    [page.total, externalId, groupName, referred, rewards, as, units, unitName, amount, lastRewardOn],
    [2, 'ann', 'App', 2, 1, 'units', 10, 'credits', 10_00, today],
  )
  for (const sort of ['name', '-rewards', '-lastRewardOn', 'createdAt']) {
    const first = await again.get(`${home}/referring-customers?sort=${sort}&limit=1`)
    assert.deepEqual([first.total, namesOf(first)], [2, ['ann']], sort)
    const next = await again.get(`${home}/referring-customers?sort=${sort}&limit=1&cursor=${first.nextCursor}`)
    assert.deepEqual([namesOf(next), next.nextCursor], [['bo'], null], sort)
  }
  assert.deepEqual(namesOf(await list('&search=bo@')), ['bo'])
  assert.deepEqual(namesOf(await list(`&groupId=${gold.id}`)), [])
  assert.deepEqual(namesOf(await list('&state=archived')), [])
})
