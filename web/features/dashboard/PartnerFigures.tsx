import { useQuery } from '@tanstack/react-query'
import { formatZone } from '../../format.ts'
import { OwnFigures } from '../../shared/OwnFigures.tsx'
import { partnerHistoryQuery } from '../../shared/queries.ts'
import { useAccount, usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { WaitingChart } from '../../ui/charts.tsx'
import { DateRangePicker, useDateRange } from '../../ui/DateRange.tsx'
import { Page } from '../../ui/Page.tsx'
import { dashboardWords } from '../../words/dashboard.ts'
import { fieldWords } from '../../words/fields.ts'
import { statsWords } from '../../words/stats.ts'
import styles from './DashboardAside.module.css'
import { Slides } from './DashboardAside.tsx'
import { ClicksChart, CountChart, DownloadHistory } from './History.tsx'

/** A partner's clicks, leads, sales and earnings in a range, and their charts. */
export function PartnerFigures({ partnerId, alone = false }: { partnerId: string; alone?: boolean }) {
  const { timeZone } = useAccount()
  const range = useDateRange(timeZone)
  const history = useQuery(partnerHistoryQuery(partnerId, range)).data
  return (
    <div className="stack">
      <div className="row between">
        <div className={styles.start}>{!alone && <h2>{dashboardWords.yourFigures}</h2>}</div>
        <DateRangePicker compared range={range} small />
        <DownloadHistory history={history} small />
      </div>
      <OwnFigures clicks partnerId={partnerId} range={range} label={dashboardWords.yourFigures}>
        {(earnings, history) => (
          <Slides label={dashboardWords.charts}>
            {earnings}
            {history ? (
              <>
                <CountChart history={history} today={range.today} />
                <ClicksChart history={history} today={range.today} />
              </>
            ) : (
              <>
                <WaitingChart heading={dashboardWords.countChart} />
                <WaitingChart heading={fieldWords.clicks} />
              </>
            )}
          </Slides>
        )}
      </OwnFigures>
      <p className="muted small">{dashboardWords.note({ timeZone: formatZone(timeZone) })}</p>
    </div>
  )
}

/** These figures on a portal's tab of their own. */
export const PortalFigures = () => (
  <Page heading={statsWords.summary} badge={<ProgramName />}>
    <PartnerFigures alone partnerId={usePartnerRole().partnerId} />
  </Page>
)
