import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Invoice, InvoiceDocument } from '#contract/invoices.ts'
import { anAccount, expectOk, signIn, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { brokenRules, readTerms } from '../../../test/support/e-invoices.ts'
import { anInvoice, enableInvoicing, hamburg, invoiceDetails, listInvoices } from '../../../test/support/invoices.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { sendAllMails, theMail } from '../../../test/support/mailed.ts'
import { aPayee, getBalance, getPayout } from '../../../test/support/payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { emptyInvoices } from '../invoicing/records.ts'
import { markUnsure } from '../invoicing/series.ts'
import { markReturned } from '../payouts/apply-transfer.ts'
import { verifyLedger } from '../stats/verify.ts'

const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })
const { db } = app.services

const moved = { ...hamburg, address: { ...hamburg.address, addressLine: 'Neue Straße 9' } }

const correct = (account: TestAccount, id: string, reason = 'They moved.') =>
  app.api('POST', `/invoices/${id}/correct`, { token: account.token, body: { reason } })
const refusalOf = async (account: TestAccount, id: string) => {
  const { status, body } = await correct(account, id)
  return `${status} ${body.error?.reason}`
}
const read = async (account: TestAccount, id: string): Promise<InvoiceDocument> =>
  expectOk(await app.api('GET', `/invoices/${id}`, { token: account.token, headers: { accept: 'application/json' } }))
    .body
const short = (invoices: Invoice[]) =>
  invoices.map(({ number, kind, net, tax, correctedBy }) => [number, kind, net, tax, correctedBy].join(' '))
const booksOf = async (account: TestAccount, partner: { id: string; token: string }) => [
  await getBalance(app, account, partner),
  await db.many`select * from payout_cash where account_id = ${account.id} order by turn`,
  await db.many`select * from commission_entries where account_id = ${account.id} order by id`,
  expectOk(await app.api('GET', `/accounts/${account.id}/journal/2026-11-01..2026-12-31/csv`, { token: account.token }))
    .body,
]
const isBack = async (account: TestAccount, payoutId: string) => {
  const facts = await readAccountFacts(db, account.id)
  const change = { old: 'paid', new: 'returned' }
  await transaction(db, (tx) => markReturned(tx, facts, payoutId, { reason: 'Back', change }))
}

test('a wrong street: a credit note and a new invoice, and a later return credits the newest', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur', timeZone: 'Europe/Berlin' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account, { nextNumber: 118, reason: 'From before' })
  const first = await anInvoice(app, account, partner)
  assert.equal(first.number, 'INV-118')
  assert.equal(await refusalOf(account, first.id), '409 nothing_to_correct')
  await invoiceDetails(app, partner, moved)
  await enableInvoicing(app, account, { legalName: 'Acme SE' })
  const before = await booksOf(account, partner)
  await sendAllMails(app)
  clock.advance(86_400_000 / 2)
  Object.assign(account, await signIn(app, account.ownerEmail))

  const corrected = expectOk(await correct(account, first.id)).body
  assert.deepEqual([corrected.number, corrected.issuedOn], ['INV-120', '2026-11-21'])
  assert.deepEqual(short(await listInvoices(app, account)), [
    'INV-118 invoice 10000 1900 INV-120',
    'INV-119 credit-note 10000 1900 ',
    'INV-120 invoice 10000 1900 ',
  ])
  const [one, note] = await listInvoices(app, account)
  const [oldDocument, credit, document] = [
    await read(account, one!.id),
    await read(account, note!.id),
    await read(account, corrected.id),
  ]
  assert.equal(one!.creditedBy, note!.id)
  const { correctedBy: _, ...credited } = credit.credited!
  assert.deepEqual(credited, { id: first.id, number: 'INV-118', issuedOn: '2026-11-20' })
  assert.deepEqual(
    [credit.partner, credit.account, credit.lines],
    [oldDocument.partner, oldDocument.account, oldDocument.lines],
  )
  assert.deepEqual(
    [document.partner!.address.addressLine, document.account.legalName, document.payoutNumber],
    ['Neue Straße 9', 'Acme SE', first.payoutNumber],
  )
  assert.equal((await getPayout(app, account, first.payoutId)).invoiceNumber, 'INV-120')
  assert.deepEqual(await booksOf(account, partner), before)
  assert.deepEqual(await verifyLedger(db), [])
  const page = await fetch(`${app.url}/api/v1/invoices/${credit.id}`, {
    headers: { authorization: `Bearer ${account.token}`, accept: 'text/html' },
  })
  assert.match(await page.text(), /INV-120 replaces it with other details\./)
  const xml = await fetch(`${app.url}/api/v1/invoices/${credit.id}`, {
    headers: { authorization: `Bearer ${account.token}`, accept: 'application/xml' },
  })
  const terms = await readTerms(await xml.text())
  assert.deepEqual([brokenRules(terms), terms['BT-3'], terms['BT-25']], [[], ['261'], ['INV-118']])
  await sendAllMails(app)
  assert.match((await theMail(app, 'invoice-issued', partner.email)).text, /INV-119[\s\S]*INV-120/)
  const events = await db.many<{ type: string }>`
    select type from events where account_id = ${account.id} and subject_id = any(${[first.id, credit.id, corrected.id]}::uuid[])`
  assert.deepEqual(events.map(({ type }) => type).toSorted(), [
    'invoice.corrected',
    'invoice.credited',
    'invoice.issued',
    'invoice.issued',
  ])

  assert.equal(await refusalOf(account, first.id), '409 credited_already')
  assert.equal(await refusalOf(account, credit.id), '409 credit_note_stays')
  await isBack(account, first.payoutId)
  const last = (await listInvoices(app, account)).at(-1)!
  assert.deepEqual([last.number, last.credits], ['INV-121', corrected.id])
  assert.deepEqual((await read(account, last.id)).partner, document.partner)
  assert.equal(await refusalOf(account, corrected.id), '409 credited_already')
  assert.deepEqual(await verifyLedger(db), [])
})

test('a correction is refused if the VAT would change, no invoice can be issued, or its number is unsure', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  const { id } = await anInvoice(app, account, partner)
  await invoiceDetails(app, partner, { ...moved, country: 'FR', vatId: 'FR12345678901' })
  assert.equal(await refusalOf(account, id), '409 tax_would_change')
  await invoiceDetails(app, partner, { ...moved, vatId: null })
  assert.equal(await refusalOf(account, id), '409 correction_impossible')
  await invoiceDetails(app, partner, moved)
  await enableInvoicing(app, account, { vatRate: 7 })
  assert.equal(await refusalOf(account, id), '409 tax_would_change')
  await enableInvoicing(app, account, { enabled: false })
  await transaction(db, (tx) => markUnsure(tx))
  assert.equal(await refusalOf(account, id), '409 series_unsure')
  await enableInvoicing(app, account, { enabled: false, nextNumber: 2, reason: 'As it was' })
  assert.equal((await correct(account, id, '')).status, 422)
  assert.equal(
    (await app.api('POST', `/invoices/${id}/correct`, { token: partner.token, body: { reason: 'x' } })).status,
    403,
  )
  // an account that stopped still corrects
  expectOk(await correct(account, id))
  const [, , newest] = await listInvoices(app, account)
  await db.run`
    update invoice_details set legal_name = null, address = null, vat_id = null where partner_id = ${partner.id}`
  await transaction(db, (tx) => emptyInvoices(tx, account.id, partner.id))
  assert.equal(await refusalOf(account, newest!.id), '409 correction_impossible')
  assert.deepEqual(await verifyLedger(db), [])
})

test('of two corrections at once, one is refused', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  const { id } = await anInvoice(app, account, partner)
  await invoiceDetails(app, partner, moved)
  const answers = await Promise.all([refusalOf(account, id), refusalOf(account, id), refusalOf(account, id)])
  assert.deepEqual(answers.toSorted(), ['200 undefined', '409 credited_already', '409 credited_already'])
  assert.equal((await listInvoices(app, account)).length, 3)
  assert.deepEqual(await verifyLedger(db), [])
})
