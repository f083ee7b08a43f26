import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { rewardForms } from '#contract/groups.ts'
import {
  approvePayouts,
  downloadPayouts,
  type listPayouts,
  type Payout,
  type PayoutSums,
  payoutParts,
} from '#contract/payouts.ts'
import { formatMoney, todayIn, toYear } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import type { Selection } from '../../lists/selection.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { daysFilter } from '../../shared/filters.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { Name } from '../../ui/Name.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { rewardWords } from '../../words/rewards.ts'
import { pageWords } from '../../words/shell.ts'
import { NextAct } from './NextAct.tsx'
import styles from './PayoutList.module.css'
import { payoutActs } from './payout-actions.tsx'
import { needyStatuses, type PayoutListTab, payouts, readsAboveRows, settledChoices } from './queries.ts'
import { formatReason, formatUnits, methodLabel, numberOf } from './words.ts'

const column = defineColumns<typeof listPayouts>()

type Props = {
  tab: PayoutListTab
  menu: readonly Action[]
  selection?: Selection<Payout> | undefined
  bulk?: ReactNode
  onFile?: () => void
}

/** Payouts, each with the reason for its status. */
export function PayoutList({ tab, menu, selection, bulk, onFile = noFile }: Props) {
  const { id: accountId, timeZone, hasCustomerGroups } = useOwnAccount()
  const list = useList(payouts[tab]({ id: accountId }))
  const { answer } = list
  useFiguresAsOf(answer, accountId, tab)
  const totals = answer.data?.totals
  const columns = useMemo(() => columnsFor(tab, timeZone, totals, onFile), [tab, timeZone, totals, onFile])
  const may = usePermission()
  return (
    <DataTable
      name={tab === 'paid' ? pageWords.paid : pageWords.needsAction}
      page={pageWords.payouts}
      plural={payoutWords.plural}
      rowsAre="payouts"
      list={list}
      csv={{
        endpoint: downloadPayouts,
        params: { id: accountId },
        first: tab === 'paid' ? ['paidOn', 'statementNumber', 'partnerName', 'amount', 'currency'] : undefined,
        atHead: true,
        menu,
      }}
      nameOf={numberOf}
      selection={selection}
      bulk={bulk}
      totalsOfAll
      actions={tab === 'needs-action' && may(approvePayouts) ? payoutActs : undefined}
      filters={
        tab === 'paid'
          ? paidFilters(timeZone, list.table.filter('part') !== '', hasCustomerGroups)
          : needyFilters(hasCustomerGroups)
      }
      empty={{ icon: <PayoutsIcon />, hint: payoutWords.empty[tab] }}
      columns={columns}
    />
  )
}

/** Reads the figures above the rows again once newer rows differ from those before: payments move by themselves. */
function useFiguresAsOf(
  { data, dataUpdatedAt }: { data: unknown; dataUpdatedAt: number },
  id: string,
  tab: PayoutListTab,
) {
  const client = useQueryClient()
  const readAt = useRef(0)
  readAt.current = dataUpdatedAt
  useEffect(() => {
    for (const query of readsAboveRows(id, tab)) {
      const known = query && client.getQueryState(query.queryKey)
      if (known && data && known.dataUpdatedAt < readAt.current - A_MOMENT_MS)
        void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
  }, [data, client, id, tab])
}

/** Between the replies of readings that began together. */
const A_MOMENT_MS = 1000

const noFile = () => undefined

const columnsFor = (
  tab: PayoutListTab,
  timeZone: string,
  totals: PayoutSums | undefined,
  onFile: () => void,
): ColumnOf<typeof listPayouts>[] => [
  column.first(
    ['statementNumber'],
    fieldWords.payout,
    { short: true, total: () => totals && payoutWords.count({ count: totals.count }) },
    (payout) => (
      <Link to="/payouts/$payoutId" params={{ payoutId: payout.id }}>
        {numberOf(payout)}
      </Link>
    ),
  ),
  column.of('partnerName', fieldWords.partner, { below: true, card: 'under' }, ({ partnerName }) => (
    <div className={styles.partner}>
      <Name>{partnerName}</Name>
    </div>
  )),
  column.of(
    'amount',
    fieldWords.amount,
    {
      sort: true,
      numeric: true,
      card: 'figure',
      total: () => totals && formatMoney(totals.amount, totals.currency),
    },
    (payout) => <Worth payout={payout} />,
  ),
  column.badge('status', fieldWords.status, 'payout'),
  column.of('method', fieldWords.method, { short: true, below: true, card: 'figure' }, (payout) => (
    <span className="muted">{methodLabel(payout.method)}</span>
  )),
  // A payout is created on the day its first amount falls due.
  column.day('createdAt', payoutWords.columns.dueDate, timeZone, { card: 'figure', sort: true }),
  // The day the money left, which is the day the year report counts.
  ...(tab === 'paid' ? [column.date('paidOn', labelWords.paidOn, { sort: true, card: 'figure' })] : []),
  column.of('blockers', fieldWords.reason, { card: 'under' }, (payout) => formatReason(payout, timeZone)),
  ...(tab === 'needs-action'
    ? [
        {
          head: payoutWords.now.next,
          headHidden: true,
          card: 'under' as const,
          short: true,
          cell: (payout: Payout) => <NextAct payout={payout} onFile={onFile} />,
        },
      ]
    : []),
]

/** The units of a reward with their cost below, or the money of a payout. */
function Worth({ payout }: { payout: Payout }) {
  const { amount, currency } = payout
  const units = formatUnits(payout)
  if (units === null) return <Money strong amount={amount} currency={currency} />
  return (
    <>
      <strong>{units}</strong>
      <div className="muted small">{formatMoney(amount, currency)}</div>
    </>
  )
}

/** Shown only to accounts with customers: others have no rewards. */
const rewardFilter = (hasCustomers: boolean): FilterOf<(typeof payouts)['paid']>[] =>
  hasCustomers
    ? [
        {
          name: 'givenAs',
          label: rewardWords.as,
          choices: rewardForms.map((value) => ({ value, label: rewardWords.forms[value] })),
        },
      ]
    : []

const needyFilters = (hasCustomers: boolean): FilterOf<(typeof payouts)['paid']>[] => [
  statusFilter('status', fieldWords.status, 'payout', needyStatuses),
  ...rewardFilter(hasCustomers),
  partFilter(),
]

const partFilter = (): FilterOf<(typeof payouts)['paid']> => ({
  name: 'part',
  label: payoutWords.part,
  rare: true,
  choices: payoutParts.map((value) => ({ value, label: payoutWords.parts[value] })),
})

/** Filters of the paid tab, which lists paid payouts by default. */
function paidFilters(timeZone: string, ofPart: boolean, hasCustomers: boolean): FilterOf<(typeof payouts)['paid']>[] {
  const year = toYear(todayIn(timeZone))
  const kinds = Object.keys(settledChoices) as (keyof typeof settledChoices)[]
  return [
    {
      name: 'status',
      label: fieldWords.status,
      // a part of what is owed has any status
      all: ofPart ? undefined : pageWords.paid,
      choices: kinds.map((kind) => ({ value: settledChoices[kind], label: payoutWords.choices[kind] })),
    },
    ...rewardFilter(hasCustomers),
    partFilter(),
    {
      name: 'paidYear',
      label: payoutWords.paidYear,
      all: payoutWords.anyYear,
      choices: Array.from({ length: 6 }, (_, ago) => `${year - ago}`).map((value) => ({ value, label: value })),
    },
    daysFilter(payoutWords.dateRange, timeZone, ['paidFrom', 'paidTo']),
  ]
}
