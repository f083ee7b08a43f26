import { useTable } from '#web/lists/useTable.ts'
import { useOwnAccount, useTeamRole } from '#web/shell/current.ts'
import { EntryPage } from '#web/shell/EntryPage.tsx'
import { DateRangePicker, type DateRangeState, useDateRange } from '#web/ui/DateRange.tsx'
import { DEFAULT_RANGE } from '#web/ui/date-ranges.ts'
import { lazyComponent } from '#web/ui/lazy-part.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { Tabs, useTab } from '#web/ui/Tabs.tsx'
import { reportWords } from '../text.ts'
import { rangeReport, reportTabs } from './queries.ts'
import { ReportRows } from './ReportRows.tsx'
import { SaveReport } from './SaveReport.tsx'

const Cohorts = lazyComponent(async () => (await import('./Cohorts.tsx')).Cohorts)
const RewardReport = lazyComponent(async () => (await import('./RewardReport.tsx')).RewardReport)
const SavedReports = lazyComponent(async () => (await import('./SavedReports.tsx')).SavedReports)

/** Reports by one dimension, by the month in which the lead came, of rewards, and those saved. */
export function Reports() {
  const { accountId } = useTeamRole()
  const { timeZone, hasCustomerGroups } = useOwnAccount()
  const tab = useTab(reportTabs)
  const range = useDateRange(timeZone)
  // without customers who refer others there are no rewards
  const tabs = reportTabs.filter((key) => key !== 'rewards' || hasCustomerGroups || key === tab)
  return (
    <EntryPage
      actions={
        <>
          {tab !== 'saved' && <DateRangePicker range={range} />}
          {tab === 'report' && <SaveButton accountId={accountId} range={range} />}
        </>
      }
    >
      <Cohorts.OnUse />
      {hasCustomerGroups && <RewardReport.OnUse />}
      <SavedReports.OnUse />
      <Tabs label={reportWords.tabs} tabs={tabs.map((key) => ({ key, label: reportWords[key] }))} current={tab}>
        {tab === 'cohorts' ? (
          <Cohorts accountId={accountId} range={range} />
        ) : tab === 'rewards' ? (
          <RewardReport accountId={accountId} range={range} />
        ) : tab === 'saved' ? (
          <SavedReports accountId={accountId} />
        ) : (
          <ReportRows accountId={accountId} range={range} />
        )}
      </Tabs>
    </EntryPage>
  )
}

function SaveButton({ accountId, range }: { accountId: string; range: DateRangeState }) {
  const { by = 'partner', sort = '-revenue', search, partnerId } = useTable(rangeReport(accountId, range).table).query
  // days chosen in the calendar don't move along
  const period = range.choice === 'custom' ? DEFAULT_RANGE : range.choice
  const shown = { accountId, by, period, sort, search: search ?? null, partnerId: partnerId ?? null }
  return <ActButton look="primary" act={SaveReport} of={shown} />
}
