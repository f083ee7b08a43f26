import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v5 } from 'uuid'
import { standInPaypal } from '../../../../../test/fakes/paypal.ts'
import type { Api, ProviderError, StepResult, TransferReading, TransferRequest } from '../method.ts'
import { batchName, foundAnswer } from './answers.ts'
import { paypal } from './method.ts'

const { nextStep, execute, page, profiles } = paypal.provider!
const DAY = 86_400_000
const clock = { now: Date.parse('2026-06-01T10:00:00Z') }

type StandIn = Awaited<ReturnType<typeof standInPaypal>>

async function aPaypal(payouts: Parameters<typeof standInPaypal>[0] = {}) {
  const standIn = await standInPaypal({ clock: () => new Date(clock.now), ...payouts })
  test.after(() => standIn.close())
  return standIn
}

/** The calls of one connection, as the core makes them. */
function apiOf({ url, credentials }: Pick<StandIn, 'url' | 'credentials'>, timeoutMs = 300): Api & { notes: object[] } {
  let kept: { access: string; until: number } | null = null
  const notes: object[] = []
  return {
    ...{ apiUrl: url, apiVersion: '', token: JSON.stringify(credentials), notes },
    access: {
      get: () => (kept && kept.until > clock.now ? kept.access : null),
      keep(access, seconds) {
        kept = { access, until: clock.now + seconds * 1000 }
      },
    },
    async send(address, request) {
      try {
        const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(timeoutMs) })
        return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
      } catch (error) {
        return { unreachable: (error as Error).name }
      }
    },
    note: (call) => void notes.push(call),
  }
}

const PAYOUT = '0198c2f0-0000-7000-8000-000000000001'
const about = (fields: Partial<TransferRequest> = {}): TransferRequest =>
  ({
    ...{ intent: 'pay', key: v5('1', PAYOUT), account: 'Ab-3_x9', number: 7, reference: 'PO-214', profileId: 'app' },
    ...{ amount: 125_50, currency: 'usd', memo: {}, mayExist: false, wasRefused: false },
    ...{ startedAt: new Date(clock.now), requestedAt: new Date(clock.now), now: new Date(clock.now) },
    details: { kind: 'paypal', email: 'pia@tern.example' },
    ...fields,
  }) as TransferRequest

/** Takes steps until an answer has a transfer, or there is none. */
async function pay(api: Api, request: TransferRequest): Promise<StepResult> {
  const answer = await execute(api, nextStep(request), request)
  if ('transferId' in answer || answer.result !== 'step-done') return answer
  return pay(api, { ...request, mayExist: true, memo: { ...request.memo, ...answer.memo } })
}
const outcomeOf = (result: StepResult) => ('standing' in result ? result.standing : result.result)
const readingOf = async (api: Api, request: TransferRequest) => (await pay(api, request)) as TransferReading

test('pays an address in a batch of its own, and counts what a read shows', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  const request = about()
  assert.deepEqual(nextStep(request), { name: 'pay', mayMoveMoney: true, needsDetails: true })
  const paid = await readingOf(api, request)
  assert.deepEqual(
    { ...paid, transferId: '' },
    {
      ...{
        standing: 'arrived',
        transferId: '',
        state: 'SUCCESS',
        wrong: null,
        notice: null,
        claimBy: null,
        ofDetails: false,
      },
      ...{ words: 'PayPal denied the payment.', fee: 25, payee: { amount: 125_50, currency: 'usd' } },
    },
  )
  const [query, ...others] = paypal.callsTo('POST /v1/payments/payouts')
  assert.deepEqual(others, [])
  assert.deepEqual(query!.body, {
    sender_batch_header: { sender_batch_id: 'trb-Ab-3_x9-7', email_subject: 'You have a payment' },
    items: [
      {
        ...{ recipient_type: 'EMAIL', amount: { value: '125.50', currency: 'USD' }, receiver: 'pia@tern.example' },
        ...{ note: 'PO-214', sender_item_id: request.key },
      },
    ],
  })
  assert.equal(query!.headers['paypal-request-id'], undefined)
  // one sign-in for all of it
  assert.equal(paypal.callsTo('POST /v1/oauth2/token').length, 1)
})

test('access is renewed a minute before its end, and once it was ended early', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  const signIns = () => paypal.callsTo('POST /v1/oauth2/token').length
  await pay(api, about())
  clock.now += (32_400 - 61) * 1000
  await pay(api, about({ number: 8 }))
  assert.equal(signIns(), 1)
  clock.now += 1000
  await pay(api, about({ number: 9 }))
  assert.equal(signIns(), 2)
  paypal.endAccess()
  assert.equal((await readingOf(api, about({ number: 10 }))).standing, 'arrived')
  assert.equal(signIns(), 3)
})

test('amounts are written with the decimals of their currency', async () => {
  const paypal = await aPaypal({ payouts: { balance: { JPY: 10_000 } } })
  assert.equal((await readingOf(apiOf(paypal), about({ amount: 1255, currency: 'jpy' }))).standing, 'arrived')
  const [batch] = paypal.payouts.batches.values()
  assert.equal(batch?.item.value, '1255')
})

test('each state of a payment has its meaning, and one that is new has none', async () => {
  const paypal = await aPaypal({ payouts: { autoProgress: false } })
  const api = apiOf(paypal)
  const first = await readingOf(api, about())
  assert.deepEqual([first.standing, first.state, first.notice], ['moving', 'PENDING', null])
  const look = () =>
    execute(api, { name: 'read' }, about({ memo: { transferId: first.transferId } })) as Promise<TransferReading>
  const meanings: [state: string, standing: TransferReading['standing'], notice: string | null][] = [
    ['ONHOLD', 'moving', 'PayPal is reviewing this payment.'],
    ['UNCLAIMED', 'sent', null],
    ['SUCCESS', 'arrived', null],
    ['RETURNED', 'back', null],
    ['REFUNDED', 'back', null],
    ['REVERSED', 'back', null],
    ['FAILED', 'refused', null],
    ['BLOCKED', 'refused', null],
    [
      'TELEPORTED',
      'other',
      'PayPal says TELEPORTED of this payment, which Tributary doesn’t know. Check it on paypal.com.',
    ],
  ]
  clock.now = Date.parse('2026-06-01T10:00:00Z')
  for (const [state, standing, notice] of meanings) {
    paypal.payouts.set(first.transferId, state)
    const read = await look()
    assert.deepEqual([read.standing, read.state, read.notice], [standing, state, notice])
  }
  paypal.payouts.set(first.transferId, 'UNCLAIMED', 'RECEIVER_UNREGISTERED')
  assert.deepEqual([(await look()).claimBy, (await look()).standing], ['2026-07-01', 'sent'])
})

test('a payment that fails says why; an error about the recipient rejects the address', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  const failing = async (error: string) => {
    paypal.payouts.refuses('pia@tern.example', error)
    const { standing, words, ofDetails } = await readingOf(api, about({ number: ++clock.now }))
    return [standing, words, ofDetails]
  }
  assert.deepEqual(await failing('RECEIVER_ACCOUNT_LOCKED'), ['refused', 'Receiver account locked.', true])
  assert.deepEqual(await failing('RISK_DECLINE'), ['refused', 'Risk decline.', false])
  assert.deepEqual(await failing('INSUFFICIENT_FUNDS'), ['short', 'Insufficient funds.', false])
  paypal.payouts.progress(false)
  const pending = await readingOf(api, about({ number: 3 }))
  const look = () => execute(api, { name: 'read' }, about({ memo: { transferId: pending.transferId }, number: 3 }))
  paypal.payouts.deny(pending.transferId, 'SPENDING_LIMIT_EXCEEDED')
  assert.equal(outcomeOf(await look()), 'refused')
  paypal.payouts.deny(pending.transferId, 'INSUFFICIENT_FUNDS')
  assert.equal(outcomeOf(await look()), 'short')
})

test('a refused request has made nothing, unless an earlier one may have', async () => {
  const paypal = await aPaypal({ payouts: { balance: { USD: 100 } } })
  const api = apiOf(paypal)
  assert.deepEqual(await pay(api, about()), {
    ...{ result: 'insufficient-funds', problem: 'balance', words: 'Sender does not have sufficient funds' },
  })
  const wrong = { details: { kind: 'paypal', email: 'nowhere' } } as Partial<TransferRequest>
  assert.deepEqual(await pay(api, about({ ...wrong, amount: 1_00 })), {
    ...{ result: 'refused', words: 'Receiver is invalid or does not match with type', ofDetails: true },
  })
  const again = await pay(api, about({ ...wrong, amount: 1_00, mayExist: true }))
  assert.equal(outcomeOf(again), 'undetermined')
  assert.deepEqual(await pay(api, about({ details: null })), {
    ...{ result: 'refused', words: 'The payout details can’t be read. Ask the partner to enter them again.' },
  })
  assert.equal(outcomeOf(await pay(api, about({ details: null, mayExist: true }))), 'undetermined')
  assert.equal(paypal.payouts.batches.size, 0)
})

test('a request is repeated until PayPal tells what became of it: one payment', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  for (const failure of [
    'reset-before',
    'reset-after',
    'hang-after',
    'garbage',
    { status: 500, after: true },
  ] as const) {
    const request = about({ number: ++clock.now, key: v5(String(clock.now), PAYOUT) })
    const before = paypal.payouts.batches.size
    paypal.fail('POST /v1/payments/payouts', failure)
    await assert.rejects(execute(api, nextStep(request), request), { name: 'PaypalError', kind: 'unknown' })
    paypal.payouts.looksAtFundsFirst(failure === 'garbage')
    const read = await readingOf(api, { ...request, mayExist: true })
    assert.equal(read.standing, 'arrived', String(failure))
    assert.equal(paypal.payouts.batches.size, before + 1)
  }
})

test('a batch id that another payment has was forgotten here: nothing is paid', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  await pay(api, about({ reference: 'PO-9' }))
  const before = paypal.payouts.batches.size
  const [made] = paypal.payouts.batches.values()
  const forgotten = {
    ...{ id: made!.id, paidFrom: 'app', recipientId: null, quoteId: null, paymentNumber: 7, reference: 'PO-9' },
    ...{ transactionId: v5('1', PAYOUT), amount: 125_50, state: 'SUCCESS', standing: 'arrived' },
    madeAt: new Date(Math.floor(clock.now / 1000) * 1000).toISOString(),
  }
  const others: Partial<TransferRequest>[] = [
    { key: v5('2', PAYOUT) },
    { amount: 125_51 },
    { details: { kind: 'paypal', email: 'other@tern.example' } } as Partial<TransferRequest>,
  ]
  for (const other of others) assert.deepEqual(await pay(api, about(other)), { result: 'number-taken', by: forgotten })
  // its own forgotten payment, whatever the letters of the address
  const own = await readingOf(
    api,
    about({ details: { kind: 'paypal', email: 'Pia@Tern.example' } } as Partial<TransferRequest>),
  )
  assert.deepEqual([own.standing, own.transferId], ['arrived', made!.id])
  assert.equal(paypal.payouts.batches.size, before)
  // after thirty days PayPal has forgotten the batch id
  clock.now += 30 * DAY
  await pay(api, about({ key: v5('2', PAYOUT) }))
  assert.equal(paypal.payouts.batches.size, before + 1)
})

test('a batch with our id is ours once its payment is listed with our key, amount and address', () => {
  const request = about()
  const payment = {
    ...{ status: 'SUCCESS', senderItemId: request.key, receiver: 'pia@tern.example', note: 'PO-9', fee: null },
    ...{ amount: 125_50, currency: 'usd', processedAt: null, error: null },
  }
  const batch = {
    id: 'B1',
    status: 'SUCCESS',
    senderBatchId: batchName(request),
    createdAt: null,
    error: null,
    payment,
  }
  assert.equal(outcomeOf(foundAnswer(batch, request)), 'arrived')
  for (const lacking of [{ senderItemId: null }, { amount: null }, { currency: null }, { receiver: null }])
    assert.equal(
      outcomeOf(foundAnswer({ ...batch, payment: { ...payment, ...lacking } }, request)),
      'number-taken',
      JSON.stringify(lacking),
    )
  const unlisted = { ...batch, status: 'PROCESSING', payment: null }
  assert.throws(() => foundAnswer(unlisted, request), { name: 'PaypalError', kind: 'unknown' })
  assert.equal(outcomeOf(foundAnswer({ ...unlisted, status: 'DENIED' }, request)), 'refused')
})

test('a refusal without a link leaves it to a person, and so does an approval that has ended', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  await pay(api, about())
  paypal.payouts.hideLinks()
  const answer = await pay(api, about({ mayExist: true }))
  assert.equal(outcomeOf(answer), 'undetermined')
  assert.match((answer as { words: string }).words, /already has a batch trb-Ab-3_x9-7/)
  // only refused before, as PayPal may remember: surely there is nothing
  assert.deepEqual(await pay(api, about({ wasRefused: true })), { result: 'no-payment' })
  const calls = paypal.calls.length
  const stopped = about({ intent: 'stop', mayExist: true })
  assert.deepEqual(await execute(api, nextStep(stopped), stopped), {
    result: 'undetermined',
    words: 'It isn’t known whether PayPal took this payment. Look for trb-Ab-3_x9-7 on paypal.com.',
  })
  assert.equal(paypal.calls.length, calls)
})

test('a link is read for its id alone: it is never followed', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  const link = [{ href: 'http://127.0.0.1:1/v1/payments/payouts/../../secret', rel: 'self' }]
  const details = [{ field: 'SENDER_BATCH_ID', issue: 'Batch with given sender_batch_id already exists', link }]
  paypal.fail('POST /v1/payments/payouts', { status: 400, body: { name: 'USER_BUSINESS_ERROR', details } })
  assert.equal(outcomeOf(await pay(api, about())), 'undetermined')
})

test('another’s payment counts for nothing, though its id is known', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  const other = await readingOf(api, about({ key: v5('2', PAYOUT) }))
  const read = (await execute(
    api,
    { name: 'read' },
    about({ memo: { transferId: other.transferId } }),
  )) as TransferReading
  assert.deepEqual([read.standing, read.wrong], ['other', 'PayPal shows another payment.'])
})

test('refused access and a payment of another PayPal account are told apart', async () => {
  const paypal = await aPaypal()
  const fails = (call: Promise<unknown>, kind: string) =>
    assert.rejects(call, (error: ProviderError) => {
      assert.equal(error.kind, kind)
      return true
    })
  const strange = apiOf({ url: paypal.url, credentials: { ...paypal.credentials, clientSecret: 'EOther' } })
  await fails(profiles(strange), 'unauthorized')
  const api = apiOf(paypal)
  paypal.forbid('/v1/payments/payouts')
  await fails(pay(api, about()), 'forbidden')
  paypal.allow('/v1/payments/payouts')
  const look = (now: number) =>
    execute(api, { name: 'read' }, about({ memo: { transferId: 'UNKNOWN1' }, now: new Date(now) }))
  await fails(look(clock.now), 'unknown')
  await fails(look(clock.now + 600_000), 'withheld')
  paypal.fail('*payouts', { status: 429, retryAfter: 7 })
  await assert.rejects(pay(api, about()), { kind: 'unknown', retryAfter: 7 })
  // PayPal's support finds a call by its id; neither secrets nor addresses are noted
  assert.ok(!JSON.stringify([...api.notes, ...strange.notes]).includes('tern.example'))
  const [profile] = await profiles(api)
  assert.match(profile!.id, /^[0-9a-f]{16}$/)
})

test('payments that are known by their id are read; those of another account are left out', async () => {
  const paypal = await aPaypal()
  const api = apiOf(paypal)
  const one = await readingOf(api, about())
  const query = { since: new Date(0), offset: 0, currency: 'usd', known: [one.transferId, 'UNKNOWN1'] }
  const { transfers, next: more } = await page(api, 'app', query)
  assert.deepEqual([transfers.map(({ id, paymentNumber }) => [id, paymentNumber]), more], [[[one.transferId, 7]], null])
})
