import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../shell/current.ts'
import { HistoryChart, WaitingChart } from '../../ui/charts.tsx'
import { DateRangePicker, useDateRange } from '../../ui/DateRange.tsx'
import { Failed, Panel } from '../../ui/Panel.tsx'
import { fieldWords } from '../../words/fields.ts'
import { linkWords } from '../../words/links.ts'
import styles from './Links.module.css'
import { historyQuery } from './queries.ts'

/** Clicks in one chart, leads and sales in another: on the scale of clicks the latter would be invisible. */
export function LinkCharts({ id }: { id: string }) {
  const range = useDateRange(useAccount().timeZone)
  const { data, error, refetch, isFetching } = useQuery(historyQuery(id, range))
  const [clicks, results] = [fieldWords.clicks, linkWords.resultsChart]
  return (
    <>
      <div className="row between">
        <h2>{linkWords.overTime}</h2>
        <DateRangePicker range={range} small />
      </div>
      {error && !data ? (
        <Panel>
          <Failed onRetry={refetch} busy={isFetching} why={error.message} />
        </Panel>
      ) : (
        <div className={`grid ${styles.charts}`}>
          {data ? (
            <>
              <HistoryChart
                heading={clicks}
                kind="bar"
                history={data}
                today={range.today}
                series={[{ key: 'numberOfClicks', label: fieldWords.clicks, color: 'revenue' }]}
              />
              <HistoryChart
                heading={results}
                kind="bar"
                history={data}
                today={range.today}
                series={[
                  { key: 'numberOfLeads', label: fieldWords.leads, color: 'leads' },
                  { key: 'numberOfSales', label: fieldWords.sales, color: 'sales' },
                ]}
              />
            </>
          ) : (
            <>
              <WaitingChart heading={clicks} />
              <WaitingChart heading={results} />
            </>
          )}
        </div>
      )}
    </>
  )
}
