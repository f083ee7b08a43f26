import type { DetailKind } from './detail-kinds.ts'
import { howPaidPhrases as words } from './how-paid-words.ts'
import { moneyInWords } from './money.ts'
import { type Paydays, whenPaidInWords } from './paydays.ts'

/** How a program pays. `kinds` are what it pays to, none while a person pays by other means. */
export type HowPaid = {
  kinds: readonly DetailKind[]
  paydays: Paydays
  /** Paid by the program itself, on its paydays. */
  automatic: boolean
  payoutDelay: number
  minimumPayout: number
  currency: string
}

/** Returns in sentences when commissions are due, from what amount, on which days they are paid, and to what. */
export function howPaidInWords({ kinds, paydays, automatic, payoutDelay, minimumPayout, currency }: HowPaid): string[] {
  const places = placesInWords(kinds)
  return [
    payoutDelay === 0 ? words.dueAtOnce : words.dueAfter({ days: payoutDelay }),
    ...(minimumPayout > 0 ? [words.minimum({ amount: moneyInWords(minimumPayout, currency) })] : []),
    whenPaidInWords(paydays, automatic),
    ...(places ? [words.goTo({ places })] : []),
  ]
}

/** Returns what payouts go to: 'a bank account in most countries or a PayPal account'. */
function placesInWords(kinds: readonly DetailKind[]): string {
  const shown = kinds.includes('local-bank') ? kinds.filter((kind) => kind !== 'us-bank' && kind !== 'iban') : kinds
  const places = shown.map((kind) => words.kinds[kind])
  const first = places.slice(0, -1).join(', ')
  const last = places.at(-1) ?? ''
  return first ? words.or({ first, last }) : last
}

/** Returns what one partner's payouts go to: 'a euro bank account'. */
export const kindInWords = (kind: DetailKind) => (kind === 'local-bank' ? words.bank : words.kinds[kind])
