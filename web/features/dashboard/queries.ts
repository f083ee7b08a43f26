import { keepPreviousData } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import { getCodeOffer, type PromotionCodeOffer } from '#contract/payment-providers.ts'
import { getAccountHistoricalStats } from '#contract/stats.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { partnerAssetsQuery } from '../../shared/assets.ts'
import { partnerGoalsQuery } from '../../shared/goals.ts'
import {
  balanceQuery,
  partnerForecastQuery,
  partnerHistoryQuery,
  partnerLinksQuery,
  partnerQuery,
  promotionCodesQuery,
} from '../../shared/queries.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { termsStateQuery } from '../../shared/terms.ts'
import { type ChosenRange, comparedWith, type DateRange, rangeIn } from '../../ui/date-ranges.ts'
import { latestNewsQuery, questionsQuery } from './news-queries.ts'

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

export function readsOfDashboard({ role, search }: Opened): Reads {
  const range = rangeIn(search, todayIn(timeZoneHere()))
  if (isTeam(role)) return [dashboardQuery(role.accountId, range)]
  if (!isAtPartner(role)) return []
  return [
    partnerHistoryQuery(role.partnerId, range),
    partnerHistoryQuery(role.partnerId, comparedWith(range)),
    ...readsOfPanels(role.partnerId),
  ]
}

/** The reads of the panels on a partner's dashboard, which make room for those that have something to say. */
export const readsOfPanels = (partnerId: string): Reads => [
  balanceQuery(partnerId),
  partnerForecastQuery(partnerId),
  partnerQuery(partnerId),
  termsStateQuery({ of: 'partner', id: partnerId }),
  partnerGoalsQuery(partnerId),
  partnerLinksQuery(partnerId, { own: false }),
  partnerLinksQuery(partnerId, { own: true }),
  promotionCodesQuery(partnerId),
  codeOfferQuery(partnerId),
  partnerAssetsQuery(partnerId),
  latestNewsQuery(partnerId),
  questionsQuery(partnerId),
]

/** Poll interval while a promotion code is being made. */
export const AGAIN_MS = 5000

/** Whether the partner may request a promotion code, or waits for one. */
export const codeOfferQuery = (partnerId: string) => ({
  ...apiQuery(getCodeOffer, { params: { id: partnerId } }),
  refetchInterval: ({ state: { data } }: { state: { data?: PromotionCodeOffer } }) =>
    data?.waiting ? AGAIN_MS : (false as const),
})

export const readsOfAssets = ({ role }: Opened): Reads =>
  isAtPartner(role) ? [partnerAssetsQuery(role.partnerId)] : []
