import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, signIn, startApp } from '../../../test/support/app.ts'
import { aPayout, getBalance, getPayout } from '../../../test/support/payouts.ts'
import { aPaypalPayee, connectPaypal } from '../../../test/support/paypal-payouts.ts'
import { verifyLedger } from '../stats/verify.ts'
import { type Method, ProviderError, type StepResult, type TransferRequest } from './methods/method.ts'
import { apiMethods, methods } from './methods/registry.ts'
import { advancePayout } from './process-payout.ts'

// This made-up method hands envelopes to a porter, who accepts each key once.

type Envelope = { id: string; amount: number; state: 'carried' | 'delivered' | 'lost' | 'brought back' }
const porter = { envelopes: new Map<string, Envelope>(), names: 0, isDeaf: 0 }

/** A provider that carries out each step, but whose answers may be lost. */
function callPorter<T>(work: () => T): T {
  const done = work()
  if (porter.isDeaf-- > 0) throw new ProviderError('unknown', 'The porter doesn’t answer.')
  return done
}
const meanings = { carried: 'moving', delivered: 'arrived', lost: 'refused', 'brought back': 'back' } as const
const read = ({ id, amount, state }: Envelope, request: TransferRequest): StepResult => ({
  ...{ standing: meanings[state], transferId: id, state, notice: null, words: `The envelope was ${state}.` },
  wrong: amount === request.amount ? null : 'The envelope holds another amount.',
  payee: { amount, currency: request.currency },
})

const made: Method = {
  ...{ name: 'paypal', label: 'The porter', pays: { kinds: ['paypal'], currencies: 'any' }, blockers: [] },
  provider: {
    ...{ site: 'porter.example', settlesAfterBusinessDays: null, looks: { everyMinutes: 10, paidForDays: 1 } },
    nextStep({ memo, intent }) {
      if (memo.transferId) return { name: 'read' }
      if (intent === 'stop') return { name: 'find' }
      return memo.address ? { name: 'hand', mayMoveMoney: true } : { name: 'write', needsDetails: true }
    },
    async execute(_api, { name }, request) {
      const known = () => porter.envelopes.get(request.key)
      if (name === 'write')
        return { result: 'step-done', memo: { address: callPorter(() => `House ${++porter.names}`) }, state: 'written' }
      if (name === 'hand')
        callPorter(() =>
          porter.envelopes.set(
            request.key,
            known() ?? { id: `e-${request.key}`, amount: request.amount, state: 'carried' },
          ),
        )
      return known() ? read(callPorter(known)!, request) : { result: 'no-payment' }
    },
    profiles: async () => [{ id: 'lodge', type: 'BUSINESS', fullName: null, businessName: null }],
    page: async () => ({ transfers: [], next: null }),
  },
}
// other files of this process have PayPal again
for (const list of [methods, apiMethods] as Method[][]) {
  const at = list.findIndex(({ name }) => name === made.name)
  const [paypal] = list.splice(at, 1, made)
  test.after(() => list.splice(at, 1, paypal!))
}

const app = await startApp()
const { services } = app
const account = await anAccount(app)
await connectPaypal(app, account, { clientId: 'AnyId', clientSecret: 'AnySecret' })

async function anApproved(amount = 30_00) {
  const partner = await aPaypalPayee(app, account)
  const { id } = await aPayout(app, account, partner, amount)
  expectOk(await app.api('POST', `/payouts/${id}/approve`, { token: account.token }))
  return { id, partner, show: () => getPayout(app, account, id) }
}
async function workOn(id: string) {
  for (let turn = 0; turn < 9; turn++) {
    const isDone = await advancePayout(services, id).then(
      (result) => result === 'done',
      (error: Error) => {
        if (!(error instanceof ProviderError)) throw error
      },
    )
    if (isDone) return
  }
}
const envelopeOf = (id: string) => [...porter.envelopes.values()].find((one) => one.id === id)!
const stateOf = async (one: Awaited<ReturnType<typeof anApproved>>) => (await one.show()).attempts.at(-1)!.transferId!

test('a new method pays, is looked at, and brings back, by its answers alone', async () => {
  const one = await anApproved()
  await workOn(one.id)
  assert.equal((await one.show()).status, 'processing')
  envelopeOf(await stateOf(one)).state = 'delivered'
  await workOn(one.id)
  assert.equal((await one.show()).status, 'paid')
  envelopeOf(await stateOf(one)).state = 'brought back'
  await workOn(one.id)
  assert.deepEqual([(await one.show()).status, (await getBalance(app, account, one.partner)).due], ['returned', 30_00])
  const two = await anApproved()
  await workOn(two.id)
  envelopeOf(await stateOf(two)).state = 'lost'
  await workOn(two.id)
  const lost = await two.show()
  assert.deepEqual([lost.status, lost.failureReason], ['failed', 'The envelope was lost.'])
})

test('its lost answers and dead workers make one payment each; what it kept in its memo is told again', async () => {
  for (const deaf of [1, 2, 3]) {
    const one = await anApproved()
    const before = porter.envelopes.size
    porter.isDeaf = deaf
    await workOn(one.id)
    assert.deepEqual(
      [(await one.show()).status, porter.envelopes.size],
      ['processing', before + 1],
      `deaf ${deaf} times`,
    )
  }
  for (const step of [
    'attempt-saved',
    'write-made',
    'write-saved',
    'hand-announced',
    'transfer-made',
    'transfer-saved',
  ]) {
    const one = await anApproved()
    const before = porter.envelopes.size
    const onStep = (at: string) => {
      if (at === step) throw new Error('the worker dies')
    }
    await assert.rejects(advancePayout(services, one.id, { onStep }), /dies/)
    await workOn(one.id)
    assert.deepEqual([(await one.show()).status, porter.envelopes.size], ['processing', before + 1], step)
  }
})

test('an approval that ends while its answer is unknown is looked for, and undone if there is nothing', async () => {
  const one = await anApproved()
  const onStep = (at: string) => {
    if (at === 'hand-announced') throw new Error('the worker dies')
  }
  await assert.rejects(advancePayout(services, one.id, { onStep }), /dies/)
  expectOk(
    await app.api('PUT', `/partners/${one.partner.id}`, {
      token: account.token,
      body: { state: 'suspended', reason: 'Asked' },
    }),
  )
  await workOn(one.id)
  assert.equal((await one.show()).status, 'open')
  account.token = (await signIn(app, account.ownerEmail)).token
  assert.deepEqual(await verifyLedger(services.db), [])
})
