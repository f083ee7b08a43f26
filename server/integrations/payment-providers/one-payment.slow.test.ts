import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, aPartner, expectOk, type Reply, startApp } from '../../../test/support/app.ts'
import { aGenericConnection, genericEvent, sendCustomEvent } from '../../../test/support/generic.ts'
import { workOff } from '../../../test/support/payment-providers.ts'
import { processImport } from '../../integrations/imports/run-import.ts'
import { processDelivery } from '../../integrations/incoming-webhooks/process.ts'
import { verifyPayments } from '../../integrations/payment-providers/verify-payments.ts'
import { verifyLedger } from '../../program/stats/verify.ts'

// One payment arrives by several doors, in any order: it is one sale, and its refund counts once.

const app = await startApp()
const { db } = app.services
const DAY = app.clock.now().toISOString().slice(0, 10)
const decimal = (amount: number) => (amount / 100).toFixed(2)

type Payment = { id: string; amount: number; email: string }
type Refund = { id: string; amount: number }
type Reporter = { sale(payment: Payment): Promise<unknown>; refund(of: string, refund: Refund): Promise<unknown> }
const sources = ['push', 'file', 'webhook', 'provider'] as const
type Source = (typeof sources)[number]

/** An account with every door open. A refusal by a door does not throw: the sales show it. */
async function aHouse() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0 })
  const { referralCode } = await aPartner(app, account)
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const { apiKey } = await owner.put(`${home}/api-key`)
  const pushed = createCaller(app, apiKey)

  async function take(csv: string) {
    const { id } = await owner.post(`${home}/imports`, { kind: 'sales', csv, dryRun: false })
    for (let state = 'waiting'; ['waiting', 'running'].includes(state); ) {
      await processImport(app.services, { importId: id })
      state = (await owner.get(`/imports/${id}`)).state
    }
  }
  async function aHook(target: 'sale' | 'refund', fields: string[], more: object = {}) {
    const mapping = fields.map((field) => ({ field, path: field }))
    const hook = await owner.post(`${home}/incoming-webhooks`, { name: target, target, mapping, ...more })
    return async (payload: object) => {
      const headers = { 'content-type': 'application/json' }
      const sent = await fetch(hook.url, { method: 'POST', body: JSON.stringify(payload), headers })
      await processDelivery(app.services, (await sent.json()) as { deliveryId: string })
    }
  }
  const hookSale = await aHook('sale', ['externalId', 'amount', 'currency', 'email'], {
    partnerMatch: { by: 'referralCode', path: 'code' },
  })
  const hookRefund = await aHook('refund', ['externalId', 'saleExternalId', 'amount'])
  const { webhookUrl } = await aGenericConnection(app, account)
  const tell = async (type: string, facts: object) => {
    expectOk(await sendCustomEvent(webhookUrl, genericEvent(type, facts as Record<string, unknown>)))
    await workOff(app)
  }

  const house: Record<Source, Reporter> = {
    push: {
      sale: ({ id, ...row }) => pushed.call('POST', '/push/sales', { externalId: id, referralCode, ...row }),
      refund: (saleExternalId, { id, amount }) =>
        pushed.call('POST', '/push/refunds', { externalId: id, saleExternalId, amount }),
    },
    file: {
      sale: ({ id, amount, email }) =>
        take(`externalId,amount,email,referralCode,saleDate\n${id},${decimal(amount)},${email},${referralCode},${DAY}`),
      refund: (of, { id, amount }) =>
        take(`externalId,saleExternalId,amount,saleDate,rowType\n${id},${of},${decimal(amount)},${DAY},refund`),
    },
    webhook: {
      sale: ({ id, amount, email }) => hookSale({ externalId: id, amount, currency: 'usd', email, code: referralCode }),
      refund: (saleExternalId, { id, amount }) => hookRefund({ externalId: id, saleExternalId, amount }),
    },
    provider: {
      sale: (payment) => tell('payment', { ...payment, currency: 'usd', referralCode }),
      refund: (paymentId, { id, amount }) => tell('refund', { id: `re_${id}`, paymentId, amount }),
    },
  }
  const sales = () => db.many<{ amount: number; refunded: number }>`
    select amount, refunded_amount as refunded from sales where account_id = ${account.id} order by created_at, id`
  return { ...house, sales }
}

const PAYMENT = { id: 'pay_7f3', amount: 100_00, email: 'ada@customer.example' }
const REFUND = { id: 'r-1', amount: 40_00 }
const pairs = sources.flatMap((one) => sources.filter((other) => other !== one).map((other) => [one, other] as const))

for (const [one, other] of pairs)
  test(`a payment reported by ${one}, then by ${other}, is one sale, and a refund by either reaches it`, async () => {
    type House = Awaited<ReturnType<typeof aHouse>>
    const orders: ((house: House) => (() => Promise<unknown>)[])[] = [
      (house) => [() => house[one].refund(PAYMENT.id, REFUND), () => house[other].sale(PAYMENT)],
      (house) => [() => house[other].sale(PAYMENT), () => house[one].refund(PAYMENT.id, REFUND)],
      (house) => [() => house[other].sale(PAYMENT), () => house[other].refund(PAYMENT.id, REFUND)],
    ]
    for (const [at, steps] of orders.entries()) {
      const house = await aHouse()
      await house[one].sale(PAYMENT)
      for (const step of steps(house)) await step()
      const sales = await house.sales()
      assert.equal(sales.length, 1, `order ${at}`)
      // only the provider reports refunds of its own payments
      const isLeft = at > 0 && [one, other].includes('provider') && [one, other][at - 1] !== 'provider'
      assert.deepEqual(sales, [{ amount: 100_00, refunded: isLeft ? 0 : 40_00 }], `order ${at}`)
      for (const door of [other, one]) await house[door].refund(PAYMENT.id, REFUND)
      assert.deepEqual(await house.sales(), [{ amount: 100_00, refunded: 40_00 }], `order ${at}, told by both`)
    }
    assert.deepEqual(await verifyLedger(db), [])
    assert.deepEqual((await verifyPayments(db)).differences, [])
  })

for (const [one, other] of [
  ['push', 'provider'],
  ['provider', 'push'],
] as const)
  test(`a payment reported by ${one}, then by ${other}, is refunded at its provider`, async () => {
    const house = await aHouse()
    await house[one].sale(PAYMENT)
    await house[other].sale(PAYMENT)
    assertRefused((await house.push.refund(PAYMENT.id, REFUND)) as Reply, 409, 'invalid_state')
  })

for (const [one, other] of pairs)
  test(`orders with the same number from ${one} and ${other} are two sales, each with its own refunds`, async () => {
    const house = await aHouse()
    const id = '1001'
    await house[one].sale({ id, amount: 100_00, email: 'ada@customer.example' })
    await house[other].sale({ id, amount: 500_00, email: 'bo@customer.example' })
    await house[other].refund(id, { id: 'r-2', amount: 70_00 })
    await house[one].refund(id, { id: 'r-1', amount: 30_00 })
    assert.deepEqual(await house.sales(), [
      { amount: 100_00, refunded: 30_00 },
      { amount: 500_00, refunded: 70_00 },
    ])
    assert.deepEqual(await verifyLedger(db), [])
  })
