import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommissionEntry } from '#contract/commissions.ts'
import type { Sale, SaleMatch } from '#contract/sales.ts'
import { stripePayment } from '../../../test/fakes/stripe-events.ts'
import { fakeWise } from '../../../test/fakes/wise.ts'
import { anAccount, anEmail, aPartner, expectOk, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { aBlueprint, aClick } from '../../../test/support/leads.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { aPayee, bookDue, connectWise, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'
import { workOn } from '../../../test/support/wise-payouts.ts'
import { newId } from '../../platform/database/ids.ts'

const clock = turnableClock()
const wise = await fakeWise()
test.after(() => wise.close())
const { app, stripe } = await startWithStripe({
  clock,
  config: { wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
})
const { db } = app.services

const get = async (token: string, path: string) => expectOk(await app.api('GET', path, { token })).body
const post = async (token: string, path: string, body: object = {}) =>
  expectOk(await app.api('POST', path, { token, body })).body
const receipt = (token: string, entry: { id: string } | undefined) => get(token, `/commissions/${entry?.id}`)
const aLead = (account: TestAccount, body: object) => post(account.token, `/accounts/${account.id}/leads`, body)
const aSale = (account: TestAccount, lead: { id: string }, body: object = {}): Promise<Sale> =>
  post(account.token, `/leads/${lead.id}/sales`, { amount: 100_00, ...body })

test('a receipt has the sale, rule, rate, hold and reversals', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10, 5] }, payoutDelay: 30 })
  const parent = await aPartner(app, account, { commissionSettings: { layerRates: [50] } }, { signIn: true })
  const me = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const clickId = await aClick(db, account.id, { partnerId: me.id, blueprintId: await aBlueprint(db, account.id) })
  const lead = await aLead(account, { email: 'ada@quarry.example', partnerId: me.id })
  await db.run`update leads set click_id = ${clickId} where id = ${lead.id}`
  const sale = await aSale(account, lead)
  await post(account.token, `/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Broken' })
  const own = sale.commissions.find(({ layer }) => layer === 0)
  const upper = sale.commissions.find(({ layer }) => layer === 1)

  const whole = await receipt(account.token, own)
  assert.deepEqual(whole.entry, { ...own })
  assert.deepEqual(
    [whole.sale.id, whole.lead.id, whole.click.id, whole.click.linkName],
    [sale.id, lead.id, clickId, 'Spring'],
  )
  assert.deepEqual(
    [whole.match.rule, whole.match.why, whole.match.others],
    ['manual', 'Someone recorded or attributed it manually', []],
  )
  assert.deepEqual(whole.rate, { percent: 10, source: 'account', layer: 0 })
  assert.deepEqual(whole.hold, { until: own?.availableAt, reason: 'Waiting period after the sale, currently 30 days' })
  assert.equal(whole.payout, null)
  assert.deepEqual(
    whole.corrections.map(({ kind, amount, reason }: CommissionEntry) => [kind, amount, reason]),
    [['reversal', -5_00, 'Broken']],
  )

  const mine = await receipt(me.token, own)
  assert.deepEqual([mine.lead.email, mine.click.referrer], ['a•••@quarry.example', null])
  assert.deepEqual(
    mine.sale.commissions.map(({ partnerId }: CommissionEntry) => partnerId),
    [me.id, me.id],
  )
  assert.equal(mine.corrections[0].reason, null)
  assert.equal((await app.api('GET', `/commissions/${upper?.id}`, { token: me.token })).status, 404)

  const above = await receipt(parent.token, upper)
  assert.deepEqual([above.lead, above.click, above.sale.leadId, above.sale.leadName], [null, null, null, null])
  assert.deepEqual(above.rate, { percent: 5, source: 'account', layer: 1 })
  assert.doesNotMatch(JSON.stringify(above), /quarry/)
})

test('a receipt names a partner without names to those above them by their masked email', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10, 5] } })
  const parent = await aPartner(app, account, {}, { signIn: true })
  const email = anEmail('winifred')
  const nameless = { firstName: null, lastName: null, email, parentPartnerId: parent.id }
  const below = await aPartner(app, account, nameless, { signIn: true })
  const sale = await aSale(account, await aLead(account, { email: anEmail(), partnerId: below.id }))
  const [own, upper] = sale.commissions
  assert.equal((await get(parent.token, `/partners/${below.id}`)).displayName, 'w•••')
  const names = [
    await receipt(parent.token, upper),
    await receipt(below.token, own),
    await receipt(account.token, upper),
  ]
  assert.deepEqual(
    names.map(({ sale: { partnerName } }) => partnerName),
    ['w•••', email.split('@')[0], email.split('@')[0]],
  )
})

test('a receipt explains why an entry is on hold: in full to the owner, neutrally to the partner', async () => {
  const account = await anAccount(app, { selfReferralPolicy: 'hold', payoutDelay: 0 })
  const me = await aPartner(app, account, { commissionSettings: { layerRates: [10] } }, { signIn: true })
  const lead = await aLead(account, { email: me.email, partnerId: me.id })
  const sale = await aSale(account, lead)
  const held = await receipt(account.token, sale.commissions[0])
  assert.deepEqual([held.hold.until, held.hold.reason], [sale.hold?.until, sale.hold?.reason])
  assert.match(held.hold.reason, /partner/)
  assert.equal(held.rate.source, 'partner')
  const mine = await receipt(me.token, sale.commissions[0])
  assert.deepEqual(mine.hold, { until: sale.hold?.until, reason: 'Under review' })
  assert.equal(mine.sale.hold, null)
  const inGerman = async (token: string) =>
    expectOk(
      await app.api('GET', `/commissions/${sale.commissions[0]?.id}`, { token, headers: { 'accept-language': 'de' } }),
    ).body
  const german = await inGerman(me.token)
  assert.equal(german.hold.reason, 'Wird geprüft')
  assert.match(german.match.why, /^Manuell erfasst/)
  assert.match((await inGerman(account.token)).match.why, /^Someone recorded/)
})

test('a receipt ends with the payout; an adjustment’s has nothing before it', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0 })
  const me = await aPayee(app, account)
  const sale = await aSale(account, await aLead(account, { email: anEmail(), partnerId: me.id }))
  const adjustment = await bookDue(app, account, me, 5_00)
  assert.deepEqual((await receipt(me.token, sale.commissions[0])).payout, null)
  await requestRefresh(app, account)
  const [payout] = await listPayouts(app, account, me)
  await post(account.token, `/payouts/${payout?.id}/mark-paid`, { reference: 'T-1' })
  const paid = await receipt(me.token, sale.commissions[0])
  assert.deepEqual(
    [paid.hold, paid.payout.id, paid.payout.number, paid.payout.status],
    [null, payout?.id, payout?.statementNumber, 'paid'],
  )
  // paid by hand: its destination is unknown
  assert.equal(paid.payout.destination, null)
  assert.ok(paid.payout.paidAt)
  const { sale: none, lead, match, rate, corrections, payout: same } = await receipt(account.token, adjustment)
  assert.deepEqual([none, lead, match, rate, corrections, same.id], [null, null, null, null, [], payout?.id])
})

test('a receipt shows where Wise sends the money, while those are still the details', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0 })
  await connectWise(app, account, wise)
  const me = await aPayee(app, account)
  const sale = await aSale(account, await aLead(account, { email: anEmail(), partnerId: me.id }))
  await requestRefresh(app, account)
  const [payout] = await listPayouts(app, account, me)
  await post(account.token, `/payouts/${payout?.id}/approve`)
  const { entry, payout: sent } = await receipt(me.token, sale.commissions[0])
  assert.deepEqual([entry.status, sent.id, sent.paidAt, sent.destination], ['in-payout', payout?.id, null, '•••••6789'])
})

test('a receipt shows which payout was returned before, only to its partner and owner', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0 })
  await connectWise(app, account, wise)
  const me = await aPayee(app, account)
  const foreign = await aPartner(app, account, {}, { signIn: true })
  const sale = await aSale(account, await aLead(account, { email: anEmail(), partnerId: me.id }))
  const [entry] = sale.commissions
  await requestRefresh(app, account)
  const [first] = await listPayouts(app, account, me)
  await post(account.token, `/payouts/${first?.id}/approve`)
  await workOn(app.services, first!.id)
  const transfer = [...wise.transfers.values()].at(-1)
  wise.setState(transfer!.id, 'outgoing_payment_sent')
  await workOn(app.services, first!.id)
  wise.setState(transfer!.id, 'bounced_back')
  await workOn(app.services, first!.id)
  const returned = await receipt(me.token, entry)
  assert.deepEqual([returned.payout.status, returned.earlierPayouts], ['returned', []])
  wise.setState(transfer!.id, 'funds_refunded')
  await workOn(app.services, first!.id)
  const free = await receipt(me.token, entry)
  assert.deepEqual([free.entry.status, free.payout, free.accountId], ['due', null, account.id])
  assert.deepEqual(free.earlierPayouts, [{ id: first?.id, number: first?.statementNumber, status: 'returned' }])
  for (const token of [foreign.token, (await anAccount(app)).token])
    assert.equal((await app.api('GET', `/commissions/${entry?.id}`, { token })).status, 404)
})

test("a payment's sale shows which rules did not find its lead, before and after it is credited", async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const me = await aPartner(app, account, {}, { signIn: true })
  const connection = await aConnection(app, account, stripe)
  const email = anEmail('payer')
  const payment = stripePayment({ store: stripe.store, email, amount: 40_00 })
  await deliverAll(connection, [payment.checkoutCompleted])
  await workOff(app)
  const [sale] = (await get(account.token, `/accounts/${account.id}/sales`)).items
  const before = await get(account.token, `/sales/${sale.id}/match`)
  assert.deepEqual([before.rule, before.why], [null, 'No rule matched a lead for this sale'])
  assert.equal(before.others[0].why, 'The sale came without a click')
  assert.deepEqual(before.others.at(-1), {
    rule: 'email',
    why: 'The payer’s email doesn’t match an open lead or a customer',
    ...{ partnerId: null, partnerName: null, code: null },
  })
  const attributed = await post(account.token, `/sales/${sale.id}/attribute`, { partnerId: me.id, reason: 'Theirs' })
  const after = await receipt(account.token, attributed.commissions[0])
  assert.deepEqual([after.match.rule, after.match.others], ['manual', before.others])
  assert.deepEqual((await receipt(me.token, attributed.commissions[0])).match.others, [])
})

test('the receipt of a pushed sale lists the rules tried before its lead was found', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartner(app, account)
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  await aLead(account, { email: 'grace@quarry.example', partnerId: partner.id })
  const pushed = (row: object) => post(apiKey, '/push/sales', { externalId: newId(), amount: 100_00, ...row })
  const matchOf = async (sale: Sale) => {
    const { rule, others } = (await receipt(account.token, sale.commissions[0])).match
    return [rule, ...others.map(({ rule, why }: SaleMatch['others'][number]) => `${rule}: ${why}`)]
  }

  const byEmail = await pushed({ leadExternalId: 'cus-unknown', email: 'grace@quarry.example' })
  assert.deepEqual(await matchOf(byEmail), [
    'email',
    'lead-id: The sale came without a lead ID',
    'external-id: The customer ID isn’t any lead’s external ID',
  ])
  const byCode = await pushed({ email: anEmail(), referralCode: partner.referralCode })
  assert.deepEqual(await matchOf(byCode), [
    'code',
    'lead-id: The sale came without a lead ID',
    'external-id: The sale came without a customer ID',
    'email: The payer’s email doesn’t match an open lead or a customer',
  ])
})

test('the match of a pushed sale names the partners of its other codes, to the owner alone', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] } })
  const me = await aPartner(app, account, {}, { signIn: true })
  const samuel = await aPartner(app, account, { firstName: 'Samuel', lastName: 'Reed' })
  await post(account.token, `/partners/${samuel.id}/promotion-codes`, { code: 'SPRING25' })
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  const { referralCode } = me
  const sell = (row: object) =>
    post(apiKey, '/push/sales', { externalId: newId(), amount: 100_00, email: anEmail(), referralCode, ...row })
  const outranked = await sell({ promotionCode: 'spring25' })
  const { others } = await get(account.token, `/sales/${outranked.id}/match`)
  assert.deepEqual(others.at(-1), {
    rule: 'coupon',
    why: 'SPRING25 of Samuel Reed was used too; a referral code goes first',
    ...{ partnerId: samuel.id, partnerName: 'Samuel Reed', code: 'SPRING25' },
  })
  assert.deepEqual(outranked.promotionCodes, ['SPRING25'])
  const mine = await receipt(me.token, outranked.commissions[0])
  assert.deepEqual([mine.match.others, mine.sale.promotionCodes], [[], []])
  expectOk(
    await app.api('PATCH', `/accounts/${account.id}`, {
      token: account.token,
      body: { attributionOrder: 'code-first' },
    }),
  )
  const first = await sell({ promotionCode: 'spring25' })
  assert.deepEqual([first.partnerId, first.matchedBy], [samuel.id, 'coupon'])
  const match = await get(account.token, `/sales/${first.id}/match`)
  assert.match(match.others.at(-1).why, /^\S+ of .+ was used too; a promotion code goes first$/)
})
