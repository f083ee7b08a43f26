import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stripePayment } from '../../../test/fakes/stripe-events.ts'
import { anAccount, aPartner, expectOk } from '../../../test/support/app.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import {
  connectProvider,
  deliverAll,
  SIGNING_SECRET,
  startWithStripe,
  workOff,
} from '../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { verifyPayments } from './verify-payments.ts'

// Two accounts with the same history, one of them with an extra shop in test mode: nothing else may differ.

const { app, stripe } = await startWithStripe({ config: { testPayments: 'show' } })
const { db } = app.services
const { store } = stripe
const SEED = 20_261_123
const RUNS = numberOfRuns(2)

type Act = { who: number; amount: number; flag: boolean } & {
  do: 'lead' | 'pay' | 'test' | 'refund' | 'refund-test' | 'assign' | 'attribute' | 'lose' | 'delete' | 'push'
}
const acts = fc.array(
  fc.record({
    do: fc.constantFrom<Act['do'][]>(
      ...([
        'lead',
        'pay',
        'test',
        'test',
        'refund',
        'refund-test',
        'assign',
        'attribute',
        'lose',
        'delete',
        'push',
      ] as const),
    ),
    who: fc.nat(2),
    amount: fc.integer({ min: 1, max: 50 }).map((tens) => tens * 1000),
    flag: fc.boolean(),
  }),
  { minLength: 6, maxLength: 16 },
)

let lives = 0

async function aLife(hasTests: boolean) {
  const name = `${++lives}`
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] }, timeZone: 'UTC' })
  const partners = [await aPartner(app, account), await aPartner(app, account)]
  const connected = async (restrictedKey: string) => {
    const credentials = { restrictedKey, webhookSecret: SIGNING_SECRET }
    return expectOk(await connectProvider(app, account, { provider: 'stripe', credentials })).body
  }
  const live = await connected(stripe.liveKey)
  const tests = hasTests ? await connected(stripe.strangersKey(`acct_ofTests${name}`)) : null
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const call = (method: string, path: string, body?: unknown, token = account.token) =>
    app.api(method, path, { token, body })
  const emailOf = (who: number) => `buyer${who}@life${name}.example`
  const leads = () =>
    db.many<{ id: string; email: string }>`select id, email from leads where account_id = ${account.id}`
  const leadOf = async (who: number) => (await leads()).find(({ email }) => email === emailOf(who))?.id
  let pushes = 0
  const paid = new Map<string, ReturnType<typeof stripePayment>>()

  /** Returns the status, so that both accounts must refuse alike. */
  async function run(act: Act): Promise<number> {
    const { who, amount, flag } = act
    const partner = partners[who % 2]!
    const leadId = await leadOf(who)
    if (act.do === 'lead')
      return (
        await call('POST', `/accounts/${account.id}/leads`, {
          partnerId: flag ? partner.id : null,
          email: emailOf(who),
        })
      ).status
    if (act.do === 'push')
      return (
        await call('POST', '/push/sales', { externalId: `order ${++pushes}`, email: emailOf(who), amount }, apiKey)
      ).status
    if (act.do === 'assign' && leadId)
      return (
        await call('POST', `/leads/${leadId}/reassign`, {
          ...{ partnerId: partners[amount % 2000 ? 0 : 1]!.id, reason: 'So it is', creditEarlierSales: flag },
        })
      ).status
    if (act.do === 'lose' && leadId)
      return (await call('POST', `/leads/${leadId}/status`, { status: 'lost', reason: 'other' })).status
    if (act.do === 'delete' && leadId) return (await call('DELETE', `/leads/${leadId}`)).status
    if (act.do === 'attribute') {
      const { items } = expectOk(
        await call('GET', `/accounts/${account.id}/sales?unattributed=true&sort=createdAt`),
      ).body
      if (!items[0]) return 0
      const body = { partnerId: partner.id, reason: 'Theirs', creditEarlierSales: flag }
      return (await call('POST', `/sales/${items[0].id}/attribute`, body)).status
    }
    const isTest = act.do === 'test' || act.do === 'refund-test'
    const connection = isTest ? tests : live
    if (!connection) return 0
    const key = `${isTest} ${who}`
    if (act.do === 'pay' || act.do === 'test') {
      const payment = stripePayment({
        ...{ email: emailOf(who), customer: `cus_${name}_${who}`, amount, livemode: !isTest, store },
        ...(flag && { reference: partner.referralCode }),
      })
      paid.set(key, payment)
      await deliverAll(connection, [payment.checkoutCompleted, payment.chargeSucceeded])
    } else {
      const payment = paid.get(key)
      if (!payment) return 0
      paid.delete(key)
      await deliverAll(connection, [payment.refund(payment.charge.amount as number).chargeRefunded])
    }
    await workOff(app)
    return 0
  }

  /** Returns all money, and everything it depends on, by values that both accounts share. */
  async function digest() {
    const place = (id: string | null) => partners.findIndex((partner) => partner.id === id)
    const figures = await db.many<{ partnerId: string; sales: number; revenue: number; share: number; leads: number }>`
      select partner_id, sales, revenue, share, leads from total_stats where account_id = ${account.id}
        and blueprint_id = '00000000-0000-0000-0000-000000000000'`
    const people = await db.many<{ email: string; partnerId: string | null; status: string; sales: number | null }>`
      select l.email, l.partner_id, l.status, f.sales from leads l left join lead_stats f on f.lead_id = l.id
      where l.account_id = ${account.id}`
    const sales = await db.many<{
      email: string
      partnerId: string | null
      amount: number
      lost: number
      sequence: number
    }>`
      select payer_email as email, partner_id, amount, refunded_amount as lost, case when lead_id is not null then sequence end as sequence
      from sales where account_id = ${account.id} and not is_test order by created_at, id`
    const earned = await db.many<{ partnerId: string; layer: number; sum: number }>`
      select partner_id, layer, sum(amount)::bigint as sum from commission_entries where account_id = ${account.id} group by 1, 2`
    const { ties } = await db.one<{
      ties: number
    }>`select count(*) as ties from shop_customers where account_id = ${account.id}`
    const anonymous = (email: string | null) => email?.split('@')[0]
    return {
      figures: figures.map(({ partnerId, ...row }) => [place(partnerId), ...Object.values(row)].join()).sort(),
      people: people
        .map((row) => [anonymous(row.email), place(row.partnerId), row.status, row.sales ?? 0].join())
        .sort(),
      sales: sales.map((row) =>
        [anonymous(row.email), place(row.partnerId), row.amount, row.lost, row.sequence].join(),
      ),
      earned: earned.map((row) => [place(row.partnerId), row.layer, row.sum].join()).sort(),
      ties,
    }
  }
  return { run, digest }
}

test('a test-mode shop alongside changes nothing in an account’s life', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (story) => {
      const [plain, tested] = [await aLife(false), await aLife(true)]
      for (const act of story) {
        const answers = [await plain.run(act), await tested.run(act)]
        assert.equal(answers[1], answers[0], JSON.stringify(act))
      }
      assert.deepEqual(await tested.digest(), await plain.digest())
    }),
    { seed: SEED, numRuns: RUNS },
  )
  const { tests } = await db.one<{ tests: number }>`select count(*) as tests from sales where is_test`
  assert.ok(tests >= RUNS / 2, `${tests} sales of test mode`)
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})
