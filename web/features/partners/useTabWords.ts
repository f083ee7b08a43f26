import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { t } from '../../words.ts'
import { leadCount, payoutCount } from './queries.ts'

/** The tabs that a partner's page has for its owner and for themselves, each with how many stand behind it. */
export function useTabWords({ id, stats }: Partner) {
  return {
    overview: { label: t('partners.detail.overview') },
    'sub-partners': { label: t('partners.subPartners'), count: stats.numberOfPartners },
    leads: { label: t('partners.leads'), count: useQuery(leadCount(id)).data },
    commissions: { label: t('pages.commissions') },
    payouts: { label: t('partners.detail.payouts'), count: useQuery(payoutCount(id)).data },
  }
}
