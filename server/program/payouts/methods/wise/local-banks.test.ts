import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import {
  anAccount,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
} from '../../../../../test/support/app.ts'
import { placesWith } from '../../../../../test/support/canaries.ts'
import { readCsv } from '../../../../../test/support/csv.ts'
import { bankDetails, inBrazil } from '../../../../../test/support/payouts.ts'
import { createInstalls, workOn } from '../../../../../test/support/wise-payouts.ts'
import { verifyLedger } from '../../../stats/verify.ts'
import { advancePayout } from '../../process-payout.ts'

const logged: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
// a payee is approved for this year alone, and each of them waits three days
const app = await startApp({ log, clock: turnableClock('2026-06-01T12:00:00Z') })
const { anInstall, anApproved, show } = createInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>

const enter = async ({ partner, account }: Install, body: object) => {
  partner.token = (await signIn(app, partner.email)).token
  account.token = (await signIn(app, account.ownerEmail)).token
  const path = `/partners/${partner.id}/payout-settings`
  return expectOk(await app.api('POST', path, { token: partner.token, body })).body
}
/** A payee in Brazil, who changed to it long enough ago. */
async function inReais(currency = 'usd') {
  const install = await anInstall(
    { rates: { 'USD-BRL': 5.4, 'EUR-BRL': 6 }, balance: { USD: 1000, EUR: 1000 } },
    {},
    currency,
  )
  await enter(install, inBrazil())
  app.clock.advance(73 * 3_600_000)
  await enterAgain(install)
  return install
}
const enterAgain = async ({ partner, account }: Install) => {
  partner.token = (await signIn(app, partner.email)).token
  account.token = (await signIn(app, account.ownerEmail)).token
}
const left = ({ wise }: Install) =>
  [...wise.transfers.values()].filter(({ status }) => !['incoming_payment_waiting', 'cancelled'].includes(status))

/** Lines of today's journal for money that left. */
async function bookedAsSent({ account }: { account: TestAccount }) {
  const today = app.clock.now().toISOString().slice(0, 10)
  const path = `/accounts/${account.id}/journal/${today}..${today}/csv?detail=entry`
  const { rows } = readCsv(expectOk(await app.api('GET', path, { token: account.token })).body)
  return rows
    .filter(({ Description }) => Description === 'Payouts sent')
    .map(({ Account, Debit, Credit }) => `${Account} ${Debit} ${Credit}`)
}

test('a payout goes to an account in Brazil: the amount is debited, and what arrives is told', async () => {
  const install = await inReais()
  const { wise, account, partner, services } = install
  const id = await anApproved(install)
  const approved = await show(install, id)
  assert.deepEqual(approved.destination, { kind: 'local-bank', country: 'BR', currency: 'brl', hint: '65-1' })
  assert.equal(approved.payee, null)
  await workOn(services, id)
  const [quote] = [...wise.quotes.values()].slice(-1)
  assert.deepEqual([quote!.sourceCurrency, quote!.targetCurrency, quote!.sourceAmount], ['USD', 'BRL', 125.5])
  const [recipient] = [...wise.recipients.values()]
  assert.deepEqual([recipient!.type, recipient!.currency, recipient!.accountHolderName], ['brazil', 'BRL', 'Ana Souza'])
  assert.deepEqual((recipient!.details as { address: object }).address, {
    ...{ country: 'BR', state: 'SP', city: 'São Paulo', firstLine: 'Rua Augusta 1', postCode: '01305-000' },
  })
  const [transfer] = left(install)
  wise.setState(transfer!.id, 'outgoing_payment_sent')
  await workOn(services, id)
  const payee = { amount: 672_79, currency: 'brl', rate: 5.4, fee: 91, feeCurrency: 'usd' }
  assert.equal(transfer!.targetValue, 672.79)
  assert.deepEqual((await show(install, id)).payee, payee)

  const theirs = expectOk(await app.api('GET', `/payouts/${id}`, { token: partner.token })).body
  assert.deepEqual([theirs.payee, theirs.destination.hint, theirs.attempts], [payee, '65-1', []])
  const accept = { headers: { accept: 'text/html' } }
  const statement = await app.api('GET', `/payouts/${id}/statement`, { token: partner.token, ...accept })
  assert.match(String(statement.body), /Received<\/dt><dd>R\$672\.79 at 5\.4, fee \$0\.91/)
  const csv = await app.api('GET', `/partners/${partner.id}/payouts/csv?columns=payeeAmount,payeeCurrency,payeeFee`, {
    token: account.token,
  })
  assert.match(String(csv.body), /"672\.79","brl","0\.91"/)
  const events = await services.db.many<{ data: { object: { destination: object } } }>`
    select data from told_events where subject_id = ${id} and type = 'payout.sent'`
  assert.deepEqual(events[0]!.data.object.destination, {
    kind: 'local-bank',
    country: 'BR',
    currency: 'brl',
    hint: null,
  })
  // the fee came out of the amount
  assert.deepEqual(await bookedAsSent(install), ['Commissions payable 125.50 ', 'Bank  125.50'])
  assert.deepEqual(await verifyLedger(services.db), [])
})

test('in the account’s own currency the payee gets the amount, and the partner does not read the fee', async () => {
  const install = await anInstall()
  const id = await anApproved(install)
  await workOn(install.services, id)
  install.wise.setState(left(install)[0]!.id, 'outgoing_payment_sent')
  await workOn(install.services, id)
  const { payee } = await show(install, id)
  assert.deepEqual(payee, { amount: 125_50, currency: 'usd', rate: 1, fee: 39, feeCurrency: 'usd' })
  const theirs = expectOk(await app.api('GET', `/payouts/${id}`, { token: install.partner.token })).body
  assert.deepEqual(theirs.payee, { ...payee, fee: null, feeCurrency: null })
  // the account pays it besides
  const sent = ['Commissions payable 125.50 ', 'Bank fees 0.39 ', 'Bank  125.89']
  assert.deepEqual(await bookedAsSent(install), sent)
  install.wise.setState(left(install)[0]!.id, 'funds_refunded')
  await workOn(install.services, id)
  assert.equal((await show(install, id)).status, 'returned')
  assert.deepEqual(await bookedAsSent(install), sent)
  assert.deepEqual(await verifyLedger(install.services.db), [])
})

const STEPS = [
  'attempt-saved',
  'quote-made',
  'quote-saved',
  'recipient-made',
  'recipient-saved',
  'transfer-announced',
  'transfer-made',
  'transfer-saved',
]
for (const [n, step] of STEPS.entries())
  test(`details of another kind at ${step}: nothing leaves to the former or the new ones by itself`, async () => {
    const install = await inReais()
    const { services } = install
    const id = await anApproved(install)
    let isChanged = false
    await advancePayout(services, id, {
      onStep: async (at) => {
        if (at !== step || isChanged) return
        isChanged = true
        await enter(install, n % 2 === 0 ? bankDetails() : inBrazil({ accountNumber: '5550001-2' }))
      },
    }).catch(() => undefined)
    assert.ok(isChanged)
    await workOn(services, id)
    assert.deepEqual(left(install), [])
    const now = await show(install, id)
    assert.ok(['due', 'open'].includes(now.status), now.status)
    assert.equal(now.destination?.kind, n % 2 === 0 ? 'us-bank' : 'local-bank')
    assert.ok(now.blockers.some(({ code }) => code === 'deposit-info-changed-recently'))
    assert.deepEqual(await verifyLedger(services.db), [])
  })

test('a recipient that Wise refuses rejects the details, in its words', async () => {
  const install = await inReais()
  const id = await anApproved(install)
  install.wise.tellForms(() => [])
  await workOn(install.services, id)
  const failed = await show(install, id)
  assert.deepEqual([failed.status, failed.failureReason], ['failed', 'Please choose a valid account type.'])
  install.wise.tellForms(null)
})

test('values of fields are nowhere but sealed, at the provider and masked', async () => {
  const install = await anInstall()
  const account = install.account
  const partner = await aPartner(app, account, { firstName: 'Bia', lastName: 'Lima' }, { signIn: true })
  const canaries = ['Zeferino Quaresma', '99887766554', '70601122-8', 'Travessa Cangalha', '04999-123']
  const [holder, cpf, number, street, code] = canaries as [string, string, string, string, string]
  const body = inBrazil({
    ...{ accountHolderName: holder, cpf, accountNumber: number },
    ...{ 'address.firstLine': street, 'address.postCode': code },
  })
  const at = (path: string) => `/partners/${partner.id}/${path}`
  const headers = { 'idempotency-key': 'canary-1' }
  const answers: { status: number; body: unknown }[] = []
  const send = async (method: string, path: string, token: string, more: object = {}) => {
    const { status, body } = await app.api(method, path, { token, ...more })
    answers.push({ status, body })
  }
  await send('POST', at('payout-form'), partner.token, { body, headers })
  install.wise.fail('POST *account-requirements', { status: 500 })
  await send('POST', at('payout-settings'), partner.token, { body })
  await send('POST', at('payout-settings'), partner.token, { body: { ...body, type: 'pix' } })
  await send('POST', at('payout-settings'), partner.token, { body, headers: { 'idempotency-key': 'canary-2' } })
  await send('POST', at('payout-settings'), partner.token, { body: { ...body, country: 'QQ' } })
  await send('GET', at('payout-settings'), partner.token)
  const approvedPayoutYears = [app.clock.now().getUTCFullYear()]
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { approvedPayoutYears } }))
  const id = await anApproved({ ...install, partner: partner as Install['partner'] })
  await workOn(install.services, id)
  await enter({ ...install, partner: partner as Install['partner'] }, bankDetails())
  for (const path of [
    at('payout-settings'),
    `/payouts/${id}`,
    `/accounts/${account.id}/audit?limit=100`,
    at('payouts'),
  ])
    await send('GET', path, account.token)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 503, 422, 200, 422, 200, 200, 200, 200, 200],
  )
  const words = canaries.map((word) => word.toLowerCase())
  assert.deepEqual(await placesWith(app, words), [])
  const leaked = [...logged, JSON.stringify(answers)].filter((line) =>
    words.some((word) => line.toLowerCase().includes(word)),
  )
  assert.deepEqual(leaked, [])
  assert.ok(logged.length > 10, 'something was logged')
})

test('an account without Wise has no form for it', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const saved = await app.api('POST', `/partners/${partner.id}/payout-settings`, {
    token: partner.token,
    body: inBrazil(),
  })
  assert.deepEqual([saved.status, saved.body.error.reason], [422, 'kind_not_offered'])
})
