import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { v5 } from 'uuid'
import { workOff } from '../../../../demo/drain-jobs.ts'
import { fakeReceiver } from '../../../../test/fakes/receiver.ts'
import { anAccount, aPartner, expectOk, PASSWORD, startApp } from '../../../../test/support/app.ts'
import { aPayee, aPayout, bookDue, connectWise, getBalance } from '../../../../test/support/payouts.ts'
import { listSavedMails } from '../../../../test/support/saved-mails.ts'
import { createInstalls, workOn } from '../../../../test/support/wise-payouts.ts'
import { clocks } from '../../../clocks.ts'
import { startDispatcher } from '../../../integrations/outgoing-webhooks/dispatcher.ts'
import { newId } from '../../../platform/database/ids.ts'
import { relayOnce } from '../../../platform/events/relay.ts'
import { listeners } from '../../../queue-handlers.ts'
import { payOut, pollTransfers } from '../jobs.ts'
import { agreeAll } from './reconcile-transfers.ts'

/** An install of its own with an account on Wise, so that pausing does not affect other tests. */
async function anInstall() {
  const app = await startApp({ config: { allowPrivateWebhookTargets: true, logLevel: 'silent' } })
  const { anInstall: connected, anApproved } = createInstalls(app)
  const install = await connected()
  const { db } = app.services
  const { account, wise } = install
  const paid = await anApproved(install, 80_00)
  await workOn(app.services, paid)
  const [known] = wise.transfers.values()
  const call = (method: string, path: string, body?: object) =>
    app.api(method, path, { token: account.token, ...(body && { body }) })
  const at = `/accounts/${account.id}/payouts/reconciliation`
  let last = 99_000
  return {
    ...install,
    app,
    paid,
    call,
    anApproved: (amount: number) => anApproved(install, amount),
    /** A transfer lost by an older copy: requested by this ledger. */
    forgotten({ reference = `PO-${last % 1000}`, ...fields }: { reference?: string; [more: string]: unknown } = {}) {
      const id = ++last
      const created = app.clock.now().toISOString().slice(0, 19).replace('T', ' ')
      const own = { id, customerTransactionId: v5('1', newId()), reference, details: { reference }, created }
      const transfer = { ...known!, ...own, ...fields }
      wise.transfers.set(id, transfer)
      return transfer
    },
    /** Like a restart, or another database in place of this one. */
    async anotherLife() {
      await db.run`update payout_reconciliations set agreed_in = 'another'`
      await agreeAll(app.services)
    },
    show: async () => expectOk(await call('GET', at)).body,
    read: async () => expectOk(await call('POST', at)).body,
    confirm: (decisions: object[] = []) => call('POST', `${at}/confirm`, { decisions }),
    prove: async () => expectOk(await call('POST', '/auth/confirm', { password: PASSWORD })),
  }
}

test('after an ordinary restart Wise is read once, and nothing pauses', async () => {
  const { app, wise, anotherLife, show, anApproved, forgotten } = await anInstall()
  // the owner's own: a transfer without any of our references
  forgotten({ customerTransactionId: '11111111-1111-4111-8111-111111111111', reference: 'PO-77 boxes' })
  forgotten({ reference: 'Rent' })
  const before = wise.callsTo('GET /v1/transfers').length
  await anotherLife()
  await agreeAll(app.services)
  const id = await anApproved(50_00)
  await payOut(app.services, { payoutId: id })
  assert.equal(wise.callsTo('GET /v1/transfers').length, before + 1)
  assert.equal(wise.transferBy(v5('1', id))?.status, 'processing')
  const { pausedAt, transfers } = await show()
  assert.deepEqual({ pausedAt, transfers }, { pausedAt: null, transfers: [] })
})

test('a transfer of a batch file that this ledger has not made pauses the account, until its owner has decided', async () => {
  const one = await anInstall()
  const { app, account, partner, wise, call, forgotten, anotherLife, show } = one
  const byWise = { customerTransactionId: '11111111-1111-4111-8111-111111111111', targetValue: 60 }
  const upload = (payout: { statementNumber: number }, fields: object = {}) =>
    forgotten({ ...byWise, reference: `PO-${payout.statementNumber}`, status: 'outgoing_payment_sent', ...fields })
  const file = () => call('GET', `/accounts/${account.id}/payouts/csv?format=wise-batch`)
  const payoutNow = async () =>
    expectOk(await call('GET', `/partners/${partner.id}/payouts?status=due,approved`)).body.items[0]

  // payouts in a file, canceled out of one, or paid by hand may have such a transfer
  await aPayout(app, account, partner, 60_00)
  expectOk(await file())
  const inFile = await payoutNow()
  upload(inFile)
  await anotherLife()
  assert.equal((await show()).pausedAt, null, 'in a file')
  expectOk(await call('POST', `/payouts/${inFile.id}/cancel`))
  await anotherLife()
  assert.equal((await show()).pausedAt, null, 'canceled')
  expectOk(await call('POST', `/payouts/${inFile.id}/mark-paid`, { reference: 'by Wise' }))

  // the copy does not show that the next one was in a file
  const due = await aPayout(app, account, partner, 60_00)
  upload(due, { status: 'cancelled' })
  await anotherLife()
  assert.equal((await show()).pausedAt, null, 'nothing has left')
  const left = upload(due)
  await anotherLife()
  const paused = await show()
  assert.match(paused.pausedAt, /^20/)
  assert.equal(paused.webhooksPaused, false, 'a number is no proof: others go on')
  for (const path of [`/payouts/${due.id}/approve`]) assert.equal((await call('POST', path)).status, 409)
  assert.equal((await file()).status, 409)
  await workOff(app.services)
  const { transfers } = await show()
  const found = transfers.find(({ transferId }: { transferId: string }) => transferId === String(left.id))
  assert.deepEqual([found.finding, found.partnerId], ['unknown', partner.id])
  await one.prove()
  expectOk(await one.confirm([{ transferId: String(left.id), action: 'record' }]))
  assert.equal((await show()).pausedAt, null)
  assert.equal((await getBalance(app, account, partner)).due, 0, 'it is not paid a second time')
  await anotherLife()
  assert.equal((await show()).pausedAt, null, 'decided once')
  assert.equal(wise.transfers.size, 4)
})

test('a batch file waits until what was paid before has been compared, and is made of nothing that may be an older copy', async () => {
  const { app, account, partner, wise, call, forgotten } = await anInstall()
  const file = async (status = 'due') => {
    const path = `/accounts/${account.id}/payouts/csv?format=wise-batch&status=${status}`
    const { status: code, body } = await call('GET', path)
    return code === 200 ? 200 : [code, body.error.reason]
  }
  await aPayout(app, account, partner, 60_00)
  assert.equal(await file(), 200)
  const due = await aPayout(app, account, partner, 40_00)
  await app.services.db.run`update payout_reconciliations set agreed_in = 'another'`
  wise.fail('GET /v1/transfers', { status: 500 })
  assert.deepEqual(await file(), [502, 'payouts_unread'])
  wise.calm()
  const byWise = { customerTransactionId: '11111111-1111-4111-8111-111111111111', status: 'outgoing_payment_sent' }
  forgotten({ ...byWise, targetValue: 40, reference: `PO-${due.statementNumber}` })
  assert.deepEqual(await file(), [409, 'payouts_paused'], 'nobody had looked before')
  assert.deepEqual(await file('approved'), [409, 'payouts_paused'], 'nor is an earlier one given again')
})

test('a number says nothing of a payout that came after its transfer', async () => {
  const one = await anInstall()
  const { app, account, partner, call, forgotten, show } = one
  const other = await aPayee(app, account)
  forgotten({
    ...{ customerTransactionId: '11111111-1111-4111-8111-111111111111', status: 'outgoing_payment_sent' },
    ...{ targetValue: 40, reference: 'PO-2', targetAccount: 4711 },
  })
  app.clock.advance(2000)
  // the copy assigns the number again, before the comparison
  const due = await aPayout(app, account, other, 40_00)
  assert.equal(due.statementNumber, 2)
  expectOk(await call('POST', `/payouts/${due.id}/mark-paid`, { reference: 'Wire 7' }))
  await bookDue(app, account, partner, 40_00)
  await one.anotherLife()
  assert.match((await show()).pausedAt ?? '', /^20/)
  await workOff(app.services)
  const { transfers } = await show()
  assert.deepEqual(
    transfers.map(({ finding, partnerId }: { finding: string; partnerId: string | null }) => [finding, partnerId]),
    [['unknown', null]],
  )
})

test('what waits under the number of a forgotten transfer, and is not meant by it, goes on under a new number', async () => {
  const { app, account, partner, call, forgotten, show, anotherLife } = await anInstall()
  const due = await aPayout(app, account, partner, 60_00)
  const byWise = { customerTransactionId: '11111111-1111-4111-8111-111111111111', status: 'cancelled' }
  forgotten({ ...byWise, reference: `PO-${due.statementNumber}` })
  forgotten({ ...byWise, reference: 'PO-9' })
  forgotten({ ...byWise, reference: 'PO-4500123' })
  await anotherLife()
  assert.equal((await show()).pausedAt, null, 'no money is out')
  const numberOf = async (id: string) => expectOk(await call('GET', `/payouts/${id}`)).body.statementNumber
  assert.equal(
    await numberOf(due.id),
    10,
    "results of the earlier file are not about it; a number far off is the owner's",
  )
  await anotherLife()
  assert.equal(await numberOf(due.id), 10)
})

test('a transfer with the number of a payout that is due becomes that payout', async () => {
  const one = await anInstall()
  const { app, account, partner, call, forgotten, show } = one
  const due = await aPayout(app, account, partner, 60_00)
  const transfer = forgotten({
    ...{ customerTransactionId: '11111111-1111-4111-8111-111111111111', status: 'outgoing_payment_sent' },
    ...{ targetValue: 40, reference: `PO-${due.statementNumber}` },
  })
  await one.anotherLife()
  await workOff(app.services)
  await one.prove()
  expectOk(await one.confirm([{ transferId: String(transfer.id), action: 'record' }]))
  assert.equal((await show()).pausedAt, null)
  const { amount, attempts } = expectOk(await call('GET', `/payouts/${due.id}`)).body
  assert.deepEqual([amount, attempts[0].wiseTransferId], [40_00, String(transfer.id)])
  await call('POST', `/accounts/${account.id}/payouts/refresh`)
  const [rest] = expectOk(await call('GET', `/partners/${partner.id}/payouts?status=due`)).body.items
  assert.deepEqual([rest.amount, rest.statementNumber], [20_00, due.statementNumber + 1])
})

test('while Wise does not answer after a restart, payouts wait and webhooks do not', async () => {
  const { app, wise, anotherLife, show, anApproved } = await anInstall()
  wise.fail('GET /v1/transfers', { status: 500 }, 9)
  await anotherLife()
  const id = await anApproved(50_00)
  await assert.rejects(payOut(app.services, { payoutId: id }), /Wise answered 500/)
  assert.equal(wise.transferBy(v5('1', id)), undefined)
  assert.equal((await show()).pausedAt, null)
  wise.calm()
  await payOut(app.services, { payoutId: id })
  assert.equal(wise.transferBy(v5('1', id))?.status, 'processing')
})

test('an older copy pays nobody and tells nobody until its owner has decided; other accounts go on', async () => {
  const one = await anInstall()
  const { app, account, partner, wise, paid, call } = one
  const receiver = await fakeReceiver()
  const courier = startDispatcher(app.services)
  after(async () => {
    await courier.stop()
    await receiver.close()
  })
  const hook = { name: 'CRM', url: receiver.url, events: ['payout.due'] }
  expectOk(await call('POST', `/accounts/${account.id}/outgoing-webhooks`, hook))
  const waiting = await one.anApproved(30_00)
  const due = await aPayout(app, account, partner, 60_00)
  const forgotten = one.forgotten({ targetValue: 40 })
  const foreign = one.forgotten({ targetValue: 12, targetAccount: 4711 })
  await app.services.db.run`delete from outgoing_deliveries`
  await one.anotherLife()
  await one.anotherLife()
  const { pausedAt, webhooksPaused } = await one.show()
  assert.match(pausedAt, /^20/)
  assert.equal(webhooksPaused, true)

  const refusal = { code: 'invalid_state', reason: 'payouts_paused' }
  const refused = async (path: string, body?: object) => {
    const { status, body: answer } = await call('POST', path, body)
    assert.equal(status, 409)
    assert.deepEqual({ code: answer.error.code, reason: answer.error.reason }, refusal)
  }
  await refused(`/payouts/${due.id}/approve`)
  for (const preview of [true, false]) {
    const { body } = await call('POST', `/accounts/${account.id}/payouts/approve`, { ids: [due.id], preview })
    assert.match((body.results ?? body.excluded)[0].error.message, /^Payouts are paused/)
  }
  const made = wise.transfers.size
  await payOut(app.services, { payoutId: waiting })
  await pollTransfers(app.services)
  assert.equal(wise.transfers.size, made, 'what was approved before waits')

  const other = await anAccount(app)
  const payee = await aPayee(app, other)
  const byHand = await aPayout(app, other, payee, 20_00)
  expectOk(await app.api('POST', `/payouts/${byHand.id}/approve`, { token: other.token }))
  const seen = expectOk(
    await app.api('GET', `/accounts/${other.id}/payouts/reconciliation`, { token: other.token }),
  ).body
  assert.deepEqual([seen.pausedAt, seen.webhooksPaused], [null, true], 'their payouts go on, their webhooks wait')

  const tell = { token: account.token, body: { amount: 5_00, reason: 'Agreed' } }
  const another = await aPartner(app, account)
  expectOk(await app.api('POST', `/partners/${another.id}/adjustments`, tell))
  await call('POST', `/accounts/${account.id}/payouts/refresh`)
  await relayOnce(app.services, listeners)
  const { queued } = await app.services.db.one<{ queued: number }>`select count(*) as queued from outgoing_deliveries`
  assert.ok(queued > 0)

  await workOff(app.services)
  const mails = (await listSavedMails(app)).filter(({ name }) => name.startsWith('payouts-paused'))
  assert.deepEqual(
    mails.map(({ to, link }) => [to[0], new URL(link!).pathname]).sort(),
    [[account.ownerEmail, '/payouts/reconciliation']],
    'once',
  )
  const { counts, transfers, readAt } = await one.show()
  assert.ok(readAt)
  assert.deepEqual(counts, { same: 1, ahead: 0, unknown: 2, missing: 0, dismissed: 0 })
  const unknown = transfers.filter(({ finding }: { finding: string }) => finding === 'unknown')
  assert.deepEqual(
    unknown.map((row: { amount: number; partnerId: string | null }) => [row.amount, row.partnerId]).sort(),
    [
      [12_00, null],
      [40_00, partner.id],
    ],
    'who got a transfer before is known by it',
  )

  const decisions = [
    { transferId: String(forgotten.id), action: 'record' },
    { transferId: String(foreign.id), action: 'dismiss' },
  ]
  const stranger = await aPartner(app, other)
  const wrongs: [object[], string, string][] = [
    [[{ transferId: 'nothing', action: 'dismiss' }], 'decisions.0.transferId', 'This transfer doesn’t need a decision'],
    [[decisions[1]!, decisions[1]!], 'decisions.1.transferId', 'This transfer doesn’t need a decision'],
    [[{ ...decisions[1], action: 'record' }], 'decisions.0.partnerId', 'Choose the partner'],
    [[{ ...decisions[1], action: 'record', partnerId: stranger.id }], 'decisions.0.partnerId', 'Choose the partner'],
  ]
  app.clock.advance(11 * 60_000)
  assert.equal((await one.confirm(decisions)).body.error.reason, 'resuming_payouts')
  await one.prove()
  for (const [wrong, field, words] of wrongs) {
    const { status, body } = await one.confirm(wrong)
    assert.equal(status, 422)
    assert.match(body.error.fields[field], new RegExp(words))
  }
  const owed = await getBalance(app, account, partner)
  assert.equal((await one.confirm([decisions[0]!])).body.counts.unknown, 1, 'one is left to decide on')
  assert.ok((await one.show()).pausedAt)
  assert.equal(receiver.deliveries.length, 0, 'no other system is told meanwhile')
  const resumed = expectOk(await one.confirm([decisions[1]!])).body
  assert.equal(resumed.pausedAt, null)
  await receiver.waitFor(1)

  const after40 = await getBalance(app, account, partner)
  const all = (one: typeof owed) => one.held + one.due + one.onHold + one.inPayout + one.paid
  assert.equal(all(after40), all(owed), 'the balance is what it was')
  assert.equal(after40.due, 50_00, 'of 90.00, 40.00 were paid')
  const payouts = expectOk(await call('GET', `/partners/${partner.id}/payouts`)).body.items
  const recovered = payouts.find(({ attempts }: { attempts: { wiseTransferId: string }[] }) =>
    attempts.some(({ wiseTransferId }) => wiseTransferId === String(forgotten.id)),
  )
  assert.equal(recovered.amount, 40_00)
  await workOn(app.services, recovered.id)
  await workOn(app.services, paid)
  await one.anotherLife()
  assert.equal((await one.show()).pausedAt, null, 'what was decided is not asked again')
  assert.equal((await one.confirm()).body.error.reason, 'payouts_not_paused')
})

test('what a partner was told before a copy was put back is not mailed again, what comes after is', async () => {
  const one = await anInstall()
  const { app, partner, wise, paid } = one
  const mailsToPartner = async () => {
    await workOff(app.services)
    app.clock.advance(2 * 60_000)
    await clocks['gather-mails']!.run(app.services)
    await workOff(app.services)
    const subjects = (await listSavedMails(app))
      .filter(({ to }) => to.includes(partner.email))
      .map(({ subject }) => subject)
    return subjects.filter((subject) => !subject.includes('approved')).sort()
  }
  const [known] = wise.transfers.values()
  wise.setState(known!.id, 'outgoing_payment_sent')
  const sent = one.forgotten({ targetValue: 40, status: 'outgoing_payment_sent' })
  const bounced = one.forgotten({ targetValue: 41, status: 'bounced_back' })
  const moving = one.forgotten({ targetValue: 42, status: 'processing' })
  await one.anotherLife()
  await workOff(app.services)
  await one.prove()
  const decisions = [sent, bounced, moving].map(({ id }) => ({ transferId: String(id), action: 'record' }))
  assert.equal(expectOk(await one.confirm(decisions)).body.pausedAt, null)
  const { body } = expectOk(await one.call('GET', `/partners/${partner.id}/payouts`))
  const look = async () => {
    for (const { id } of body.items) await workOn(app.services, id)
    await workOn(app.services, paid)
  }
  await look()
  assert.deepEqual(await mailsToPartner(), [])
  wise.transfers.get(moving.id)!.status = 'outgoing_payment_sent'
  wise.transfers.get(sent.id)!.status = 'bounced_back'
  await look()
  assert.deepEqual(await mailsToPartner(), [
    'Your payout of $40.00 was returned',
    'Your payout of $42.00 is on its way',
  ])
})

test('a forgotten payment to a partner with a voided balance leaves no debt, also once it is back', async () => {
  const one = await anInstall()
  const { app, account, partner, call, forgotten, anotherLife } = one
  expectOk(
    await call('POST', `/partners/${partner.id}/archive`, {
      ...{ subPartners: 'keep', balance: 'void', reason: 'Left the programme' },
    }),
  )
  const left = forgotten({ status: 'outgoing_payment_sent', targetValue: 60, sourceValue: 60 })
  await anotherLife()
  await workOff(app.services)
  await one.prove()
  expectOk(await one.confirm([{ transferId: String(left.id), action: 'record', partnerId: partner.id }]))
  await workOff(app.services)
  assert.equal((await getBalance(app, account, partner)).due, 0)
  left.status = 'funds_refunded'
  const { id } = await app.services.db.one<{ id: string }>`
    select payout_id as id from payout_attempts where transfer_id = ${String(left.id)}`
  await workOn(app.services, id)
  assert.equal((await getBalance(app, account, partner)).due, 0)
})

test('a reading goes on after Wise asked to wait, and says where it cannot', async () => {
  const one = await anInstall()
  const { app, wise } = one
  for (let n = 0; n < 240; n++) one.forgotten({ targetValue: 1 })
  await one.anotherLife()
  assert.equal((await one.confirm()).body.error.reason, 'transfers_not_read')
  wise.fail('GET /v1/transfers', { status: 401 })
  await workOff(app.services)
  const { readAt, problem } = await one.show()
  assert.deepEqual([readAt, problem.length > 0], [null, true])
  assert.equal((await one.read()).problem, null)
  await workOff(app.services)
  const { counts } = await one.show()
  assert.deepEqual([counts.unknown, counts.same + counts.ahead], [240, 1], 'three pages')
})

test('the number of a payout that was forgotten is given to no other', async () => {
  const { app, account, partner, forgotten, anotherLife } = await anInstall()
  forgotten({ reference: 'PO-41' })
  await anotherLife()
  const due = await aPayout(app, account, partner, 60_00)
  assert.equal(due.statementNumber, 42)
})

test('an install without Wise has nothing to compare', async () => {
  const app = await startApp()
  const account = await anAccount(app)
  await agreeAll(app.services)
  const path = `/accounts/${account.id}/payouts/reconciliation`
  assert.equal(expectOk(await app.api('GET', path, { token: account.token })).body.pausedAt, null)
  assert.equal((await app.api('POST', path, { token: account.token })).body.error.reason, 'payouts_not_paused')
})

test('connecting an account from which another install has paid pauses that account alone', async () => {
  const { app, wise, show, forgotten, paid } = await anInstall()
  forgotten()
  const newcomer = await anAccount(app)
  await connectWise(app, newcomer, wise)
  const path = `/accounts/${newcomer.id}/payouts/reconciliation`
  const paused = expectOk(await app.api('GET', path, { token: newcomer.token })).body
  assert.ok(paused.pausedAt)
  assert.equal(paused.webhooksPaused, false)
  assert.equal((await show()).pausedAt, null)
  await workOff(app.services)
  const { counts, transfers } = expectOk(await app.api('GET', path, { token: newcomer.token })).body
  assert.deepEqual([counts.unknown, transfers.length], [1, 1], 'what another account of the install paid is not theirs')
  const payee = await aPayee(app, newcomer)
  await bookDue(app, newcomer, payee, 30_00)
  const decisions = [{ transferId: transfers[0].transferId, action: 'dismiss' }]
  expectOk(await app.api('POST', `${path}/confirm`, { token: newcomer.token, body: { decisions } }))
  const due = await aPayout(app, newcomer, payee, 30_00)
  expectOk(await app.api('POST', `/payouts/${due.id}/approve`, { token: newcomer.token }))
  await workOn(app.services, due.id)
  assert.equal(wise.transferBy(v5('1', due.id))?.status, 'processing')
  assert.notEqual(due.id, paid)
})

test('a token that Wise refuses after a restart is the trouble of its account alone', async () => {
  const { app, account, wise, anotherLife, show, call, anApproved } = await anInstall()
  wise.fail('GET /v1/transfers', { status: 401, body: { error_description: 'Invalid token' } })
  await anotherLife()
  assert.equal((await show()).pausedAt, null)
  const settings = expectOk(await call('GET', `/accounts/${account.id}/auto-payout-settings`)).body
  assert.equal(settings.wiseError, 'Invalid token')
  const id = await anApproved(50_00)
  await workOn(app.services, id)
  assert.equal(wise.transferBy(v5('1', id))?.status, 'processing', 'taken again, it is compared and goes on')
})
