import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Balance, PayoutForecast } from '#contract/balances.ts'
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
import { Line } from './Line.tsx'

/** Paydays shown before the rest is requested. */
const FIRST = 3

/** Upcoming payments with day and number of commissions, and the blockers still in their way. */
export function NextPayouts({ partnerId }: { partnerId: string }) {
  const { data: money } = useQuery(balanceQuery(partnerId))
  return (
    <PendingPanel
      heading={dashboardWords.nextPayouts}
      answer={useQuery(partnerForecastQuery(partnerId))}
      rows={3}
      aside={({ days: [next] }) => (
        <span className="row gap-3">
          {next?.destination && <small>{dashboardWords.toAccount({ digits: next.destination })}</small>}
          <Link to="/partners/$partnerId" params={{ partnerId }} search={{ tab: 'payouts' }}>
            {basicWords.actions.viewAll}
          </Link>
        </span>
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
  // what waits for a new year has a line of its own
  const standing = delayingBlockers(blockers).filter(({ code }) => code !== 'not-approved-next-year' || !blocked.amount)
  if (days.length + standing.length + blocked.amount === 0) return <Empty hint={dashboardWords.nothingComing} />
  const later = days.length - FIRST
  const who = { account: account.displayName }
  const next = (code: string) => blockerWords.next[code as PartnersBlocker](who)
  // an amount that isn’t stopped lacks only the approval for the year of its payday
  const isStopped = standing.some(({ code }) => !soft.includes(code))
  const today = todayIn(account.timeZone)
  const label = (date: string, { amount, count }: { amount: number; count: number }) =>
    dashboardWords.payday({ date, amount: formatMoney(amount, currency), count })
  return (
    <>
      <ul className="items">
        {standing.map(({ code, message }) =>
          needsPartner.includes(code) ? (
            <Line key={code} {...looks.needs} why={next(code)}>
              <Link to="/partner/settings">{message}</Link>
            </Line>
          ) : (
            <Line key={code} {...looks.waits} still why={next(code)}>
              {message}
            </Line>
          ),
        )}
        {(all ? days : days.slice(0, FIRST)).map((day) => (
          <Line key={day.date} {...looks.moves}>
            <ToCommissions partnerId={partnerId} payday={day.date}>
              {label(day.date === today ? dashboardWords.today : formatMonthAndDay(day.date, today), day)}
            </ToCommissions>
          </Line>
        ))}
        {blocked.amount > 0 && (
          <Line {...looks.waits} muted why={isStopped ? dashboardWords.waitingWhy : dashboardWords.nextYearsWhy(who)}>
            <ToCommissions partnerId={partnerId} payday="blocked">
              {isStopped
                ? label(dashboardWords.waiting, blocked)
                : dashboardWords.nextYears({ amount: formatMoney(blocked.amount, currency) })}
            </ToCommissions>
          </Line>
        )}
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

/** The blockers that the partner can lift; the others wait for someone else, or for time. */
const needsPartner = [
  'no-deposit-info',
  'details-rejected',
  'wise-rejected-recipient',
  'agreement-not-accepted',
  'tax-form-missing',
  'invoice-details-missing',
]

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
