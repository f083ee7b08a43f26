import { keepPreviousData } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import { getCodeOffer, type PromotionCodeOffer } from '#contract/payment-providers.ts'
import { getAccountHistoricalStats } from '#contract/stats.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { partnerAssets } from '../../shared/assets.ts'
import { partnerGoals } from '../../shared/goals.ts'
import {
  balance,
  partner,
  partnerForecast,
  partnerHistory,
  partnerLinks,
  promotionCodes,
} from '../../shared/queries.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { termsState } from '../../shared/terms.ts'
import { type ChosenRange, comparedWith, type DateRange, rangeIn } from '../../ui/date-ranges.ts'
import { latestNews, questionsOf } from './news-queries.ts'

/** The owner's dashboard for a range and the range it is compared with. */
export function dashboard(accountId: string, range: ChosenRange) {
  const [days, compare] = [asPath(range), asPath(comparedWith(range))]
  return {
    ...read(getDashboard, { params: { id: accountId, range: days }, query: { compare } }),
    placeholderData: keepPreviousData,
  }
}

/** The account's figures by period. */
export const accountHistory = (accountId: string, range: DateRange) =>
  read(getAccountHistoricalStats, { params: { id: accountId, range: asPath(range) } })

const asPath = ({ from, to }: DateRange) => `${from}..${to}`

export function readsOfDashboard({ role, search }: Opened): Reads {
  const range = rangeIn(search, todayIn(timeZoneHere()))
  if (isTeam(role)) return [dashboard(role.accountId, range)]
  if (!isAtPartner(role)) return []
  return [
    partnerHistory(role.partnerId, range),
    partnerHistory(role.partnerId, comparedWith(range)),
    ...readsOfPanels(role.partnerId),
  ]
}

/** The reads of the panels on a partner's dashboard, which make room for those that have something to say. */
export const readsOfPanels = (partnerId: string): Reads => [
  balance(partnerId),
  partnerForecast(partnerId),
  partner(partnerId),
  termsState({ of: 'partner', id: partnerId }),
  partnerGoals(partnerId),
  partnerLinks(partnerId, { own: false }),
  partnerLinks(partnerId, { own: true }),
  promotionCodes(partnerId),
  codeOffer(partnerId),
  partnerAssets(partnerId),
  latestNews(partnerId),
  questionsOf(partnerId),
]

/** Poll interval while a promotion code is being made. */
export const AGAIN_MS = 5000

/** Whether the partner may request a promotion code, or waits for one. */
export const codeOffer = (partnerId: string) => ({
  ...read(getCodeOffer, { params: { id: partnerId } }),
  refetchInterval: ({ state: { data } }: { state: { data?: PromotionCodeOffer } }) =>
    data?.waiting ? AGAIN_MS : (false as const),
})

export const readsOfAssets = ({ role }: Opened): Reads => (isAtPartner(role) ? [partnerAssets(role.partnerId)] : [])
