import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { t } from '../../words.ts'
import { leadCount, payoutCount } from './queries.ts'

/** Returns the tabs of a partner's page, for the owner and the partner, each with its count. */
export function useTabWords({ id, stats }: Partner) {
  return {
    overview: { label: t('partners.detail.overview') },
    'sub-partners': { label: t('partners.subPartners'), count: stats.numberOfPartners },
    leads: { label: t('partners.leads'), count: useQuery(leadCount(id)).data },
    commissions: { label: t('pages.commissions') },
    payouts: { label: t('partners.detail.payouts'), count: useQuery(payoutCount(id)).data },
  }
}
