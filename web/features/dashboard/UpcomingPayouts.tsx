import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Balance, Payday, PayoutForecast } from '#contract/balances.ts'
import { formatMoney, formatMonthAndDay, todayIn } from '../../format.ts'
import { delayingBlockers } from '../../shared/paydays.ts'
import { balanceQuery, partnerForecastQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { PayoutsIcon, WaitIcon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { basicWords } from '../../words/basic.ts'
import { blockerWords, type PartnersBlocker } from '../../words/blockers.ts'
import { dashboardWords } from '../../words/dashboard.ts'
import { pageWords } from '../../words/shell.ts'
import { Line } from './Line.tsx'

/** Paydays shown before the rest is requested. */
const FIRST = 3

/** Upcoming payments with day, account and number of sales, and the blockers still in their way. */
export function Coming({ partnerId }: { partnerId: string }) {
  const { data: money } = useQuery(balanceQuery(partnerId))
  return (
    <PendingPanel
      heading={pageWords.payouts}
      answer={useQuery(partnerForecastQuery(partnerId))}
      rows={3}
      aside={() => (
        <Link to="/partners/$partnerId" params={{ partnerId }} search={{ tab: 'payouts' }}>
          {basicWords.actions.viewAll}
        </Link>
      )}
    >
      {(data) => <Lines partnerId={partnerId} forecast={data} blockers={money?.blockers ?? []} />}
    </PendingPanel>
  )
}

type LinesProps = { partnerId: string; forecast: PayoutForecast; blockers: Balance['blockers'] }

function Lines({ partnerId, forecast: { currency, days, blocked }, blockers }: LinesProps) {
  const [all, setAll] = useState(false)
  const account = useAccount()
  const standing = delayingBlockers(blockers)
  if (days.length + standing.length + blocked.amount === 0) return <Empty hint={dashboardWords.nothingComing} />
  const later = days.length - FIRST
  const who = { account: account.displayName }
  // an amount that isn’t stopped lacks only the approval for the year of its payday
  const isStopped = standing.some(({ code }) => !soft.includes(code))
  const { count } = blocked
  return (
    <>
      <ul className="items">
        {standing.map(({ code, message }) => (
          <Line key={code} {...looks.needs} why={blockerWords.next[code as PartnersBlocker](who)}>
            <Link to="/partner/settings">{message}</Link>
          </Line>
        ))}
        {blocked.amount > 0 && (
          <Line
            {...(isStopped ? looks.needs : looks.waits)}
            why={isStopped ? dashboardWords.blockedSales({ count }) : dashboardWords.nextYearsWhy(who)}
          >
            <ToCommissions partnerId={partnerId} payday="blocked">
              {dashboardWords[isStopped ? 'blockedMoney' : 'nextYears']({
                amount: formatMoney(blocked.amount, currency),
              })}
            </ToCommissions>
          </Line>
        )}
        {(all ? days : days.slice(0, FIRST)).map((day) => (
          <Line key={day.date} {...looks.moves}>
            <ToCommissions partnerId={partnerId} payday={day.date}>
              {sentenceOf(day, currency, todayIn(account.timeZone))}
            </ToCommissions>
          </Line>
        ))}
      </ul>
      {later > 0 && !all && (
        <div className="ruled inset-all">
          <Button small onClick={() => setAll(true)}>
            {dashboardWords.morePaydays({ count: later })}
          </Button>
        </div>
      )}
    </>
  )
}

/** They don't stop the amounts that become due later. */
const soft = [
  'below-minimum',
  'negative-balance',
  'not-approved-next-year',
  'on-hold-fraud',
  'deposit-info-changed-recently',
]

/** 'November 24: $312.40 to ••2566, from 7 sales'; without the account if the reader may not see it. */
function sentenceOf({ date, amount, count, destination }: Payday, currency: string, today: string) {
  const money = formatMoney(amount, currency)
  return dashboardWords.payday({
    date: date === today ? dashboardWords.today : formatMonthAndDay(date, today),
    amount: destination ? dashboardWords.amountTo({ amount: money, digits: destination }) : money,
    count,
  })
}

type Behind = { partnerId: string; payday: string; children: ReactNode }

const ToCommissions = ({ partnerId, payday, children }: Behind) => (
  <Link to="/partners/$partnerId" params={{ partnerId }} search={{ tab: 'commissions', payday, sort: 'availableAt' }}>
    {children}
  </Link>
)

const looks = {
  moves: { tone: 'moves', icon: PayoutsIcon },
  needs: { tone: 'needs', icon: WaitIcon },
  waits: { tone: 'waits', icon: WaitIcon },
} as const
