import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { listBalances, type PayoutForecast } from '#contract/balances.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { CallError } from '../../api.ts'
import { apiQuery } from '../../calls.ts'
import { formatMoney, formatMonthAndDay, todayIn, toYear } from '../../format.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { payoutWords } from '../../words/payouts.ts'
import styles from './NextPayday.module.css'
import page from './Payouts.module.css'
import { countOfBalances, forecastQuery } from './queries.ts'

/** Partners that one press approves: a page of the list. */
const MOST_AT_ONCE = 100

/** The next payday in one line; `review` leads to what can be approved now. */
export function NextPayday({ accountId, review }: { accountId: string; review: ReactNode }) {
  const { data } = useQuery(forecastQuery(accountId))
  const today = todayIn(useAccount().timeZone)
  if (!data) return null
  return (
    <div className={`row between gap-3 ${page.above} ${styles.line}`}>
      <p className={data.days.length > 0 ? styles.payday : 'muted'}>{inWords(data, today)}</p>
      <div className="row gap-3">
        {isAllBlocked(data) && (
          <LinkButton small to="/payouts" search={{ tab: 'needs-action' }}>
            {payoutWords.paydays.seeBlockers}
          </LinkButton>
        )}
        <NextYear accountId={accountId} year={toYear(today) + 1} />
        {review}
      </div>
    </div>
  )
}

const isAllBlocked = ({ days, blocked }: PayoutForecast) => days.length === 0 && blocked.amount > 0

function inWords(forecast: PayoutForecast, today: string) {
  const { days, currency } = forecast
  const [first] = days
  if (!first) return isAllBlocked(forecast) ? payoutWords.paydays.allBlocked : payoutWords.paydays.none
  return payoutWords.paydays.next({
    day: first.date === today ? payoutWords.paydays.today : formatMonthAndDay(first.date, today),
    payouts: payoutWords.count({ count: first.count }),
    amount: formatMoney(first.amount, currency),
  })
}

/** The partners whom only the approval for the coming year stops: it leads to them, and approves them. */
function NextYear({ accountId, year }: { accountId: string; year: number }) {
  const client = useQueryClient()
  const approval = useYearApproval(accountId)
  const [busy, setBusy] = useState(false)
  const count = useQuery(countOfBalances(accountId)).data?.totals.nextYear.count ?? 0
  if (count === 0) return null
  async function approve() {
    setBusy(true)
    try {
      const query = { nextYear: 'true', sort: 'due', limit: MOST_AT_ONCE } as const
      const list = apiQuery(listBalances, { params: { id: accountId }, query })
      const { items } = await client.fetchQuery({ ...list, staleTime: 0 })
      await approval.set(
        year,
        items.map(({ partnerId }) => partnerId),
        true,
      )
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toastRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Link to="/payouts" search={{ tab: 'upcoming', nextYear: 'true' }}>
        {payoutWords.paydays.nextYear({ count, year })}
      </Link>
      <Button needs={approveForTaxYear} busy={busy} onClick={() => void approve()}>
        {payoutWords.now.approveYear({ year })}
      </Button>
    </>
  )
}
