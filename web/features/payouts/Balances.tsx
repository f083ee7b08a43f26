import { type ReactNode, useMemo } from 'react'
import { type Balance, type BalanceTotals, downloadBalances, type listBalances } from '#contract/balances.ts'
import type { EntryStatus } from '#contract/commissions.ts'
import { createPartner } from '#contract/partners.ts'
import { formatCount, formatDate, formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import type { Selection } from '../../lists/selection.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { BalanceMoneyLink } from '../../shared/MoneyLink.tsx'
import { delayingBlockers } from '../../shared/paydays.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { tableWords } from '../../words/lists.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { balances, WITH_EMPTY } from './queries.ts'
import { blockerLine, isPayable } from './words.ts'

const column = defineColumns<typeof listBalances>()

type Props = { accountId: string; menu: readonly Action[]; selection: Selection<Balance> | undefined; bulk: ReactNode }

/** Each partner's pending amounts and payday. Due balances that can be approved are selectable. */
export function Balances({ accountId, menu, selection, bulk }: Props) {
  const list = useList(balances({ id: accountId }))
  const { answer } = list
  const totals = answer.data?.totals
  const columns = useMemo(() => columnsWith(totals), [totals])
  return (
    <DataTable
      name={payoutWords.upcoming}
      page={pageWords.payouts}
      plural={payoutWords.plural}
      rowsAre="partners"
      list={list}
      csv={{ endpoint: downloadBalances, atHead: true, menu }}
      keyOf={({ partnerId }) => partnerId}
      nameOf={nameOf}
      selection={selection}
      selectable={isPayable}
      bulk={bulk}
      totalsOfAll
      filters={[
        { name: 'blocked', label: payoutWords.onlyBlocked, flag: true },
        { name: 'empty', label: payoutWords.showEmpty, flag: WITH_EMPTY },
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

const nameOf = ({ partnerName }: Balance) => partnerName

function columnsWith(totals: BalanceTotals | undefined): ColumnOf<typeof listBalances>[] {
  const total = (amount: number) => totals && formatMoney(amount, totals.currency)
  return [
    column.partner(fieldWords.partner, {
      total: () => totals && tableWords.counted.partners({ count: totals.count, total: formatCount(totals.count) }),
    }),
    column.of(
      'held',
      payoutWords.columns.held,
      { numeric: true, card: 'figure', total: () => total(totals?.held ?? 0) },
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
      { numeric: true, card: 'figure', total: () => total(totals?.onHold ?? 0) },
      (balance) => part(balance, 'on-hold', balance.onHold),
    ),
    {
      head: payoutWords.columns.nextPayout,
      field: 'nextPayoutDate',
      sort: 'nextPayoutDate',
      short: true,
      card: 'beside',
      cell: ({ nextPayoutDate }) => (
        <span className="muted">{nextPayoutDate ? formatDate(nextPayoutDate) : basicWords.absent}</span>
      ),
    },
    column.of('blockers', fieldWords.reason, { card: 'under' }, reasonOf),
  ]
}

/** An amount of zero has no link. */
const part = ({ partnerId, currency }: Balance, status: EntryStatus, amount: number) =>
  amount === 0 ? (
    <Money amount={amount} currency={currency} />
  ) : (
    <BalanceMoneyLink partnerId={partnerId} status={status} amount={amount} currency={currency} />
  )

/** Returns what blocks a partner's money, else what it waits for; '–' if there is none. */
function reasonOf({ held, due, onHold, blockers }: Balance) {
  if (held === 0 && due === 0 && onHold === 0) return <span className="muted">{basicWords.absent}</span>
  const waiting = delayingBlockers(blockers)
  if (waiting.length > 0) return blockerLine(waiting)
  return due > 0 ? payoutWords.reasons.ready : payoutWords.reasons.held
}
