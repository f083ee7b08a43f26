import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommissionEntry, EntryStatus } from '#contract/commissions.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aPayee, aPayout, bookDue, getBalance } from '../../../test/support/payouts.ts'

const app = await startApp()

type List = { items: CommissionEntry[]; nextCursor: string | null; totals: { count: number; amount: number } }

test('each part of a balance is what the commissions of its state add up to, to the cent', async () => {
  const account = await anAccount(app, {
    defaultCommissionSettings: { layerRates: [33.33] },
    payoutDelay: 30,
    selfReferralPolicy: 'hold',
  })
  const me = await aPayee(app, account)
  const foreign = await aPartner(app, account, {}, { signIn: true })
  const post = async (path: string, body: object = {}) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const lead = await post(`/accounts/${account.id}/leads`, { email: anEmail(), partnerId: me.id })
  const own = await post(`/accounts/${account.id}/leads`, { email: me.email, partnerId: me.id })
  const paid = await aPayout(app, account, me, 40_01)
  await post(`/payouts/${paid.id}/mark-paid`, { reference: 'T-1' })
  const approved = await aPayout(app, account, me, 25_07)
  await post(`/payouts/${approved.id}/approve`)
  const kept = await post(`/leads/${lead.id}/sales`, { amount: 100_01 })
  await post(`/sales/${kept.id}/refunds`, { amount: 33_33, reason: 'Broken' })
  const voided = await post(`/leads/${lead.id}/sales`, { amount: 70_03 })
  await post(`/sales/${voided.id}/void`, { reason: 'Entered twice' })
  await post(`/leads/${own.id}/sales`, { amount: 90_11 })
  await bookDue(app, account, me, 12_34)
  await bookDue(app, account, me, -2_35)

  const list = async (query: string): Promise<List> =>
    expectOk(await app.api('GET', `/partners/${me.id}/commissions?${query}`, { token: me.token })).body
  const sum = (entries: CommissionEntry[]) => entries.reduce((all, { amount }) => all + amount, 0)
  const { held, due, onHold, inPayout, paid: was } = await getBalance(app, account, me)
  const parts: Record<EntryStatus, number> = { held, due, 'on-hold': onHold, 'in-payout': inPayout, paid: was, void: 0 }
  for (const [status, amount] of Object.entries(parts)) {
    const { items, totals } = await list(`status=${status}`)
    assert.ok(items.length > 0, status)
    assert.deepEqual([status, totals], [status, { count: items.length, amount }])
    assert.equal(sum(items), amount)
  }
  assert.deepEqual([due, inPayout, was], [9_99, 25_07, 40_01])
  const first = await list('limit=2')
  assert.equal(first.totals.amount, held + due + onHold + inPayout + was, 'a page tells the sum of all')
  assert.deepEqual((await list(`limit=2&cursor=${first.nextCursor}`)).totals, first.totals)
  const path = `/partners/${me.id}/commissions`
  assert.equal((await app.api('GET', path, { token: foreign.token })).status, 404)
})
