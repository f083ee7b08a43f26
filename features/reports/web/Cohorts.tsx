import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#contract/format.ts'
import { formatMonth, formatShortMoney, todayIn } from '#web/format.ts'
import { useAccount } from '#web/shell/current.ts'
import type { DateRangeState } from '#web/ui/DateRange.tsx'
import { Message } from '#web/ui/Message.tsx'
import { Empty } from '#web/ui/Panel.tsx'
import { PendingPanel } from '#web/ui/PendingPanel.tsx'
import { type Column, PlainTable } from '#web/ui/PlainTable.tsx'
import { basicWords } from '#web/words/basic.ts'
import type { Cohort } from '../contract.ts'
import { reportWords as words } from '../text.ts'
import { cohortsQuery } from './queries.ts'

type Props = { accountId: string; range: DateRangeState }

/** Revenue by the month in which the lead came, a row each, and by the month of the payment, a column each. */
export function Cohorts({ accountId, range }: Props) {
  const { timeZone } = useAccount()
  const answer = useQuery(cohortsQuery(accountId, range))
  const today = todayIn(timeZone)
  return (
    <PendingPanel heading={words.cohort.revenue} answer={answer} rows={6}>
      {({ cohorts, currency, waiting }) =>
        cohorts.length === 0 ? (
          <Empty hint={words.cohort.noneYet} />
        ) : (
          <>
            <p className="inset muted">{words.cohort.about}</p>
            {waiting > 0 && <Message kind="info">{words.waiting({ count: waiting })}</Message>}
            <PlainTable
              label={words.cohort.revenue}
              rows={cohorts}
              keyOf={({ month }) => month}
              columns={columnsFor(cohorts, { currency, today })}
            />
          </>
        )
      }
    </PendingPanel>
  )
}

function columnsFor(rows: Cohort[], { currency, today }: { currency: string; today: string }): Column<Cohort>[] {
  const months = [...new Set(rows.flatMap((row) => row.months.map(({ month }) => month)))].sort()
  const money = (amount: number | undefined) =>
    amount === undefined ? basicWords.absent : formatShortMoney(amount, currency)
  const sum = ({ months }: Cohort) => months.reduce((all, { revenue }) => all + revenue, 0)
  return [
    { head: words.cohort.month, cell: ({ month }) => formatMonth(month, today) },
    { head: words.leads, numeric: true, cell: ({ leads }) => formatNumber(leads) },
    { head: words.cohort.total, numeric: true, cell: (row) => money(sum(row)) },
    ...months.map((shown) => ({
      head: formatMonth(shown, today),
      numeric: true,
      wideOnly: true,
      cell: ({ months }: Cohort) => money(months.find(({ month }) => month === shown)?.revenue),
    })),
  ]
}
