import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type BalanceTotals, listBalances } from '#contract/balances.ts'
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
import { countOfBalances } from './queries.ts'

/** Partners that one press approves: a page of the list. */
const MOST_AT_ONCE = 100

/** The next payday in one line, of the totals below it; `review` leads to what can be approved now. */
export function NextPayday({ accountId, review }: { accountId: string; review: ReactNode }) {
  const totals = useQuery(countOfBalances(accountId)).data?.totals
  const today = todayIn(useAccount().timeZone)
  if (!totals) return null
  return (
    <div className={`row between gap-3 ${page.above} ${styles.line}`}>
      <p className={firstDay(totals) ? styles.payday : 'muted'}>{inWords(totals, today)}</p>
      <div className="row gap-3">
        {isAllBlocked(totals) && (
          <LinkButton small to="/payouts" search={{ tab: 'needs-action' }}>
            {payoutWords.paydays.seeBlockers}
          </LinkButton>
        )}
        <NextYear accountId={accountId} year={toYear(today) + 1} count={totals.nextYear.count} />
        {review}
      </div>
    </div>
  )
}

const firstDay = ({ paydays }: BalanceTotals) => paydays.find(({ date }) => date !== null)

const isAllBlocked = (totals: BalanceTotals) => !firstDay(totals) && totals.blocked.amount > 0

function inWords(totals: BalanceTotals, today: string) {
  const first = firstDay(totals)
  if (!first?.date) return isAllBlocked(totals) ? payoutWords.paydays.allBlocked : payoutWords.paydays.none
  return payoutWords.paydays.next({
    day: first.date === today ? payoutWords.paydays.today : formatMonthAndDay(first.date, today),
    payouts: payoutWords.count({ count: first.count }),
    amount: formatMoney(first.amount, totals.currency),
  })
}

/** The partners whom only the approval for the coming year stops: it leads to them, and approves them. */
function NextYear({ accountId, year, count }: { accountId: string; year: number; count: number }) {
  const client = useQueryClient()
  const approval = useYearApproval(accountId)
  const [busy, setBusy] = useState(false)
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
