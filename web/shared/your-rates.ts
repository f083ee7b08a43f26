import type { Partner } from '#contract/partners.ts'
import type { TermsState } from '#contract/terms.ts'
import { termsSentence } from '#contract/terms-sentence.ts'
import { formatRate } from '../format.ts'
import { commissionWords } from '../words/commissions.ts'
import { wordingIn } from './terms.ts'

type Rates = Pick<Partner, 'commissionSettings' | 'effectiveCommissionSettings' | 'stats'>

/** Returns the terms in force in one sentence for their partner. */
export const partnerSentence = ({ inForce: { terms, recurringMonths } }: TermsState, currency: string) =>
  termsSentence(terms, { ...wordingIn(currency, 'partner'), recurringMonths })

/**
 * Returns a partner's rate on sub-partners' sales in words for them; empty if they have none. They earn by a
 * sub-partner's rates, which they may not read: only the account's default is shown.
 */
export function subPartnerRates({ commissionSettings, effectiveCommissionSettings, stats }: Rates): string[] {
  if (stats.numberOfPartners === 0) return []
  const above = effectiveCommissionSettings?.layerRates[1] ?? 0
  const isDefault = commissionSettings === null && above > 0
  const words = isDefault ? commissionWords.fromSubPartnersByDefault : commissionWords.fromSubPartners
  return [words({ rate: formatRate(above) })]
}
