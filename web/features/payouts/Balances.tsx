import { type ReactNode, useMemo } from 'react'
import {
  type BalanceTotals,
  balanceParts,
  downloadBalances,
  type ListedBalance,
  type listBalances,
} from '#contract/balances.ts'
import type { EntryStatus } from '#contract/commissions.ts'
import { formatNumber } from '#contract/format.ts'
import { createPartner } from '#contract/partners.ts'
import { formatMoney, formatMonthAndDay, formatShortRange, todayIn, toYear } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import type { Selection } from '../../lists/selection.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { BalanceMoneyLink } from '../../shared/MoneyLink.tsx'
import { delayingBlockers } from '../../shared/paydays.ts'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { tableWords } from '../../words/lists.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { balances, isByPayday, keyOfBalance, WITH_EMPTY } from './queries.ts'
import { blockerLine, isPayable } from './words.ts'

const column = defineColumns<typeof listBalances>()

type Props = {
  accountId: string
  menu: readonly Action[]
  selection: Selection<ListedBalance> | undefined
  bulk: ReactNode
}

/** Each partner's pending amounts and payday. Due balances that can be approved are selectable. */
export function Balances({ accountId, menu, selection, bulk }: Props) {
  const list = useList(balances({ id: accountId }))
  const { answer } = list
  const totals = answer.data?.totals
  const { timeZone } = useAccount()
  const today = todayIn(timeZone)
  const { params } = useAddress()
  const columns = useMemo(() => columnsWith(totals, today), [totals, today])
  const groupOf = ({ payday }: ListedBalance) => ({
    key: `${payday}`,
    head: totals && <PaydayHead payday={payday} totals={totals} today={today} />,
  })
  return (
    <DataTable
      name={pageWords.upcoming}
      page={pageWords.payouts}
      plural={payoutWords.plural}
      rowsAre={isByPayday(params) ? 'lines' : 'partners'}
      list={list}
      csv={{ endpoint: downloadBalances, atHead: true, menu }}
      keyOf={keyOfBalance}
      groupOf={isByPayday(params) && totals ? groupOf : undefined}
      nameOf={nameOf}
      selection={selection}
      selectable={isSelectable}
      bulk={bulk}
      totalsOfAll
      filters={[
        { name: 'empty', label: payoutWords.showEmpty, flag: WITH_EMPTY },
        { name: 'blocked', label: payoutWords.onlyBlocked, rare: true, flag: true },
        {
          name: 'nextYear',
          label: payoutWords.paydays.onlyNextYear({ year: toYear(today) + 1 }),
          rare: true,
          flag: true,
        },
        {
          name: 'part',
          label: payoutWords.part,
          rare: true,
          choices: balanceParts.map((value) => ({ value, label: payoutWords.parts[value] })),
        },
      ]}
      empty={{
        icon: <PayoutsIcon />,
        hint: payoutWords.empty.upcoming,
        action: (
          <AddButton needs={createPartner} go={{ to: '/partners/new' }}>
            {pageWords.addPartner}
          </AddButton>
        ),
      }}
      columns={columns}
    />
  )
}

const nameOf = ({ partnerName }: ListedBalance) => partnerName

/** A partner's due amount is approved in their first row. */
const isSelectable = (balance: ListedBalance) => isPayable(balance) && balance.payday === balance.nextPayoutDate

type HeadProps = { payday: string | null; totals: BalanceTotals; today: string }

/** The line above the rows of a payday: it, their number and sum. */
function PaydayHead({ payday, totals: { paydays, currency }, today }: HeadProps) {
  const sums = paydays.find(({ date }) => date === payday)
  if (!sums) return null
  const { count, amount } = sums
  return (
    <>
      <strong>{payday === null ? payoutWords.paydays.noneYet : formatMonthAndDay(payday, today)}</strong>{' '}
      <span className="muted">
        · {payday === null ? payoutWords.paydays.partners({ count }) : payoutWords.count({ count })} ·
      </span>{' '}
      <strong>{formatMoney(amount, currency)}</strong>
    </>
  )
}

function columnsWith(totals: BalanceTotals | undefined, today: string): ColumnOf<typeof listBalances>[] {
  const total = (amount: number) => totals && formatMoney(amount, totals.currency)
  return [
    column.partner(fieldWords.partner, {
      total: () => totals && tableWords.counted.partners({ count: totals.count, total: formatNumber(totals.count) }),
    }),
    column.of(
      'held',
      payoutWords.columns.held,
      { numeric: true, wideOnly: true, card: 'figure', total: () => total(totals?.held ?? 0) },
      (balance) => part(balance, 'held', balance.held),
    ),
    column.of(
      'due',
      fieldWords.due,
      { numeric: true, sort: true, card: 'figure', total: () => total(totals?.due ?? 0) },
      (balance) => part(balance, 'due', balance.due),
    ),
    column.of(
      'onHold',
      payoutWords.columns.onHold,
      { numeric: true, wideOnly: true, card: 'figure', total: () => total(totals?.onHold ?? 0) },
      (balance) => part(balance, 'on-hold', balance.onHold),
    ),
    {
      head: payoutWords.columns.nextPayout,
      field: 'nextPayoutDate',
      csv: ['payday', 'amount'],
      sort: 'nextPayoutDate',
      short: true,
      card: 'beside',
      cell: (balance) => <NextPayout of={balance} today={today} />,
    },
    column.of('blockers', fieldWords.reason, { card: 'under' }, reasonOf),
  ]
}

/** The day and the amount of a row's payment; of what no payday pays only the amount that the other columns do not show. */
function NextPayout({ of: { payday, nextPayoutDate, amount, currency }, today }: { of: ListedBalance; today: string }) {
  return (
    <>
      <span className="muted">{payday ? formatShortRange(payday, payday, today) : basicWords.absent}</span>
      {(payday ?? nextPayoutDate) && <span> {formatMoney(amount, currency)}</span>}
    </>
  )
}

/** An amount of zero has no link. */
const part = ({ partnerId, currency }: ListedBalance, status: EntryStatus, amount: number) =>
  amount === 0 ? (
    <Money amount={amount} currency={currency} />
  ) : (
    <BalanceMoneyLink partnerId={partnerId} status={status} amount={amount} currency={currency} />
  )

/** Returns what blocks a partner's money, else what it waits for; '–' if there is none. */
function reasonOf({ held, due, onHold, blockers, payday, nextPayoutDate }: ListedBalance) {
  if (held === 0 && due === 0 && onHold === 0) return <span className="muted">{basicWords.absent}</span>
  // a later payday pays what is held by then
  if (payday !== null && payday !== nextPayoutDate) return payoutWords.reasons.held
  const waiting = delayingBlockers(blockers)
  if (waiting.length > 0) return blockerLine(waiting)
  return due > 0 ? payoutWords.reasons.ready : payoutWords.reasons.held
}
