import { moneyInWords } from '#contract/money.ts'
import type { Payout, PayoutMethod } from '#contract/payouts.ts'
import { dayInWords, daysInWords } from '../../../platform/format-values.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { payoutName } from '../../../program/payouts/payout-number.ts'
import { presentPayout } from '../../../program/payouts/payouts.ts'
import { findDestination, numberOfSales } from '../../../program/payouts/statement/statement.ts'
import type { Gathered } from '../mail.ts'
import { nameOr, type Part } from '../message.ts'
import { payoutMailPhrases } from '../text.ts'

/** The letter's facts of a payout. */
export type PayoutFacts = {
  accountName: string | null
  amount: number
  /** VAT that is paid with it. */
  taxAmount: number
  invoice: string | null
  currency: string
  number: number
  /** Number of sales that earned it; zero for adjustments only. */
  sales: number
  period: { from: string; to: string } | null
  /** The last four digits of the bank account; null for other payout methods. */
  destination: string | null
  /** Paid by PayPal, to an address that a mail does not repeat. */
  byPaypal: boolean
  method: PayoutMethod
  /** The day on which it was paid, or sent until then; null before. */
  paidOn: string | null
  url: string
}

export const samplePayout: PayoutFacts = {
  accountName: 'Northwind',
  amount: 125_00,
  taxAmount: 0,
  invoice: 'INV-118',
  currency: 'usd',
  number: 12,
  sales: 9,
  period: { from: '2026-10-01', to: '2026-10-31' },
  destination: '•••••6789',
  byPaypal: false,
  method: 'sepa',
  paidOn: '2026-11-20',
  url: 'https://partners.example.com/partner/payouts/01994f2e-3c1a-7d52-8e0b-5a1f6c2d9b10',
}

/** Returns the payout as its partner sees it; null if its amount is gone. */
export const findPayout = ({ db, account, news }: Gathered) => payoutSeen({ db, account }, news[0]!.subjectId)

export async function payoutSeen(
  { db, account }: Pick<Gathered, 'db' | 'account'>,
  id: string,
): Promise<Payout | null> {
  return presentPayout(db, account, id, 'partner').catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}

export async function readPayoutFacts(
  { db, account, origin, secrets }: Pick<Gathered, 'db' | 'account' | 'origin' | 'secrets'>,
  payout: Payout,
): Promise<PayoutFacts> {
  const byPaypal = payout.method === 'paypal'
  const { id, amount, taxAmount, invoiceNumber, currency, statementNumber, periodStart: from, periodEnd: to } = payout
  return {
    accountName: account.name,
    amount,
    taxAmount,
    invoice: invoiceNumber,
    currency,
    number: statementNumber,
    sales: await numberOfSales(db, payout),
    period: from && to ? { from, to } : null,
    destination: byPaypal ? null : await findDestination(db, secrets, payout),
    byPaypal,
    method: payout.method,
    paidOn: payout.paidOn ?? (payout.sentAt && dayIn(account.timeZone, new Date(payout.sentAt))),
    url: `${origin}/partner/payouts/${id}`,
  }
}

function methodInWords(method: PayoutMethod) {
  const { paypal, manual, bank } = payoutMailPhrases.methods
  if (method === 'paypal') return paypal
  return method === 'manual' ? manual : bank
}

/** The variables of a mail about a payout. */
export const payoutValues = (payout: PayoutFacts) => ({
  amount: formatPaidAmount(payout),
  method: methodInWords(payout.method),
  payout_number: payoutName({ statementNumber: payout.number }),
  paid_on: payout.paidOn && dayInWords(payout.paidOn),
})

/** Page of a partner's payout details. */
export const settingsUrl = ({ origin }: Gathered) => `${origin}/partner/settings`

/** The amount that leaves, with its VAT. */
export const formatPaidAmount = ({ amount, taxAmount, currency }: PayoutFacts) =>
  moneyInWords(amount + taxAmount, currency)

const amountsOf = (payout: PayoutFacts) => {
  const { amount, taxAmount, currency } = payout
  if (taxAmount === 0) return [{ label: payoutMailPhrases.amount, value: formatPaidAmount(payout) }]
  return [
    { label: payoutMailPhrases.commissions, value: moneyInWords(amount, currency) },
    { label: payoutMailPhrases.vat, value: moneyInWords(taxAmount, currency) },
    { label: payoutMailPhrases.amount, value: formatPaidAmount(payout) },
  ]
}

const salesOf = ({ sales, period }: PayoutFacts) =>
  payoutMailPhrases.salesOf({ count: sales }) + (period ? `, ${daysInWords(period.from, period.to)}` : '')

export const payoutPart = (payout: PayoutFacts, more: { label: string; value: string | null }[] = []): Part => ({
  facts: [
    ...amountsOf(payout),
    { label: payoutMailPhrases.statement, value: payoutName({ statementNumber: payout.number }) },
    ...(payout.sales > 0 ? [{ label: payoutMailPhrases.sales, value: salesOf(payout) }] : []),
    ...[
      { label: payoutMailPhrases.invoice, value: payout.invoice && nameOr(payout.invoice, '') },
      { label: payoutMailPhrases.bankAccount, value: payout.destination && nameOr(payout.destination, '') },
      { label: payoutMailPhrases.paidBy, value: payout.byPaypal && 'PayPal' },
      ...more,
    ].flatMap(({ label, value }) => (value ? [{ label, value }] : [])),
  ],
})
