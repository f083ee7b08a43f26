import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, expectOk, signIn, startApp } from '#test/support/app.ts'
import { giveRewards } from './give-rewards.ts'

// A customer's portal never has what identifies a friend, or what they bought: every call that it may make is read.

const app = await startApp()
const { db } = app.services
const DAY = 86_400_000
const AMOUNT = 1234567
/** Texts of the friends that no answer may have, in any form. The rule that names a plan is in the terms alone. */
const CANARIES = /zebulon|quibblestone|canary|555 ?019\d|1234567|1,?234,?567|12,?345[.,]67/i

const readable = endpoints.filter(({ inPortal, method }: Endpoint) => inPortal && method === 'GET')

async function aWorld(reward: object, terms: object) {
  const partnerVisibility = { leadNames: true, leadEmails: true, saleAmounts: true }
  const account = await anAccount(app, { payoutDelay: 7, timeZone: 'UTC', partnerVisibility })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  await owner.post(`${home}/agreement`, { text: 'Be kind.' })
  const group = await owner.post(`${home}/groups`, { name: 'App', kind: 'customers', reward, terms, automatic: true })
  await owner.post(`/groups/${group.id}/goals`, {
    ...{ name: 'Turnover', metric: 'revenue', window: 'all-time', atLeast: 100_00, bonus: 10_00 },
  })
  await owner.post(`${home}/link-blueprints`, { name: 'Shop', destinationUrl: 'https://shop.example/' })
  const { key } = await owner.post(`${home}/api-keys`, { name: 'App', rights: ['partners', 'rewards'] })
  const system = createCaller(app, key)
  const partner = expectOk(
    await system.call('PUT', `${home}/partners/by-external-id/ann`, {
      ...{ firstName: 'Ann', email: `ann-${account.id}@app.example`, groupId: group.id },
    }),
  ).body
  const friends: { id: string }[] = []
  for (const at of [1, 2, 3]) {
    const friend = await owner.post(`${home}/leads`, {
      ...{ partnerId: partner.id, firstName: 'Zebulon', lastName: 'Quibblestone', company: 'Canary Corp' },
      ...{
        email: `zebulon${at}@canary.example`,
        phone: `+1 212 555 019${at}`,
        externalId: `canary-${at}-${account.id}`,
      },
      metadata: { plan: 'canary' },
    })
    await owner.post(`/leads/${friend.id}/notes`, { text: 'Zebulon called about the canary plan', shared: true })
    friends.push(friend)
  }
  const sales: { id: string }[] = []
  for (const friend of friends.slice(0, 2)) {
    const sale = await owner.post(`/leads/${friend.id}/sales`, {
      ...{ amount: AMOUNT, description: 'Canary plan', externalId: `canary-${friend.id}` },
      lines: [{ name: 'Canary plan', productId: 'prod_canary', amount: AMOUNT }],
    })
    sales.push(sale)
  }
  await owner.post(`/sales/${sales[1]!.id}/refunds`, { amount: AMOUNT, reason: 'Zebulon changed their mind' })
  await db.run`
    update leads set country = 'CA', landing_url = 'https://shop.example/canary', referrer = 'https://canary.example/',
      shared_note = 'Zebulon is canary', status_reason = 'canary'
    where account_id = ${account.id} and id = ${friends[0]!.id}`
  app.clock.set(new Date(Math.floor(app.clock.now().getTime() / DAY) * DAY + 8 * DAY + 4 * 3_600_000))
  await giveRewards(app.services)
  const again = createCaller(app, (await signIn(app, account.ownerEmail)).token)
  // reward, and another that is waiting
  await again.post(`/leads/${friends[2]!.id}/sales`, { amount: AMOUNT, description: 'Canary plan' })
  return { account, partner, friends, sales, again, system }
}

const forms = [
  ['units', { as: 'units', unitName: 'credits', unitValue: 100 }, { otherwise: { layerAmounts: [10_00] } }],
  [
    'money',
    { as: 'money' },
    {
      otherwise: { layerRates: [10] },
      rules: [
        { name: 'Marmalade', on: 'sale', when: { products: ['prod_canary'] }, layerRates: [20] },
        { name: null, on: 'new-customer', when: {}, layerAmounts: [5_00] },
      ],
    },
  ],
] as const

for (const [name, reward, terms] of forms)
  test(`a customer who is given ${name} reads nothing that tells who a friend is or what they bought`, async () => {
    const { account, partner, friends, sales, again, system } = await aWorld(reward, terms)
    const { token } = await system.post(`/partners/${partner.id}/portal-sessions`, { kind: 'frame', view: 'invite' })
    const panel = createCaller(app, token)
    const { items: entries } = await again.get(`/partners/${partner.id}/commissions?limit=100`)
    const { items: payouts } = await again.get(`/partners/${partner.id}/payouts`)
    assert.ok(entries.length > 2 && payouts.length > 0)
    const of: Record<string, string[]> = {
      accounts: [account.id],
      partners: [partner.id],
      leads: friends.map(({ id }) => id),
      sales: sales.map(({ id }) => id),
      commissions: entries.map(({ id }: { id: string }) => id),
      payouts: payouts.map(({ id }: { id: string }) => id),
      portal: [''],
    }
    const all: string[] = []
    const leaks: string[] = []
    const read = async (path: string) => {
      const { status, body } = await panel.call('GET', path)
      const text = JSON.stringify(body)
      assert.equal(status, 200, `${path}: ${text}`)
      const found = (path.endsWith('/terms') ? CANARIES : new RegExp(`marmalade|${CANARIES.source}`, 'i')).exec(text)
      if (found) leaks.push(`${path}: …${text.slice(found.index - 80, found.index + 40)}`)
      all.push(text)
      return body
    }
    for (const { path, query } of readable)
      for (const id of of[path.split('/')[1]!] ?? []) {
        const at = path.replace(':id', id).replace(':version', '1').replace(':range', '2022-01-01..2030-12-31')
        const fields = (query as { shape?: object } | undefined)?.shape ?? {}
        await read('partnerId' in fields && path.startsWith('/accounts') ? `${at}?partnerId=${partner.id}` : at)
        // no search finds one by what is not shown
        if (!('search' in fields)) continue
        for (const text of ['zebulon', 'canary', '5550191']) {
          const { items } = await read(`${at}?search=${text}`)
          if (items.length > 0) leaks.push(`${at} finds ${text}`)
        }
      }
    const leads = await read(`/partners/${partner.id}/leads?sort=createdAt`)
    assert.deepEqual(
      leads.items.map((lead: { displayName: string }) => lead.displayName),
      ['Friend 1', 'Friend 2', 'Friend 3'],
    )
    assert.deepEqual(leaks, [])
    // what is told is not in an order that tells it either
    assert.equal((await panel.call('GET', `/partners/${partner.id}/leads?sort=salesRevenue`)).status, 422)
    assert.match(all.join(), /Friend 3/)
  })
