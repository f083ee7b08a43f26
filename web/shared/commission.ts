import { joinClauses } from '#contract/format.ts'
import type { Terms } from '#contract/terms.ts'
import { termsInWords } from '#contract/terms-in-words.ts'
import { formatMoney, formatRate } from '../format.ts'
import { commissionWords } from '../words/commissions.ts'
import { termsWords } from '../words/terms.ts'
import { getPayKind, type TermsValue, wordingIn } from './terms.ts'

/** Formats terms as 'Layered 10% / 5%', '$50.00' or '3 rules'. */
export function termsLabel({ rules, otherwise }: TermsValue, currency: string) {
  if (rules.length > 0) return termsWords.count({ count: rules.length })
  const kind = getPayKind(otherwise)
  const layers = (otherwise[kind] ?? []).filter((one) => typeof one === 'number')
  if (kind === 'layerRates' || layers.every((one) => one === 0)) return commissionLabel(layers)
  return layers.map((amount) => formatMoney(amount, currency)).join(' / ')
}

/** Formats terms as 'Starter · product prod_starter: $50.00; All other sales: 10%'. */
export function termsInLine(terms: Terms, currency: string) {
  const { lines, caps } = termsInWords(terms, wordingIn(currency))
  return joinClauses([...lines.map(({ what, pays }) => `${what}: ${pays}`), ...caps])
}

/** Formats rates as 'Solo 10%', 'Layered 10% / 5%' or 'No commission'. */
export function commissionLabel(layerRates: readonly number[]) {
  if (layerRates.every((rate) => rate === 0)) return commissionWords.none
  const rates = layerRates.map(formatRate)
  return rates.length === 1
    ? commissionWords.solo({ rate: rates[0] as string })
    : commissionWords.layered({ rates: rates.join(' / ') })
}
