import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PayoutForecast } from '#contract/balances.ts'
import { formatMoney, formatShortRange, todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { payoutWords } from '../../words/payouts.ts'
import styles from './PaydayForecast.module.css'
import page from './Payouts.module.css'
import { countOfBalances, forecastQuery } from './queries.ts'

/** The next paydays in one line, with the balance needed by each; blocked amounts are apart; `review` leads to what can be approved now. */
export function PaydayForecast({ accountId, review }: { accountId: string; review: ReactNode }) {
  const { data } = useQuery(forecastQuery(accountId))
  if (!data) return null
  if (data.days.length === 0) return <p className={`muted ${page.above}`}>{noneOf(data)}</p>
  return <Days forecast={data} blocked={<Blocked accountId={accountId} />} review={review} />
}

const noneOf = ({ blocked }: PayoutForecast) =>
  blocked.amount > 0 ? payoutWords.paydays.allBlocked : payoutWords.paydays.none

/** Paydays with their own cell; the last cell is for all later ones. */
const MOST_SHOWN = 4

type DaysProps = { forecast: PayoutForecast; blocked: ReactNode; review: ReactNode }

function Days({ forecast: { currency, days }, blocked, review }: DaysProps) {
  const today = todayIn(useAccount().timeZone)
  const money = (amount: number) => formatMoney(amount, currency)
  const later = days.length > MOST_SHOWN + 1 ? days.slice(MOST_SHOWN) : []
  const shown = days.slice(0, days.length - later.length)
  return (
    <div className={`row ${page.above}`}>
      <ol className={`grid gap-3 ${styles.days}`} aria-label={payoutWords.paydays.heading}>
        {shown.map(({ date, amount, count }, at) => (
          <li key={date}>
            <p className="muted small">
              <time dateTime={date}>
                {date === today ? payoutWords.paydays.today : formatShortRange(date, date, today)}
              </time>
              {' · '}
              {payoutWords.count({ count })}
            </p>
            <strong>{money(amount)}</strong>
            <p className="muted small">{payoutWords.paydays.byThen({ amount: money(sumUntil(days, at)) })}</p>
          </li>
        ))}
        {later.length > 0 && (
          <li>
            <p className="muted small">{payoutWords.paydays.later({ count: later.length })}</p>
            <strong>{money(sumUntil(later, later.length))}</strong>
            <p className="muted small">{payoutWords.paydays.byThen({ amount: money(sumUntil(days, days.length)) })}</p>
          </li>
        )}
      </ol>
      {blocked}
      {review}
    </div>
  )
}

/** Returns the total of all paydays up to this one. */
const sumUntil = (days: PayoutForecast['days'], last: number) =>
  days.slice(0, last + 1).reduce((sum, { amount }) => sum + amount, 0)

/** The number of blocked balances, and the sum of their held and due amounts. */
function Blocked({ accountId }: { accountId: string }) {
  const totals = useQuery(countOfBalances(accountId)).data?.totals
  if (!totals || totals.blocked.count === 0) return null
  const { blocked } = totals
  const amount = formatMoney(blocked.amount, totals.currency)
  return (
    <Link to="/payouts" search={{ tab: 'upcoming', blocked: 'true' }} className="strong warning">
      {payoutWords.paydays.blocked({ amount, count: blocked.count })}
    </Link>
  )
}
