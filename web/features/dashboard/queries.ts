import { keepPreviousData } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import { listPartnerPayouts } from '#contract/payouts.ts'
import { getAccountHistoricalStats } from '#contract/stats.ts'
import { listPartnerAssets } from '#features/assets/contract.ts'
import { getCodeOffer, type PromotionCodeOffer } from '#features/promotion-codes/contract.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { partnerGoalsQuery } from '../../shared/goals.ts'
import {
  balanceQuery,
  partnerForecastQuery,
  partnerHistoryQuery,
  partnerLinksQuery,
  partnerQuery,
} from '../../shared/queries.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { termsStateQuery } from '../../shared/terms.ts'
import { type ChosenRange, comparedWith, type DateRange, rangeIn } from '../../ui/date-ranges.ts'
import { allNewsQuery, latestNewsQuery, questionsQuery } from './news-queries.ts'

/** The owner's dashboard for a range and the range it is compared with. */
export function dashboardQuery(accountId: string, range: ChosenRange) {
  const [days, compare] = [asPath(range), asPath(comparedWith(range))]
  return {
    ...apiQuery(getDashboard, { params: { id: accountId, range: days }, query: { compare } }),
    placeholderData: keepPreviousData,
  }
}

/** The account's figures by period. */
export const accountHistoryQuery = (accountId: string, range: DateRange) =>
  apiQuery(getAccountHistoricalStats, { params: { id: accountId, range: asPath(range) } })

const asPath = ({ from, to }: DateRange) => `${from}..${to}`

/** The assets that a partner may copy, with their own link in them. */
export const partnerAssetsQuery = (partnerId: string) => apiQuery(listPartnerAssets, { params: { id: partnerId } })

export function readsOfDashboard({ role, search }: Opened): Reads {
  const range = rangeIn(search, todayIn(timeZoneHere()))
  if (isTeam(role)) return [dashboardQuery(role.accountId, range)]
  if (!isAtPartner(role)) return []
  return [
    partnerHistoryQuery(role.partnerId, range),
    partnerHistoryQuery(role.partnerId, comparedWith(range)),
    ...readsOfPanels(role.partnerId),
    termsStateQuery({ of: 'partner', id: role.partnerId }),
    partnerGoalsQuery(role.partnerId),
    partnerAssetsQuery(role.partnerId),
    latestNewsQuery(role.partnerId),
  ]
}

/** The reads of the first panels on a partner's dashboard, which are all there is on a portal's. */
export const readsOfPanels = (partnerId: string): Reads => [
  balanceQuery(partnerId),
  partnerForecastQuery(partnerId),
  partnerQuery(partnerId),
  partnerLinksQuery(partnerId, { own: false }),
  questionsQuery(partnerId),
]

/** The payouts to a partner that were sent and have not arrived. */
export const sentPayoutsQuery = (partnerId: string) =>
  apiQuery(listPartnerPayouts, { params: { id: partnerId }, query: { status: 'sent', limit: 100 } })

/** Poll interval while a promotion code is being made. */
export const AGAIN_MS = 5000

/** Whether the partner may request a promotion code, or waits for one. */
export const codeOfferQuery = (partnerId: string) => ({
  ...apiQuery(getCodeOffer, { params: { id: partnerId } }),
  refetchInterval: ({ state: { data } }: { state: { data?: PromotionCodeOffer } }) =>
    data?.waiting ? AGAIN_MS : (false as const),
})

export const readsOfOverview = ({ role }: Opened): Reads => (isAtPartner(role) ? readsOfPanels(role.partnerId) : [])

export const readsOfFigures = ({ role, search }: Opened): Reads => {
  const range = rangeIn(search, todayIn(timeZoneHere()))
  return isAtPartner(role) ? [partnerHistoryQuery(role.partnerId, range)] : []
}

export const readsOfNews = ({ role }: Opened): Reads => (isAtPartner(role) ? [allNewsQuery(role.partnerId)] : [])

export const readsOfTerms = ({ role }: Opened): Reads =>
  isAtPartner(role)
    ? [
        partnerQuery(role.partnerId),
        termsStateQuery({ of: 'partner', id: role.partnerId }),
        partnerGoalsQuery(role.partnerId),
      ]
    : []

export const readsOfAssets = ({ role }: Opened): Reads =>
  isAtPartner(role) ? [partnerAssetsQuery(role.partnerId)] : []
