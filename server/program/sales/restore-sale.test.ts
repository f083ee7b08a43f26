import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPartnerLine, assertRefused } from '../../../test/support/api.ts'
import { startApp } from '../../../test/support/app.ts'
import { dayIn } from '../../platform/time/days.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ worker: true })
const { db } = app.services

type Entry = { kind: string; layer: number; amount: number; reason: string | null }
const shown = ({ kind, layer, amount, reason }: Entry) => [kind, layer, amount, reason]

async function aScene(settings: Record<string, unknown> = {}) {
  const line = await aPartnerLine(app, { payoutDelay: 0, ...settings })
  const { owner, parent, partner, aLead } = line
  const lead = await aLead()
  const dues = async () => {
    const balances = await Promise.all([partner, parent].map(({ id }) => owner.get(`/partners/${id}/balance`)))
    return balances.map(({ due }) => due)
  }
  return { ...line, lead, dues, sell: (body: object) => owner.post(`/leads/${lead.id}/sales`, body) }
}

test('a sale voided by mistake comes back with its commissions, as often as it is voided', async () => {
  const { owner, home, dues, sell, lead } = await aScene()
  const { id } = await sell({ amount: 100_00, externalId: 'o-1' })
  const whole = await dues()
  assert.deepEqual(whole, [20_00, 5_00])
  // what holds by now is for later sales
  await owner.patch(home, { defaultCommissionSettings: { layerRates: [50] }, payoutDelay: 30 })
  const earned: unknown[] = [
    ['earned', 0, 20_00, null],
    ['earned', 1, 5_00, null],
  ]
  for (const times of [1, 2]) {
    const gone = await owner.post(`/sales/${id}/void`, { reason: 'Entered twice' })
    assert.deepEqual([gone.status, gone.voidReason, await dues()], ['void', 'Entered twice', [0, 0]])
    assert.equal((await owner.get(`/leads/${lead.id}`)).status === 'won', false)
    const back = await owner.post(`/sales/${id}/restore`, { reason: `Two orders, ${times}` })
    assert.deepEqual([back.status, back.voidReason, await dues()], ['completed', null, whole])
    assert.equal((await owner.get(`/leads/${lead.id}`)).status, 'won')
    for (const [kind, reason, sign] of [
      ['reversal', 'Entered twice', -1],
      ['restoration', `Two orders, ${times}`, 1],
    ] as const)
      earned.push([kind, 0, sign * 20_00, reason], [kind, 1, sign * 5_00, reason])
    const { commissions } = await owner.get(`/sales/${id}`)
    const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
    assert.deepEqual(sorted(commissions.map(shown)), sorted(earned))
  }
  assertRefused(await owner.call('POST', `/sales/${id}/restore`, { reason: 'Again' }), 409, 'invalid_state')
  assertRefused(await owner.call('POST', `/sales/${id}/restore`, {}), 422, 'validation_failed', ['reason'])
  const events = await db.many`
    select data -> 'changes' as changes from events
    where subject_id = ${id} and type = 'sale.updated' and audited order by id`
  assert.deepEqual(
    events.map(({ changes }) => changes),
    [1, 2].map((times) => ({
      status: { old: 'void', new: 'completed' },
      reason: { old: null, new: `Two orders, ${times}` },
    })),
  )
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale that was void when its partner became known is booked once it is back', async () => {
  const { owner, home, dues, partner, lead } = await aScene()
  const { id } = await owner.post(`/leads/${lead.id}/sales`, {
    amount: 100_000,
    currency: 'jpy',
    saleDate: '2026-02-10',
  })
  await owner.post(`/sales/${id}/void`, { reason: 'Unknown' })
  await owner.post(`${home}/exchange-rates`, { currency: 'jpy', date: '2026-02-09', rate: 0.01 })
  assert.deepEqual(await dues(), [0, 0])
  const { commissions, accountAmount } = await owner.post(`/sales/${id}/restore`, { reason: 'Known' })
  assert.deepEqual([accountAmount, commissions[0].partnerId, await dues()], [100_000, partner.id, [200_00, 50_00]])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale that comes back earns by its place among the customer’s payments, be it another or none before', async () => {
  const rules = [{ name: null, on: 'sale', when: { firstPayments: 1 }, layerRates: [0] }]
  const terms = { rules, otherwise: { layerRates: [20, 5] }, maxPerCustomer: null, maxPerMonth: null }
  const { owner, home, dues, sell } = await aScene()
  await owner.put(`${home}/terms`, { terms, appliesTo: 'all-sales' })
  const [first, second] = [await sell({ amount: 100_00 }), await sell({ amount: 200_00 })]
  const whole = await dues()
  assert.deepEqual(whole, [40_00, 10_00])
  for (const { id } of [first, second, first, second]) {
    await owner.post(`/sales/${id}/void`, { reason: 'A mistake' })
    assert.deepEqual(await dues(), [0, 0])
    await owner.post(`/sales/${id}/restore`, { reason: 'No mistake' })
    assert.deepEqual(await dues(), whole)
  }
  // both are void: the second is the first payment until the first is back, and its own place moves with its return
  for (const { id } of [first, second]) await owner.post(`/sales/${id}/void`, { reason: 'Mistakes' })
  for (const { id } of [second, first]) await owner.post(`/sales/${id}/restore`, { reason: 'No mistakes' })
  assert.deepEqual(await dues(), whole)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a sale stays void if its payment was recorded again, or its import undone', async () => {
  const { owner, dues, sell, lead } = await aScene()
  const { id } = await sell({ amount: 100_00, externalId: 'o-1' })
  await owner.post(`/sales/${id}/void`, { reason: 'Entered twice' })
  const csv = `External ID,Email,Amount,Date\no-1,${lead.email},100.00,${dayIn('UTC', app.clock.now())}`
  const { id: importId } = await owner.post(`/accounts/${lead.accountId}/imports`, {
    kind: 'sales',
    csv,
    dryRun: false,
  })
  for (let state = ''; state !== 'done'; ) ({ state } = await owner.get(`/imports/${importId}`))
  const { items } = await owner.get(`/leads/${lead.id}/sales`)
  const [other] = items.filter((sale: { status: string }) => sale.status !== 'void')
  const refused = await owner.call('POST', `/sales/${id}/restore`, { reason: 'Both' })
  assertRefused(refused, 409, 'invalid_state')
  assert.deepEqual(refused.body.error.details, { saleId: other.id })
  await owner.post(`/imports/${importId}/undo`)
  for (let state = ''; state !== 'undone'; ) ({ state } = await owner.get(`/imports/${importId}`))
  const undone = await owner.call('POST', `/sales/${other.id}/restore`, { reason: 'This one' })
  assert.deepEqual([undone.status, undone.body.error.reason], [409, 'sale_taken_back'])
  await owner.post(`/sales/${id}/restore`, { reason: 'The first one' })
  assert.deepEqual(await dues(), [20_00, 5_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a held sale that comes back is not held by the case that voided it', async () => {
  const { owner, dues, partner, home } = await aScene({ selfReferralPolicy: 'hold' })
  const { email } = await owner.get(`/partners/${partner.id}`)
  const own = await owner.post(`${home}/leads`, { email, partnerId: partner.id })
  const { id, hold } = await owner.post(`/leads/${own.id}/sales`, { amount: 100_00 })
  assert.equal(hold.policy, 'hold')
  await owner.post(`/sales/${id}/void`, { reason: 'Their own' })
  const back = await owner.post(`/sales/${id}/restore`, { reason: 'A cousin of theirs' })
  assert.deepEqual([back.status, back.hold.until, await dues()], ['completed', null, [20_00, 5_00]])
  assert.deepEqual(await verifyLedger(db), [])
})
