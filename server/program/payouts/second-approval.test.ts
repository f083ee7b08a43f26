import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TeamRole } from '#contract/endpoint.ts'
import { LEFT_OUT } from '#contract/payment-files.ts'
import type { Payout } from '#contract/payouts.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
} from '../../../test/support/app.ts'
import { payoutsEveryMinute } from '../../../test/support/clock-runs.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { enableInvoicing, invoiceDetails } from '../../../test/support/invoices.ts'
import { aPayee, aPayout, bookDue, getBalance, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'
import { findSavedMail } from '../../../test/support/saved-mails.ts'
import { createInstalls } from '../../../test/support/wise-payouts.ts'
import { verifyLedger } from '../stats/verify.ts'

// The random lives of approvals leave out the words, the mails, the files, and automatic payouts.

const HOUR = 3_600_000
const clock = turnableClock('2026-11-26T09:00:00Z')
const app = await startApp({ clock, worker: true, config: { rateLimitFactor: 1000 } })
const { anInstall } = createInstalls(app)

type Person = { token: string; userId: string; email: string }

async function aMember(account: TestAccount, role: TeamRole, firstName: string): Promise<Person> {
  const email = anEmail(role)
  const body = { email, role, firstName, lastName: 'Reed' }
  const { body: invited } = expectOk(
    await app.api('POST', `/accounts/${account.id}/members`, { token: account.token, body }),
  )
  return { userId: invited.userId, email, ...(await acceptInvitation(app, invited.url)) }
}

const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
  status < 300 ? status : `${status} ${body.error!.reason}`
const settingsOf = ({ id }: TestAccount) => `/accounts/${id}/auto-payout-settings`
const change = (account: TestAccount, body: object, token = account.token) =>
  app.api('PUT', settingsOf(account), { token, body })
const read = async (account: TestAccount) =>
  expectOk(await app.api('GET', settingsOf(account), { token: account.token })).body
const approve = (id: string, token: string) => app.api('POST', `/payouts/${id}/approve`, { token, body: {} })
const show = async (id: string, token: string): Promise<Payout> =>
  expectOk(await app.api('GET', `/payouts/${id}`, { token })).body
const renew = async (account: TestAccount) => {
  account.token = (await signIn(app, account.ownerEmail)).token
}

test('two people need a ceiling and each other; what loosens them waits three days, is mailed, and may be withdrawn', async () => {
  const account = await anAccount(app)
  const missing = await change(account, { approvalsAboveCeiling: 2 })
  assert.equal(missing.status, 422)
  assert.deepEqual(missing.body.error.fields, { approvalsAboveCeiling: 'Enter Limit per Payout first' })
  assert.equal(
    reasonOf(await change(account, { maxPerPayout: 50_00, approvalsAboveCeiling: 2 })),
    '409 second_person_missing',
  )
  const maya = await aMember(account, 'finance', 'Maya')
  const sam = await aMember(account, 'manager', 'Sam')
  clock.advance(11 * 60_000)
  assert.equal(
    reasonOf(await change(account, { maxPerPayout: 50_00, approvalsAboveCeiling: 2 })),
    '403 loosening_payouts',
    'how many approve needs fresh proof',
  )
  await renew(account)
  const on = expectOk(await change(account, { maxPerPayout: 50_00, approvalsAboveCeiling: 2 })).body
  assert.deepEqual([on.maxPerPayout, on.approvalsAboveCeiling, on.pendingChange], [50_00, 2, null])
  for (const { token } of [maya, sam])
    assert.equal(reasonOf(await change(account, { approvalsAboveCeiling: 1 }, token)), '403 role_not_allowed')

  const raised = expectOk(await change(account, { maxPerPayout: 80_00 })).body
  const { inForceAt } = raised.pendingChange
  assert.equal(Math.round((Date.parse(inForceAt) - clock.now().getTime()) / HOUR), 72)
  assert.deepEqual(
    [raised.maxPerPayout, raised.approvalsAboveCeiling, raised.pendingChange],
    [50_00, 2, { maxPerPayout: 80_00, approvalsAboveCeiling: 2, inForceAt }],
  )
  for (const email of [account.ownerEmail, maya.email]) {
    const { text } = await findSavedMail(app, 'approvals-loosened', email)
    assert.match(text, /two people approve a payout only above \$80\.00, no longer above \$50\.00/)
  }
  // the rest of the settings leave it alone
  clock.advance(HOUR)
  await renew(account)
  assert.deepEqual(expectOk(await change(account, { maxPerRun: 500_00 })).body.pendingChange, raised.pendingChange)
  const withdrawn = expectOk(await change(account, { maxPerPayout: 50_00 })).body
  assert.deepEqual([withdrawn.maxPerPayout, withdrawn.pendingChange], [50_00, null])
  assert.equal(expectOk(await change(account, { maxPerPayout: 40_00 })).body.maxPerPayout, 40_00, 'lower at once')
  const cleared = expectOk(await change(account, { maxPerPayout: null })).body
  assert.deepEqual([cleared.maxPerPayout, cleared.pendingChange.approvalsAboveCeiling], [40_00, 1])
  clock.advance(72 * HOUR)
  await renew(account)
  const after = await read(account)
  assert.deepEqual([after.maxPerPayout, after.approvalsAboveCeiling, after.pendingChange], [null, 1, null])
})

/** An account where two people approve above $50: its owner, and Maya of finance. */
async function twoPeople(fields: Record<string, unknown> = {}) {
  const account = await anAccount(app, fields)
  const maya = await aMember(account, 'finance', 'Maya')
  expectOk(await change(account, { maxPerPayout: 50_00, approvalsAboveCeiling: 2 }))
  return { account, maya, partner: await aPayee(app, account) }
}

test('finance approves, and the owner approves second; the partner sees neither', async () => {
  const { account, maya, partner } = await twoPeople()
  const sam = await aMember(account, 'manager', 'Sam')
  const { id } = await aPayout(app, account, partner, 60_00)
  const messages = async () => (await show(id, account.token)).blockers.map(({ message }) => message)
  assert.ok((await messages()).includes('Needs a second approval'))
  const attention = async () =>
    expectOk(await app.api('GET', `/accounts/${account.id}/payouts/attention`, { token: account.token })).body.items
  assert.deepEqual(
    (await attention()).map(({ kind, message }: { kind: string; message: string }) => [kind, message]),
    [['second-approval', '1 payout needs a second approval']],
  )
  assert.equal(reasonOf(await approve(id, sam.token)), '403 role_not_allowed')
  const markPaid = (token: string) =>
    app.api('POST', `/payouts/${id}/mark-paid`, { token, body: { reference: 'Bank' } })
  assert.equal(reasonOf(await markPaid(account.token)), '409 second_person_needed')

  const first = expectOk(await approve(id, maya.token)).body
  assert.deepEqual([first.status, first.approvedBy], ['due', null])
  assert.deepEqual({ ...first.firstApproval, at: '' }, { userId: maya.userId, name: 'Maya Reed', at: '' })
  assert.ok((await messages()).includes('Approved by Maya Reed, needs one more'))
  assert.deepEqual(
    [reasonOf(await approve(id, maya.token)), reasonOf(await markPaid(maya.token))],
    ['409 second_person_needed', '409 second_person_needed'],
  )
  const seen = await show(id, partner.token)
  assert.deepEqual([seen.firstApproval, seen.blockers.map(({ code }) => code)], [null, ['payouts-not-configured']])
  const second = expectOk(await approve(id, account.token)).body
  assert.deepEqual([second.status, second.firstApproval.name], ['approved', 'Maya Reed'])
  assert.notEqual(second.approvedBy, 'Maya Reed')
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=payout.first-approval`, { token: account.token }),
  ).body
  assert.deepEqual(
    items.map(({ subject }: { subject: { id: string } }) => subject.id),
    [id],
  )
})

test('a first approval counts only for the VAT that it saw', async () => {
  const { account, maya, partner } = await twoPeople({ defaultCurrency: 'eur' })
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner, { vatId: null, taxNumber: '22/815/08154', smallBusiness: true })
  const { id, payAmount } = await aPayout(app, account, partner, 60_00)
  assert.equal(payAmount, 60_00)
  expectOk(await approve(id, maya.token))
  await invoiceDetails(app, partner)
  assert.equal((await show(id, account.token)).firstApproval, null)
  const markPaid = { token: account.token, body: { reference: 'Bank' } }
  assert.equal(reasonOf(await app.api('POST', `/payouts/${id}/mark-paid`, markPaid)), '409 second_person_needed')
  const first = expectOk(await approve(id, account.token)).body
  assert.deepEqual([first.status, first.payAmount, first.firstApproval.name], ['due', 71_40, 'Nora Wind'])
  const second = expectOk(await approve(id, maya.token)).body
  assert.deepEqual([second.status, second.payAmount], ['approved', 71_40])
})

test('whoever gets the right to pay while two people approve counts three days later', async () => {
  const { account, maya, partner } = await twoPeople()
  clock.advance(60_000)
  const puppet = await aMember(account, 'finance', 'Otto')
  const { id } = await aPayout(app, account, partner, 60_00)
  assert.equal(reasonOf(await approve(id, puppet.token)), '409 pay_too_new')
  expectOk(await approve(id, maya.token))
  assert.equal(reasonOf(await approve(id, puppet.token)), '409 pay_too_new')
  // a removed person's approval is void
  expectOk(await app.api('DELETE', `/accounts/${account.id}/members/${maya.userId}`, { token: account.token }))
  assert.equal((await show(id, account.token)).firstApproval, null)
  expectOk(await app.api('DELETE', `/accounts/${account.id}/members/${puppet.userId}`, { token: account.token }))
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payouts/attention`, { token: account.token }),
  ).body
  assert.equal(items[0].message, '1 payout needs another owner or person in finance to approve')
  assert.equal(expectOk(await approve(id, account.token)).body.status, 'due')
  const later = await aMember(account, 'finance', 'Ida')
  assert.equal(reasonOf(await approve(id, later.token)), '409 pay_too_new')
  clock.advance(72 * HOUR)
  const { token } = await signIn(app, later.email)
  assert.equal(expectOk(await approve(id, token)).body.status, 'approved')
})

test('a batch file takes what another person approved first, leaves the rest out and says so', async () => {
  const install = await anInstall()
  const { account, partner } = install
  const maya = await aMember(account, 'finance', 'Maya')
  expectOk(await change(account, { maxPerPayout: 50_00, approvalsAboveCeiling: 2 }))
  const batch = (token: string) => app.api('GET', `/accounts/${account.id}/payouts/csv?format=wise-batch`, { token })
  const { id } = await aPayout(app, account, partner, 60_00)
  assert.equal(reasonOf(await batch(account.token)), '409 second_person_needed')
  await aPayout(app, account, await aPayee(app, account), 10_00)
  expectOk(await approve(id, maya.token))
  const own = expectOk(await batch(maya.token))
  assert.deepEqual([readCsv(own.body).rows.length, own.headers.get(LEFT_OUT)], [1, '1'])
  const whole = expectOk(await batch(account.token))
  assert.deepEqual([readCsv(whole.body).rows.length, whole.headers.get(LEFT_OUT)], [1, null])
  assert.equal((await show(id, account.token)).method, 'csv')
})

test('automatic payouts leave what a person without the right to pay adjusted to a person', async () => {
  const install = await anInstall({}, { enabled: true })
  const { account, partner, services } = install
  const sam = await aMember(account, 'manager', 'Sam')
  const other = await aPayee(app, account)
  expectOk(
    await app.api('POST', `/partners/${partner.id}/adjustments`, {
      token: sam.token,
      body: { amount: 30_00, reason: 'Mine' },
    }),
  )
  await bookDue(app, account, other, 20_00)
  await requestRefresh(app, account)
  clock.advance(24 * HOUR)
  await payoutsEveryMinute(services)
  await renew(account)
  const [held] = await listPayouts(app, account, partner)
  const [paid] = await listPayouts(app, account, other)
  assert.deepEqual([held!.status, paid!.approvedAt === null], ['due', false])
  assert.deepEqual([held!.scheduledFor, held!.blockers.map(({ message }) => message)], [null, ['Adjusted by Sam Reed']])
  assert.deepEqual(
    (await getBalance(app, account, partner)).blockers.map(({ code }: { code: string }) => code),
    ['adjusted-by-hand'],
  )
  assert.equal(expectOk(await approve(held!.id, account.token)).body.status, 'approved')
})

test('automatic payouts leave earlier sales that such a person added or credited to a person', async () => {
  const { account, partner, services } = await anInstall({}, { enabled: true })
  const terms = { payoutDelay: 30, defaultCommissionSettings: { layerRates: [50] } }
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: terms }))
  const sam = await aMember(account, 'manager', 'Sam')
  const [other, third] = [await aPayee(app, account), await aPayee(app, account)]
  const add = async (token: string, partnerId: string | null, saleDate: string) => {
    const body = { email: anEmail(), ...(partnerId && { partnerId }) }
    const lead = expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token, body })).body
    expectOk(await app.api('POST', `/leads/${lead.id}/sales`, { token, body: { amount: 200_00, saleDate } }))
    return lead.id as string
  }
  await add(account.token, other.id, '2026-10-01')
  const lead = await add(account.token, null, '2026-10-01')
  const credit = { partnerId: partner.id, reason: 'Theirs', creditEarlierSales: true }
  expectOk(await app.api('POST', `/leads/${lead}/reassign`, { token: sam.token, body: credit }))
  await add(sam.token, third.id, '2026-10-01')
  await requestRefresh(app, account)
  clock.advance(24 * HOUR)
  await payoutsEveryMinute(services)
  await renew(account)
  const [paid] = await listPayouts(app, account, other)
  assert.notEqual(paid!.approvedAt, null)
  for (const one of [partner, third]) {
    const [held] = await listPayouts(app, account, one)
    assert.deepEqual([held!.status, held!.blockers.map(({ message }) => message)], ['due', ['Adjusted by Sam Reed']])
    assert.equal(expectOk(await approve(held!.id, account.token)).body.status, 'approved')
  }
})

test('an approval beside the change that asks for two people comes before it, or counts as the first', async () => {
  const account = await anAccount(app)
  await aMember(account, 'finance', 'Maya')
  for (let round = 0; round < 5; round++) {
    expectOk(await change(account, { maxPerPayout: 50_00 }))
    const { id } = await aPayout(app, account, await aPayee(app, account), 60_00)
    await Promise.all([approve(id, account.token), change(account, { approvalsAboveCeiling: 2 })])
    expectOk(await change(account, { approvalsAboveCeiling: 1 }))
    clock.advance(73 * HOUR)
    await renew(account)
  }
})

test('the ledger is as its sources say', async () => {
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
