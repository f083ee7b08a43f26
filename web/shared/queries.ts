import { keepPreviousData } from '@tanstack/react-query'
import { type Application, getProgram, listApplications } from '#contract/applications.ts'
import { getBalance, getPartnerForecast } from '#contract/balances.ts'
import { getLead } from '#contract/leads.ts'
import { getLinkBlueprint, listPartnerLinks } from '#contract/links.ts'
import { listPartnerMembers } from '#contract/members.ts'
import { getPartner, listPromotionCodes } from '#contract/partners.ts'
import { getPayoutForm } from '#contract/payout-form.ts'
import { getAutoPayoutSettings, getPayoutMethods, getPayoutSettings } from '#contract/payout-settings.ts'
import { getPayoutTotals } from '#contract/payouts.ts'
import { getSale } from '#contract/sales.ts'
import { getPartnerHistoricalStats } from '#contract/stats.ts'
import { pagesOf, read } from '../calls.ts'
import type { DateRange } from '../ui/date-ranges.ts'

export const lead = (id: string) => read(getLead, { params: { id } })
export const linkBlueprint = (id: string) => read(getLinkBlueprint, { params: { id } })
export const sale = (id: string) => read(getSale, { params: { id } })

export const partner = (id: string) => read(getPartner, { params: { id } })
export const balance = (partnerId: string) => read(getBalance, { params: { id: partnerId } })
export const partnerForecast = (partnerId: string) => read(getPartnerForecast, { params: { id: partnerId } })
export const payoutSettings = (partnerId: string) => read(getPayoutSettings, { params: { id: partnerId } })

/** The choices of payout details. */
export const payoutForm = (partnerId: string) => read(getPayoutForm, { params: { id: partnerId }, query: {} })
export const localBankForm = (partnerId: string, { country, currency }: { country: string; currency: string }) =>
  read(getPayoutForm, { params: { id: partnerId }, query: { kind: 'local-bank', country, currency } })

/** The few people of a partner, the first one first. */
export const partnerMembers = (partnerId: string) =>
  read(listPartnerMembers, { params: { id: partnerId }, query: { limit: 100, sort: 'createdAt' } })

/** A partner's links from their templates, or those they added, most clicked first, paged. */
export const partnerLinks = (partnerId: string, { own }: { own: boolean }) =>
  pagesOf(listPartnerLinks, {
    params: { id: partnerId },
    query: { limit: own ? 100 : 20, sort: '-clicks', own: own ? 'true' : 'false' },
  })

/** The account's public page and its application form. */
export const program = (accountId: string) => read(getProgram, { params: { id: accountId } })

/** The application by which a partner came, if any. */
export const applicationOf = (accountId: string, partnerId: string) => ({
  ...read(listApplications, { params: { id: accountId }, query: { partnerId, limit: 1 } }),
  select: ({ items }: { items: Application[] }) => items[0] ?? null,
})

export const promotionCodes = (partnerId: string) =>
  pagesOf(listPromotionCodes, { params: { id: partnerId }, query: { limit: 20, sort: 'code' } })

/** A partner's figures by period. */
export const partnerHistory = (partnerId: string, { from, to }: DateRange) => ({
  ...read(getPartnerHistoricalStats, { params: { id: partnerId, range: `${from}..${to}` } }),
  placeholderData: keepPreviousData,
})

export const autoPayouts = (accountId: string) => read(getAutoPayoutSettings, { params: { id: accountId } })
/** The ways to pay, in order. */
export const payoutMethods = (accountId: string) => read(getPayoutMethods, { params: { id: accountId } })
export const payoutTotals = (accountId: string) => read(getPayoutTotals, { params: { id: accountId } })
