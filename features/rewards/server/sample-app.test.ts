import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fakeStripe } from '#test/fakes/stripe.ts'
import { stripePayment } from '#test/fakes/stripe-events.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, startApp, turnableClock } from '#test/support/app.ts'
import { aConnection, deliverAll, startWithProvider, workOff } from '#test/support/payment-providers.ts'
import { referAFriend } from '../../../client/refer-a-friend.ts'
import { giveRewards } from './give-rewards.ts'

const app = await startApp()

test('the sample app enrolls a customer, reports a friend who pays, and grants each reward once', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const group = await owner.post(`${home}/groups`, {
    name: 'Customers',
    kind: 'customers',
    reward: { as: 'units', unitName: 'credits', unitValue: 100 },
    terms: { otherwise: { layerAmounts: [5_00] } },
  })
  const { key } = await owner.post(`${home}/api-keys`, { name: 'App', rights: ['partners', 'push', 'rewards'] })
  const granted = new Map<string, [user: string, credits: number]>()
  const sample = referAFriend({
    baseUrl: app.url,
    apiKey: key,
    accountId: account.id,
    groupId: group.id,
    grant: (userId, credits, transactionId) => void granted.set(transactionId, [userId, credits]),
  })
  const ann = { id: 'ann', email: 'ann@sample.example' }
  const code = await sample.openPage(ann)
  assert.equal(await sample.openPage(ann), code)
  await sample.signUp({ id: 'bob', email: 'bob@sample.example', referredBy: code })
  await sample.pay({ id: 'in_1', userId: 'bob', amount: 29_00, currency: 'usd' })
  app.clock.set(new Date(Math.floor(app.clock.now().getTime() / 86_400_000) * 86_400_000 + 28 * 3_600_000))
  await giveRewards(app.services)
  await sample.giveDueRewards()
  await sample.giveDueRewards()
  assert.deepEqual([...granted.values()], [['ann', 5]])
})

test('the sample app has at most 150 lines', () => {
  const file = fileURLToPath(new URL('../../../client/refer-a-friend.ts', import.meta.url))
  assert.ok(readFileSync(file, 'utf8').split('\n').length <= 150)
})

test('the sample app grants for what a friend paid at Stripe, which it doesn’t report itself', async () => {
  const stripe = await fakeStripe()
  const shop = await startWithProvider('stripe', stripe, { clock: turnableClock() })
  const account = await anAccount(shop, { payoutDelay: 0 })
  const connection = await aConnection(shop, account, stripe)
  const owner = createCaller(shop, account.token)
  const home = `/accounts/${account.id}`
  const group = await owner.post(`${home}/groups`, {
    ...{ name: 'Customers', kind: 'customers', reward: { as: 'units', unitName: 'credits', unitValue: 100 } },
    terms: { rules: [{ on: 'new-customer', layerAmounts: [5_00] }], otherwise: { layerAmounts: [0] } },
  })
  const { key } = await owner.post(`${home}/api-keys`, { name: 'App', rights: ['partners', 'push', 'rewards'] })
  const granted: [user: string, credits: number][] = []
  const sample = referAFriend({
    ...{ baseUrl: shop.url, apiKey: key, accountId: account.id, groupId: group.id },
    grant: (userId, credits) => void granted.push([userId, credits]),
  })
  const code = await sample.openPage({ id: 'ann', email: 'ann@sample.example' })
  await sample.signUp({ id: 'bob', email: 'bob@sample.example', referredBy: code })
  await sample.signUp({ id: 'old', email: 'old@sample.example', referredBy: code })
  const pay = (user: string, createdAt: Date) =>
    stripePayment({
      ...{ email: `${user}@sample.example`, customer: `cus_${user}`, amount: 29_00, store: stripe.store },
      createdAt,
    })
  // one friend had paid before
  pay('old', new Date(Date.now() - 400 * 86_400_000))
  for (const user of ['bob', 'old']) {
    const { checkoutCompleted, chargeSucceeded } = pay(user, new Date())
    await deliverAll(connection, [checkoutCompleted, chargeSucceeded])
    await workOff(shop)
  }
  shop.clock.set(new Date(Math.floor(shop.clock.now().getTime() / 86_400_000) * 86_400_000 + 28 * 3_600_000))
  await giveRewards(shop.services)
  await sample.giveDueRewards()
  await sample.giveDueRewards()
  assert.deepEqual(granted, [['ann', 5]])
})
