import { useQuery } from '@tanstack/react-query'
import { useFirstLoad } from '../../calls.ts'
import { formatZone } from '../../format.ts'
import { partnerAssetsQuery } from '../../shared/assets.ts'
import { OwnFigures } from '../../shared/OwnFigures.tsx'
import { partnerHistoryQuery, partnerQuery } from '../../shared/queries.ts'
import { YourTerms } from '../../shared/YourTerms.tsx'
import { useAccount, useInPortal, usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { WaitingChart } from '../../ui/charts.tsx'
import { DateRangePicker, useDateRange } from '../../ui/DateRange.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { dashboardWords } from '../../words/dashboard.ts'
import { pageWords } from '../../words/shell.ts'
import { Beside } from './DashboardAside.tsx'
import { Earned } from './Earned.tsx'
import { CountChart, DownloadHistory } from './History.tsx'
import { readsOfPanels } from './queries.ts'
import { Coming } from './UpcomingPayouts.tsx'
import { YourLinks } from './YourLinks.tsx'
import { YourPromotionCodes } from './YourPromotionCodes.tsx'

const News = lazyComponent(async () => (await import('./News.tsx')).News, { late: true })
const Questions = lazyComponent(async () => (await import('./Questions.tsx')).Questions, { late: true })
const YourAssets = lazyComponent(async () => (await import('./YourAssets.tsx')).YourAssets, { late: true })

/** The partner's own dashboard; in a portal it is the tab 'Overview'. */
export function PartnerDashboard() {
  const { partnerId } = usePartnerRole()
  const { timeZone } = useAccount()
  const self = useQuery(partnerQuery(partnerId)).data
  const assets = useQuery(partnerAssetsQuery(partnerId)).data?.items ?? []
  const range = useDateRange(timeZone)
  // panels appear, or not, between those below
  const loads = useFirstLoad(readsOfPanels(partnerId))
  const history = useQuery(partnerHistoryQuery(partnerId, range)).data
  return (
    <Page
      heading={pageWords[useInPortal() ? 'overview' : 'dashboard']}
      badge={<ProgramName />}
      actions={
        <>
          <DateRangePicker range={range} />
          <DownloadHistory history={history} />
        </>
      }
    >
      <Earned partnerId={partnerId} />
      <div className="stack until-loaded" aria-busy={loads || undefined}>
        <Coming partnerId={partnerId} />
        {self && <YourTerms partner={self} />}
        <Questions partnerId={partnerId} />
        <News partnerId={partnerId} />
        <YourLinks partnerId={partnerId} state={self?.state} />
        <YourPromotionCodes partnerId={partnerId} />
        {assets.length > 0 && <YourAssets assets={assets} />}
        <OwnFigures clicks partnerId={partnerId} range={range} label={dashboardWords.yourFigures}>
          {(earnings, history) => (
            <Beside wideFirst>
              {earnings}
              {history ? (
                <CountChart clicks history={history} today={range.today} />
              ) : (
                <WaitingChart heading={dashboardWords.clicksChart} />
              )}
            </Beside>
          )}
        </OwnFigures>
        <p className="muted small">{dashboardWords.note({ timeZone: formatZone(timeZone) })}</p>
      </div>
    </Page>
  )
}
