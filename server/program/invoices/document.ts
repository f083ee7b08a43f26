import { getInvoice, type InvoiceDocument } from '#contract/invoices.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Paper } from '#contract/payouts.ts'
import { statementWords, invoiceWords as words } from '#contract/statement.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { countInWords, countryInWords, dayInWords, daysInWords } from '../../platform/format-values.ts'
import { mediaFor } from '../../platform/http/accept.ts'
import type { HttpReply } from '../../platform/http/reply.ts'
import { refusal } from '../../platform/refusal.ts'
import { answerPrinted } from '../payouts/statement/answer.ts'
import { inOneLine, type Line, type Printed } from '../payouts/statement/words.ts'
import { readDocument } from './present.ts'

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
  const document = await readDocument(db, accountId, id)
  if (media === 'application/json') return document
  const { number, currency } = document
  if (number === null) throw refusal('series_unsure')
  const file = { name: number.replaceAll('/', '-'), currency, media, paper }
  return answerPrinted(printedInvoice(document), nothing(), file)
}

async function* nothing(): AsyncGenerator<Line[]> {}

/** Returns a document as it is printed. */
export function printedInvoice(document: InvoiceDocument): Printed {
  const { number, kind, account, partner, issuedOn, payoutNumber, periodStart, periodEnd, currency } = document
  const { net, taxRate, tax, gross, lines, credited } = document
  const money = (amount: number) => moneyInWords(amount, currency)
  const facts: { label: string; value: string | null }[] = [
    { label: words.number, value: number },
    { label: words.issued, value: dayInWords(issuedOn) },
    { label: words.credits, value: credited && `${credited.number}, ${dayInWords(credited.issuedOn)}` },
    { label: words.seller, value: partner && inWords(partner) },
    { label: words.sellerVatId, value: partner?.vatId ?? null },
    { label: words.buyer, value: inWords(account) },
    { label: words.buyerVatId, value: account.vatId },
    { label: words.payout, value: payoutNumber },
    { label: words.period, value: daysInWords(periodStart, periodEnd) },
  ]
  return {
    title: `${words[kind]} ${number}`,
    by: account.legalName,
    lead: kind === 'invoice' ? words.issuedFor : words.takenBack,
    facts: facts.flatMap(({ label, value }) => (value ? [{ label, value: inOneLine(value) }] : [])),
    sums: lines.map((line) => ({
      label: statementWords.kinds[line.kind],
      count: countInWords(line.count, 'entry', 'entries'),
      amount: money(line.amount),
    })),
    totals: [
      { label: words.net, amount: money(net) },
      { label: `${words.vat} ${taxRate}%`, amount: money(tax) },
      { label: words.gross, amount: money(gross) },
    ],
    entries: null,
    notes: [...(document.words ? [document.words] : []), `${words.amountsIn} ${currency.toUpperCase()}.`],
    at: document.createdAt,
  }
}

type Party = InvoiceDocument['account']

const inWords = ({ legalName, address: { addressLine, zipCode, city, state }, country }: Party) =>
  [legalName, addressLine, [zipCode, city].filter(Boolean).join(' '), state, countryInWords(country)]
    .filter(Boolean)
    .join(', ')
