import { ChartFrame } from './ChartFrame.tsx'
import { Skeleton } from './Panel.tsx'

export { HistoryChart, type Series } from './HistoryChart.tsx'

/** The placeholder of a chart while its data is loading. */
export const WaitingChart = ({ heading }: { heading: string }) => (
  <ChartFrame heading={heading}>
    <Skeleton rows={5} height={48} />
  </ChartFrame>
)
