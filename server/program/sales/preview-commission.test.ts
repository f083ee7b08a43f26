import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPartnerLine, assertRefused } from '../../../test/support/api.ts'
import { anEmail, startApp } from '../../../test/support/app.ts'

const app = await startApp()
const { owner, home, parent, partner, aLead } = await aPartnerLine(app, { payoutDelay: 0 })

test('the preview explains why nobody would earn, and by whose rates', async () => {
  const unearned = async (fields: object) =>
    (await owner.post(`${home}/commission-preview`, { ...fields, amount: 99_99 })).unearned
  const orphan = await owner.post(`${home}/leads`, { email: anEmail() })
  assert.deepEqual(await unearned({ leadId: orphan.id }), { why: 'no-partner', source: null })
  const zero = await owner.post(`${home}/partners`, { email: anEmail(), commissionSettings: { layerRates: [0, 0] } })
  assert.deepEqual(await unearned({ partnerId: zero.id }), { why: 'zero-rates', source: 'partner' })
  assert.equal(await unearned({ partnerId: partner.id }), null)
  assert.equal((await owner.post(`${home}/commission-preview`, { partnerId: partner.id, amount: 1 })).unearned, null)
})

test('the preview returns what would be booked, and books nothing', async () => {
  const lead = await aLead()
  const preview = await owner.post(`${home}/commission-preview`, {
    leadId: lead.id,
    amount: 99_99,
    saleDate: '2026-01-31',
  })
  const { terms, ...rest } = preview
  assert.deepEqual([terms.source, terms.version, terms.parts[0].percent], ['account', 2, 20])
  assert.deepEqual(rest, {
    currency: 'usd',
    accountAmount: 99_99,
    entries: [
      { partnerId: partner.id, displayName: 'Jane Whitfield', layer: 0, rate: 20, flat: null, amount: 20_00 },
      { partnerId: parent.id, displayName: 'Sofia Lindqvist', layer: 1, rate: 5, flat: null, amount: 5_00 },
    ],
    total: 25_00,
    profit: 74_99,
    unearned: null,
    dueOn: '2026-01-31',
  })
  const { terms: _, ...ofPartner } = await owner.post(`${home}/commission-preview`, {
    ...{ partnerId: partner.id, amount: 99_99, saleDate: '2026-01-31' },
  })
  assert.deepEqual(ofPartner, rest)
  for (const body of [{ amount: 1 }, { amount: 1, partnerId: partner.id, leadId: lead.id }])
    assertRefused(await owner.call('POST', `${home}/commission-preview`, body), 422, 'validation_failed', ['partnerId'])
  assert.equal((await owner.get(`/leads/${lead.id}/sales`)).total, 0)
})

test('a rejected lead’s sale credits no partner, and its preview says so', async () => {
  const lead = await aLead()
  await owner.post(`/leads/${lead.id}/status`, { status: 'rejected', reason: 'spam' })
  const { entries, unearned, total } = await owner.post(`${home}/commission-preview`, {
    leadId: lead.id,
    amount: 99_99,
  })
  assert.deepEqual([entries, unearned, total], [[], { why: 'no-partner', source: null }, 0])
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 99_99 })
  assert.equal(sale.partnerId, null)
})

test('the preview takes the lines of a sale, and names them', async () => {
  const lines = [
    { id: 'seat', productId: 'prod_pro', name: 'Pro plan', quantity: 2, amount: 901_00 },
    { sku: 'addon', amount: 99_00 },
  ]
  const body = { partnerId: partner.id, amount: 1000_00, lines }
  const preview = await owner.post(`${home}/commission-preview`, body)
  assert.equal(preview.entries[0].amount, 200_00)
  assert.deepEqual(preview.terms.parts[0].lines, ['Pro plan', 'addon'])
  const off = await owner.call('POST', `${home}/commission-preview`, { ...body, amount: 1 })
  assertRefused(off, 422, 'validation_failed', ['lines'])
})
