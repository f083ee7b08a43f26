import type { Entry } from '#contract/commissions.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Sale } from '#contract/sales.ts'
import { dayInWords } from '../../../platform/in-words.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { presentSales } from '../../../program/sales/present-sales.ts'
import { MOST_LINES } from '../letter.ts'
import { type Composer, type Gathered, readerOf, subjectsOf } from './composer.ts'
import { entriesToTell } from './subject-queries.ts'

/** A partner's mail about entries, with each sale as the account lets them see it. */
const composed =
  (noteOf: (entry: Entry, sale: Sale, timeZone: string) => string | null): Composer<'sale-credited' | 'refund'> =>
  async (gathered) => {
    const { db, account, appUrl } = gathered
    const entries = await entriesToTell(db, account.id, gathered.partnerId, subjectsOf(gathered))
    const [first] = entries
    if (!first) return null
    return {
      accountName: account.name,
      currency: first.currency,
      count: entries.length,
      total: entries.reduce((sum, { amount }) => sum + amount, 0),
      lines: await linesOf(gathered, entries.slice(0, MOST_LINES), noteOf),
      url: `${appUrl}/dashboard`,
    }
  }

async function linesOf(
  gathered: Gathered,
  entries: { id: string; saleId: string }[],
  noteOf: Parameters<typeof composed>[0],
) {
  const sales = await presentSales(gathered.db, readerOf(gathered), [...new Set(entries.map(({ saleId }) => saleId))])
  return entries.map(({ id, saleId }) => {
    const sale = sales.get(saleId)!
    const entry = sale.commissions.find((one) => one.id === id)!
    return {
      name: sale.leadName,
      day: sale.saleDate,
      amount: entry.amount,
      saleAmount: entry.amount > 0 && sale.amount !== null ? moneyInWords(sale.amount, sale.currency) : null,
      note: noteOf(entry, sale, gathered.account.timeZone),
    }
  })
}

export const composeSaleCredited = composed(({ status, availableAt }, _, timeZone) => {
  if (status === 'held') return `due ${dayInWords(dayIn(timeZone, new Date(availableAt)))}`
  return status === 'on-hold' ? 'under review' : null
})

export const composeRefund = composed(({ refundId }, { refunds, status }) => {
  const refund = refunds.find(({ id }) => id === refundId)
  if (refund) return refund.kind === 'dispute' ? 'disputed' : 'refunded'
  return status === 'void' ? 'canceled' : 'corrected'
})
