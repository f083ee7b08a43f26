import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInRecurly } from '../../../../test/fakes/recurly.ts'
import { deliverRecurly } from '../../../../test/fakes/recurly-events.ts'
import { anAccount, aPartner, expectOk } from '../../../../test/support/app.ts'
import { numberOfRuns } from '../../../../test/support/model-test.ts'
import { createConnectionCalls, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import series from './series.json' with { type: 'json' }

// Three people, a repetition, a wrong signature and a refund, as bodies with made-up values: `sent` to us, and `read`
// from Recurly. The codes of two partners are filled in.

const site = await standInRecurly()
const app = await startWithProvider('recurly', site)
const { db } = app.services
const SECRET = 'whs-of-this-endpoint-0001'

type Name = keyof typeof series.sent

/** A new account with the partners of the series, which connects the site. */
async function aShop() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [series.rate] } })
  const [jane, bob] = [await aPartner(app, account), await aPartner(app, account)]
  const filled = JSON.stringify(series.read)
    .replaceAll('{jane}', jane.referralCode)
    .replaceAll('{bob}', bob.referralCode)
  for (const invoice of JSON.parse(filled)) site.store.invoices.set(invoice.id, invoice)
  const credentials = { privateKey: site.key, webhookSecret: SECRET }
  const { webhookUrl } = expectOk(await createConnectionCalls(app, account, 'recurly').connect(credentials)).body
  const sales = () => db.many<{ id: string; refunded: number }>`
    select 'sale' as type, external_id as id, amount as net, tax_amount as tax, refunded_amount as refunded,
      case partner_id when ${jane.id} then 'jane' when ${bob.id} then 'bob' end as partner,
      (select sum(amount)::bigint from commission_entries e where e.sale_id = s.id and e.amount > 0) as commission
    from sales s where account_id = ${account.id} order by external_id`
  const earned = async () =>
    Object.fromEntries(
      (
        await db.many<{ partner: string; sum: number }>`
          select case partner_id when ${jane.id} then 'jane' else 'bob' end as partner, sum(amount)::bigint as sum
          from commission_entries where account_id = ${account.id} group by partner_id having sum(amount) <> 0`
      ).map(({ partner, sum }) => [partner, sum]),
    )
  async function send(name: string, proof = 'good') {
    const event = series.sent[name as Name]
    const { signature } = await deliverRecurly(`${app.url}/hooks/providers/recurly/nobody`, event, SECRET)
    const wrong = signature!.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const { status } = await deliverRecurly(webhookUrl, event, SECRET, proof === 'good' ? {} : { signature: wrong })
    await workOff(app)
    return status
  }
  return { account, send, sales, earned }
}

test('each delivery of the series makes its records and no others', async () => {
  const { send, sales, earned } = await aShop()
  for (const { body, proof, answer, records } of series.steps) {
    const [before, had] = [await sales(), await earned()]
    assert.equal(await send(body, proof), answer, body)
    const after = await sales()
    const made = after.filter(({ id }) => !before.some((one) => one.id === id))
    const lost = after.flatMap(({ id, refunded }) => {
      const was = before.find((one) => one.id === id)?.refunded ?? 0
      return refunded > was ? [refunded - was] : []
    })
    const earns = await earned()
    const reversed =
      Object.values(earns).reduce((sum, one) => sum + one, 0) - Object.values(had).reduce((sum, one) => sum + one, 0)
    const found = [
      ...made.map(({ refunded: _, ...sale }) => sale),
      ...lost.map((amount) => ({ type: 'refund', amount, reversal: reversed })),
    ]
    assert.deepEqual(found, records, body)
  }
  assert.deepEqual(await earned(), series.total.commission)
})

/** Returns the orders of these names. */
const ordersOf = (names: string[]): string[][] =>
  names.length === 0
    ? [[]]
    : names.flatMap((first) => ordersOf(names.filter((name) => name !== first)).map((rest) => [first, ...rest]))

test('the series ends the same in every order, with each delivery sent twice', async () => {
  const orders = ordersOf(Object.keys(series.sent))
  const step = Math.max(1, Math.floor(orders.length / numberOfRuns(4)))
  for (const order of orders.filter((_, place) => place % step === 0)) {
    const { send, sales, earned } = await aShop()
    for (const name of order.flatMap((one) => [one, one])) assert.equal(await send(name), 200)
    assert.deepEqual(await earned(), series.total.commission, String(order))
    assert.deepEqual(
      (await sales()).map(({ id, refunded }) => [id, refunded]),
      [
        ['1000', 5950],
        ['1001', 0],
        ['1002', 0],
      ],
    )
  }
  assert.deepEqual(await verifyLedger(db), [])
})
