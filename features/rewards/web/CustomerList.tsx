import { formatNumber } from '#contract/format.ts'
import { formatMoney } from '#web/format.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '#web/lists/list-types.ts'
import { useList } from '#web/lists/useList.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { type GroupChoices, useGroupsOfKind } from '#web/shared/groups.ts'
import { ToPartner } from '#web/shared/links.tsx'
import { StatusBadge, statusFilter } from '#web/shared/StatusBadge.tsx'
import { useOwnAccount } from '#web/shell/current.ts'
import { PartnersIcon } from '#web/ui/icons.tsx'
import { fieldWords } from '#web/words/fields.ts'
import { groupWords } from '#web/words/groups.ts'
import { rewardWords } from '#web/words/rewards.ts'
import { pageWords } from '#web/words/shell.ts'
import {
  customerStates,
  downloadReferringCustomers,
  type listReferringCustomers,
  type ReferringCustomer,
} from '../contract.ts'
import { customers } from './queries.ts'

/** The partners in groups of customers: whom they referred, and what they were given. */
export function CustomerList() {
  const { id } = useOwnAccount()
  const list = useList(customers({ id }))
  const groups = useGroupsOfKind(id, 'customers')
  return (
    <DataTable
      name={pageWords.customers}
      page={pageWords.partners}
      plural={rewardWords.plural}
      rowsAre={rewardWords.counted}
      list={list}
      csv={{ endpoint: downloadReferringCustomers, atHead: true }}
      columns={groups.length > 1 ? withGroup : columns}
      keyOf={({ partnerId }) => partnerId}
      nameOf={({ displayName }) => displayName}
      filters={filtersFor(groups)}
      empty={{ icon: <PartnersIcon />, hint: rewardWords.none }}
    />
  )
}

const filtersFor = (groups: GroupChoices): FilterOf<typeof customers>[] => [
  statusFilter('state', fieldWords.status, 'partner', customerStates),
  ...(groups.length > 1 ? [{ name: 'groupId', label: groupWords.label, choices: groups } as const] : []),
]

const column = defineColumns<typeof listReferringCustomers>()

const columns: ColumnOf<typeof listReferringCustomers>[] = [
  column.first(
    ['displayName'],
    rewardWords.customer,
    { sort: 'name', total: () => fieldWords.total },
    ({ partnerId, displayName, state }) => (
      <span className="row gap-2">
        <ToPartner id={partnerId}>{displayName}</ToPartner>
        {state !== 'active' && <StatusBadge of="partner" status={state} />}
      </span>
    ),
  ),
  column.count('referred', rewardWords.referred, { sort: true, sum: true }),
  column.of(
    'rewards',
    rewardWords.rewards,
    {
      csv: ['rewards', 'as', 'units', 'unitName', 'amount', 'currency'],
      sort: true,
      numeric: true,
      card: 'figure',
      total: (rows) => formatNumber(rows.reduce((sum, { rewards }) => sum + rewards, 0)),
    },
    (row) => (
      <>
        {formatNumber(row.rewards)}
        {row.rewards > 0 && <div className="muted small">{worthOf(row)}</div>}
      </>
    ),
  ),
  column.date('lastRewardOn', rewardWords.lastReward, { sort: true, card: 'figure' }),
]

const withGroup: typeof columns = columns.toSpliced(
  1,
  0,
  column.of('groupName', groupWords.label, { card: 'under' }, ({ groupName }) => (
    <span className="ellipsis">{groupName}</span>
  )),
)

const worthOf = ({ units, unitName, amount, currency }: ReferringCustomer) =>
  units === null ? formatMoney(amount, currency) : `${formatNumber(units)} ${unitName}`
