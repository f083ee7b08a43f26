import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '#contract/payouts.ts'
import { anAccount, ok, startApp, type TestAccount } from '../../../../test/support/app.ts'
import { payoutsEveryHour } from '../../../../test/support/clock-runs.ts'
import { aPayee, aPayout, balance, deposit, owe, payout, payoutsOf, refresh } from '../../../../test/support/payouts.ts'
import { wrongField } from '../../../platform/refusal.ts'
import { verifyLedger } from '../../stats/verify.ts'
import { advance } from '../advance.ts'
import { payOut, pollTransfers } from '../jobs.ts'
import { type Carried, type Method, ProviderError } from './method.ts'
import { methods } from './registry.ts'

// An invented method in place of the batch file: a purse that pays at once. Everything needed to add one is here.

type Answer = 'paid' | 'refused' | 'unknown' | 'empty' | 'denied'
const purse = { answer: 'paid' as Answer, owners: new Set<string>(), paid: new Map<string, number>(), taken: true }

/** Pays a payout once, however often it is requested, and returns the owner's notice. */
function pay(payoutId: string, amount: number): Answer {
  if (purse.answer === 'paid' || purse.answer === 'unknown') purse.paid.set(payoutId, amount)
  return purse.answer
}

async function carry(carried: Carried) {
  const { payoutId } = carried
  const amount = await carried.hold(async (tx) => {
    const now = await carried.read(tx)
    if (!now || !['approved', 'processing', 'awaiting-funding'].includes(now.status)) return null
    await carried.looked(tx)
    if (purse.paid.has(payoutId)) return now.amount
    if (now.stopReason && purse.answer === 'unknown') throw new ProviderError('The purse does not answer.')
    const verdict = await carried.judge(tx, now)
    if (!verdict.holds) return void (await carried.undo(tx, now, verdict))
    if (now.status === 'approved') await carried.move(tx, 'begin')
    if (now.status === 'awaiting-funding' && !now.fundAgain) return null
    return now.amount
  })
  if (amount === null || amount === undefined) return
  await carried.onStep('begun')
  const answer = pay(payoutId, amount)
  if (answer === 'unknown') throw new ProviderError('The purse does not answer.', { retryAfter: 7 })
  if (answer === 'denied') return carried.pause({ kind: 'unauthorized', message: 'The purse is locked.' })
  await carried.hold(async (tx) => {
    if (answer === 'refused') return carried.move(tx, 'fail', { reason: 'The purse does not know this person.' })
    if (answer === 'empty') return carried.move(tx, 'wait', { reason: 'The purse is empty.' })
    await carried.move(tx, 'send')
    await carried.move(tx, 'arrive')
  })
}

const atOnce: Method = {
  name: 'csv',
  blockers: [
    {
      code: 'currency-unsupported',
      when: { currencyNotIn: ['usd'] },
      words: {
        owner: ({ currency }) => `There is no ${currency} in the purse`,
        partner: () => 'The purse cannot pay you',
      },
    },
  ],
  settings: {
    present: async () => ({}),
    prepare:
      async (_services, { id }) =>
      async () => ({
        missing: purse.owners.has(id) ? null : wrongField('enabled', 'wise_profile_missing'),
        clears: purse.taken,
        audited: { old: {}, new: {} },
      }),
  },
  carrier: {
    label: 'The purse',
    advance: carry,
    looks: { everyMinutes: 3, paidForDays: 0 },
    usualFee: async () => 12.5,
    isTaken: async () => purse.taken,
    transfers: async () => null,
    transactionIds: () => [],
    isOurs: () => false,
    verify: async () => ({ differences: [], compared: purse.paid.size, unread: [] }),
    tryTokens: async () => ({ asked: 0, away: null, refused: [] }),
  },
}
methods.unshift(atOnce)

const app = await startApp()
const { services } = app

/** Creates an account paid from a purse with this answer, and a partner without other blockers. */
async function anInstall(answer: Answer = 'paid', settings: object = {}, defaultCurrency = 'usd') {
  Object.assign(purse, { answer, taken: true })
  const account = await anAccount(app, { defaultCurrency })
  purse.owners.add(account.id)
  ok(await app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, { token: account.token, body: settings }))
  return { account, partner: await aPayee(app, account) }
}
type Install = Awaited<ReturnType<typeof anInstall>>

const verb = ({ account }: Install, id: string, name: string, body?: object) =>
  app.api('POST', `/payouts/${id}/${name}`, { token: account.token, ...(body && { body }) })
async function anApproved(install: Install) {
  const { id } = await aPayout(app, install.account, install.partner, 40_00)
  assert.equal(ok(await verb(install, id, 'approve')).body.method, 'csv')
  return id
}
const statusOf = async (account: TestAccount, id: string) => (await payout(app, account, id)).status
const coursesOf = async (id: string) =>
  (
    await services.db.many<{
      toStatus: string
    }>`select to_status from payout_events where payout_id = ${id} order by id`
  ).map(({ toStatus }) => toStatus)

test('approved, sent and paid, once', async () => {
  const install = await anInstall()
  const id = await anApproved(install)
  await advance(services, id)
  await advance(services, id)
  assert.deepEqual(await coursesOf(id), ['approved', 'processing', 'sent', 'paid'])
  assert.equal(purse.paid.get(id), 40_00)
  assert.equal((await balance(app, install.account, install.partner)).paid, 40_00)
  assert.equal((await verb(install, id, 'cancel')).status, 409)
})

test('what the method refuses has failed in its words, and is tried again when the owner asks', async () => {
  const install = await anInstall('refused')
  const id = await anApproved(install)
  await advance(services, id)
  const failed = await payout(app, install.account, id)
  assert.deepEqual([failed.status, failed.failureReason], ['failed', 'The purse does not know this person.'])
  purse.answer = 'paid'
  ok(await verb(install, id, 'retry'))
  await advance(services, id)
  assert.equal(await statusOf(install.account, id), 'paid')
})

test('what is unknown is asked again and paid once', async () => {
  const install = await anInstall('unknown')
  const id = await anApproved(install)
  await assert.rejects(advance(services, id), ProviderError)
  assert.equal(await statusOf(install.account, id), 'processing')
  await payOut(services, { payoutId: id, poll: true })
  assert.equal((await verb(install, id, 'cancel')).status, 409, 'money may have left')
  purse.answer = 'paid'
  await advance(services, id)
  assert.deepEqual(await coursesOf(id), ['approved', 'processing', 'sent', 'paid'])
})

test('a worker that dies on the way is followed by another', async () => {
  const id = await anApproved(await anInstall())
  const onStep = () => {
    throw new Error('the worker dies')
  }
  await assert.rejects(advance(services, id, { onStep }), /dies/)
  await advance(services, id)
  assert.deepEqual(await coursesOf(id), ['approved', 'processing', 'sent', 'paid'])
})

test('canceled while it waits for money, as soon as the method answers', async () => {
  const install = await anInstall('empty')
  const id = await anApproved(install)
  await advance(services, id)
  assert.equal(await statusOf(install.account, id), 'awaiting-funding')
  purse.answer = 'unknown'
  const refused = await verb(install, id, 'cancel')
  assert.equal(refused.status, 502)
  assert.match(refused.body.error.message, /^The purse hasn’t canceled/)
  purse.answer = 'empty'
  await advance(services, id)
  assert.equal(await statusOf(install.account, id), 'canceled')
  assert.equal((await balance(app, install.account, install.partner)).due, 40_00)
  assert.equal(purse.paid.has(id), false)
})

test('other details undo an approval before it is paid', async () => {
  const install = await anInstall('empty')
  const id = await anApproved(install)
  await advance(services, id)
  const { partner } = install
  const body = deposit({ accountNumber: '987654321' })
  ok(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body }))
  await advance(services, id)
  assert.equal(await statusOf(install.account, id), 'due')
  assert.equal(purse.paid.has(id), false)
})

test('blocked by its own blocker, in its own words', async () => {
  const install = await anInstall('paid', {}, 'eur')
  const { id, status, blockers } = await aPayout(app, install.account, install.partner, 40_00)
  const message = 'There is no eur in the purse'
  assert.deepEqual([status, blockers], ['open', [{ code: 'currency-unsupported', message }]])
  const { status: code, body } = await verb(install, id, 'approve')
  assert.deepEqual([code, body.error.code, body.error.message], [409, 'payout_blocked', `${message}.`])
  const byHand = await verb(install, id, 'mark-paid', { reference: 'an envelope' })
  assert.deepEqual([byHand.status, byHand.body.status, byHand.body.method], [200, 'paid', 'manual'])
})

test('automatic runs approve by it, the clock looks at it, and trouble pauses it until its calls are taken', async () => {
  const { account, partner } = await anInstall('denied', { enabled: true })
  await owe(app, account, partner, 40_00)
  await refresh(app, account)
  const [{ id, method, status }] = (await payoutsOf(app, account, partner)) as [Payout]
  assert.deepEqual([method, status], ['csv', 'approved'])
  purse.taken = false
  await advance(services, id)
  const other = await aPayee(app, account)
  const waiting = await aPayout(app, account, other, 7_00)
  assert.equal(waiting.status, 'due')
  app.clock.advance(3 * 60_000)
  assert.ok((await pollTransfers(services)) > 0)
  await payoutsEveryHour(services)
  await refresh(app, account)
  assert.equal(await statusOf(account, waiting.id), 'due')
  Object.assign(purse, { taken: true, answer: 'paid' })
  await payoutsEveryHour(services)
  await refresh(app, account)
  assert.equal(await statusOf(account, waiting.id), 'approved')
})

test('a review tells its fee', async () => {
  const install = await anInstall()
  const ids = [(await aPayout(app, install.account, install.partner, 40_00)).id]
  const body = { ids, preview: true }
  const path = `/accounts/${install.account.id}/payouts/approve`
  const { feeEstimate } = ok(await app.api('POST', path, { token: install.account.token, body })).body
  assert.equal(feeEstimate, 13)
})

test('without a purse the next method that is ready pays, and nothing leaves by itself', async () => {
  const account = await anAccount(app)
  const change = (body: object) =>
    app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, { token: account.token, body })
  const refused = await change({ enabled: true })
  assert.deepEqual([refused.status, refused.body.error.fields], [422, { enabled: 'Choose a profile' }])
  ok(await change({ maxPerRun: 5_00 }))
  const due = await aPayout(app, account, await aPayee(app, account), 40_00)
  assert.equal(due.method, 'manual')
})

test('the books agree with themselves afterwards', async () => {
  assert.deepEqual(await verifyLedger(services.db), [])
})
