import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInPolar } from '../../../../test/fakes/polar.ts'
import { deliverPolar, type PolarEvent } from '../../../../test/fakes/polar-events.ts'
import { anAccount, aPartner, expectOk } from '../../../../test/support/app.ts'
import { createConnectionCalls, startWithProvider, workOff } from '../../../../test/support/payment-providers.ts'
import { verifyLedger } from '../../../program/stats/verify.ts'
import { verifyPayments } from '../verify-payments.ts'
import series from './series.json' with { type: 'json' }

// Deliveries as Polar sends them, with what is right after each, all people and ids invented.

const polar = await standInPolar()
const app = await startWithProvider('polar', polar)
const { db } = app.services

type Body = keyof typeof series.bodies
type Step = (typeof series.steps)[number]

/** A new shop with the partners Jane and Bob; `isNewer`: of a time since which secrets are base64. */
async function aShop(isNewer: boolean) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [series.rate] } })
  const jane = await aPartner(app, account, { firstName: 'Jane' })
  const bob = await aPartner(app, account, { firstName: 'Bob' })
  const secret = isNewer ? 'whsec_QSBuZXdlciBzZWNyZXQgb2YgUG9sYXI=' : 'polar_whs_AnOlderSecretOfPolar'
  const { connect } = createConnectionCalls(app, account, 'polar')
  const { webhookUrl } = expectOk(await connect({ accessToken: polar.key, webhookSecret: secret })).body
  const send = (name: Body, { proof = 'good', id = name as string } = {}) => {
    const codes = { '{jane}': jane.referralCode, '{bob}': bob.referralCode } as Record<string, string>
    const body = JSON.stringify(series.bodies[name]).replace(/\{(jane|bob)\}/g, (code) => codes[code]!)
    const event = { id, ...JSON.parse(body) } as PolarEvent
    return deliverPolar(webhookUrl, event, proof === 'good' ? secret : `${secret.slice(0, -2)}xx`, { body })
  }
  const records = async () => ({
    sales: await db.many`
      select s.external_id as id, s.amount as net, s.tax_amount as tax, lower(p.first_name) as partner,
        (select sum(amount)::int from commission_entries e where e.sale_id = s.id and e.amount > 0) as commission
      from sales s left join partners p on p.id = s.partner_id where s.account_id = ${account.id}
      order by s.external_id`,
    refunds: await db.many`
      select r.amount, (select sum(amount)::int from commission_entries e where e.sale_id = s.id and e.amount < 0) as reversal
      from refunds r join sales s on s.id = r.sale_id where s.account_id = ${account.id}`,
    leads: await db.many`select email from leads where account_id = ${account.id} order by email`,
  })
  const earned = async () => {
    const rows = await db.many<{ partner: string; sum: number }>`
      select lower(p.first_name) as partner, sum(e.amount)::int as sum
      from commission_entries e join partners p on p.id = e.partner_id where e.account_id = ${account.id} group by 1`
    return Object.fromEntries(rows.map(({ partner, sum }) => [partner, sum]))
  }
  return { send, records, earned }
}

/** Counts what a series has made so far. */
const countsOf = ({ sales, refunds, leads }: Awaited<ReturnType<Awaited<ReturnType<typeof aShop>>['records']>>) => ({
  ...{ sales: sales.length, refunds: refunds.length, leads: leads.map(({ email }) => email) },
})

for (const isNewer of [false, true])
  test(`each delivery of the series makes what it should, signed by ${isNewer ? 'a newer' : 'an older'} secret`, async () => {
    const { send, records, earned } = await aShop(isNewer)
    for (const step of series.steps as Step[]) {
      const before = await records()
      const { status } = await send(step.body as Body, { proof: step.proof })
      await workOff(app)
      assert.equal(status, step.answer, step.body)
      const after = await records()
      if (step.records.length === 0) assert.deepEqual(after, before, step.body)
      for (const { type, ...expected } of step.records as Record<string, unknown>[]) {
        const made =
          type === 'sale'
            ? after.sales.filter(({ id }) => !before.sales.some((sale) => sale.id === id))
            : type === 'refund'
              ? after.refunds
              : after.leads.filter(({ email }) => !before.leads.some((lead) => lead.email === email))
        const [one, ...others] = made as Record<string, unknown>[]
        assert.deepEqual(others, type === 'lead' ? others : [])
        assert.deepEqual(
          one && Object.fromEntries(Object.keys(expected).map((key) => [key, one[key]])),
          expected,
          step.body,
        )
      }
    }
    assert.deepEqual(await earned(), series.total.commission)
    assert.deepEqual(await verifyLedger(db), [])
    assert.deepEqual((await verifyPayments(db)).differences, [])
  })

const permutations = <T>(list: T[]): T[][] =>
  list.length < 2
    ? [list]
    : list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))

test('an order of 100.00 + 19.00 and its refund of 59.50, told by two events in any order and each twice', async () => {
  const life: Body[] = ['1-anna', '4-order-refunded', '5-refund-created']
  for (const sequence of permutations(life)) {
    const { send, records, earned } = await aShop(true)
    for (const name of sequence) {
      assert.equal((await send(name)).status, 200)
      // the same delivery, and the same event from another endpoint
      assert.equal((await send(name)).status, 200)
      assert.equal((await send(name, { id: `${name} again` })).status, 200)
      await workOff(app)
    }
    assert.deepEqual(countsOf(await records()), { sales: 1, refunds: 1, leads: ['anna@buyer.example'] })
    assert.deepEqual(await earned(), { jane: 1000 }, sequence.join(', '))
  }
})
