import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PayoutForecast } from '#contract/balances.ts'
import { formatMoney, formatShortRange, todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { t } from '../../words.ts'
import styles from './PaydayForecast.module.css'
import { countOfBlocked, forecast } from './queries.ts'

/** The next paydays with the balance needed by each; blocked amounts are separate. */
export function PaydayForecast({ accountId }: { accountId: string }) {
  return (
    <PendingPanel
      heading={t('payouts.paydays.heading')}
      answer={useQuery(forecast(accountId))}
      rows={3}
      aside={() => <Blocked accountId={accountId} />}
    >
      {(data) => (data.days.length > 0 ? <Days forecast={data} /> : <p className={styles.none}>{noneOf(data)}</p>)}
    </PendingPanel>
  )
}

const noneOf = ({ blocked }: PayoutForecast) =>
  t(blocked.amount > 0 ? 'payouts.paydays.allBlocked' : 'payouts.paydays.none')

function Days({ forecast: { currency, days } }: { forecast: PayoutForecast }) {
  const today = todayIn(useAccount().timeZone)
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <ol className={styles.days} aria-label={t('payouts.paydays.heading')}>
      {days.map(({ date, amount, count }, at) => (
        <li key={date}>
          <span className={styles.date}>
            <time dateTime={date}>
              {date === today ? t('payouts.paydays.today') : formatShortRange(date, date, today)}
            </time>
            {' · '}
            {t('payouts.count', { count })}
          </span>
          <strong>{money(amount)}</strong>
          <span className={styles.by}>{t('payouts.paydays.byThen', { amount: money(sumUntil(days, at)) })}</span>
        </li>
      ))}
    </ol>
  )
}

/** Returns the total of all paydays up to this one. */
const sumUntil = (days: PayoutForecast['days'], last: number) =>
  days.slice(0, last + 1).reduce((sum, { amount }) => sum + amount, 0)

/** The number of blocked balances, and the sum of their held and due amounts. */
function Blocked({ accountId }: { accountId: string }) {
  const totals = useQuery(countOfBlocked(accountId)).data?.totals
  if (!totals || totals.count === 0) return null
  const amount = formatMoney(totals.held + totals.due, totals.currency)
  return (
    <Link to="/payouts" search={{ tab: 'upcoming', blocked: 'true' }} className={styles.blocked}>
      {t('payouts.paydays.blocked', { amount, count: totals.count })}
    </Link>
  )
}
