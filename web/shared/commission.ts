import { formatRate } from '../format.ts'
import { t } from '../words.ts'

/** Formats rates as 'Solo 10%', 'Layered 10% / 5%' or 'No commission'. */
export function commissionLabel(layerRates: readonly number[]) {
  if (layerRates.every((rate) => rate === 0)) return t('commission.none')
  const rates = layerRates.map(formatRate)
  return rates.length === 1
    ? t('commission.solo', { rate: rates[0] as string })
    : t('commission.layered', { rates: rates.join(' / ') })
}
