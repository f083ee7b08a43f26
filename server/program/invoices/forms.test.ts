import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { InvoiceDocument } from '#contract/invoices.ts'
import { type Language, shippedLanguages } from '#contract/language.ts'
import '../../platform/languages.ts'
import { readXml } from '../../platform/xml/read-xml.ts'
import { renderPage } from '../payouts/statement/page.ts'
import { renderPdf } from '../payouts/statement/pdf.ts'
import { writeCii } from './cii.ts'
import { printedInvoice, toPeppolXml } from './document.ts'
import { electronicForms } from './electronic.ts'
import { toTerms } from './en16931.ts'
import type { Written } from './wording.ts'

// A document stays as it was issued, byte for byte. Golden files are never replaced: another way to write a document is
// another form of its snapshot.

const GOLDEN = new URL('../../../test/fixtures/e-invoices/', import.meta.url)

const account = {
  legalName: 'Acme GmbH',
  address: { addressLine: 'Torstraße 1', zipCode: '10119', city: 'Berlin', state: null },
  country: 'DE',
  vatId: 'DE136695976',
  companyNumber: 'HRB 98765 B',
  peppolId: '9930:DE136695976',
}
const partner = {
  legalName: 'Whitfield & Söhne',
  address: { addressLine: 'Lange Straße 7', zipCode: '20095', city: 'Hamburg', state: null },
  country: 'DE',
  vatId: 'DE987654321',
  taxNumber: '22/815/08154',
  companyNumber: null,
  peppolId: '9930:DE987654321',
}
const invoice: Omit<InvoiceDocument, 'electronic'> = {
  id: '0195c1f2-0000-7000-8000-000000000001',
  accountId: '0195c1f2-0000-7000-8000-000000000002',
  number: 'INV-118',
  kind: 'invoice',
  payoutId: '0195c1f2-0000-7000-8000-000000000003',
  payoutNumber: 'PO-214',
  partnerId: '0195c1f2-0000-7000-8000-000000000004',
  partnerName: 'Jane Whitfield',
  issuedOn: '2026-12-01',
  net: 100_00,
  taxRate: 19,
  tax: 19_00,
  gross: 119_00,
  currency: 'eur',
  treatment: 'standard',
  ...{ numberedOn: null, objectedAt: null, objection: null, objectionClosedAt: null },
  creditedBy: null,
  correctedBy: null,
  credits: null,
  createdAt: '2026-12-01T09:12:40.118Z',
  account,
  partner,
  periodStart: '2026-11-01',
  periodEnd: '2026-11-30',
  lines: [
    { kind: 'earned', count: 12, amount: 130_00 },
    { kind: 'reversal', count: 1, amount: -30_00 },
  ],
  words: null,
  credited: null,
}

const withForm = (
  document: Omit<InvoiceDocument, 'electronic'>,
  form?: Written['form'],
  language?: Language,
): [InvoiceDocument, Written] => [
  { ...document, electronic: electronicForms({ form, ...document }) },
  { form, language },
]

const note: typeof invoice = {
  ...invoice,
  ...{ kind: 'credit-note', number: 'INV-119', issuedOn: '2026-12-04', createdAt: '2026-12-04T10:00:00.000Z' },
  credits: invoice.id,
  credited: { id: invoice.id, number: 'INV-118', issuedOn: '2026-12-01', correctedBy: null },
}
const abroad: typeof invoice = {
  ...invoice,
  ...{ treatment: 'reverse-charge', taxRate: 0, tax: 0, gross: 100_00 },
  words: 'Reverse charge (Art. 44 and 196 of Directive 2006/112/EC)',
  partner: {
    ...partner,
    ...{
      country: 'FR',
      vatId: 'FR83404833048',
      taxNumber: null,
      companyNumber: '404833048',
      peppolId: '0225:404833048',
    },
  },
}
const toSpain: typeof invoice = { ...abroad, partner: { ...abroad.partner!, country: 'ES', vatId: 'ESB58378431' } }
const elsewhere: typeof invoice = {
  ...invoice,
  ...{ treatment: 'outside-scope', taxRate: 0, tax: 0, gross: 100_00, currency: 'usd' },
  words: 'Outside the scope of VAT',
  account: { ...account, country: 'US', vatId: null, peppolId: null },
}
const smallBusiness: typeof invoice = {
  ...note,
  ...{ treatment: 'exempt', taxRate: 0, tax: 0, gross: 100_00, words: 'VAT exempt: small business' },
}
const smallBusinessIn = (country: string): typeof invoice => ({
  ...smallBusiness,
  partner: { ...smallBusiness.partner!, country, vatId: null },
})
// of a release before the form was recorded
const noNumbers = { companyNumber: null, peppolId: null }
const former: typeof invoice = {
  ...invoice,
  account: { ...account, ...noNumbers },
  partner: { ...partner, ...noNumbers, taxNumber: null },
}

const inLanguages = (form: Written['form'], languages: readonly Language[] = shippedLanguages) =>
  Object.fromEntries(
    languages.map((language) => [`form-${form}-small-business.${language}`, withForm(smallBusiness, form, language)]),
  )

const DOCUMENTS = {
  'form-1-invoice': withForm(invoice, 1),
  'form-1-credit-note': withForm(note, 1),
  'form-1-reverse-charge': withForm(abroad, 1),
  'form-1-outside-scope': withForm(elsewhere, 1),
  'form-2-invoice': withForm(invoice, 2),
  'form-2-reverse-charge': withForm(abroad, 2),
  'form-2-reverse-charge-to-spain': withForm(toSpain, 2),
  ...inLanguages(1, ['es', 'it']),
  ...inLanguages(2),
  'form-3-reverse-charge-to-spain': withForm(toSpain, 3),
  'form-3-small-business-in-belgium': withForm(smallBusinessIn('BE'), 3),
  ...inLanguages(3, ['es', 'it']),
  former: withForm(former),
}

async function* nothing() {}

const pdfOf = async (document: InvoiceDocument, written: Written) =>
  Buffer.concat(await Array.fromAsync(renderPdf(printedInvoice(document, written), nothing(), 'a4')))

/** A PDF with its streams unpacked: how well they are packed is the affair of the library. */
const unpacked = (pdf: Buffer) =>
  pdf
    .toString('latin1')
    .replace(/\/Length \d+/g, '/Length')
    .replace(/stream\n([\s\S]*?)\nendstream/g, (whole, packed) => {
      const bytes = Buffer.from(packed, 'latin1')
      return bytes[0] === 0x78 ? inflateSync(bytes).toString('latin1') : whole
    })
    .replace(/\nxref\n[\s\S]*?trailer/, '\ntrailer')
    .replace(/startxref\n\d+/, 'startxref')

const golden = (name: string, text: string) => {
  const file = new URL(name, GOLDEN)
  // never over one that is there
  if (process.env.UPDATE_GOLDEN && !existsSync(file)) writeFileSync(file, text)
  assert.equal(text, readFileSync(file, 'utf8'), name)
}

test('each form is written byte for byte as ever', async () => {
  for (const [name, [document, written]] of Object.entries(DOCUMENTS)) {
    const { form, language } = written
    // electronic forms are in no language
    if (document.electronic.xml && !language) golden(`${name}.ubl.xml`, toPeppolXml(document, { form }))
    if (document.electronic.pdf && !language) golden(`${name}.cii.xml`, writeCii(toTerms(document, form)))
    golden(`${name}.html`, (await Array.fromAsync(renderPage(printedInvoice(document, written), nothing()))).join(''))
    const pdf = await pdfOf(document, written)
    assert.deepEqual(await pdfOf(document, written), pdf)
    const sha256 = createHash('sha256').update(unpacked(pdf), 'latin1').digest('hex')
    golden(`${name}.pdf.sha256`, `${sha256}\n`)
  }
})

test('a small business says why it charges no VAT in the words of its country, since form 3', () => {
  const words = 'VAT exempt: small business'
  const cases: [country: string, form: Written['form'], note: string][] = [
    ['FR', 3, `Self-billing credit note / Autofacturation. ${words} / TVA non applicable, art. 293 B du CGI`],
    ['FR', 2, `Self-billing credit note / Autofacturation. ${words}`],
    ['DE', 3, `Self-billing credit note / Gutschrift. ${words} / Steuerbefreiung für Kleinunternehmer (§ 19 UStG)`],
    // Monaco's law is another one, and Poland names one of two paragraphs
    ['MC', 3, `Self-billing credit note / Autofacturation. ${words}`],
    ['PL', 3, `Self-billing credit note / Samofakturowanie. ${words}`],
  ]
  for (const [country, form, note] of cases)
    assert.equal(toTerms(withForm(smallBusinessIn(country), form)[0], form).note, note, country)
})

test('a PDF is one for archives, with the electronic invoice in it', async () => {
  const pdf = await pdfOf(...DOCUMENTS['form-1-invoice'])
  const text = unpacked(pdf)
  for (const part of ['%PDF-1.7', '/OutputIntents', '/GTS_PDFA1', '/AFRelationship /Alternative', '(factur-x.xml)'])
    assert.ok(text.includes(part), part)
  assert.ok(text.includes('/AF ['), 'the document names the file')
  assert.ok(text.includes(Buffer.from(writeCii(toTerms(DOCUMENTS['form-1-invoice'][0], 1))).toString('latin1')))
  const xmp = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(text)![0]
  const root = await readXml(xmp)
  const names = root.children[0]!.children.flatMap(({ children }) =>
    children.map(({ name, text: said }) => `${name} ${said.trim()}`),
  )
  for (const one of ['part 3', 'conformance B', 'ConformanceLevel EN 16931', 'DocumentFileName factur-x.xml'])
    assert.ok(names.includes(one), `${one} in ${names.join('; ')}`)
  assert.ok(xmp.includes('Self-billing invoice INV-118') && !xmp.includes('dc:creator'))
  assert.ok(xmp.includes('<pdfaSchema:prefix>fx</pdfaSchema:prefix>'))
  const without = withForm({ ...elsewhere, partner: null }, 1)
  assert.ok(!unpacked(await pdfOf(...without)).includes('factur-x.xml'))
})

test('what is missing is said by its name', () => {
  const missing = (change: Partial<InvoiceDocument>) => electronicForms({ form: 1, ...invoice, ...change })
  assert.deepEqual(missing({}), { xml: true, pdf: true, missing: [] })
  const american = { ...partner, country: 'US', vatId: null, taxNumber: null, peppolId: null }
  const reverse = { treatment: 'reverse-charge', partner: american } as const
  assert.deepEqual(missing(reverse), { xml: false, pdf: false, missing: ['taxNumber', 'peppolId'] })
  assert.deepEqual(missing({ partner: american, treatment: 'outside-scope' }).pdf, true)
  assert.deepEqual(missing({ partner: { ...partner, vatId: null } }).pdf, true)
  assert.deepEqual(missing({ account: { ...account, peppolId: null } }), {
    ...{ xml: false, pdf: true, missing: ['accountPeppolId'] },
  })
  assert.deepEqual(missing({ number: null, currency: 'kwd' }).missing, ['number', 'currency'])
  assert.deepEqual(missing({ partner: null }).missing[0], 'partner')
  assert.deepEqual(electronicForms({ ...invoice, form: undefined }), { xml: false, pdf: false, missing: ['form'] })
})
