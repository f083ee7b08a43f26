import { useQuery } from '@tanstack/react-query'
import { listPartnerInvoices } from '#contract/invoices.ts'
import type { Partner } from '#contract/partners.ts'
import { partnerInvoiceCountQuery } from '../../shared/invoices.ts'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { leadCountQuery, payoutCountQuery } from './queries.ts'

/** Returns the tabs of a partner's page, for the owner and the partner, each with its count. */
export function useTabWords({ id, stats }: Partner) {
  return {
    overview: { label: partnerWords.detail.overview },
    'sub-partners': { label: fieldWords.subPartners, count: stats.numberOfPartners },
    leads: { label: fieldWords.leads, count: useQuery(leadCountQuery(id)).data },
    commissions: { label: pageWords.commissions },
    payouts: { label: fieldWords.payouts, count: useQuery(payoutCountQuery(id)).data },
    invoices: {
      label: pageWords.invoices,
      count: useQuery({ ...partnerInvoiceCountQuery(id), enabled: usePermission()(listPartnerInvoices) }).data,
    },
  }
}
