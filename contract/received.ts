import { inEachLanguage } from './language.ts'
import { moneyInWords } from './money.ts'
import type { Payout } from './payouts.ts'
import { receivedPhrases as words } from './received-words.ts'

/** All digits that a rate has. */
const rates = inEachLanguage((tag) => new Intl.NumberFormat(tag, { useGrouping: false, maximumSignificantDigits: 21 }))

/** Returns what the payee got of a payout in another currency: '€92.10 at 0.921, fee $0.61'; null if that adds nothing. */
export function receivedInWords({ currency: own, payee }: Pick<Payout, 'currency' | 'payee'>): string | null {
  if (!payee || payee.amount === null || payee.currency === null || payee.currency === own) return null
  const { amount, currency, rate, fee, feeCurrency } = payee
  const money = moneyInWords(amount, currency)
  const converted = rate === null ? money : words.at({ amount: money, rate: rates().format(rate) })
  return fee && feeCurrency ? words.lessFee({ amount: converted, fee: moneyInWords(fee, feeCurrency) }) : converted
}
