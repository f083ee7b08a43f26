import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Invoice, InvoiceDocument } from '#contract/invoices.ts'
import { fakeWise } from '../../../test/fakes/wise.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { brokenRules, readTerms } from '../../../test/support/e-invoices.ts'
import { acme, enableInvoicing, hamburg, invoiceDetails, listInvoices } from '../../../test/support/invoices.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { MARKED, markedCatalogues, readableText, unmarkedWords } from '../../../test/support/marked-language.ts'
import { aPayee, aPayout, connectWise, getBalance, getPayout } from '../../../test/support/payouts.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import { transaction } from '../../platform/database/pool.ts'
import { partsOfLanguages, speakLanguages } from '../../platform/languages.ts'
import { markUnsure } from '../invoicing/series.ts'
import { markReturned } from '../payouts/apply-transfer.ts'
import { advancePayout } from '../payouts/process-payout.ts'
import { renderPage } from '../payouts/statement/page.ts'
import { verifyLedger } from '../stats/verify.ts'
import { noEntries, printedInvoice } from './document.ts'
import { pickPaper } from './wording.ts'

const wise = await fakeWise()
test.after(() => wise.close())
const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock, config: { wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: '' } } })

const paris = { ...hamburg, country: 'FR', vatId: 'FR12345678901' }

const call = (account: { token: string }, method: string, path: string, body?: unknown) =>
  app.api(method, path, { token: account.token, body })
const pay = async (account: TestAccount, id: string, body: Record<string, unknown> = {}) =>
  expectOk(await call(account, 'POST', `/payouts/${id}/mark-paid`, { reference: 'Wire', ...body })).body
const isBack = async (account: TestAccount, id: string) => {
  const facts = await readAccountFacts(app.services.db, account.id)
  const change = { old: 'paid', new: 'returned' }
  await transaction(app.services.db, (tx) => markReturned(tx, facts, id, { reason: 'The bank returned it.', change }))
}
const journal = async (account: TestAccount, detail = 'day') => {
  const { body } = expectOk(
    await call(account, 'GET', `/accounts/${account.id}/journal/2026-11-20..2026-11-20/csv?detail=${detail}`),
  )
  return readCsv(body).rows.map((row) => [row.JournalNo, row.Account, row.Debit, row.Credit].join(' '))
}
const short = (invoices: Invoice[]) =>
  invoices.map(({ number, kind, net, tax, gross, treatment }) => [number, kind, net, tax, gross, treatment].join(' '))
const sound = async () => assert.deepEqual(await verifyLedger(app.services.db), [])

test('an account in euros pays VAT beside the amount, and a return takes the invoice back', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur', timeZone: 'Europe/Berlin' })
  const [jane, rose] = [await aPayee(app, account), await aPayee(app, account)]
  await enableInvoicing(app, account, { prefix: 'INV-' })
  assert.deepEqual((await invoiceDetails(app, jane)).treatment, 'standard')
  assert.deepEqual((await invoiceDetails(app, rose, paris)).treatment, 'reverse-charge')
  const due = await aPayout(app, account, jane, 100_00)
  assert.deepEqual([due.amount, due.taxAmount, due.payAmount, due.invoiceNumber], [100_00, 19_00, 119_00, null])
  assert.equal((await call(account, 'POST', `/payouts/${due.id}/approve`, { payAmount: 100_00 })).status, 409)
  expectOk(await call(account, 'POST', `/payouts/${due.id}/approve`, { payAmount: 119_00 }))
  assert.deepEqual(await listInvoices(app, account), [])
  const paid = await pay(account, due.id)
  assert.deepEqual([paid.amount, paid.payAmount, paid.invoiceNumber], [100_00, 119_00, 'INV-1'])
  assert.deepEqual((await journal(account)).slice(2), [
    '20261120-out Commissions payable 100.00 ',
    '20261120-out Input VAT 19.00 ',
    '20261120-out Bank  119.00',
  ])
  const { due: owed, paid: settled } = await getBalance(app, account, jane)
  assert.deepEqual([owed, settled], [0, 100_00])

  await isBack(account, due.id)
  assert.equal((await getPayout(app, account, due.id)).invoiceNumber, null)
  assert.deepEqual((await journal(account)).slice(5), [
    '20261120-back Bank 119.00 ',
    '20261120-back Commissions payable  100.00',
    '20261120-back Input VAT  19.00',
  ])
  assert.equal((await getBalance(app, account, jane)).due, 100_00)
  const second = await aPayout(app, account, rose, 100_00)
  await pay(account, second.id, { payAmount: 100_00 })
  const documents = await listInvoices(app, account)
  assert.deepEqual(short(documents), [
    'INV-1 invoice 10000 1900 11900 standard',
    'INV-2 credit-note 10000 1900 11900 standard',
    'INV-3 invoice 10000 0 10000 reverse-charge',
  ])
  assert.deepEqual([documents[0]!.creditedBy, documents[1]!.credits], [documents[1]!.id, documents[0]!.id])
  await sound()
})

/** Corrects words of documents as files of the install do. Returns what restores the former words. */
const correctWords = (words: Record<string, Record<string, string>>) =>
  speakLanguages({
    own: new Map(Object.entries(words).map(([language, paper]) => [language, { 'invoice-paper': paper }])),
    parts: partsOfLanguages(),
    faults: [],
  })

test('an invoice stays in the language of its day, with the words of the law in that one, in English and in the seller’s', async (t) => {
  const account = await anAccount(app, { defaultCurrency: 'eur', name: 'Acme' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner, paris)
  const speak = async (language: string) =>
    expectOk(await call(account, 'PATCH', `/accounts/${account.id}`, { language }))
  const documentIn = async (id: string, accept: string) => {
    const headers = { authorization: `Bearer ${account.token}`, accept, 'accept-language': 'nl' }
    const answer = await fetch(`${app.url}/api/v1/invoices/${id}`, { headers })
    return { language: answer.headers.get('content-language'), bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const textOf = ({ bytes }: { bytes: Buffer }) =>
    bytes
      .toString()
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
  await speak('de')
  const due = await aPayout(app, account, partner, 1234_50)
  await pay(account, due.id, { payAmount: 1234_50 })
  const { id, number } = (await listInvoices(app, account))[0]!
  const forms = ['text/html', 'application/pdf', 'application/json', 'application/xml']
  const readAll = () => Promise.all(forms.map(async (accept) => (await documentIn(id, accept)).bytes))
  const page = await documentIn(id, 'text/html')
  assert.equal(page.language, 'de')
  for (const words of [
    `Gutschrift ${number} Self-billing invoice. Autofacturation. Ausgestellt vom Leistungsempfänger`,
    'Datum 20.11.2026',
    'Frankreich',
    'Anpassungen 1 Buchung 1.234,50 €',
    'USt 0 % 0,00 €',
    'Steuerschuldnerschaft des Leistungsempfängers (Art. 44 und 196 der Richtlinie 2006/112/EG)',
    'Richtlinie 2006/112/EG) Autoliquidation Reverse charge (Art. 44 and 196 of Directive 2006/112/EC)',
  ])
    assert.ok(textOf(page).includes(words), `${words} in ${textOf(page)}`)
  const [, pdf, json, xml] = await readAll()
  assert.ok(pdf!.includes('/Lang (de)'))
  assert.doesNotMatch(`${json}${xml}`, /Gutschrift|Steuerschuldnerschaft/)
  const issued = (await readAll()).slice(0, 2)
  await speak('fr')
  assert.deepEqual((await readAll()).slice(0, 2), issued)
  t.after(correctWords({ de: { net: 'Nettobetrag' }, fr: { credits: 'Annule la facture' } }))
  assert.deepEqual((await readAll()).slice(0, 2), issued)
  // an invoice of the release before, and its credit note of this one
  await transaction(asDatabaseOwner(app.services.db), async (tx) => {
    await tx.run`set local session_replication_role = replica`
    await tx.run`update invoices set snapshot = snapshot || '{"form": 2}' where id = ${id}`
  })
  await isBack(account, due.id)
  const note = (await listInvoices(app, account)).find(({ kind }) => kind === 'credit-note')!
  const back = await documentIn(note.id, 'text/html')
  assert.equal(back.language, 'fr')
  assert.match(textOf(back), /Annule la facture/)
  correctWords({ fr: { credits: 'Autre mot' } })
  assert.deepEqual(await documentIn(note.id, 'text/html'), back)
  assert.match(textOf(back), /Avoir \(autofacturation\).*Self-billing credit note\. Autofacturation\./)
  await sound()
})

test('no English word is left on an invoice or credit note in another language but those of the law', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur', name: 'Acme' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner, paris)
  const due = await aPayout(app, account, partner, 1234_50)
  await pay(account, due.id, { payAmount: 1234_50 })
  await isBack(account, due.id)
  const documents = await listInvoices(app, account)
  assert.deepEqual(documents.map(({ kind }) => kind).toSorted(), ['credit-note', 'invoice'])
  const wording = pickPaper(await markedCatalogues())
  for (const { id } of documents) {
    const document = expectOk(
      await app.api('GET', `/invoices/${id}`, { token: account.token, headers: { accept: 'application/json' } }),
    ).body as InvoiceDocument
    const printed = printedInvoice(document, { form: 3, language: MARKED, wording })
    const page = (await Array.fromAsync(renderPage(printed, noEntries()))).join('')
    const { account: buyer, partner: seller } = document
    const typed = [buyer, buyer.address, seller!, seller!.address].flatMap((one) => Object.values(one))
    const data = [...typed, document.number, document.credited?.number, document.payoutNumber, document.words]
      .filter((one): one is string => typeof one === 'string' && one !== '')
      .toSorted((one, other) => other.length - one.length)
    const law = /Self-billing (invoice|credit note)\.|Autofacturation\.|Autoliquidation|EUR|UTC|width=device-width/g
    const rest = data.reduce((rest, one) => rest.replaceAll(one, ' '), readableText(page))
    assert.deepEqual(unmarkedWords(rest.replace(law, ' ')), [], document.kind)
  }
})

test('a document is JSON, a page or a PDF, and stays as it was issued', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur', name: 'Acme' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account, { prefix: 'A/2026-' })
  await invoiceDetails(app, partner, { ...paris, legalName: '<b>Café & Söhne</b>' })
  const { id } = await aPayout(app, account, partner, 100_00)
  await pay(account, id)
  await isBack(account, id)
  await enableInvoicing(app, account, { legalName: 'Other GmbH' })
  await invoiceDetails(app, partner, { ...paris, legalName: 'Renamed' })
  const [invoice, note] = await listInvoices(app, account)
  const ask = (one: Invoice, accept: string, token = account.token) =>
    fetch(`${app.url}/api/v1/invoices/${one.id}`, { headers: { authorization: `Bearer ${token}`, accept } })
  const json = await (await ask(invoice!, 'application/json', partner.token)).json()
  assert.deepEqual(json, {
    ...invoice,
    account: {
      ...{ legalName: acme.legalName, address: acme.address, country: 'DE', vatId: acme.vatId },
      ...{ companyNumber: null, peppolId: '9930:DE136695976' },
    },
    partner: {
      ...{ legalName: '<b>Café & Söhne</b>', address: hamburg.address, country: 'FR', vatId: paris.vatId },
      ...{ taxNumber: null, companyNumber: '345678901', peppolId: '0225:345678901' },
    },
    ...{ periodStart: '2026-11-20', periodEnd: '2026-11-20', credited: null },
    lines: [{ kind: 'adjustment', count: 1, amount: 100_00 }],
    words: 'Reverse charge (Art. 44 and 196 of Directive 2006/112/EC)',
  })
  const page = await ask(invoice!, 'text/html')
  assert.match(page.headers.get('content-disposition')!, /A-2026-1\.html/)
  const html = await page.text()
  for (const words of [
    'Self-billing invoice A/2026-1',
    '&lt;b&gt;Café &amp; Söhne&lt;/b&gt;',
    'DE136695976',
    'PO-1',
    '€100.00',
    'France',
  ])
    assert.ok(html.includes(words), `${words} in ${html}`)
  const pdf = await getDocumentProxy(new Uint8Array(await (await ask(note!, 'application/pdf')).arrayBuffer()))
  const text = (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, ' ')
  for (const words of [
    'Self-billing credit note A/2026-2',
    'A/2026-1, Nov 20, 2026',
    'Reverse charge (Art. 44',
    'VAT 0%',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)
  assert.equal((await ask(invoice!, 'image/png')).status, 406)
  const xml = await ask(note!, 'application/xml', partner.token)
  assert.match(xml.headers.get('content-disposition')!, /A-2026-2\.xml/)
  const terms = await readTerms(await xml.text())
  assert.deepEqual(brokenRules(terms), [])
  assert.deepEqual([terms['BT-1'], terms['BT-25'], terms['BT-30']], [['A/2026-2'], ['A/2026-1'], ['345678901']])
  const other = await aPartner(app, account, {}, { signIn: true })
  assert.equal((await ask(invoice!, 'application/json', other.token)).status, 404)

  const { db } = app.services
  for (const change of [
    'net = net + 1',
    'snapshot = snapshot || \'{"words": null}\'',
    'number = 7',
    "issued_on = '2020-01-01'",
  ])
    await assert.rejects(
      db.run([`update invoices set ${change} where id = '${invoice!.id}'`] as never),
      /append-only/,
      change,
    )
  await assert.rejects(db.run`delete from invoices where id = ${invoice!.id}`, /append-only/)
  await assert.rejects(
    db.run`update invoice_details set legal_name = 'X' where account_id = ${account.id}`,
    /append-only/,
  )
})

test('by Wise, the transfer is of the amount with VAT; back and forth issues nothing twice', async () => {
  const account = await anAccount(app, { defaultCurrency: 'usd' })
  const partner = await aPayee(app, account)
  await connectWise(app, account, wise)
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner)
  const { id } = await aPayout(app, account, partner, 50_00)
  expectOk(await call(account, 'POST', `/payouts/${id}/approve`))
  await advancePayout(app.services, id)
  const { attempts } = await getPayout(app, account, id)
  const transfer = Number(attempts[0]!.wiseTransferId)
  const amounts = await app.services.db.one`select amount from payout_attempts where payout_id = ${id}`
  assert.deepEqual(amounts, { amount: 59_50 })
  for (const state of [
    'outgoing_payment_sent',
    'processing',
    'outgoing_payment_sent',
    'bounced_back',
    'outgoing_payment_sent',
  ] as const) {
    wise.setState(transfer, state)
    await advancePayout(app.services, id)
    assert.deepEqual(short(await listInvoices(app, account)), ['INV-1 invoice 5000 950 5950 standard'], state)
  }
  wise.setState(transfer, 'funds_refunded')
  await advancePayout(app.services, id)
  assert.equal((await getPayout(app, account, id)).status, 'returned')
  assert.deepEqual(short(await listInvoices(app, account)).slice(1), ['INV-2 credit-note 5000 950 5950 standard'])
  await sound()
})

test('after a restore payouts go on, and their documents wait for the next number', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const [jane, rose] = [await aPayee(app, account), await aPayee(app, account)]
  await enableInvoicing(app, account)
  for (const partner of [jane, rose]) await invoiceDetails(app, partner)
  await pay(account, (await aPayout(app, account, jane, 10_00)).id)
  await transaction(app.services.db, (tx) => markUnsure(tx))
  const unsure = await app.services.db.many`
    select data ->> 'since' as since from passing_events where account_id = ${account.id} and type = 'invoices.unsure'`
  assert.equal(unsure.length, 1)
  clock.advance(60_000)
  const second = await aPayout(app, account, rose, 20_00)
  assert.equal((await pay(account, second.id)).invoiceNumber, null)
  await isBack(account, second.id)
  await pay(account, (await aPayout(app, account, jane, 30_00)).id)
  const waiting = (await listInvoices(app, account)).filter(({ number }) => number === null)
  assert.equal(waiting.length, 3)
  const { status, body } = await app.api('GET', `/invoices/${waiting[0]!.id}`, { token: account.token })
  assert.deepEqual([status, body.error.reason], [409, 'series_unsure'])
  await sound()

  const settings = `/accounts/${account.id}/invoicing`
  const enter = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await call(account, 'PUT', settings, body)
    return answer.error ? `${status} ${answer.error.reason}` : `${status} ${answer.nextNumber} ${answer.unsure}`
  }
  assert.equal(await enter({ nextNumber: 7 }), '422 number_without_reason')
  assert.equal(await enter({ nextNumber: 1, reason: 'x' }), '409 number_goes_up_only')
  assert.equal(await enter({ nextNumber: 7, reason: 'INV-6 was mailed', prefix: 'R-' }), '200 10 false')
  assert.deepEqual(short(await listInvoices(app, account)), [
    'INV-1 invoice 1000 190 1190 standard',
    'R-7 invoice 2000 380 2380 standard',
    'R-8 credit-note 2000 380 2380 standard',
    'R-9 invoice 3000 570 3570 standard',
  ])
  const { jumps } = expectOk(await call(account, 'GET', `/accounts/${account.id}/invoices`)).body
  assert.deepEqual(
    jumps.map(({ from, to, reason }: { from: number; to: number; reason: string }) => [from, to, reason]),
    [[2, 6, 'INV-6 was mailed']],
  )
  await sound()
})

test('no prefix lets a number be issued again', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await invoiceDetails(app, partner)
  const issued = async (prefix: string, nextNumber?: number) => {
    await enableInvoicing(app, account, { prefix, ...(nextNumber && { nextNumber, reason: 'Skipped' }) })
    return (await pay(account, (await aPayout(app, account, partner, 10_00)).id)).invoiceNumber
  }
  assert.deepEqual([await issued('INV-2026'), await issued('INV-2026')], ['INV-20261', 'INV-20262'])
  const refused = await call(account, 'PUT', `/accounts/${account.id}/invoicing`, { prefix: 'INV-' })
  const message = 'With this prefix, INV-20261 would be issued again. Use another one'
  assert.deepEqual([refused.status, refused.body.error.fields], [422, { prefix: message }])
  assert.equal(await issued('INV-2026-'), 'INV-2026-3')
  assert.equal(await issued('INV-', 20_263), 'INV-20263')
  assert.equal(await issued('INV-2026'), 'INV-202620264')
  await sound()
})

test('without invoice details payouts wait if they are required, else they go without an invoice', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  const without = await aPayout(app, account, partner, 10_00)
  const paid = await pay(account, without.id)
  assert.deepEqual([paid.taxAmount, paid.invoiceNumber], [0, null])
  await enableInvoicing(app, account, { required: true })
  const open = await aPayout(app, account, partner, 10_00)
  assert.deepEqual([open.status, open.blockers.at(-1)!.code], ['open', 'invoice-details-missing'])
  assert.equal((await call(account, 'POST', `/payouts/${open.id}/approve`)).body.error.code, 'payout_blocked')
  const refused = await call(account, 'POST', `/payouts/${open.id}/mark-paid`, { reference: 'Wire' })
  assert.equal(refused.body.error.code, 'payout_blocked')
  const wrong = await call(partner, 'PUT', `/partners/${partner.id}/invoice-details`, { ...hamburg, vatId: 'FR1' })
  assert.deepEqual([wrong.status, wrong.body.error.fields.vatId], [422, 'This isn’t a VAT ID of this country'])
  assert.equal(
    (await call(partner, 'PUT', `/partners/${partner.id}/invoice-details`, { ...hamburg, agreed: false })).status,
    422,
  )
  const none = await invoiceDetails(app, partner, { vatId: null })
  assert.deepEqual([none.version, none.treatment, none.words], [1, null, 'No VAT ID or tax number'])
  assert.equal((await pay(account, open.id)).invoiceNumber, null)
  assert.deepEqual(await invoiceDetails(app, partner, { vatId: null }), none, 'the same again')
  assert.equal((await invoiceDetails(app, partner)).version, 2)
  assert.equal((await pay(account, (await aPayout(app, account, partner, 10_00)).id)).invoiceNumber, 'INV-1')
  await sound()
})

test('an agreement with the account under another name is a version of its own', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  assert.equal((await invoiceDetails(app, partner)).version, 1)
  await enableInvoicing(app, account, { legalName: 'Other GmbH' })
  assert.equal((await invoiceDetails(app, partner)).version, 2)
  assert.equal((await invoiceDetails(app, partner)).version, 2)
  const agreed = await app.services.db.many<{ words: string }>`
    select agreed_words as words from invoice_details where partner_id = ${partner.id} order by version`
  const named = agreed.map(({ words }) => /^I agree that (.+) issues/.exec(words)?.[1])
  assert.deepEqual(named, [acme.legalName, 'Other GmbH'])
})

test('a partner agrees to invoices in their language, once; the record has the words as read', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  const path = `/partners/${partner.id}/invoice-details`
  const readIn = async (language: string, token = partner.token) =>
    expectOk(await app.api('GET', path, { token, headers: { 'accept-language': language } })).body
  assert.match((await readIn('de')).agreement, /^Ich bin damit einverstanden, dass Acme GmbH Rechnungen /)
  const given = await invoiceDetails(app, partner, {}, 'de')
  assert.deepEqual([given.version, given.agreed, given.words], [1, true, 'USt 19\u00a0%'])
  assert.deepEqual([(await readIn('*')).agreed, (await readIn('*')).words], [true, 'VAT 19%'])
  assert.equal((await readIn('de', account.token)).words, 'VAT 19%')
  assert.equal((await invoiceDetails(app, partner)).version, 1, 'no other agreement in English')
  const { words } = await app.services.db.one<{ words: string }>`
    select agreed_words as words from invoice_details where partner_id = ${partner.id}`
  assert.match(words, /^I agree that Acme GmbH .+\nIch bin damit einverstanden, dass Acme GmbH /)
})

test('ceilings are compared with what leaves', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account)
  await invoiceDetails(app, partner)
  const limits = { maxPerPayout: 110_00, approvalsAboveCeiling: 1 }
  expectOk(await call(account, 'PUT', `/accounts/${account.id}/auto-payout-settings`, limits))
  const { id } = await aPayout(app, account, partner, 100_00)
  clock.advance(11 * 60_000)
  const approval = () => call(account, 'POST', `/payouts/${id}/approve`)
  assert.equal((await approval()).body.error.reason, 'payout_above_limit')
  const preview = { ids: [id], preview: true }
  const { excluded } = expectOk(await call(account, 'POST', `/accounts/${account.id}/payouts/approve`, preview)).body
  assert.equal(excluded[0].error.reason, 'payout_above_limit')
  expectOk(
    await app.api('POST', `/partners/${partner.id}/adjustments`, {
      token: account.token,
      body: { amount: -10_00, reason: 'Less' },
    }),
  )
  assert.equal((await approval()).body.payAmount, 107_10)
})

test('in Germany a tax number is enough, and is printed with the numbers of both companies', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await enableInvoicing(app, account, { companyNumber: ' HRB 98765 B ', peppolId: '0204:991-12345-67' })
  assert.equal((await invoiceDetails(app, partner, { vatId: null })).words, 'No VAT ID or tax number')
  assert.equal((await invoiceDetails(app, partner, { vatId: null, smallBusiness: true })).treatment, null)
  const numbers = { vatId: null, taxNumber: '22/815/08154' }
  assert.equal((await invoiceDetails(app, partner, { ...numbers, smallBusiness: true })).treatment, 'exempt')
  const { treatment, version } = await invoiceDetails(app, partner, numbers)
  assert.deepEqual([treatment, (await invoiceDetails(app, partner, numbers)).version], ['standard', version])
  const { id, taxAmount } = await aPayout(app, account, partner, 100_00)
  assert.equal(taxAmount, 19_00)
  await pay(account, id)
  const [invoice] = await listInvoices(app, account)
  const ask = (accept: string) =>
    fetch(`${app.url}/api/v1/invoices/${invoice!.id}`, {
      headers: { authorization: `Bearer ${partner.token}`, accept },
    })
  const body = await (await ask('application/json')).json()
  assert.deepEqual([body.partner.taxNumber, body.account.companyNumber], ['22/815/08154', 'HRB 98765 B'])
  assert.equal(body.account.peppolId, '0204:991-12345-67')
  const xml = await ask('application/xml')
  assert.equal(xml.status, 409)
  assert.deepEqual(
    (await xml.json()).error.message,
    'This document can’t be had as XML. Missing: the partner’s Peppol ID.',
  )
  assert.match(
    await (await ask('text/html')).text(),
    /Gutschrift\..*Tax number of the partner.*22\/815\/08154.*HRB 98765 B/s,
  )
  const refused = await call(partner, 'PUT', `/partners/${partner.id}/invoice-details`, {
    ...{ ...hamburg, country: 'BE', vatId: null, companyNumber: '0403.170.702' },
  })
  assert.equal(refused.body.error.reason, 'company_number_wrong')
  await sound()
})
