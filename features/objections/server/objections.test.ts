import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedInvoice } from '#contract/invoices.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { markUnsure } from '#server/program/invoicing/series.ts'
import { markReturned } from '#server/program/payouts/apply-transfer.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, aPartner, expectOk, signIn, startApp, type TestAccount, turnableClock } from '#test/support/app.ts'
import { anInvoice, enableInvoicing, invoiceDetails, listInvoices } from '#test/support/invoices.ts'
import { readAccountFacts } from '#test/support/leads.ts'
import { sendAllMails, theMail } from '#test/support/mailed.ts'
import { aPayee, getBalance } from '#test/support/payouts.ts'

const DAY = 86_400_000
const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })

const post = (token: string, path: string, body: object = {}) => app.api('POST', path, { token, body })
const reasonOf = ({ status, body }: Awaited<ReturnType<typeof post>>) =>
  body.error ? `${status} ${body.error.reason}` : status
const openOf = async (account: TestAccount) => {
  const at = `/accounts/${account.id}`
  const { attention } = expectOk(await app.api('GET', `${at}/dashboard/2026-11-01..2026-11-30`, account)).body
  const { items } = expectOk(await app.api('GET', `${at}/invoices?objection=open`, account)).body
  const counted = attention.find(({ kind }: { kind: string }) => kind === 'open-objections')?.count ?? 0
  return [counted, items.map(({ number }: { number: string }) => number)]
}
/** Sessions end within days. */
async function signInAgain(account: TestAccount, ...partners: { email: string }[]) {
  Object.assign(account, await signIn(app, account.ownerEmail))
  for (const one of partners) Object.assign(one, await signIn(app, one.email))
}

const booksOf = async (account: TestAccount, partner: { id: string; token: string }) => [
  await getBalance(app, account, partner),
  await app.services.db.many`select * from payout_cash where account_id = ${account.id} order by turn`,
  await app.services.db.many`select * from commission_entries where account_id = ${account.id} order by id`,
  await app.services.db.many`select id, number, net, gross, snapshot from invoices where account_id = ${account.id}`,
]

test('a partner objects once within 30 days; owners are told, and the books stay as they are', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur', timeZone: 'Pacific/Auckland', name: 'Northwind' })
  const partner = await aPayee(app, account)
  const { id, issuedOn } = await anInvoice(app, account, partner)
  // midday in UTC is the next day in Auckland
  assert.equal(issuedOn, '2026-11-21')
  const at = `/invoices/${id}/objection`
  const before = await booksOf(account, partner)
  assert.deepEqual(await openOf(account), [0, []])
  assert.equal(reasonOf(await post(account.token, at, { reason: 'No' })), '403 role_not_allowed')
  const other = await aPartner(app, account, {}, { signIn: true })
  assert.equal((await post(other.token, at, { reason: 'No' })).status, 404)
  assert.equal((await post(partner.token, at, { reason: ' ' })).status, 422)
  assert.equal(reasonOf(await post(account.token, `${at}/close`)), '409 no_open_objection')

  clock.advance(2 * DAY)
  await signInAgain(account, partner)
  const objected = expectOk(await post(partner.token, at, { reason: 'The street is wrong.' })).body
  assert.match(objected.objectedAt, /^2026-11-22T12:/)
  assert.deepEqual([objected.objectionClosedAt, objected.creditedBy], [null, null])
  const [listed] = await listInvoices(app, account)
  assert.equal((listed as ListedInvoice).objection, 'The street is wrong.')
  assert.equal(reasonOf(await post(partner.token, at, { reason: 'Again' })), '409 objected_already')
  assert.deepEqual(await booksOf(account, partner), before)
  assert.deepEqual(await openOf(account), [1, ['INV-1']])
  const events = await app.services.db.many`
    select type from events where account_id = ${account.id} and subject_id = ${id} order by at`
  assert.deepEqual(events, [{ type: 'invoice.issued' }, { type: 'invoice.objected' }])
  await sendAllMails(app)
  const mail = await theMail(app, 'invoice-objected', account.ownerEmail)
  assert.match(mail.subject, /objects to invoice INV-1$/)
  for (const words of [/What was paid stays as it is/, /The street is wrong\./]) assert.match(mail.text, words)

  const closed = expectOk(await post(account.token, `${at}/close`)).body
  assert.ok(closed.objectionClosedAt)
  assert.equal(reasonOf(await post(account.token, `${at}/close`)), '409 no_open_objection')
  assert.deepEqual(await openOf(account), [0, []])
  assert.deepEqual(await booksOf(account, partner), before)
  const { db } = app.services
  for (const change of ["objection = 'Other'", 'objected_at = now()', 'objected_at = null, objection = null'])
    await assert.rejects(
      db.run([`update invoices set ${change} where id = '${id}'`] as never),
      /append-only|check constraint/,
      change,
    )
  assert.deepEqual(await verifyLedger(db), [])
})

test('an objection comes by the last day, to an invoice alone, and goes with its credit note', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur', timeZone: 'UTC' })
  const [jane, rose] = [await aPayee(app, account), await aPayee(app, account)]
  const first = await anInvoice(app, account, jane)
  const second = await anInvoice(app, account, rose)
  clock.set(`${new Date(Date.parse(first.issuedOn) + 30 * DAY).toISOString().slice(0, 10)}T23:59:59Z`)
  await signInAgain(account, jane, rose)
  expectOk(await post(jane.token, `/invoices/${first.id}/objection`, { reason: 'Wrong' }))
  clock.advance(1000)
  assert.equal(
    reasonOf(await post(rose.token, `/invoices/${second.id}/objection`, { reason: 'Wrong' })),
    '409 objection_too_late',
  )
  assert.deepEqual(await openOf(account), [1, [first.number]])
  const facts = await readAccountFacts(app.services.db, account.id)
  await transaction(app.services.db, (tx) =>
    markReturned(tx, facts, first.payoutId, { reason: 'Back', change: { old: 'paid', new: 'returned' } }),
  )
  assert.deepEqual(await openOf(account), [0, []])
  const note = (await listInvoices(app, account)).find(({ kind }) => kind === 'credit-note')!
  assert.equal(
    reasonOf(await post(jane.token, `/invoices/${note.id}/objection`, { reason: 'Wrong' })),
    '409 objection_impossible',
  )
})

test('an invoice that waited for its number can be objected to for 30 days from then on', async () => {
  clock.set('2027-03-01T12:00:00Z')
  const account = await anAccount(app, { defaultCurrency: 'eur', timeZone: 'Pacific/Auckland' })
  const [jane, rose] = [await aPayee(app, account), await aPayee(app, account)]
  await enableInvoicing(app, account)
  await transaction(app.services.db, (tx) => markUnsure(tx))
  const { id } = await anInvoice(app, account, jane)
  const second = await anInvoice(app, account, rose)
  assert.equal(
    reasonOf(await post(jane.token, `/invoices/${id}/objection`, { reason: 'Wrong' })),
    '409 objection_impossible',
  )
  clock.advance(40 * DAY)
  await signInAgain(account, jane, rose)
  await enableInvoicing(app, account, { nextNumber: 7, reason: 'As printed' })
  const [first] = await listInvoices(app, account)
  assert.deepEqual([first!.number, first!.issuedOn, first!.numberedOn], ['INV-7', '2027-03-02', '2027-04-11'])
  expectOk(await post(jane.token, `/invoices/${id}/objection`, { reason: 'Wrong' }))
  clock.advance(31 * DAY)
  await signInAgain(account, rose)
  assert.equal(
    reasonOf(await post(rose.token, `/invoices/${second.id}/objection`, { reason: 'Wrong' })),
    '409 objection_too_late',
  )
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('the agreement says so, and is agreed to again as a version of its own', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await anInvoice(app, account, partner)
  const before = 'I agree that Acme GmbH issues invoices for my commissions, and I will not issue my own.'
  await app.services.db.run`
    insert into invoice_details (account_id, partner_id, version, legal_name, address, country, vat_id, small_business,
      agreed_words, agreed_at)
    select account_id, partner_id, 2, legal_name, address, country, vat_id, small_business, ${before}, agreed_at
    from invoice_details where account_id = ${account.id}`
  const path = `/partners/${partner.id}/invoice-details`
  const { agreement, agreed, version } = expectOk(await app.api('GET', path, partner)).body
  assert.deepEqual(
    [agreement, agreed, version],
    [`${before} I accept each invoice unless I object within 30 days.`, false, 2],
  )
  const saved = await invoiceDetails(app, partner)
  assert.deepEqual([saved.version, saved.agreed], [3, true])
})
