import { Readable } from 'node:stream'
import { getInvoice, type InvoiceDocument } from '#contract/invoices.ts'
import { isEnglish, withLanguage } from '#contract/language.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Paper } from '#contract/payouts.ts'
import { statementWords, invoiceWords as words } from '#contract/statement.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { countryInWords, dayInWords, daysInWords, rateInWords } from '../../platform/format-values.ts'
import { mediaFor } from '../../platform/http/accept.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { refusal } from '../../platform/refusal.ts'
import { missingPhrases } from '../invoicing/text.ts'
import { treatmentWords } from '../invoicing/treatment.ts'
import { answerPrinted } from '../payouts/statement/answer.ts'
import { canPrint, inOneLine, type Line, type Printed, readFrame } from '../payouts/statement/words.ts'
import { writeCii } from './cii.ts'
import { toTerms } from './en16931.ts'
import { countryTreatmentWords, legalWords, wordOfForm } from './legal-words.ts'
import { readDocument } from './present.ts'
import type { Snapshot } from './snapshot.ts'
import { writeUbl } from './ubl.ts'
import { asWritten, type Written } from './wording.ts'

const offered = [...getInvoice.alsoAs!, 'application/json']

/**
 * Returns a document in the requested form: a page, a PDF or JSON. Refuses: `series_unsure` for a page or a PDF that has
 * no number yet.
 */
export async function answerInvoice(
  db: Queryable,
  accountId: string,
  id: string,
  { accept, paper }: { accept: string | undefined; paper: Paper | undefined },
): Promise<InvoiceDocument | HttpReply> {
  const media = mediaFor(accept, offered)
  const { document, ...written } = await readDocument(db, accountId, id)
  if (media === 'application/json') return document
  const { number, currency } = document
  if (number === null) throw refusal('series_unsure')
  const name = fileName(number)
  if (media !== 'application/xml')
    return answerPrinted(printedInvoice(document, written), noEntries(), { name, currency, media, paper })
  return new HttpReply(200, Readable.from([toPeppolXml(document, written)], { objectMode: false }), {
    'content-type': 'application/xml; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.xml"`,
    vary: 'accept',
  })
}

/** The name of a document's files, without their ending. */
export const fileName = (number: string) => number.replaceAll('/', '-')

/** Returns a document as the XML of Peppol. Refuses: `e_invoice_incomplete`. */
export function toPeppolXml(document: InvoiceDocument, { form }: Pick<Written, 'form'>): string {
  const { xml, missing } = document.electronic
  if (!xml)
    throw refusal('e_invoice_incomplete', { missing: () => missing.map((one) => missingPhrases[one]).join(', ') })
  return writeUbl(toTerms(document, form))
}

/** Yields no lines: an invoice has no table of entries. */
export async function* noEntries(): AsyncGenerator<Line[]> {}

/** Returns a document as it is printed, in the language in which it was issued. */
export function printedInvoice(document: InvoiceDocument, { form, language = 'en', wording }: Written): Printed {
  // data for programs stays in English
  const xml = form && document.electronic.pdf ? writeCii(toTerms(document, form)) : null
  const archived = form ? { xml } : undefined
  return asWritten({ form, language, wording }, () => ({
    ...withLanguage(canPrint(language) ? language : 'en', () => printInvoice(document, { form })),
    archived,
  }))
}

function printInvoice(document: InvoiceDocument, { form }: Pick<Written, 'form'>): Printed {
  const { number, kind, account, partner, issuedOn, payoutNumber, periodStart, periodEnd, currency } = document
  const { net, taxRate, tax, gross, lines, credited } = document
  const money = (amount: number) => moneyInWords(amount, currency)
  const facts: { label: string; value: string | null }[] = [
    { label: words.number, value: number },
    { label: words.issued, value: dayInWords(issuedOn) },
    { label: words.credits, value: credited && `${credited.number}, ${dayInWords(credited.issuedOn)}` },
    { label: words.seller, value: partner && inWords(partner) },
    { label: words.sellerVatId, value: partner?.vatId ?? null },
    { label: words.sellerTaxNumber, value: partner?.taxNumber ?? null },
    { label: words.sellerCompany, value: partner?.companyNumber ?? null },
    { label: words.buyer, value: inWords(account) },
    { label: words.buyerVatId, value: account.vatId },
    { label: words.buyerCompany, value: account.companyNumber },
    { label: words.payout, value: payoutNumber },
    { label: words.period, value: daysInWords(periodStart, periodEnd) },
  ]
  return {
    frame: readFrame(),
    title: `${wordOfForm(words[kind], form)} ${number}`,
    by: account.legalName,
    lead: [
      ...(form && partner ? legalWords(kind, partner.country, form) : [])
        .filter((one) => one !== words[kind])
        .map((one) => `${one}.`),
      kind === 'invoice'
        ? words.issuedFor
        : credited?.correctedBy
          ? words.correctedBy({ number: credited.correctedBy })
          : words.takenBack,
    ].join(' '),
    facts: facts.flatMap(({ label, value }) =>
      value ? [{ label: wordOfForm(label, form), value: inOneLine(value) }] : [],
    ),
    sums: lines.map((line) => ({
      label: statementWords.kinds[line.kind],
      count: statementWords.count({ count: line.count }),
      amount: money(line.amount),
    })),
    totals: [
      { label: words.net, amount: money(net) },
      { label: `${words.vat} ${rateInWords(taxRate)}`, amount: money(tax) },
      { label: words.gross, amount: money(gross) },
    ],
    entries: null,
    notes: [...vatNotes(document, form), `${words.amountsIn} ${currency.toUpperCase()}.`],
    at: document.createdAt,
  }
}

/** Returns how VAT applies: in the current language, in those of the seller's country, and as issued, in English. */
function vatNotes({ words, treatment, account, partner }: InvoiceDocument, form: Snapshot['form']) {
  if (words === null) return []
  const own = isEnglish() ? words : (treatmentWords(treatment, account) ?? words)
  const ofCountry = partner ? countryTreatmentWords(treatment, partner.country, form) : []
  return [...new Set([own, ...ofCountry.filter((one) => !own.startsWith(one)), words])]
}

type Party = InvoiceDocument['account']

const inWords = ({ legalName, address: { addressLine, zipCode, city, state }, country }: Party) =>
  [legalName, addressLine, [zipCode, city].filter(Boolean).join(' '), state, countryInWords(country)]
    .filter(Boolean)
    .join(', ')
