import type { Partner } from '#contract/partners.ts'
import { formatRate } from '../format.ts'
import { commissionWords } from '../words/commissions.ts'

type Rates = Pick<Partner, 'commissionSettings' | 'effectiveCommissionSettings' | 'stats'>

/**
 * Returns a partner's rates in words for them. On a sub-partner's sale they earn by that sub-partner's rates, which
 * they may not read: only the account's default is shown.
 */
export function yourRates({ commissionSettings, effectiveCommissionSettings, stats }: Rates): string[] {
  const [own = 0, above = 0] = effectiveCommissionSettings?.layerRates ?? []
  const isDefault = commissionSettings === null
  const first = isDefault ? commissionWords.youEarnByDefault : commissionWords.youEarn
  const second = isDefault && above > 0 ? commissionWords.fromSubPartnersByDefault : commissionWords.fromSubPartners
  return [
    own > 0 ? first({ rate: formatRate(own) }) : commissionWords.youEarnNothing,
    ...(stats.numberOfPartners > 0 ? [second({ rate: formatRate(above) })] : []),
  ]
}
