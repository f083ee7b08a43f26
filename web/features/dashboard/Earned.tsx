import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import type { Balance } from '#contract/balances.ts'
import { formatDate, formatMoney, todayIn } from '../../format.ts'
import { dueParts, heldParts } from '../../shared/lists-behind.ts'
import { delayingBlockers, heldUntil } from '../../shared/paydays.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { PendingStats, type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { statsWords } from '../../words/stats.ts'
import { sentPayoutsQuery } from './queries.ts'

/** The partner's balance, each part with a link to the list that adds up to it. */
export function Earned({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const answer = useQuery(balanceQuery(partnerId))
  const isPaying = (answer.data?.inPayout ?? 0) > 0
  const sent = useQuery({ ...sentPayoutsQuery(partnerId), enabled: isPaying }).data?.items ?? []
  return (
    <section aria-label={statsWords.earnings} className="stack gap-2">
      <div className="row between">
        <h2>{statsWords.earnings}</h2>
        <Link to="/partners/$partnerId" params={{ partnerId }} search={{ tab: 'commissions' }}>
          {basicWords.actions.viewAll}
        </Link>
      </div>
      {answer.data ? (
        <StatStrip label={statsWords.money} stats={statsOf(answer.data, total(sent), account)} />
      ) : (
        <PendingStats count={4} answer={answer} />
      )}
    </section>
  )
}

const SENT = 'sent'

const total = (payouts: readonly { amount: number }[]) => payouts.reduce((sum, { amount }) => sum + amount, 0)

type Behind = { tab: 'commissions' | 'payouts'; status?: string }

function statsOf(balance: Balance, sent: number, account: Pick<Account, 'paydays' | 'timeZone'>): Stat[] {
  const { partnerId, held, onHold, due, inPayout, paid, currency } = balance
  const money = (amount: number) => formatMoney(amount, currency)
  const to = (search: Behind) => (label: string) => (
    <Link to="/partners/$partnerId" params={{ partnerId }} search={search}>
      {label}
    </Link>
  )
  const payable = heldUntil(balance, account, todayIn(account.timeZone))
  return [
    {
      label: statsWords.earned,
      value: money(held + onHold + due + inPayout + paid),
      note: statsWords.allTime,
      wrap: to({ tab: 'commissions' }),
    },
    {
      label: statsWords.held,
      value: money(held + onHold),
      note: payable ? statsWords.heldUntil({ date: formatDate(payable) }) : statsWords.heldWhy,
      wrap: to({ tab: 'commissions', status: heldParts }),
    },
    {
      label: fieldWords.due,
      value: money(due + inPayout),
      note:
        sent > 0
          ? to({ tab: 'payouts', status: SENT })(statsWords.partOnItsWay({ amount: money(sent) }))
          : dueNote(balance),
      wrap: to({ tab: 'commissions', status: dueParts }),
    },
    {
      label: statsWords.paid,
      value: money(paid),
      note: statsWords.paidWhy,
      wrap: to({ tab: 'payouts', status: 'paid' }),
    },
  ]
}

/** Returns the note below the due amount; blockers are left to the next payouts. */
function dueNote({ due, inPayout, blockers, currency }: Balance) {
  if (inPayout > 0) return statsWords.partInPayout({ amount: formatMoney(inPayout, currency) })
  if (due < 0) return statsWords.dueOffset
  if (due === 0) return statsWords.nothingDue
  return delayingBlockers(blockers).length > 0 ? undefined : statsWords.dueWhy
}
