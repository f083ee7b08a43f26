import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, startApp, type TestAccount } from '../../../test/support/app.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp()

async function call(account: TestAccount, method: string, path: string, body?: object) {
  const answer = await app.api(method, path, { token: account.token, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const terms = {
  rules: [
    {
      name: 'German lead',
      on: 'qualified-lead',
      when: { metadata: [{ key: 'country', values: ['DE'] }] },
      layerAmounts: [20_00],
    },
    { on: 'qualified-lead', layerAmounts: [40_00, 5_00] },
    { on: 'new-customer', layerAmounts: [100_00] },
  ],
  otherwise: { layerRates: [10] },
}

async function aProgram(more: object = {}) {
  const account = await anAccount(app, { payoutDelay: 0, ...more })
  const parent = await aPartner(app, account, { firstName: 'Sofia' })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  await call(account, 'PUT', `/accounts/${account.id}/terms`, { terms })
  const aLead = (fields: object = {}) =>
    call(account, 'POST', `/accounts/${account.id}/leads`, {
      ...{ partnerId: partner.id, email: `${Math.random()}@buyer.example`, ...fields },
    })
  const become = (lead: { id: string }, status: string, reason?: string) =>
    call(account, 'POST', `/leads/${lead.id}/status`, { status, ...(reason && { reason }) })
  const payOf = async (lead: { id: string }) => {
    const { items } = await call(account, 'GET', `/leads/${lead.id}/commissions`)
    return items.map((one: Record<string, unknown>) => [one.paidFor, one.kind, one.layer, one.amount]).toSorted()
  }
  return { account, parent, partner, aLead, become, payOf }
}

test('a qualified lead and a new customer are paid once, and taken back by a rejection and by refunds', async () => {
  const { account, aLead, become, payOf } = await aProgram()
  const lead = await aLead()
  await become(lead, 'qualified')
  const qualified = [
    ['qualified-lead', 'earned', 0, 40_00],
    ['qualified-lead', 'earned', 1, 5_00],
  ]
  assert.deepEqual(await payOf(lead), qualified)
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 29_00 })
  assert.deepEqual(await payOf(lead), [['new-customer', 'earned', 0, 100_00], ...qualified])
  await call(account, 'POST', `/sales/${sale.id}/void`, { reason: 'a mistake' })
  const unwon = ['new-customer', 'reversal', 0, -100_00]
  assert.deepEqual(await payOf(lead), [['new-customer', 'earned', 0, 100_00], unwon, ...qualified])
  await become(lead, 'rejected', 'spam')
  await become(lead, 'qualified', 'other')
  await become(lead, 'lost', 'too-early')
  assert.deepEqual(await payOf(lead), [
    ['new-customer', 'earned', 0, 100_00],
    unwon,
    ...qualified,
    ['qualified-lead', 'restoration', 0, 40_00],
    ['qualified-lead', 'restoration', 1, 5_00],
    ['qualified-lead', 'reversal', 0, -40_00],
    ['qualified-lead', 'reversal', 1, -5_00],
  ])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a rejected lead is won again once it is reopened, if a refund of its partner’s sale has failed meanwhile', async () => {
  const { account, aLead, become, payOf } = await aProgram()
  const lead = await aLead()
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 29_00 })
  const facts = await readAccountFacts(app.services.db, account.id)
  const refund = (status: 'succeeded' | 'failed') =>
    transaction(app.services.db, (tx) =>
      applyRefund(tx, system, facts, sale.id, {
        ...{ kind: 'refund', externalId: 're_1', amount: 29_00, status, reason: null, at: tx.now },
      }),
    )
  await refund('succeeded')
  await become(lead, 'rejected', 'spam')
  await refund('failed')
  assert.equal((await call(account, 'GET', `/leads/${lead.id}`)).status, 'rejected')
  assert.equal((await become(lead, 'qualified', 'other')).status, 'won')
  const sumOf = (all: unknown[][]) => all.reduce((sum, [, , , amount]) => sum + (amount as number), 0)
  assert.equal(sumOf(await payOf(lead)), 100_00 + 45_00)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('lead pay stands in receipts, lists, statistics and revenue lines, each as its reader may see it', async () => {
  const { account, parent, partner, aLead, become } = await aProgram()
  const lead = await aLead({ metadata: { country: 'FR' } })
  await become(lead, 'qualified')
  await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 29_00 })
  const { items } = await call(account, 'GET', `/leads/${lead.id}/commissions`)
  const own = items.find((one: { amount: number }) => one.amount === 40_00)
  const receipt = await call(account, 'GET', `/commissions/${own.id}`)
  assert.deepEqual([receipt.lead.id, receipt.sale, receipt.rate, receipt.terms.version], [lead.id, null, null, 2])
  assert.deepEqual(receipt.terms.parts, [
    {
      ...{ rule: 2, name: null, lines: [], base: null, percent: null, flat: 40_00, earned: 40_00 },
      above: [{ rule: 1, name: 'German lead', why: 'Other details of the lead' }],
    },
  ])
  const seen = await app.api('GET', `/leads/${lead.id}/commissions`, { token: partner.token })
  assert.deepEqual(seen.body.items.map((one: { amount: number }) => one.amount).toSorted(), [100_00, 40_00])
  const ofParent = await call(account, 'GET', `/partners/${parent.id}/commissions?kind=earned`)
  assert.deepEqual(
    ofParent.items.map((one: Record<string, unknown>) => [one.paidFor, one.amount, (one.lead as { id: string }).id]),
    [['qualified-lead', 5_00, lead.id]],
  )
  const lines = async (query: string) => {
    const { items, totals } = await call(account, 'GET', `/accounts/${account.id}/revenue-lines${query}`)
    const shown = items.map((one: Record<string, unknown>) => [one.kind, one.saleId === null, one.amount, one.share])
    return [totals, shown.toSorted()]
  }
  const paid = [
    ['lead', true, 0, 100_00],
    ['lead', true, 0, 45_00],
  ]
  const sold = ['sale', false, 29_00, 2_90]
  assert.deepEqual(await lines(''), [
    { count: 3, sales: 1, revenue: 29_00, share: 147_90, profit: 29_00 - 147_90 },
    [...paid, sold],
  ])
  assert.deepEqual(await lines(`?leadId=${lead.id}`), await lines(''))
  assert.deepEqual(await lines('?kind=lead'), [
    { count: 2, sales: 0, revenue: 0, share: 145_00, profit: -145_00 },
    paid,
  ])
  assert.deepEqual(await lines(`?search=${lead.email.split('@')[0]}`), await lines(''))
  const found = await call(account, 'GET', `/accounts/${account.id}/commissions?search=${lead.email.split('@')[0]}`)
  assert.equal(found.total, 4)
  const { stats } = await call(account, 'GET', `/leads/${lead.id}`)
  assert.deepEqual([stats.salesRevenueShare, stats.salesProfit], [147_90, 29_00 - 147_90])
})

test('a lead that has earned cannot be deleted, and percentages or conditions of sales are no rules for leads', async () => {
  const { account, aLead, become } = await aProgram()
  const lead = await aLead()
  await become(lead, 'qualified')
  const deleted = await app.api('DELETE', `/leads/${lead.id}`, { token: account.token })
  assert.deepEqual([deleted.status, deleted.body.error.reason], [409, 'lead_has_commissions'])
  const refused = async (rule: object) => {
    const body = { terms: { rules: [{ on: 'new-customer', ...rule }], otherwise: { layerRates: [10] } } }
    const { status, body: answer } = await app.api('PUT', `/accounts/${account.id}/terms`, {
      token: account.token,
      body,
    })
    return [status, answer.error.reason, Object.keys(answer.error.fields)]
  }
  assert.deepEqual(await refused({ layerRates: [10] }), [422, 'lead_rule_pays_amounts', ['terms.rules.0.layerRates']])
  assert.deepEqual(await refused({ when: { firstPayments: 1 }, layerAmounts: [1] }), [
    ...[422, 'lead_rule_condition'],
    ['terms.rules.0.when'],
  ])
})

test('the pay for a customer waits while the sale that won them is disputed, and is taken from a later payout', async () => {
  const { account, partner, aLead } = await aProgram()
  const lead = await aLead()
  const sale = await call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 29_00 })
  const balance = async () => (await call(account, 'GET', `/partners/${partner.id}/balance`)) as Record<string, number>
  const due = (await balance()).due!
  assert.equal(due, 40_00 + 100_00 + 2_90)
  await app.services.db.run`update sales set disputed = true, status = 'disputed' where id = ${sale.id}`
  assert.deepEqual([(await balance()).due, (await balance()).onHold], [40_00, 102_90])
  const { items } = await call(account, 'GET', `/partners/${partner.id}/commissions?status=on-hold`)
  const held = items.find((one: { paidFor: string | null }) => one.paidFor)
  assert.equal(held.hold.reason, 'The payment is disputed')
  assert.equal((await call(account, 'GET', `/commissions/${held.id}`)).hold.reason, 'The payment is disputed')
  await app.services.db.run`update sales set disputed = false, status = 'completed' where id = ${sale.id}`
})

test('crediting earlier sales books what was shown, pay for the lead included, or is refused', async () => {
  const { account, partner, payOf } = await aProgram()
  const email = `${Math.random()}@buyer.example`
  const lead = await call(account, 'POST', `/accounts/${account.id}/leads`, { email })
  const sell = () => call(account, 'POST', `/leads/${lead.id}/sales`, { amount: 29_00 })
  await sell()
  const path = `/leads/${lead.id}/reassign`
  const body = { partnerId: partner.id, reason: 'Theirs', creditEarlierSales: true }
  const look = () => call(account, 'POST', path, { ...body, preview: true })
  const shown = await look()
  assert.deepEqual(shown, { sales: { count: 1, amount: 29_00 }, commission: 2_90, leadPay: 145_00 })
  assert.deepEqual(await payOf(lead), [])

  const sale = await sell()
  const { status, body: answer } = await app.api('POST', path, { token: account.token, body: { ...body, shown } })
  assert.deepEqual([status, answer.error.code], [409, 'conflict'])
  assert.equal(
    answer.error.message,
    'The earlier sales of this customer have changed: 2 sales, $58.00, earning $150.80 now. Review them again.',
  )
  assert.equal((await call(account, 'GET', `/leads/${lead.id}`)).partnerId, null)
  assert.equal((await call(account, 'GET', `/sales/${sale.id}`)).partnerId, null)

  // by the sale as by its lead; without a word of earlier sales nothing is compared
  const attribute = `/sales/${sale.id}/attribute`
  const { creditEarlierSales: _, ...alone } = body
  const asSale = await call(account, 'POST', attribute, { ...alone, preview: true })
  assert.deepEqual(asSale, { sales: { count: 1, amount: 29_00 }, commission: 2_90, leadPay: 145_00 })
  const late = await app.api('POST', attribute, {
    ...{ token: account.token, body: { ...body, shown: { ...asSale, leadPay: 0 } } },
  })
  assert.equal(late.status, 409)
  await call(account, 'POST', attribute, { ...body, shown: asSale })
  assert.deepEqual(
    (await payOf(lead)).map(([, , , amount]: number[]) => amount),
    [100_00, 40_00, 5_00],
  )
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
