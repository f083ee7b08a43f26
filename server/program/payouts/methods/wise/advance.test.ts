import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../../../../../test/fakes/server.ts'
import { wiseRefusal } from '../../../../../test/fakes/wise-rules.ts'
import { expectOk, signIn, startApp, waitUntil } from '../../../../../test/support/app.ts'
import { payoutsEveryMinute } from '../../../../../test/support/clock-runs.ts'
import {
  aPayee,
  bankDetails,
  bookDue,
  getBalance,
  listPayouts,
  requestRefresh,
} from '../../../../../test/support/payouts.ts'
import { createInstalls, workOn } from '../../../../../test/support/wise-payouts.ts'
import { openDatabase } from '../../../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from '../../../access/account-facts.ts'
import { verifyLedger } from '../../../stats/verify.ts'
import { payOut, pollTransfers, refreshPayouts } from '../../jobs.ts'
import { transactionId } from '../../payout-attempts.ts'
import { advancePayout } from '../../process-payout.ts'

const app = await startApp()
const { anInstall, anApproved, show, verb } = createInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>

const fundings = ({ wise }: Install) =>
  wise.callsTo('POST *payments').filter(({ answered, body }) => answered === 201 && body.type === 'BALANCE')

test('an approved payout becomes one quote, one recipient, one transfer, funded once, and is paid days later', async () => {
  const install = await anInstall({ balance: { USD: 1_000 } })
  const { wise, account, partner, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const quotes = wise.callsTo('POST *quotes')
  assert.equal(quotes.length, 1)
  assert.match(quotes[0]!.raw, /"targetAmount":125\.50,/, 'the amount as it is written')
  assert.equal(quotes[0]!.body.sourceAmount, null)
  const [recipient] = wise.recipients.values()
  assert.equal(recipient!.accountHolderName, 'Pia Tern')
  const [transfer] = wise.transfers.values()
  assert.equal(wise.transfers.size, 1)
  assert.equal(transfer!.customerTransactionId, transactionId(id, 1))
  assert.equal(fundings(install).length, 1)
  assert.equal(wise.balanceOf('USD'), 1_000 - 125.5 - 0.39)
  const under = await show(install, id)
  assert.equal(under.status, 'processing')
  assert.deepEqual(
    under.attempts.map(({ wiseTransferId, state, fee, rate, error }) => ({ wiseTransferId, state, fee, rate, error })),
    [{ wiseTransferId: String(transfer!.id), state: 'processing', fee: 39, rate: 1, error: null }],
  )
  assert.equal((await verb(install, id, 'cancel')).body.error.code, 'invalid_state')

  wise.setState(transfer!.id, 'outgoing_payment_sent')
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'sent')
  assert.equal((await getBalance(app, account, partner)).inPayout, 125_50)
  app.clock.advance(4 * 86_400_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'sent', 'not before five business days')
  app.clock.advance(4 * 86_400_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'paid')
  assert.equal((await getBalance(app, account, partner)).paid, 125_50)
  const events = await services.db.many<{ type: string }>`
    select type from told_events
    where account_id = ${account.id} and kind = 'public' and (type like 'payout.%' or type like 'commission.%') order by id`
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'commission.created',
      'commission.due',
      'payout.due',
      'payout.approved',
      'payout.sent',
      'payout.paid',
      'commission.paid',
    ],
  )

  // a second payout uses the known recipient
  await anApproved(install, 10_00).then((next) => workOn(services, next))
  assert.equal(wise.callsTo('POST /v1/accounts').length, 1)
  assert.equal(wise.transfers.size, 2)
})

const lost: [string, string, Failure][] = [
  ['quote: answer lost', 'POST *quotes', 'reset-after'],
  ['quote: 500', 'POST *quotes', { status: 500 }],
  ['recipient: answer lost', 'POST /v1/accounts', 'reset-after'],
  ['transfer: time-out after accepting', 'POST /v1/transfers', 'hang-after'],
  ['transfer: reset after accepting', 'POST /v1/transfers', 'reset-after'],
  ['transfer: reset before', 'POST /v1/transfers', 'reset-before'],
  ['transfer: 2xx that cannot be read', 'POST /v1/transfers', 'garbage'],
  ['transfer: 503 after accepting', 'POST /v1/transfers', { status: 503, after: true }],
  ['transfer: 408 after accepting', 'POST /v1/transfers', { status: 408, after: true }],
  ['transfer: asked to wait', 'POST /v1/transfers', { status: 429 }],
  ['funding: time-out after accepting', 'POST *payments', 'hang-after'],
  ['funding: reset after accepting', 'POST *payments', 'reset-after'],
  ['funding: reset before', 'POST *payments', 'reset-before'],
  ['funding: 2xx that cannot be read', 'POST *payments', 'garbage'],
  ['funding: 500 after accepting', 'POST *payments', { status: 500, after: true }],
  ['reading: reset', 'GET /v1/transfers/*', 'reset-before'],
]

test('the fees of what is ready are estimated from the last payouts, as in the preview of their approval', async () => {
  const install = await anInstall({ balance: { USD: 1_000 } })
  const { account, partner, services } = install
  const totals = async (token = account.token) =>
    expectOk(await app.api('GET', `/accounts/${account.id}/payouts/totals`, { token })).body
  assert.equal((await totals()).feeEstimate, null)
  await workOn(services, await anApproved(install))
  await bookDue(app, account, partner, 40_00)
  await requestRefresh(app, account)
  assert.equal((await totals()).ready.count, 1)
  assert.equal((await totals()).feeEstimate, 39)
  const other = await aPayee(app, account, {})
  await bookDue(app, account, other, 70_00)
  await requestRefresh(app, account)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payouts?status=due`, { token: account.token }),
  ).body
  const byWise = items.filter(({ method }: { method: string }) => method === 'wise').length
  assert.equal((await totals()).feeEstimate, 39 * byWise)
  const ids = items.map(({ id }: { id: string }) => id)
  const preview = await app.api('POST', `/accounts/${account.id}/payouts/approve`, {
    token: account.token,
    body: { ids, preview: true },
  })
  assert.equal(preview.body.feeEstimate, (await totals()).feeEstimate)
})

test('whatever answer is lost: one transfer, one funding, and never called failed', async (t) => {
  const install = await anInstall({ balance: { USD: 100_000 } })
  const { wise, account, services } = install
  for (const [name, call, failure] of lost)
    await t.test(name, async () => {
      const before = wise.transfers.size
      const funded = wise.balanceOf('USD')!
      const partner = await aPayee(app, account)
      const id = await anApproved({ ...install, partner })
      wise.fail(call, failure)
      await assert.rejects(advancePayout(services, id), { name: 'WiseError', kind: 'unknown' })
      const unknown = await show(install, id)
      assert.equal(unknown.status, 'processing')
      assert.notEqual(unknown.attempts[0]!.error, null)
      assert.equal(unknown.attempts.length, 1)
      await workOn(services, id)
      wise.calm()
      assert.equal(wise.transfers.size, before + 1)
      assert.equal(wise.transferBy(transactionId(id, 1))?.status, 'processing')
      assert.equal(Math.round((funded - wise.balanceOf('USD')!) * 100), 125_89, 'funded once')
      const after = await show(install, id)
      assert.equal(after.status, 'processing')
      assert.equal(after.attempts.length, 1)
    })
})

const steps = [
  'attempt-saved',
  'quote-made',
  'quote-saved',
  'recipient-made',
  'recipient-saved',
  'transfer-announced',
  'transfer-made',
  'transfer-saved',
  'funding-made',
  'funding-saved',
]

test('a worker that dies between any two steps: one transfer, one funding', async (t) => {
  const install = await anInstall({ balance: { USD: 100_000 } })
  const { wise, account, services } = install
  for (const step of steps)
    await t.test(step, async () => {
      const partner = await aPayee(app, account)
      const before = wise.transfers.size
      const funded = wise.balanceOf('USD')!
      const id = await anApproved({ ...install, partner })
      const death = new Error('the worker dies')
      const dies = advancePayout(services, id, {
        onStep: (at) => {
          if (at === step) throw death
        },
      })
      await assert.rejects(dies, death)
      await workOn(services, id)
      assert.equal(wise.transfers.size, before + 1)
      assert.equal(Math.round((funded - wise.balanceOf('USD')!) * 100), 125_89, 'funded once')
      assert.equal((await show(install, id)).status, 'processing')
      assert.equal((await show(install, id)).attempts.length, 1)
    })
})

test('two workers never ask for the same payout at once; a dead one is replaced when its lease runs out', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  const answers = await Promise.all(Array.from({ length: 8 }, () => advancePayout(services, id)))
  // one that begins once the first has ended finds the work done
  assert.ok(answers.includes('done'))
  assert.deepEqual(
    answers.filter((answer) => answer !== 'done' && answer !== 'busy'),
    [],
  )
  assert.equal(wise.transfers.size, 1)
  assert.equal(fundings(install).length, 1)

  const next = await anApproved(install, 20_00)
  await services.db.run`
    update payouts set lease_id = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 second'
    where id = ${next}`
  assert.equal(await advancePayout(services, next), 'busy')
  await waitUntil(async () => (await advancePayout(services, next)) === 'done')
  assert.equal(wise.transfers.size, 2)
})

test('a worker whose lease was taken over writes nothing more', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  await advancePayout(services, id, {
    onStep: async (step) => {
      if (step !== 'transfer-made') return
      await services.db.run`update payouts set lease_id = null, leased_until = null where id = ${id}`
      await workOn(services, id)
    },
  })
  assert.equal(wise.transfers.size, 1)
  assert.equal(fundings(install).length, 1)
  assert.equal((await show(install, id)).status, 'processing')
})

test('an expired quote is replaced only if no transfer can exist', async () => {
  const install = await anInstall({ balance: { USD: 100_000 } })
  const { wise, services } = install
  const die = (at: string) => ({
    onStep: (step: string) => {
      if (step === at) throw new Error('the worker dies')
    },
  })
  const id = await anApproved(install)
  await assert.rejects(advancePayout(services, id, die('recipient-saved')))
  app.clock.advance(40 * 60_000)
  await workOn(services, id)
  assert.equal(wise.callsTo('POST *quotes').length, 2, 'known beforehand to be old')
  assert.equal(wise.transfers.size, 1)

  const account = { ...install.account, token: (await signIn(app, install.account.ownerEmail)).token }
  const second = await anApproved({ ...install, account })
  await assert.rejects(advancePayout(services, second, die('transfer-announced')))
  app.clock.advance(40 * 60_000)
  await workOn(services, second)
  assert.equal(wise.transfers.size, 2, 'Wise said so, and has no transfer of that id')
  assert.equal(wise.callsTo('GET /v1/transfers').length, 2, 'when it was connected, and now')
  assert.ok(wise.transferBy(transactionId(second, 1)))

  account.token = (await signIn(app, account.ownerEmail)).token
  const third = await anApproved({ ...install, account })
  wise.fail('POST /v1/transfers', 'reset-after')
  await assert.rejects(advancePayout(services, third))
  app.clock.advance(40 * 60_000)
  const quotes = wise.callsTo('POST *quotes').length
  // Wise judges the quote before it looks for the id
  wise.fail(
    'POST /v1/transfers',
    wiseRefusal([{ code: 'NOT_VALID', message: 'Quote has expired.', path: 'quoteUuid', arguments: [] }]),
  )
  await workOn(services, third)
  assert.equal(wise.transfers.size, 3, 'the transfer that was made is found by its id')
  assert.equal(wise.callsTo('POST *quotes').length, quotes, 'and no other quote is asked for')
})

test('with a clock half an hour ahead of Wise’s, the payout says so and asks again later and later', async () => {
  const behind = { minutes: 31 }
  const clock = () => new Date(app.clock.now().getTime() - behind.minutes * 60_000)
  const install = await anInstall({ clock })
  const { wise, services } = install
  const id = await anApproved(install)
  await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
  assert.equal(wise.callsTo('POST *quotes').length, 1)
  const { attempts } = await show(install, id)
  assert.match(
    attempts[0]!.error!,
    /^Wise’s new quote ends at 20\d\d-.*Z, but the clock of this server is at 20\d\d-.*Z\. Set the server’s clock/,
  )
  behind.minutes = 0
  await workOn(services, id)
  assert.equal(wise.callsTo('POST *quotes').length, 2)
  assert.deepEqual([wise.transfers.size, fundings(install).length], [1, 1])
  assert.equal((await show(install, id)).attempts[0]!.error, null)
})

test('a quote that is always refused as expired is asked for a few times a run', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  wise.fail(
    'POST /v1/transfers',
    wiseRefusal([{ code: 'NOT_VALID', message: 'Quote has expired.', path: 'quoteUuid', arguments: [] }]),
    99,
  )
  wise.lie('GET *quotes/*', { status: 'EXPIRED' })
  await assert.rejects(advancePayout(services, id), {
    kind: 'unknown',
    message: 'Wise didn’t accept this payout in time.',
  })
  assert.ok(wise.callsTo('POST *quotes').length <= 4)
})

test('a provider that asks for a second’s pause each time is asked later and later', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  const { db } = services
  wise.fail('POST *quotes', { status: 429, retryAfter: 1 }, 9)
  const pauses = []
  for (let tries = 0; tries < 9; tries++) {
    await payOut(services, { payoutId: id, tries })
    pauses.push(
      await db.value<number>`
        select round(extract(epoch from start_after - created_on))::int from pgboss.job
        where name = 'pay-out' and data @> ${JSON.stringify({ payoutId: id, tries: tries + 1 })}::jsonb`,
    )
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256])
})

test('a balance that is too low waits for funding and is tried again with every look', async () => {
  const install = await anInstall({ balance: { USD: 10 } })
  const { wise, account, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const waiting = await show(install, id)
  assert.deepEqual([waiting.status, waiting.failureReason], ['awaiting-funding', 'The USD balance in Wise is too low.'])
  await requestRefresh(app, account)
  assert.equal(wise.callsTo('POST *payments').length, 2)
  const { body: totals } = await app.api('GET', `/accounts/${account.id}/payouts/totals`, { token: account.token })
  assert.deepEqual(totals.awaitingFunding, { amount: 125_50, count: 1 })
  wise.topUp('USD', 1_000)
  await requestRefresh(app, account)
  const done = await show(install, id)
  assert.deepEqual([done.status, done.failureReason], ['processing', null])
  assert.equal(wise.transfers.size, 1)
  assert.equal(wise.callsTo('POST *quotes').length, 1)
})

test('where Wise does not let us pay, the transfer waits for the owner; only a retry asks again', async () => {
  const install = await anInstall({ country: 'GB' })
  const { wise, account, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const waiting = await show(install, id)
  assert.equal(waiting.status, 'awaiting-funding')
  assert.match(waiting.failureReason ?? '', /wise\.com/)
  await requestRefresh(app, account)
  assert.equal(wise.callsTo('POST *payments').length, 1)
  assert.equal((await verb(install, id, 'retry')).body.status, 'awaiting-funding')
  await workOn(services, id)
  assert.equal(wise.callsTo('POST *payments').length, 2)
  const [transfer] = wise.transfers.values()
  wise.payByHand(transfer!.id)
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'processing')
  const settings = await app.services.db.one`select trouble from payout_accounts where account_id = ${account.id}`
  assert.deepEqual(settings, { trouble: null }, 'a 403 at funding is no fault of the connection')
})

test('details that Wise refuses fail with its message, and stay blocked until they change', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  const id = await anApproved(install)
  const message = 'Please enter a valid routing number, 021000021 has none.'
  wise.fail('POST /v1/accounts', wiseRefusal([{ code: 'NOT_VALID', message, path: 'abartn', arguments: [] }]))
  await workOn(services, id)
  const failed = await show(install, id)
  const words = 'Routing Number: Please enter a valid routing number, ••• has none.'
  assert.deepEqual([failed.status, failed.failureReason], ['failed', words])
  assert.deepEqual(
    failed.blockers.map(({ code }) => code),
    ['wise-rejected-recipient'],
  )
  assert.equal((await getBalance(app, account, partner)).inPayout, 125_50, 'its entries stay in it')
  const retry = await verb(install, id, 'retry')
  assert.deepEqual([retry.status, retry.body.error.code], [409, 'payout_blocked'])
  const seen = await app.api('GET', `/partners/${partner.id}/balance`, { token: partner.token })
  assert.deepEqual(seen.body.blockers, [{ code: 'wise-rejected-recipient', message: 'Bank details were rejected' }])
  await bookDue(app, account, partner, 3_00)
  assert.deepEqual(await requestRefresh(app, account), { due: 0, blocked: 1 })

  const body = bankDetails({ accountNumber: '9988776655' })
  const saved = await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  assert.deepEqual([(await show(install, id)).status, (await show(install, id)).amount], ['due', 128_50])
  assert.equal((await verb(install, id, 'approve')).status, 200)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
  assert.deepEqual(
    (await show(install, id)).attempts.map(({ state }) => state),
    ['rejected', 'processing'],
  )
  assert.ok(wise.transferBy(transactionId(id, 2)))
  assert.equal(wise.transferBy(transactionId(id, 1)), undefined)
})

test('a refused transfer fails; a retry makes a new attempt, a cancellation frees the entries', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  wise.requireApproval()
  const id = await anApproved(install)
  await workOn(services, id)
  assert.equal((await show(install, id)).failureReason, 'Transfer cannot be created: missing approval')
  wise.requireApproval(false)
  assert.equal((await verb(install, id, 'retry')).body.status, 'approved')
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
  assert.equal(wise.transfers.size, 1)
  assert.ok(wise.transferBy(transactionId(id, 2)))

  wise.blockQuotes('Your account is under review.')
  const other = await anApproved(install, 9_00)
  await workOn(services, other)
  assert.deepEqual(
    [(await show(install, other)).status, (await show(install, other)).failureReason],
    ['failed', 'Your account is under review.'],
  )
  assert.equal((await verb(install, other, 'cancel')).body.status, 'canceled')
  assert.equal((await getBalance(app, account, partner)).due, 9_00)
})

test('a recipient that the owner removed in Wise is made anew', async () => {
  const install = await anInstall()
  const { wise, services } = install
  await workOn(services, await anApproved(install))
  for (const recipient of wise.recipients.values()) recipient.active = false
  const id = await anApproved(install, 10_00)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
  assert.equal(wise.recipients.size, 2)
  assert.equal(wise.transfers.size, 2)
})

test('a bounce frees the entries only once Wise gives the money back, however late', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  // the weeks may lead into the next year
  const year = app.clock.now().getUTCFullYear()
  const approve = { approvedPayoutYears: [year, year + 1] }
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: approve })
  const id = await anApproved(install)
  await workOn(services, id)
  const [transfer] = wise.transfers.values()
  wise.setState(transfer!.id, 'outgoing_payment_sent')
  await requestRefresh(app, account)
  app.clock.advance(9 * 86_400_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'paid')
  app.clock.advance(20 * 86_400_000)
  account.token = (await signIn(app, account.ownerEmail)).token

  wise.setState(transfer!.id, 'bounced_back')
  assert.ok((await pollTransfers(services)) > 0)
  const { jobs } = await services.db.one<{ jobs: number }>`
    select count(*) as jobs from pgboss.job where name = 'pay-out' and data @> ${JSON.stringify({ payoutId: id, poll: true })}::jsonb`
  assert.equal(jobs, 1, 'what is paid is still looked at')
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'returned')
  assert.equal((await getBalance(app, account, partner)).inPayout, 125_50)
  wise.setState(transfer!.id, 'processing')
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'processing', 'Wise may resume it')
  wise.setState(transfer!.id, 'bounced_back')
  await requestRefresh(app, account)
  wise.setState(transfer!.id, 'cancelled')
  await requestRefresh(app, account)
  wise.setState(transfer!.id, 'funds_refunded')
  await requestRefresh(app, account)
  const [next, former] = await listPayouts(app, account, partner)
  assert.deepEqual([former!.id, former!.status, former!.paidAt], [id, 'returned', null])
  assert.deepEqual([next!.status, next!.amount], ['due', 125_50])
  const after = await getBalance(app, account, partner)
  assert.deepEqual([after.due, after.inPayout, after.paid], [125_50, 0, 0])
  assert.equal((await verb(install, id, 'retry')).status, 409)
  const entries = await app.api('GET', `/payouts/${id}/entries`, { token: account.token })
  assert.equal(entries.body.total, 1, 'what it held stays readable')
})

test('a transfer that waits for money is cancelled at Wise with its payout', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { wise, account, partner, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const canceled = await verb(install, id, 'cancel')
  assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'])
  assert.deepEqual(
    [...wise.transfers.values()].map(({ status }) => status),
    ['cancelled'],
  )
  assert.equal((await getBalance(app, account, partner)).due, 125_50)

  const [due] = await listPayouts(app, account, partner)
  assert.equal((await verb(install, due!.id, 'approve')).status, 200)
  await workOn(services, due!.id)
  const second = [...wise.transfers.values()].at(-1)!
  wise.payByHand(second.id)
  const late = await verb(install, due!.id, 'cancel')
  assert.deepEqual([late.status, late.body.error.code], [409, 'invalid_state'], 'the owner has paid it meanwhile')
  assert.equal((await show(install, due!.id)).status, 'processing')
})

test('a payout paid by other means shows nothing of an earlier transfer that never left', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { wise, account, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const [transfer] = wise.transfers.values()
  wise.setState(transfer!.id, 'cancelled')
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'failed')
  assert.equal((await verb(install, id, 'mark-paid', { reference: 'Check 12' })).body.status, 'paid')
  assert.equal((await show(install, id)).payee, null)
})

test('a cancellation that Wise does not answer comes true later; nothing is funded meanwhile', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { wise, account, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  wise.topUp('USD', 1_000)
  wise.fail('PUT *cancel', 'reset-after')
  const answer = await verb(install, id, 'cancel')
  assert.deepEqual([answer.status, answer.body.error.code], [502, 'provider_failed'])
  await requestRefresh(app, account)
  assert.equal((await show(install, id)).status, 'canceled')
  assert.equal(fundings(install).length, 0)
})

test('changed details: a transfer that waits is cancelled at Wise, and the payout is due again', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { wise, partner, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  wise.topUp('USD', 1_000)
  const body = bankDetails({ accountNumber: '9988776655' })
  const saved = await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
  assert.equal(saved.status, 200)
  await workOn(services, id)
  const back = await show(install, id)
  assert.equal(back.status, 'due')
  assert.ok(back.blockers.some(({ code }) => code === 'deposit-info-changed-recently'))
  assert.deepEqual(
    [...wise.transfers.values()].map(({ status }) => status),
    ['cancelled'],
  )
  assert.equal(fundings(install).length, 0)
  assert.equal((await verb(install, id, 'approve')).status, 200)
  await workOn(services, id)
  const recipients = [...wise.recipients.values()].map(
    ({ details }) => (details as { accountNumber: string }).accountNumber,
  )
  assert.deepEqual(recipients, ['123456789', '9988776655'])
  assert.equal((await show(install, id)).status, 'processing')
})

test('a token that Wise refuses pauses automatic payouts; the payout can be cancelled, or goes on later', async () => {
  const install = await anInstall({}, { enabled: true })
  const { wise, account, partner, services } = install
  await bookDue(app, account, partner, 50_00)
  wise.fail('*', { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } }, 1)
  await requestRefresh(app, account)
  const [approved] = await listPayouts(app, account, partner)
  assert.equal(approved!.status, 'approved')
  assert.equal(approved!.approvedBy, null)
  await workOn(services, approved!.id)
  assert.deepEqual(
    [(await show(install, approved!.id)).status, (await show(install, approved!.id)).failureReason],
    ['approved', 'Invalid token'],
  )
  const toldOwner = async () =>
    (await app.api('GET', `/accounts/${account.id}/auto-payout-settings`, { token: account.token })).body.wiseError
  assert.equal(await toldOwner(), 'Invalid token')
  await bookDue(app, account, partner, 5_00)
  assert.deepEqual(await requestRefresh(app, account), { due: 1, blocked: 0 }, 'nothing is approved by itself')
  await workOn(services, approved!.id)
  assert.equal((await show(install, approved!.id)).status, 'processing')
  assert.equal(await toldOwner(), null)
  assert.deepEqual(await requestRefresh(app, account), { due: 0, blocked: 0 }, 'Wise has taken a call: they run again')
})

test('the daily run is at six in the account’s own time, below the ceilings, after the cool-off', async () => {
  const install = await anInstall({}, { enabled: true, maxPerPayout: 100_00, maxPerRun: 150_00 })
  const { account, services, partner } = install
  const day = (offset: number) => new Date(app.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10)
  app.clock.set(`${day(1)}T01:00:00Z`)
  account.token = (await signIn(app, account.ownerEmail)).token
  await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { timeZone: 'America/New_York' } })
  const partners = [partner, await aPayee(app, account), await aPayee(app, account), await aPayee(app, account)]
  const approve = { approvedPayoutYears: [2025, 2026, 2027, 2028] }
  for (const { id } of partners) await app.api('PUT', `/partners/${id}`, { token: account.token, body: approve })
  for (const [index, amount] of [100_01, 90_00, 70_00, 60_00].entries())
    await bookDue(app, account, partners[index]!, amount)
  const changed = partners[3]!
  const body = bankDetails({ accountNumber: '9988776655' })
  await app.api('POST', `/partners/${changed.id}/payout-settings`, { token: changed.token, body })
  const run = async (at: string) => {
    app.clock.set(at)
    account.token = (await signIn(app, account.ownerEmail)).token
    await payoutsEveryMinute(services)
    const all = await Promise.all(partners.map((one) => listPayouts(app, account, one)))
    return all.map(([latest]) => latest?.status ?? null)
  }
  const today = app.clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await run(`${today}T09:59:00Z`), [null, null, null, null], 'before six')
  const statuses = await run(`${today}T11:01:00Z`)
  assert.equal(statuses[0], 'due', 'above the ceiling of one')
  assert.deepEqual(statuses.slice(1, 3).sort(), ['approved', 'due'], 'the second is above your limit of the run')
  assert.equal(statuses[3], 'due', 'details changed')
  await requestRefresh(app, account)
  const again = await run(`${today}T11:02:00Z`)
  assert.deepEqual(again, statuses, 'asking again does not lift the ceiling')
  const [held] = await listPayouts(app, account, changed)
  assert.ok(held!.scheduledFor! > today)
})

test('concurrent automatic runs of several processes stay below the limit of one run', async () => {
  const install = await anInstall({}, { enabled: true, maxPerRun: 150_00 })
  const { account, services, partner } = install
  const partners = [partner, await aPayee(app, account), await aPayee(app, account)]
  for (const one of partners) await bookDue(app, account, one, 70_00)
  const facts = await services.db.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${account.id}`
  const { url, log, clock } = services.db
  const others = [1, 2].map(() => openDatabase({ url, log, clock, max: 4, patience: 6 }))
  await Promise.all(
    [services.db, ...others, services.db, ...others].map((db) => refreshPayouts({ ...services, db }, facts)),
  )
  for (const db of others) await db.close()
  const payouts = (await Promise.all(partners.map((one) => listPayouts(app, account, one)))).flat()
  assert.deepEqual(payouts.map(({ status }) => status).sort(), ['approved', 'approved', 'due'])
})

test('an open question of Wise is said on the payout for as long as it stands', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  const lie = wise.lie('GET /v1/transfers/*', { hasActiveIssues: true })
  await workOn(services, id)
  const payout = await show(install, id)
  assert.equal(payout.status, 'processing')
  assert.match(payout.failureReason!, /open question/)
  assert.match(payout.attempts[0]!.error!, /open question/)
  lie.end()
  await workOn(services, id)
  const answered = await show(install, id)
  assert.deepEqual([answered.failureReason, answered.attempts[0]!.error], [null, null])
})

test('a state that nobody knows changes nothing, whatever it is called', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  for (const status of ['unknown', 'constructor', '__proto__', 'held_for_review']) {
    const lie = wise.lie('GET /v1/transfers/*', { status })
    await workOn(services, id)
    lie.end()
    const { status: stands, attempts } = await show(install, id)
    assert.deepEqual([stands, attempts[0]!.state], ['processing', status])
  }
  wise.setState(Number((await show(install, id)).attempts[0]!.wiseTransferId), 'outgoing_payment_sent')
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'sent')
})

test('a transfer is not looked at before the time that Wise names', async () => {
  const install = await anInstall()
  const { wise, account, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  wise.fail('GET /v1/transfers/*', { status: 429, retryAfter: 1800 })
  await payOut(services, { payoutId: id, poll: true })
  const looks = wise.callsTo('GET /v1/transfers/*').length
  app.clock.advance(15 * 60_000)
  await pollTransfers(services)
  account.token = (await signIn(app, account.ownerEmail)).token
  await requestRefresh(app, account)
  assert.equal(wise.callsTo('GET /v1/transfers/*').length, looks)
  app.clock.advance(16 * 60_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await requestRefresh(app, account)
  assert.equal(wise.callsTo('GET /v1/transfers/*').length, looks + 1)
})

test('an account in another currency is quoted by what leaves it', async () => {
  const install = await anInstall({ balance: { EUR: 500 }, rates: { 'EUR-USD': 1.08 } }, {}, 'eur')
  const { wise, services } = install
  const id = await anApproved(install, 100_00)
  await workOn(services, id)
  const [quote] = wise.callsTo('POST *quotes')
  assert.match(quote!.raw, /"sourceAmount":100\.00,/)
  assert.deepEqual(
    [quote!.body.sourceCurrency, quote!.body.targetCurrency, quote!.body.targetAmount],
    ['EUR', 'USD', null],
  )
  const shown = await show(install, id)
  assert.deepEqual([shown.status, shown.attempts[0]!.rate, shown.attempts[0]!.fee], ['processing', 1.08, 80])
})

test('a large sum says where it comes from', async () => {
  const install = await anInstall({ balance: { USD: 200_000 } })
  const { wise, services } = install
  const id = await anApproved(install, 90_000_00)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
  const [call] = wise.callsTo('POST /v1/transfers')
  assert.equal((call!.body.details as { sourceOfFunds: string }).sourceOfFunds, 'verification.source.of.funds.business')
})

test('the quarterly paths serve as well', async () => {
  const install = await anInstall()
  const { wise, services } = install
  Object.assign(services, { config: { ...services.config, wise: { ...services.config.wise, apiVersion: '2026Q4' } } })
  const id = await anApproved(install)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
  assert.equal(wise.callsTo('POST /2026Q4/transfers').length, 1)
})

test('after all this the ledger agrees with itself', async () => {
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
