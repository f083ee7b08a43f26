import { formatRate } from '../format.ts'
import { commissionWords } from '../words/commissions.ts'

/** Formats rates as 'Solo 10%', 'Layered 10% / 5%' or 'No commission'. */
export function commissionLabel(layerRates: readonly number[]) {
  if (layerRates.every((rate) => rate === 0)) return commissionWords.none
  const rates = layerRates.map(formatRate)
  return rates.length === 1
    ? commissionWords.solo({ rate: rates[0] as string })
    : commissionWords.layered({ rates: rates.join(' / ') })
}
