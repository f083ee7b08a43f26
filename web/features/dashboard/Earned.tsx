import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import type { Balance } from '#contract/balances.ts'
import { formatDate, formatMoney, todayIn } from '../../format.ts'
import { dueParts, heldParts } from '../../shared/lists-behind.ts'
import { delayingBlockers, heldUntil, nextPayday } from '../../shared/paydays.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { PendingStats, type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { statsWords } from '../../words/stats.ts'

/** The partner's balance, each part with a link to the list that adds up to it, and the next payout. */
export function Earned({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const answer = useQuery(balanceQuery(partnerId))
  return (
    <section aria-label={statsWords.earnings} className="stack gap-2">
      <div className="row between">
        <h2>{statsWords.earnings}</h2>
        <Link to="/partners/$partnerId" params={{ partnerId }} search={{ tab: 'commissions' }}>
          {basicWords.actions.viewAll}
        </Link>
      </div>
      {answer.data ? (
        <StatStrip label={statsWords.money} stats={statsOf(answer.data, account)} />
      ) : (
        <PendingStats count={5} answer={answer} />
      )}
    </section>
  )
}

type Behind = { tab: 'commissions' | 'payouts'; status?: string }

function statsOf(balance: Balance, account: Pick<Account, 'paydays' | 'timeZone'>): Stat[] {
  const { partnerId, held, onHold, due, inPayout, paid, currency } = balance
  const money = (amount: number) => formatMoney(amount, currency)
  const above = (search: Behind) => (label: string) => (
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
      wrap: above({ tab: 'commissions' }),
    },
    {
      label: statsWords.held,
      value: money(held + onHold),
      note: payable ? statsWords.heldUntil({ date: formatDate(payable) }) : statsWords.heldWhy,
      wrap: above({ tab: 'commissions', status: heldParts }),
    },
    {
      label: fieldWords.due,
      value: money(due + inPayout),
      note: dueNote(balance),
      wrap: above({ tab: 'commissions', status: dueParts }),
    },
    {
      label: statsWords.paid,
      value: money(paid),
      note: statsWords.paidWhy,
      wrap: above({ tab: 'payouts', status: 'paid' }),
    },
    nextPayout(balance),
  ]
}

/** Returns the note below the due amount; blockers are left to the next payout's figure. */
function dueNote({ due, inPayout, blockers, currency }: Balance) {
  if (due > 0 && inPayout > 0) return statsWords.partOnItsWay({ amount: formatMoney(inPayout, currency) })
  if (due > 0) return delayingBlockers(blockers).length > 0 ? undefined : statsWords.dueWhy
  if (due < 0) return statsWords.dueOffset
  return inPayout > 0 ? statsWords.onItsWay : statsWords.nothingDue
}

/** Returns the first payday or, if there is none, what blocks it. */
function nextPayout(balance: Balance): Stat {
  const { currency, blockers } = balance
  const { first, waits } = nextPayday(balance)
  const blocker = first ? undefined : (delayingBlockers(blockers)[0] ?? blockers[0])
  return {
    label: statsWords.nextPayout,
    value: waits ? statsWords.notYet : first ? formatDate(first.date) : basicWords.absent,
    note: first ? formatMoney(first.amount, currency) : (blocker?.message ?? statsWords.nothingDue),
    warns: Boolean(blocker),
    wrap: (label) => <Link to="/partner/settings">{label}</Link>,
  }
}
