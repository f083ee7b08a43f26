/**
 * The books, written a second time as plainly as possible: what happened, day by day, and nothing else. Nothing of the
 * product is imported. Amounts are minor units.
 */
export type Happened = { day: string; partner: number; amount: number }

/** Returns the sum owed to a partner at the end of a day: of all that happened until then. */
export const owedAt = (happened: Happened[], day: string, partner: number) =>
  happened.reduce((sum, one) => sum + (one.partner === partner && one.day <= day ? one.amount : 0), 0)

type JournalLine = Record<'JournalNo' | 'Date' | 'Account' | 'Debit' | 'Credit' | 'Currency', string>

/** Yen have no decimals. */
const minor = (decimal: string, currency: string) =>
  Math.round(Number(decimal || '0') * (currency.toLowerCase() === 'jpy' ? 1 : 100))

/** Adds up a journal: the debits less the credits of each number, and what its liability rises to by each day. */
export function addedUp(lines: JournalLine[]) {
  const numbers = new Map<string, number>()
  const rises = new Map<string, number>()
  for (const { JournalNo, Date: day, Account, Debit, Credit, Currency } of lines) {
    const amount = minor(Debit, Currency) - minor(Credit, Currency)
    numbers.set(JournalNo, (numbers.get(JournalNo) ?? 0) + amount)
    if (Account === 'Commissions payable') rises.set(day, (rises.get(day) ?? 0) - amount)
  }
  return {
    unbalanced: [...numbers].filter(([, sum]) => sum !== 0).map(([number]) => number),
    owedBy: (day: string) => [...rises].reduce((sum, [at, rise]) => sum + (at <= day ? rise : 0), 0),
  }
}
