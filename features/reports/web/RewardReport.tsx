import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#contract/format.ts'
import { formatMoney, formatMonth, todayIn } from '#web/format.ts'
import { ToPartner } from '#web/shared/links.tsx'
import { useAccount } from '#web/shell/current.ts'
import type { DateRangeState } from '#web/ui/DateRange.tsx'
import { Empty, Panel } from '#web/ui/Panel.tsx'
import { PendingPanel } from '#web/ui/PendingPanel.tsx'
import { type Column, PlainTable } from '#web/ui/PlainTable.tsx'
import { basicWords } from '#web/words/basic.ts'
import type { RewardReport as Report, RewardSums } from '../../rewards/contract.ts'
import { reportWords } from '../text.ts'
import { rewardsQuery } from './queries.ts'

const words = reportWords.ofRewards

type Props = { accountId: string; range: DateRangeState }

/** Rewards of customers by month and form, what a new customer cost, and the customers below zero. */
export function RewardReport({ accountId, range }: Props) {
  const { timeZone } = useAccount()
  const answer = useQuery(rewardsQuery(accountId, range))
  const below = answer.data?.belowZero ?? []
  return (
    <>
      <PendingPanel heading={words.months} answer={answer} rows={6}>
        {({ months, currency }) =>
          months.length === 0 ? (
            <Empty hint={words.none} />
          ) : (
            <>
              <p className="inset muted">{words.about}</p>
              <PlainTable
                label={words.months}
                rows={months}
                keyOf={({ month }) => month}
                columns={monthColumns(currency, todayIn(timeZone))}
              />
            </>
          )
        }
      </PendingPanel>
      {answer.data && below.length > 0 && (
        <Panel heading={words.below}>
          <p className="inset muted">{words.belowAbout}</p>
          <PlainTable
            label={words.below}
            rows={below}
            keyOf={({ partnerId }) => partnerId}
            columns={belowColumns(answer.data.currency)}
          />
        </Panel>
      )}
    </>
  )
}

function monthColumns(currency: string, today: string): Column<Report['months'][number]>[] {
  const money = (amount: number | null) => (amount === null ? basicWords.absent : formatMoney(amount, currency))
  return [
    { head: words.month, cell: ({ month }) => formatMonth(month, today) },
    { head: words.newCustomers, numeric: true, wideOnly: true, cell: ({ newCustomers }) => formatNumber(newCustomers) },
    { head: words.earned, numeric: true, cell: ({ earned }) => money(earned) },
    { head: words.costPerCustomer, numeric: true, cell: ({ costPerCustomer }) => money(costPerCustomer) },
    {
      head: words.given,
      under: true,
      cell: ({ given }) =>
        given.length === 0
          ? basicWords.absent
          : given.map((sums) => <div key={`${sums.as} ${sums.unitName}`}>{sumsInWords(sums, currency)}</div>),
    },
  ]
}

function sumsInWords({ as, units, unitName, amount: minor }: RewardSums, currency: string) {
  const amount = formatMoney(minor, currency)
  return as === 'units'
    ? words.forms.units({ units: `${formatNumber(units ?? 0)} ${unitName}`, amount })
    : words.forms[as]({ amount })
}

const belowColumns = (currency: string): Column<Report['belowZero'][number]>[] => [
  { head: words.customer, cell: ({ partnerId, partnerName }) => <ToPartner id={partnerId}>{partnerName}</ToPartner> },
  { head: words.externalId, under: true, cell: ({ externalId }) => externalId ?? basicWords.absent },
  { head: words.balance, numeric: true, cell: ({ balance }) => formatMoney(balance, currency) },
]
