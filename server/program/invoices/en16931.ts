import type { InvoiceDocument } from '#contract/invoices.ts'
import { decimalAmount } from '#contract/money.ts'
import { statementWords } from '#contract/statement.ts'
import { countInWords } from '../../platform/format-values.ts'
import type { Element } from '../../platform/xml/write-xml.ts'
import { schemeOfCompany } from '../invoicing/party-ids.ts'
import { listTerritory } from '../invoicing/vat-ids.ts'
import { inOneLine } from '../payouts/statement/words.ts'
import { countryTreatmentWords, legalWords } from './legal-words.ts'
import { isSince, type Snapshot } from './snapshot.ts'

// The terms of EN 16931-1 that a document has, by their numbers there (BT-1 …). Both forms are written from them.

/** A number and the scheme that it is of; null for one of no scheme. */
export type Identifier = { scheme: string | null; value: string }

/** Writes a number with its scheme; a missing one is left out. */
export const writtenIdentifier = (name: string, id: Identifier | null): Element | null =>
  id && [name, id.value, id.scheme ? `schemeID="${id.scheme}"` : undefined]

export type PartyTerms = {
  /** BT-29: the seller's own ID at the buyer. */
  id: string | null
  name: string
  companyNumber: Identifier | null
  vatId: string | null
  taxNumber: string | null
  address: Identifier | null
  line: string
  city: string
  zipCode: string | null
  state: string | null
  country: string
}

/** How VAT applies, of the whole document and of each line. A rate is absent outside the scope of VAT. */
export type VatTerms = { category: string; rate: string | null; reason: string | null; reasonCode: string | null }

export type LineTerms = {
  id: string
  quantity: string
  amount: string
  price: string
  name: string
  description: string
}

export type ElectronicInvoice = {
  number: string
  typeCode: '389' | '261'
  issuedOn: string
  currency: string
  /** BT-9: absent on a credit note. */
  dueOn: string | null
  paymentTerms: string
  buyerReference: string
  note: string | null
  periodStart: string
  periodEnd: string
  credited: { number: string; issuedOn: string } | null
  seller: PartyTerms
  buyer: PartyTerms
  vat: VatTerms
  lines: LineTerms[]
  net: string
  tax: string
  gross: string
}

/** Returns the terms of a document that has its number and its seller. */
export function toTerms(document: InvoiceDocument, form: Snapshot['form']): ElectronicInvoice {
  const { kind, issuedOn, currency, payoutNumber, periodStart, periodEnd, credited, account, lines } = document
  const partner = document.partner!
  const isInvoice = kind === 'invoice'
  const money = (amount: number) => decimalAmount(amount, currency)
  const hasVatIds = document.treatment !== 'outside-scope'
  return {
    number: document.number!,
    typeCode: isInvoice ? '389' : '261',
    issuedOn,
    currency: currency.toUpperCase(),
    dueOn: isInvoice ? issuedOn : null,
    paymentTerms: `Paid, ${payoutNumber}`,
    buyerReference: payoutNumber,
    note: noteOf(document, form),
    periodStart,
    periodEnd,
    credited: credited && { number: credited.number!, issuedOn: credited.issuedOn },
    seller: partyTerms(partner, form, { id: document.partnerId, hasVatIds, taxNumber: partner.taxNumber }),
    buyer: partyTerms(account, form, { id: null, hasVatIds, taxNumber: null }),
    vat: vatTerms(document),
    lines: lines.map(({ kind: of, count, amount }, at) => ({
      id: String(at + 1),
      quantity: amount < 0 ? '-1' : '1',
      amount: money(amount),
      price: money(Math.abs(amount)),
      name: statementWords.kinds[of],
      description: countInWords(count, 'entry', 'entries'),
    })),
    net: money(document.net),
    tax: money(document.tax),
    gross: money(document.gross),
  }
}

/** Codes of the norm's list for places that it has under another one: Kosovo, and parts of countries. */
const COUNTRY_CODES: Record<string, string> = Object.fromEntries(
  'AC SH, CP FR, CQ GG, DG IO, EA ES, IC ES, TA SH, XK 1A'.split(', ').map((pair) => pair.split(' ')),
)

function partyTerms(
  { legalName, address, country, vatId, companyNumber, peppolId }: InvoiceDocument['account'],
  form: Snapshot['form'],
  { id, hasVatIds, taxNumber }: { id: string | null; hasVatIds: boolean; taxNumber: string | null },
): PartyTerms {
  return {
    id,
    name: inOneLine(legalName),
    companyNumber: companyNumber ? { scheme: schemeOfCompany(country), value: inOneLine(companyNumber) } : null,
    vatId: hasVatIds ? vatId : null,
    taxNumber: hasVatIds && taxNumber ? inOneLine(taxNumber) : null,
    address: peppolId ? { scheme: peppolId.slice(0, 4), value: peppolId.slice(5) } : null,
    line: inOneLine(address.addressLine),
    city: inOneLine(address.city),
    zipCode: address.zipCode && inOneLine(address.zipCode),
    state: address.state && inOneLine(address.state),
    country: (isSince(2, form) && COUNTRY_CODES[country]) || country,
  }
}

function vatTerms({ treatment, taxRate, words, partner }: InvoiceDocument): VatTerms {
  const reason = words && inOneLine(words)
  switch (treatment) {
    case 'standard':
      return { category: taxRate === 0 ? 'Z' : 'S', rate: String(taxRate), reason: null, reasonCode: null }
    case 'exempt': {
      const isFrench = listTerritory(partner!.country)[0] === 'FR'
      return { category: 'E', rate: '0', reason, reasonCode: isFrench ? 'VATEX-FR-FRANCHISE' : null }
    }
    case 'reverse-charge':
      return { category: 'AE', rate: '0', reason, reasonCode: 'VATEX-EU-AE' }
    case 'outside-scope':
      return { category: 'O', rate: null, reason, reasonCode: 'VATEX-EU-O' }
  }
}

/** The one note: the words that the law asks for, and why there is no VAT. */
function noteOf({ kind, partner, words, treatment }: InvoiceDocument, form: Snapshot['form']): string {
  const { country } = partner!
  const legal = legalWords(kind, country, form).join(' / ')
  const vat = words && [inOneLine(words), ...countryTreatmentWords(treatment, country, form)].join(' / ')
  return vat ? `${legal}. ${vat}` : legal
}
