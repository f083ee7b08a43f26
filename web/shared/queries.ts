import { keepPreviousData } from '@tanstack/react-query'
import { type Application, getProgram, listApplications } from '#contract/applications.ts'
import { getBalance, getPartnerForecast } from '#contract/balances.ts'
import { getLead } from '#contract/leads.ts'
import { getLinkBlueprint, listPartnerLinks } from '#contract/links.ts'
import { listPartnerMembers } from '#contract/members.ts'
import { getPartner } from '#contract/partners.ts'
import { listAvailableProviders } from '#contract/payment-providers.ts'
import { getPayoutForm } from '#contract/payout-form.ts'
import { getAutoPayoutSettings, getPayoutMethods, getPayoutSettings } from '#contract/payout-settings.ts'
import { getPayoutTotals } from '#contract/payouts.ts'
import { getSale } from '#contract/sales.ts'
import { getPartnerHistoricalStats } from '#contract/stats.ts'
import { listPromotionCodes } from '#features/promotion-codes/contract.ts'
import { apiPagesQuery, apiQuery } from '../calls.ts'
import type { DateRange } from '../ui/date-ranges.ts'

export const leadQuery = (id: string) => apiQuery(getLead, { params: { id } })
export const linkBlueprintQuery = (id: string) => apiQuery(getLinkBlueprint, { params: { id } })
export const saleQuery = (id: string) => apiQuery(getSale, { params: { id } })

export const partnerQuery = (id: string) => apiQuery(getPartner, { params: { id } })
export const balanceQuery = (partnerId: string) => apiQuery(getBalance, { params: { id: partnerId } })
export const partnerForecastQuery = (partnerId: string) => apiQuery(getPartnerForecast, { params: { id: partnerId } })
export const payoutSettingsQuery = (partnerId: string) => apiQuery(getPayoutSettings, { params: { id: partnerId } })

/** The choices of payout details. */
export const payoutFormQuery = (partnerId: string) => apiQuery(getPayoutForm, { params: { id: partnerId }, query: {} })
export const localBankFormQuery = (partnerId: string, { country, currency }: { country: string; currency: string }) =>
  apiQuery(getPayoutForm, { params: { id: partnerId }, query: { kind: 'local-bank', country, currency } })

/** The few people of a partner, the first one first. */
export const partnerMembersQuery = (partnerId: string) =>
  apiQuery(listPartnerMembers, { params: { id: partnerId }, query: { limit: 100, sort: 'createdAt' } })

/** A partner's links from their templates, or those they added, most clicked first, paged. */
export const partnerLinksQuery = (partnerId: string, { own }: { own: boolean }) =>
  apiPagesQuery(listPartnerLinks, {
    params: { id: partnerId },
    query: { limit: own ? 100 : 20, sort: '-clicks', own: own ? 'true' : 'false' },
  })

/** The account's public page and its application form. */
export const programQuery = (accountId: string) => apiQuery(getProgram, { params: { id: accountId } })

/** The application by which a partner came, if any. */
export const partnerApplicationQuery = (accountId: string, partnerId: string) => ({
  ...apiQuery(listApplications, { params: { id: accountId }, query: { partnerId, limit: 1 } }),
  select: ({ items }: { items: Application[] }) => items[0] ?? null,
})

export const promotionCodesQuery = (partnerId: string) =>
  apiPagesQuery(listPromotionCodes, { params: { id: partnerId }, query: { limit: 20, sort: 'code' } })

/** A partner's figures by period. */
export const partnerHistoryQuery = (partnerId: string, { from, to }: DateRange) => ({
  ...apiQuery(getPartnerHistoricalStats, { params: { id: partnerId, range: `${from}..${to}` } }),
  placeholderData: keepPreviousData,
})

export const autoPayoutsQuery = (accountId: string) => apiQuery(getAutoPayoutSettings, { params: { id: accountId } })
/** The payout methods, in order. */
export const payoutMethodsQuery = (accountId: string) => apiQuery(getPayoutMethods, { params: { id: accountId } })
export const payoutTotalsQuery = (accountId: string) => apiQuery(getPayoutTotals, { params: { id: accountId } })

/** Providers that can be connected here, with the fields each needs. */
export const availableProvidersQuery = (accountId: string) =>
  apiQuery(listAvailableProviders, { params: { id: accountId } })
