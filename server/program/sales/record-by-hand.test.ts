import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPartnerLine, assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../../../test/support/app.ts'

const app = await startApp()
const { account, owner, home, parent, partner, aLead } = await aPartnerLine(app, { payoutDelay: 0 })

test('a sale recorded by hand has its defaults and its split', async () => {
  const lead = await aLead()
  const reply = await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 100_00, taxAmount: 8_00 })
  assert.equal(reply.status, 201)
  const sale = reply.body
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    [sale.currency, sale.saleDate, sale.grossAmount, sale.accountAmount, sale.fxRate, sale.provider, sale.matchedBy],
    ['usd', today, 108_00, 100_00, 1, 'manual', 'manual'],
  )
  assert.deepEqual([sale.status, sale.sequence, sale.refundedAmount, sale.refunds], ['completed', 1, 0, []])
  assert.deepEqual(
    sale.commissions.map((entry: Record<string, unknown>) => [
      entry.partnerId,
      entry.layer,
      entry.rate,
      entry.amount,
      entry.status,
    ]),
    [
      [partner.id, 0, 20, 20_00, 'due'],
      [parent.id, 1, 5, 5_00, 'due'],
    ],
  )
  assert.equal((await owner.get(`/leads/${lead.id}`)).status, 'won')
  assert.deepEqual(await owner.get(`/sales/${sale.id}`), sale)
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  for (const [field, value] of [
    ['taxAmount', -1],
    ['currency', 'xyz'],
    ['currency', 'us'],
    ['saleDate', tomorrow],
    ['partnerId', partner.id],
    ['country', 'Germany'],
    ['lines', [{ amount: 2 }]],
  ] as const)
    assertRefused(
      await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 1, [field]: value }),
      422,
      'validation_failed',
      [field],
    )
  assert.equal((await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 1_000_000_000_000 })).status, 201)
  const lines = [{ productId: 'pro', amount: 100_00 }]
  const withLines = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00, country: 'ch', lines })
  assert.deepEqual([withLines.country, withLines.lines[0].productId], ['CH', 'pro'])
  const externalId = anEmail()
  const first = await owner.post(`/leads/${lead.id}/sales`, { amount: 1, externalId })
  const again = await owner.call('POST', `/leads/${lead.id}/sales`, { amount: 1, externalId })
  assertRefused(again, 409, 'duplicate', ['externalId'])
  assert.equal(again.body.error.details.saleId, first.id)
  const described = await owner.patch(`/sales/${first.id}`, { description: 'Shoes' })
  assert.equal(described.description, 'Shoes')
  assert.equal((await owner.patch(`/sales/${first.id}`, {})).description, 'Shoes')
  assert.equal((await owner.patch(`/sales/${first.id}`, { description: null })).description, null)
  assertRefused(await owner.call('PATCH', `/sales/${first.id}`, { amount: 5 }), 422, 'validation_failed', ['amount'])
})

test('a sale by hand opens the payouts of what is due from it at once, one a partner', async () => {
  const { owner, home, parent, partner, aLead } = await aPartnerLine(app, { payoutDelay: 7 })
  const lead = await aLead()
  const payouts = async () =>
    (await owner.get(`${home}/payouts?sort=amount`)).items.map((payout: { partnerId: string; amount: number }) => [
      payout.partnerId,
      payout.amount,
    ])
  await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  assert.deepEqual(await payouts(), [], 'held')
  const saleDate = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
  await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00, saleDate })
  assert.deepEqual(await payouts(), [
    [parent.id, 5_00],
    [partner.id, 20_00],
  ])
  await Promise.all([1, 2, 3].map(() => owner.post(`/leads/${lead.id}/sales`, { amount: 10_00, saleDate })))
  assert.deepEqual(await payouts(), [
    [parent.id, 6_50],
    [partner.id, 26_00],
  ])
})

test('refunds by hand are limited to the sale’s amount and reverse every layer’s share; a void reverses all', async () => {
  const lead = await aLead()
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_01 })
  const half = await owner.call('POST', `/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Half' })
  assert.equal(half.status, 201)
  assert.deepEqual([half.body.status, half.body.refundedAmount], ['partially-refunded', 50_00])
  assert.deepEqual([half.body.refunds[0].kind, half.body.refunds[0].status], ['refund', 'succeeded'])
  const more = await owner.call('POST', `/sales/${sale.id}/refunds`, { amount: 50_02, reason: 'x' })
  assertRefused(more, 422, 'validation_failed', ['amount'])
  assertRefused(await owner.call('POST', `/sales/${sale.id}/refunds`, { amount: 1 }), 422, 'validation_failed', [
    'reason',
  ])
  const whole = await owner.post(`/sales/${sale.id}/refunds`, { reason: 'Rest' })
  assert.deepEqual([whole.status, whole.refundedAmount], ['refunded', 100_01])
  const net = new Map<string, number>()
  for (const { partnerId, amount } of whole.commissions) net.set(partnerId, (net.get(partnerId) ?? 0) + amount)
  assert.deepEqual([...net.values()], [0, 0])
  assert.equal((await owner.get(`/leads/${lead.id}`)).status, 'qualified')
  assert.equal((await owner.call('POST', `/sales/${sale.id}/refunds`, { reason: 'x' })).status, 409)

  const second = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
  assertRefused(await owner.call('POST', `/sales/${second.id}/release`, { reason: 'x' }), 409, 'invalid_state')
  assertRefused(
    await owner.call('POST', `/sales/${second.id}/attribute`, { partnerId: partner.id, reason: 'x' }),
    409,
    'invalid_state',
  )
  const voided = await owner.post(`/sales/${second.id}/void`, { reason: 'Typed twice' })
  assert.equal(voided.status, 'void')
  assertRefused(await owner.call('POST', `/sales/${second.id}/void`, { reason: 'x' }), 409, 'invalid_state')
  const stats = await owner.get(`/leads/${lead.id}/stats`)
  assert.deepEqual(stats, { numberOfSales: 1, salesRevenue: 0, salesRevenueShare: 0, salesProfit: 0, currency: 'usd' })
})

test('sales of a lead without a partner are credited to its first partner on request; a second one gets only new ones', async () => {
  const lead = await aLead({ partnerId: null })
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
  assert.deepEqual([sale.partnerId, sale.commissions], [null, []])
  const found = async (query: string) => (await owner.get(`${home}/sales?leadId=${lead.id}&${query}`)).total
  assert.deepEqual(
    [await found('unattributed=true'), await found('unattributed=false'), await found('partnerId=none')],
    [1, 0, 1],
  )
  assertRefused(
    await owner.call('POST', `/leads/${lead.id}/reassign`, { partnerId: partner.id }),
    422,
    'validation_failed',
    ['reason'],
  )
  const reassign = { partnerId: partner.id, reason: 'They say so' }
  const shown = await owner.post(`/leads/${lead.id}/reassign`, { ...reassign, preview: true })
  assert.deepEqual([shown.sales, shown.commission], [{ count: 1, amount: 10_00 }, 2_50])
  assert.equal((await owner.get(`/leads/${lead.id}`)).partnerId, null)
  const first = await owner.post(`/leads/${lead.id}/reassign`, { ...reassign, creditEarlierSales: true })
  assert.deepEqual([first.partnerId, first.attribution.matchedBy], [partner.id, 'manual'])
  assert.equal((await owner.get(`/sales/${sale.id}`)).commissions[0].amount, 2_00)
  const other = await aPartner(app, account)
  await owner.post(`/leads/${lead.id}/reassign`, { partnerId: other.id, reason: 'Moved' })
  assert.equal((await owner.get(`/sales/${sale.id}`)).partnerId, partner.id)
  const second = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
  assert.deepEqual([second.partnerId, second.sequence], [other.id, 2])
  assert.equal((await owner.post(`/leads/${lead.id}/reassign`, { partnerId: null, reason: 'Nobody' })).partnerId, null)
})

test('a lead deleted while its sale is recorded is gone, or stays with the sale', async () => {
  for (let turn = 0; turn < 8; turn++) {
    const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
    const [typed, deleted] = await Promise.all([
      owner.call('POST', `/leads/${lead.id}/sales`, { amount: 10_00 }),
      owner.call('DELETE', `/leads/${lead.id}`),
    ])
    assert.ok(
      ['201 409', '404 204'].includes(`${typed.status} ${deleted.status}`),
      JSON.stringify([typed.body, deleted.body]),
    )
  }
})

test('a sale shows the owner the fraud rule’s finding and its outcome', async () => {
  for (const policy of ['flag', 'hold', 'refuse'] as const) {
    const own = await anAccount(app, { selfReferralPolicy: policy })
    const owner = createCaller(app, own.token)
    const home = `/accounts/${own.id}`
    const partner = await aPartner(app, own)
    const lead = await owner.post(`${home}/leads`, { email: partner.email, partnerId: partner.id })
    const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 10_000 })
    assert.deepEqual(
      { ...sale.hold, until: Boolean(sale.hold.until) },
      {
        rule: 'self-referral',
        policy,
        reason: 'The lead’s email is the referring partner’s own.',
        until: policy === 'hold',
      },
    )
    if (policy !== 'hold') continue
    const released = await owner.post(`/sales/${sale.id}/release`, { reason: 'looked at' })
    assert.deepEqual([released.hold.policy, released.hold.until], ['hold', null])
    const signedIn = await aPartner(app, own, {}, { signIn: true })
    await owner.post(`/leads/${lead.id}/reassign`, { partnerId: signedIn.id, reason: 'theirs' })
    await owner.post(`/leads/${lead.id}/sales`, { amount: 10_000 })
    const seen = await createCaller(app, signedIn.token).get(`/leads/${lead.id}/sales`)
    assert.ok(seen.items.every((item: { hold: unknown }) => item.hold === null))
  }
  assert.equal((await owner.post(`/leads/${(await aLead()).id}/sales`, { amount: 1 })).hold, null)
})

test('a promotion code of a sale recorded by hand is stored, and moves no credit', async () => {
  const other = await aPartner(app, account)
  await owner.post(`/partners/${other.id}/promotion-codes`, { code: 'Autumn' })
  const lead = await aLead()
  const sell = (promotionCode: string) => owner.post(`/leads/${lead.id}/sales`, { amount: 10_00, promotionCode })
  const facts = async ({ id }: { id: string }) =>
    app.services.db.one`select promotion_codes, partner_code, partner_id from sales where id = ${id}`
  assert.deepEqual(await facts(await sell(' autumn ')), {
    ...{ promotionCodes: ['AUTUMN'], partnerCode: true, partnerId: partner.id },
  })
  assert.deepEqual(await facts(await sell('WINTER')), {
    ...{ promotionCodes: ['WINTER'], partnerCode: false, partnerId: partner.id },
  })
})
