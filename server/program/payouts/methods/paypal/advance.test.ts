import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '#contract/payouts.ts'
import type { Failure } from '../../../../../test/fakes/server.ts'
import { anAccount, expectOk, signIn, startApp } from '../../../../../test/support/app.ts'
import { bookDue, getBalance, listPayouts, requestRefresh } from '../../../../../test/support/payouts.ts'
import {
  aPaypalPayee,
  connectPaypal,
  enterAddress,
  paypalInstalls,
  workOn,
} from '../../../../../test/support/paypal-payouts.ts'
import { dayInWords } from '../../../../platform/format-values.ts'
import { verifyLedger } from '../../../stats/verify.ts'
import { pollTransfers } from '../../jobs.ts'
import { transactionId } from '../../payout-attempts.ts'
import { advancePayout } from '../../process-payout.ts'

const DAY = 86_400_000
const app = await startApp()
const { anInstall, anApproved, show, verb } = paypalInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>

/** Days pass; the owner signs in again. */
async function later({ account }: Install, days: number) {
  app.clock.advance(days * DAY)
  account.token = (await signIn(app, account.ownerEmail)).token
}

const requests = ({ paypal }: Install) => paypal.callsTo('POST /v1/payments/payouts').length
const attemptOf = (install: Install, id: string) =>
  install.services.db.one<{ state: string; stage: string; number: number | null; transferId: string | null }>`
    select state, stage, payment_number as number, transfer_id from payout_attempts where payout_id = ${id}
    order by number desc limit 1`
/** Whether the clock's poll checks the payout now. */
async function isPolled({ services }: Install, id: string) {
  const checked = () => services.db.value<string>`select checked_at from payouts where id = ${id}`
  const before = await checked()
  await pollTransfers(services)
  return (await checked()) !== before
}
const attention = async ({ account }: Install) =>
  expectOk(await app.api('GET', `/accounts/${account.id}/payouts/attention`, { token: account.token })).body.items

test('an approved payout is one payment to the partner’s address, and is paid as soon as PayPal says so', async () => {
  const install = await anInstall()
  const { paypal, account, partner } = install
  const id = await anApproved(install)
  await workOn(install.services, id)
  const [batch, ...others] = paypal.payouts.batches.values()
  assert.deepEqual(others, [])
  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  assert.equal(batch!.senderBatchId, `trb-${publicId}-1`)
  assert.deepEqual(
    [batch!.item.receiver, batch!.item.value, batch!.item.senderItemId],
    [partner.address, '125.50', transactionId(id, 1)],
  )
  const paid = await show(install, id)
  assert.deepEqual([paid.status, paid.method, paid.failureReason], ['paid', 'paypal', null])
  assert.deepEqual(paid.payee, { amount: 125_50, currency: 'usd', rate: null, fee: 25, feeCurrency: 'usd' })
  const [attempt] = paid.attempts
  assert.deepEqual(
    [attempt!.method, attempt!.transferId, attempt!.wiseTransferId, attempt!.state],
    ['paypal', batch!.id, null, 'SUCCESS'],
  )
  assert.equal((await getBalance(app, account, partner)).paid, 125_50)
  const booked = await install.services.db.many`select kind, amount, fee from payout_cash where payout_id = ${id}`
  assert.deepEqual(booked, [{ kind: 'out', amount: 125_50, fee: 25 }])
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

const lost: [string, string, Failure][] = [
  ['signing in: 500', 'POST /v1/oauth2/token', { status: 500 }],
  ['paying: time-out after it was taken', 'POST /v1/payments/payouts', 'hang-after'],
  ['paying: reset after it was taken', 'POST /v1/payments/payouts', 'reset-after'],
  ['paying: reset before', 'POST /v1/payments/payouts', 'reset-before'],
  ['paying: 2xx that cannot be read', 'POST /v1/payments/payouts', 'garbage'],
  ['paying: 503 after it was taken', 'POST /v1/payments/payouts', { status: 503, after: true }],
  ['paying: still at work', 'POST /v1/payments/payouts', { status: 409, after: true }],
  ['paying: asked to wait', 'POST /v1/payments/payouts', { status: 429 }],
  ['reading: reset', 'GET /v1/payments/payouts/*', 'reset-before'],
]

test('whatever answer is lost: one payment, and never called failed', async (t) => {
  const install = await anInstall()
  for (const [name, call, failure] of lost)
    await t.test(name, async () => {
      const partner = await aPaypalPayee(app, install.account)
      const id = await anApproved({ ...install, partner })
      if (call.includes('token')) install.paypal.endAccess()
      install.paypal.fail(call, failure, call.includes('token') ? 2 : 1)
      await assert.rejects(advancePayout(install.services, id), { name: 'PaypalError', kind: 'unknown' })
      assert.equal((await show(install, id)).status, 'processing')
      await workOn(install.services, id)
      install.paypal.calm()
      const paid = await show(install, id)
      assert.deepEqual([paid.status, paid.attempts.length], ['paid', 1])
      assert.equal(install.paypal.payouts.batchesTo(partner.address).length, 1)
    })
})

const steps = ['attempt-saved', 'pay-announced', 'pay-made', 'pay-saved', 'transfer-made', 'transfer-saved']

test('a worker that dies between any two steps: one payment', async (t) => {
  const install = await anInstall()
  for (const step of steps)
    await t.test(step, async () => {
      const partner = await aPaypalPayee(app, install.account)
      const id = await anApproved({ ...install, partner })
      const onStep = (at: string) => {
        if (at === step) throw new Error('the worker dies')
      }
      await assert.rejects(advancePayout(install.services, id, { onStep }), /the worker dies/)
      await workOn(install.services, id)
      assert.equal((await show(install, id)).status, 'paid')
      assert.equal(install.paypal.payouts.batchesTo(partner.address).length, 1)
    })
})

test('a payment that nobody claims is sent, not paid, until it is claimed or comes back', async () => {
  const install = await anInstall()
  const { paypal, partner, services, account } = install
  paypal.payouts.isNoMember(partner.address)
  const id = await anApproved(install)
  await workOn(services, id)
  const waiting = await show(install, id)
  const claimBy = new Date(app.clock.now().getTime() + 30 * DAY).toISOString().slice(0, 10)
  assert.deepEqual([waiting.status, waiting.claimBy], ['sent', claimBy])
  assert.match(waiting.failureReason!, /^Not claimed yet; PayPal returns it on \w+ \d+, \d{4}\.$/)
  const asPartner = expectOk(await app.api('GET', `/payouts/${id}`, { token: partner.token })).body as Payout
  assert.equal(asPartner.claimBy, claimBy)
  const statement = async () => {
    const headers = { authorization: `Bearer ${account.token}` }
    return (await fetch(`${app.url}/api/v1/payouts/${id}/statement`, { headers })).text()
  }
  const unclaimed = `Not final. Sent. The money is returned unless it is claimed in PayPal by ${dayInWords(claimBy)}.`
  const page = await statement()
  assert.ok(page.includes(`<p>${unclaimed}</p>`), page)
  assert.match(page, /<dt>PayPal account<\/dt><dd>\S+@\S+<\/dd>/)
  // once a day is enough
  app.clock.advance(11 * 60_000)
  assert.equal(await isPolled(install, id), false)
  await later(install, 29)
  assert.equal(await isPolled(install, id), true)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'sent')
  // the partner is notified once, however often it is checked
  const events = await services.db
    .many`select from told_events where account_id = ${account.id} and type = 'payment.unclaimed'`
  assert.equal(events.length, 1)

  const other = { ...install, partner: await aPaypalPayee(app, account) }
  paypal.payouts.isNoMember(other.partner.address)
  const claimed = await anApproved(other, 40_00)
  await workOn(services, claimed)
  paypal.payouts.joins(other.partner.address)
  await workOn(services, claimed)
  const paid = await show(install, claimed)
  assert.deepEqual([paid.status, paid.claimBy, paid.failureReason], ['paid', null, null])

  await later(install, 2)
  await workOn(services, id)
  const returned = await show(install, id)
  assert.deepEqual(
    [returned.status, returned.claimBy, returned.failureReason],
    ['returned', null, 'The payment wasn’t claimed, so PayPal returned the money.'],
  )
  assert.match(await statement(), /<p>The money was returned\. It will be paid again with another statement\.<\/p>/)
  const { due, inPayout, paid: sum } = await getBalance(app, account, partner)
  assert.deepEqual([due, inPayout, sum], [125_50, 0, 0])
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('a payment that fails leaves its entries bound until a person retries or cancels; a rejected address blocks', async () => {
  const install = await anInstall()
  const { paypal, partner, services, account } = install
  paypal.payouts.refuses(partner.address, 'RISK_DECLINE')
  const id = await anApproved(install)
  await workOn(services, id)
  const failed = await show(install, id)
  assert.deepEqual([failed.status, failed.failureReason], ['failed', 'Risk decline.'])
  paypal.payouts.refuses(partner.address, null)
  expectOk(await verb(install, id, 'retry'))
  await workOn(services, id)
  const paid = await show(install, id)
  assert.deepEqual([paid.status, paid.attempts.length, (await attemptOf(install, id)).number], ['paid', 2, 2])

  const other = { ...install, partner: await aPaypalPayee(app, account) }
  paypal.payouts.refuses(other.partner.address, 'RECEIVER_ACCOUNT_LOCKED')
  const rejected = await anApproved(other)
  await workOn(services, rejected)
  assert.equal((await show(install, rejected)).status, 'failed')
  const blocked = await verb(install, rejected, 'retry')
  assert.deepEqual(
    [blocked.status, blocked.body.error.details.blockers],
    [409, [{ code: 'details-rejected', message: 'Payout details were rejected: Receiver account locked.' }]],
  )
  await enterAddress(app, other.partner, `new.${other.partner.address}`)
  const [again] = await listPayouts(app, account, other.partner)
  assert.equal(again!.status, 'due')
})

test('what came after the payment brings it back: refunded and reversed ones are due again', async () => {
  const install = await anInstall()
  const { paypal, partner, services, account } = install
  for (const state of ['REFUNDED', 'REVERSED']) {
    const id = await anApproved(install, 30_00)
    await workOn(services, id)
    assert.equal((await show(install, id)).status, 'paid')
    paypal.payouts.set((await attemptOf(install, id)).transferId!, state)
    app.clock.advance(1.1 * DAY)
    account.token = (await signIn(app, account.ownerEmail)).token
    await pollTransfers(services)
    await workOn(services, id)
    assert.equal((await show(install, id)).status, 'returned', state)
    assert.equal((await getBalance(app, account, partner)).due, 30_00)
    await bookDue(app, account, partner, -30_00)
  }
})

test('held payments go on, and a state that is new to us is said and changes nothing', async () => {
  const install = await anInstall({ autoProgress: false })
  const { paypal, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const { transferId } = await attemptOf(install, id)
  for (const [state, status, said] of [
    ['ONHOLD', 'processing', /^PayPal is reviewing/],
    ['TELEPORTED', 'processing', /^PayPal says TELEPORTED/],
    ['SUCCESS', 'paid', null],
    ['TELEPORTED', 'paid', null],
    ['SUCCESS', 'paid', null],
  ] as const) {
    paypal.payouts.set(transferId!, state)
    await workOn(services, id)
    const shown = await show(install, id)
    assert.equal(shown.status, status, state)
    if (said) assert.match(shown.failureReason ?? '', said)
    else assert.equal(shown.failureReason, null)
  }
})

test('without money it waits, asks again under the same number, and can be cancelled', async () => {
  const install = await anInstall({ balance: { USD: 100 } })
  const { paypal, services, account, partner } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const waiting = await show(install, id)
  assert.deepEqual(
    [waiting.status, waiting.failureReason],
    ['awaiting-funding', 'Sender does not have sufficient funds'],
  )
  assert.equal((await attention(install))[0].kind, 'fund')
  app.clock.advance(11 * 60_000)
  assert.equal(await isPolled(install, id), true)
  await workOn(services, id)
  assert.equal((await attemptOf(install, id)).number, 1)
  paypal.payouts.topUp('USD', 1000)
  expectOk(await verb(install, id, 'retry'))
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'paid')
  assert.equal((await attemptOf(install, id)).number, 1)

  paypal.payouts.topUp('USD', -1000)
  const next = await anApproved(install, 500_00)
  await workOn(services, next)
  const canceled = expectOk(await verb(install, next, 'cancel')).body
  assert.equal(canceled.status, 'canceled')
  assert.equal((await getBalance(app, account, partner)).due, 500_00)
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('a number that was only refused, and that PayPal remembers, gives way to the next', async () => {
  const install = await anInstall({ balance: { USD: 100 } })
  const { paypal, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const body = {
    name: 'USER_BUSINESS_ERROR',
    details: [{ field: 'SENDER_BATCH_ID', issue: 'Duplicate batch request' }],
  }
  paypal.fail('POST /v1/payments/payouts', { status: 400, body })
  paypal.payouts.topUp('USD', 1000)
  await workOn(services, id)
  await workOn(services, id)
  assert.deepEqual([(await show(install, id)).status, (await attemptOf(install, id)).number], ['paid', 2])
})

test('a batch denied for want of money is followed by another: once a day, or when the owner asks', async () => {
  const install = await anInstall({ balance: { USD: 100 } })
  const { paypal, services } = install
  paypal.payouts.deniesLate()
  const id = await anApproved(install)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'awaiting-funding')
  await later(install, 0.2)
  await workOn(services, id)
  assert.equal(requests(install), 1)
  expectOk(await verb(install, id, 'retry'))
  await workOn(services, id)
  assert.equal(requests(install), 2)
  await later(install, 1.01)
  await workOn(services, id)
  assert.equal(requests(install), 3)
  paypal.payouts.topUp('USD', 1000)
  expectOk(await verb(install, id, 'retry'))
  await workOn(services, id)
  const paid = await show(install, id)
  assert.deepEqual([paid.status, paid.attempts.length], ['paid', 4])
  assert.equal(paypal.payouts.paidTo(install.partner.address), 125_50)
})

test('details replaced before PayPal is asked: nothing leaves to the old or the new', async (t) => {
  const install = await anInstall()
  for (const step of ['attempt-saved', 'pay-announced'])
    await t.test(step, async () => {
      const partner = await aPaypalPayee(app, install.account)
      const id = await anApproved({ ...install, partner })
      const before = requests(install)
      await advancePayout(install.services, id, {
        onStep: async (at) => {
          if (at === step && step === 'attempt-saved') await enterAddress(app, partner, `new.${partner.address}`)
        },
      })
      if (step === 'attempt-saved') {
        assert.equal(requests(install), before)
        assert.equal((await show(install, id)).status, 'due')
      } else assert.equal((await show(install, id)).status, 'paid')
    })
})

test('an unknown payment whose approval has ended is not asked for again: a person finds out, and says so', async () => {
  const install = await anInstall()
  const { paypal, services, account } = install
  const unknown = async () => {
    const partner = await aPaypalPayee(app, account)
    const id = await anApproved({ ...install, partner })
    paypal.fail('POST /v1/payments/payouts', 'reset-after')
    await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
    return { partner, id }
  }
  const { partner, id } = await unknown()
  await enterAddress(app, partner, `new.${partner.address}`)
  const before = requests(install)
  await workOn(services, id)
  const unsure = await show(install, id)
  assert.equal(unsure.status, 'processing')
  assert.match(
    unsure.failureReason!,
    /It isn’t known whether PayPal took this payment\. Look for trb-.*-1 on paypal\.com\./,
  )
  assert.deepEqual(
    (await attention(install)).map(({ kind, message }: { kind: string; message: string }) => [kind, message]),
    [['check', 'It isn’t known whether 1 payout was paid']],
  )
  assert.equal(requests(install), before)
  // it was paid, the owner sees
  const marked = expectOk(await verb(install, id, 'mark-paid', { reference: 'PayPal 7' })).body
  assert.deepEqual([marked.status, marked.method], ['paid', 'manual'])
  assert.equal((await getBalance(app, account, partner)).paid, 125_50)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/tax-years/${marked.paidOn.slice(0, 4)}?paid=true`, {
      token: account.token,
    }),
  ).body
  assert.deepEqual([items[0].paid, items[0].reportable], [125_50, 0], 'PayPal reports it')

  // suspended and active again: the payment is requested again, and found
  const second = await unknown()
  const state = (body: object) => app.api('PUT', `/partners/${second.partner.id}`, { token: account.token, body })
  expectOk(await state({ state: 'suspended', reason: 'Asked' }))
  await workOn(services, second.id)
  assert.equal((await show(install, second.id)).status, 'processing')
  expectOk(await state({ state: 'active' }))
  await workOn(services, second.id)
  assert.equal((await show(install, second.id)).status, 'paid')
  assert.equal(paypal.payouts.batchesTo(second.partner.address).length, 1)

  // never arrived, and cancelled
  const third = await unknown()
  const [batch] = paypal.payouts.batchesTo(third.partner.address)
  paypal.payouts.batches.delete(batch!.id)
  await enterAddress(app, third.partner, `new.${third.partner.address}`)
  await workOn(services, third.id)
  assert.equal(expectOk(await verb(install, third.id, 'cancel')).body.status, 'canceled')
  assert.equal((await getBalance(app, account, third.partner)).due, 125_50)
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('an answer that is unknown for 25 days is not asked for again', async () => {
  // a payment that may fall into the next year is not requested either
  if (app.clock.now().getUTCMonth() > 9) app.clock.advance(66 * DAY)
  const install = await anInstall()
  const { paypal, services } = install
  const id = await anApproved(install)
  for (let day = 0; day < 24; day++) {
    paypal.fail('POST /v1/payments/payouts', 'reset-before')
    await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
    await later(install, 1)
  }
  await later(install, 1)
  const before = requests(install)
  await workOn(services, id)
  assert.equal(requests(install), before)
  const shown = await show(install, id)
  assert.equal(shown.status, 'processing')
  assert.match(shown.failureReason!, /^PayPal hasn’t reported for 25 days/)
  assert.equal(expectOk(await verb(install, id, 'cancel')).body.status, 'canceled')
})

test('a batch id refused without a link waits for a person, and is never sent under another number', async () => {
  const install = await anInstall()
  const { paypal, services } = install
  const id = await anApproved(install)
  paypal.fail('POST /v1/payments/payouts', 'reset-after')
  await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
  paypal.payouts.hideLinks()
  for (let look = 0; look < 4; look++) {
    await workOn(services, id)
    app.clock.advance(3 * 3_600_000)
  }
  install.account.token = (await signIn(app, install.account.ownerEmail)).token
  const shown = await show(install, id)
  assert.deepEqual([shown.status, shown.attempts.length], ['processing', 1])
  assert.match(shown.failureReason!, /PayPal already has a batch trb-/)
  assert.equal(paypal.payouts.batches.size, 1)
  paypal.payouts.hideLinks(false)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'paid')
})

test('credentials of another PayPal account: what may be paid there is asked for nowhere else', async () => {
  const install = await anInstall()
  const { paypal, services, account } = install
  const id = await anApproved(install)
  paypal.fail('POST /v1/payments/payouts', 'reset-after')
  await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
  const other = await anInstall()
  await connectPaypal(app, account, other.paypal)
  await workOn(services, id)
  assert.equal(other.paypal.payouts.batches.size, 0)
  assert.equal((await show(install, id)).attempts.length, 1)
  assert.match((await show(install, id)).failureReason!, /It isn’t known whether/)
  // nothing was requested yet: it is paid from the new one
  const next = await anApproved({ ...install, partner: await aPaypalPayee(app, account) }, 10_00)
  await workOn(services, next)
  assert.equal(other.paypal.payouts.batches.size, 1)
})

test('an account in euros pays euros to an address, and says so', async () => {
  const { paypal } = await anInstall()
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  await connectPaypal(app, account, paypal)
  const partner = await aPaypalPayee(app, account)
  const settings = await app.api('GET', `/partners/${partner.id}/payout-settings`, { token: account.token })
  assert.equal(expectOk(settings).body.currency, 'eur')
  const id = await anApproved({ account, partner }, 10_00)
  const { destination } = expectOk(await app.api('GET', `/payouts/${id}`, { token: account.token })).body
  assert.deepEqual([destination.kind, destination.currency], ['paypal', 'eur'])
})

test('numbers are counted on by two workers at once, and at most five a second are sent', async () => {
  const install = await anInstall()
  const { services, account, paypal } = install
  const ids: string[] = []
  for (let n = 0; n < 8; n++)
    ids.push(await anApproved({ account, partner: await aPaypalPayee(app, account) }, 10_00 + n))
  const from = performance.now()
  await Promise.all(ids.flatMap((id) => [workOn(services, id), workOn(services, id)]))
  assert.ok(performance.now() - from >= 1400, 'eight payments take seven fifths of a second')
  for (const id of ids) await workOn(services, id)
  const numbers = [...paypal.payouts.batches.values()].map(({ senderBatchId }) =>
    Number(senderBatchId.split('-').at(-1)),
  )
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  for (const id of ids) assert.equal((await show(install, id)).status, 'paid')
})

test('refused access pauses PayPal’s automatic payouts alone, until PayPal accepts the app again', async () => {
  const install = await anInstall()
  const { paypal, services, account } = install
  const methods = async () =>
    expectOk(await app.api('GET', `/accounts/${account.id}/payout-methods`, { token: account.token })).body.methods
  paypal.forbid('/v1/payments/payouts')
  const id = await anApproved(install)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'approved')
  assert.match((await methods())[0].trouble, /permission/)
  paypal.allow('/v1/payments/payouts')
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'paid')
  assert.deepEqual([(await methods())[0].trouble, (await methods())[0].ready], [null, true])
})

test('the daily run pays by PayPal if it is automatic, and the partner’s changed details wait', async () => {
  const install = await anInstall()
  const { paypal, account, partner, services } = install
  await bookDue(app, account, partner, 80_00)
  await requestRefresh(app, account)
  assert.equal((await listPayouts(app, account, partner))[0]!.status, 'due')
  await connectPaypal(app, account, paypal, true)
  await requestRefresh(app, account)
  const [approved] = await listPayouts(app, account, partner)
  assert.deepEqual([approved!.status, approved!.approvedBy], ['approved', null])
  await workOn(services, approved!.id)
  assert.equal(paypal.payouts.paidTo(partner.address), 80_00)
  await enterAddress(app, partner, `new.${partner.address}`)
  await bookDue(app, account, partner, 60_00)
  await requestRefresh(app, account)
  assert.equal((await listPayouts(app, account, partner))[0]!.status, 'due')
})
