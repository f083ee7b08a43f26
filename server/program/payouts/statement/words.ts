import { entryTitle } from '#contract/entry-title.ts'
import { entryTitlePhrases } from '#contract/entry-title-words.ts'
import { formatNumber } from '#contract/format.ts'
import { currentLanguage, type Language, withLanguage } from '#contract/language.ts'
import { moneyInWords } from '#contract/money.ts'
import type { PayoutStatement } from '#contract/payouts.ts'
import { receivedInWords } from '#contract/received.ts'
import type { CommissionEntryWithSale } from '#contract/sales.ts'
import {
  destinationLabel,
  paymentDays,
  standingInWords,
  statementTotals,
  statementWords as words,
} from '#contract/statement.ts'
import { dayInWords, daysInWords, rateInWords } from '../../../platform/format-values.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { payoutName } from '../payout-number.ts'
import { toPrintable } from './fonts.ts'
import { paperPhrases } from './text.ts'

/** Returns the texts around a document's own in the current language, which they name. */
export const readFrame = () => ({
  language: currentLanguage(),
  summary: words.summary,
  total: words.total,
  ...paperPhrases,
  columns: Object.values(paperPhrases.columns),
})

/** Whether the fonts have the letters of this language: without, its readers get their files in English. */
export const canPrint = (language: Language): boolean =>
  withLanguage(language, () => toPrintable([words.summary, words.total, paperPhrases.noEntries].join(' ')).whole)

export type Frame = ReturnType<typeof readFrame>

/** A document as the page and the PDF print it. */
export type Printed = {
  frame: Frame
  title: string
  /** The account that it is from. */
  by: string
  /** The first sentence. */
  lead: string
  facts: StatementFact[]
  sums: Sum[]
  /** Amounts below the sums, the last ones in bold. */
  totals: { label: string; amount: string }[]
  /** The table of entries; null for a document without one. */
  entries: { isEmpty: boolean; total: string } | null
  notes: string[]
  /** When it last changed. */
  at: string
  /** Set for a PDF that archives keep (PDF/A-3b), with the electronic invoice in it, if any. */
  archived?: { xml: string | null } | undefined
}

export type StatementFact = { label: string; value: string }

/** Returns the statement's facts about the payout itself. */
function statementFacts({ payout, accountName, timeZone, destination }: PayoutStatement): StatementFact[] {
  const { periodStart: from, periodEnd: to, approvedAt, externalReference, invoiceNumber } = payout
  const day = (at: string | null) => at && dayInWords(dayIn(timeZone, new Date(at)))
  const { sent, paid } = paymentDays(payout, { day, dayInWords })
  const facts: { label: string; value: string | null }[] = [
    { label: words.from, value: accountName },
    { label: words.to, value: payout.partnerName },
    {
      label: words.sales,
      value: from && to && daysInWords(from, to),
    },
    { label: words.approved, value: day(approvedAt) },
    { label: words.sent, value: sent },
    { label: words.paid, value: paid },
    { label: destinationLabel(payout), value: destination },
    { label: words.received, value: receivedInWords(payout) },
    { label: paperPhrases.reference, value: externalReference },
    { label: words.invoice, value: invoiceNumber },
  ]
  return facts.flatMap(({ label, value }) => (value ? [{ label, value: inOneLine(value) }] : []))
}

export type Sum = { label: string; count: string; amount: string }

const sumsOf = ({ sums, payout: { currency } }: PayoutStatement): Sum[] =>
  sums.map(({ kind, count, amount }) => ({
    label: words.kinds[kind],
    count: words.count({ count }),
    amount: moneyInWords(amount, currency),
  }))

/** Returns the head of a statement as it is printed. */
export const printedStatement = (statement: PayoutStatement): Printed => {
  const { payout, accountName, numberOfEntries } = statement
  const totals = statementTotals(statement).map(({ label, amount }) => ({
    label,
    amount: moneyInWords(amount, payout.currency),
  }))
  return {
    frame: readFrame(),
    title: words.heading({ number: payoutName(payout) }),
    by: accountName,
    lead: standingInWords(payout, dayInWords),
    facts: statementFacts(statement),
    sums: sumsOf(statement),
    totals,
    entries: { isEmpty: numberOfEntries === 0, total: totals[0]!.amount },
    notes: notesOf(statement),
    at: payout.updatedAt,
  }
}

/** Returns notes needed to read the figures. */
const notesOf = ({ payout: { currency }, timeZone }: PayoutStatement): string[] => [
  words.units({ currency: currency.toUpperCase(), timeZone: timeZone.replaceAll('_', ' ') }),
  words.layers,
  words.later,
]

/** An entry as printed. `about` names the sale's customer. */
export type Line = {
  date: string
  title: string
  about: string | null
  layer: string
  rate: string
  base: string
  amount: string
  /** Address of the entry's receipt. */
  receipt: string
}

/** `origin` is that of the partner's addresses, for links to the receipts. */
export function statementLine(
  entry: CommissionEntryWithSale,
  { timeZone, origin }: { timeZone: string; origin: string },
): Line {
  const { id, saleId, paidFor, lead, layer, rate, baseAmount, amount, currency } = entry
  return {
    date: dayInWords(dayOf(entry, timeZone)),
    title: inOneLine(entryTitle(entry, dayInWords)),
    about: saleId === null && paidFor === null ? null : inOneLine(lead?.name ?? entryTitlePhrases.leadHidden),
    layer: layer === null ? '' : formatNumber(layer + 1),
    rate: rate === null ? '' : rateInWords(rate),
    base: baseAmount === null ? '' : moneyInWords(baseAmount, currency),
    amount: moneyInWords(amount, currency),
    receipt: `${origin}/commissions/${id}`,
  }
}

/** Returns the date of the sale, of the refund, or of the manual entry. */
function dayOf({ kind, refund, saleDate, createdAt }: CommissionEntryWithSale, timeZone: string) {
  if (saleDate && kind === 'earned') return saleDate
  return dayIn(timeZone, new Date(refund?.at ?? createdAt))
}

/** Removes line breaks and other control characters from typed text. */
export const inOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
