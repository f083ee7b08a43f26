import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PayoutForecast } from '#contract/payouts.ts'
import { formatMoney, formatSpan, todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { t } from '../../words.ts'
import styles from './PaydayForecast.module.css'
import { forecast } from './queries.ts'

/** The next days on which payouts fall due, with what has to be there by each of them; what is blocked stands apart. */
export function PaydayForecast({ accountId }: { accountId: string }) {
  return (
    <PendingPanel
      heading={t('payouts.paydays.heading')}
      answer={useQuery(forecast(accountId))}
      rows={3}
      aside={({ currency, blocked }) => blocked.amount > 0 && <Blocked currency={currency} blocked={blocked} />}
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
            <time dateTime={date}>{date === today ? t('payouts.paydays.today') : formatSpan(date, date, today)}</time>
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

/** What all paydays until this one take together. */
const sumUntil = (days: PayoutForecast['days'], last: number) =>
  days.slice(0, last + 1).reduce((sum, { amount }) => sum + amount, 0)

const Blocked = ({ currency, blocked: { amount, count } }: Pick<PayoutForecast, 'currency' | 'blocked'>) => (
  <Link to="/payouts" search={{ tab: 'needs-action', status: 'open' }} className={styles.blocked}>
    {t('payouts.paydays.blocked', { amount: formatMoney(amount, currency), count })}
  </Link>
)
