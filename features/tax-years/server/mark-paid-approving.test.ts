import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { assertRefused, createCaller } from '#test/support/api.ts'
import { anAccount, expectOk, startApp } from '#test/support/app.ts'
import { aPayee, aPayout, bookDue, getPayout, requestRefresh } from '#test/support/payouts.ts'

const app = await startApp()
const year = app.clock.now().getUTCFullYear()

async function anUnapproved() {
  const account = await anAccount(app)
  const owner = createCaller(app, account.token)
  const partner = await aPayee(app, account)
  const payout = await aPayout(app, account, partner, 40_00)
  await owner.put(`/partners/${partner.id}`, { approvedPayoutYears: [] })
  const years = async (): Promise<number[]> => (await owner.get(`/partners/${partner.id}`)).approvedPayoutYears
  const pay = (body: object) =>
    owner.call('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'Wire 1', amount: 40_00, ...body })
  const events = async () =>
    (
      await app.services.db.many<{ action: string }>`
        select action from audit where account_id = ${account.id}
          and action in ('partner.updated', 'payout.paid') order by id`
    )
      .map(({ action }) => action)
      .slice(-2)
  return { account, owner, partner, payout, years, pay, events }
}

test('marking a payout as paid can approve its partner for the year of the payment, in the same step', async () => {
  const { years, pay, events } = await anUnapproved()
  assertRefused(await pay({}), 409, 'payout_blocked')
  assertRefused(await pay({ approvePartner: false }), 409, 'payout_blocked')
  const paid = expectOk(await pay({ approvePartner: true })).body
  assert.equal(paid.status, 'paid')
  assert.deepEqual(await years(), [year])
  assert.deepEqual(await events(), ['partner.updated', 'payout.paid'])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a payment of last year approves for last year', async () => {
  const { years, pay } = await anUnapproved()
  expectOk(await pay({ approvePartner: true, paidAt: `${year - 1}-12-30` }))
  assert.deepEqual(await years(), [year - 1])
})

test('a payment that is refused approves nobody', async () => {
  const { account, owner, partner, payout, years, pay } = await anUnapproved()
  assertRefused(await pay({ approvePartner: true, amount: 41_00 }), 409, 'payout_changed')
  assertRefused(await pay({ approvePartner: true, paidAt: `${year + 2}-01-01` }), 422, 'validation_failed')
  await owner.put(`/partners/${partner.id}`, { state: 'suspended' })
  assertRefused(await pay({ approvePartner: true }), 409, 'payout_blocked')
  assert.deepEqual(await years(), [])
  assert.equal((await getPayout(app, account, payout.id)).paidAt, null)
})

test('only who may approve partners for a year does it by a payment', async () => {
  const { account, owner, partner, payout, years } = await anUnapproved()
  await owner.put(`/partners/${partner.id}`, { approvedPayoutYears: [year] })
  expectOk(await owner.call('POST', `/payouts/${payout.id}/approve`, { amount: payout.amount }))
  await owner.put(`/partners/${partner.id}`, { approvedPayoutYears: [] })
  const { key } = await owner.post(`/accounts/${account.id}/api-keys`, { name: 'Bank', rights: ['payouts'] })
  const bank = createCaller(app, key)
  const answer = await bank.call('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'W', approvePartner: true })
  assert.deepEqual([answer.status, answer.body.error.reason], [422, 'field_not_for_keys'])
  assert.deepEqual(Object.keys(answer.body.error.fields), ['approvePartner'])
  assert.deepEqual(await years(), [])
  const other = await anAccount(app)
  const foreign = createCaller(app, other.token)
  const body = { reference: 'W', approvePartner: true }
  assert.equal((await foreign.call('POST', `/payouts/${payout.id}/mark-paid`, body)).status, 404)
  assert.deepEqual(await years(), [])
})

test('payments that approve and approvals of the same partners at the same time wait for each other', async () => {
  const account = await anAccount(app)
  const owner = createCaller(app, account.token)
  const payees = await Promise.all(Array.from({ length: 6 }, () => aPayee(app, account)))
  for (const payee of payees) {
    await bookDue(app, account, payee, 40_00)
    await owner.put(`/partners/${payee.id}`, { approvedPayoutYears: [] })
  }
  await requestRefresh(app, account)
  const { items } = await owner.get(`/accounts/${account.id}/payouts?limit=100`)
  assert.equal(items.length, payees.length)
  const partnerIds = payees.map(({ id }) => id)
  const approvals = [true, false, true, false].map((approved) =>
    owner.call('POST', `/accounts/${account.id}/tax-years/${year}/approvals`, { partnerIds, approved }),
  )
  const payments = (items as { id: string }[]).map(({ id }) =>
    owner.call('POST', `/payouts/${id}/mark-paid`, { reference: 'Wire', approvePartner: true }),
  )
  for (const answer of await Promise.all([...approvals, ...payments])) expectOk(answer)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
