import { Link } from '@tanstack/react-router'
import { accountStatuses, downloadAccounts, type listAccounts } from '#contract/accounts.ts'
import { timeZoneHere } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { StatusBadge, statusFilter } from '../../shared/StatusBadge.tsx'
import { EntryPage } from '../../shell/EntryPage.tsx'
import { Email } from '../../ui/Address.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { AccountIcon } from '../../ui/icons.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { adminWords } from '../../words/admin.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import { accountActs, useResend } from './account-actions.tsx'
import { accountName, toAccountStatus } from './names.ts'
import { accounts } from './queries.ts'

const column = defineColumns<typeof listAccounts>()

/** Lists all accounts of the installation with owner and size; never API keys, bank details or leads. */
export function AccountList() {
  const list = useList(accounts)
  const { resend } = useResend()
  accountActs.assign.usePrefetch()
  const add = <AddButton go={{ to: '/admin/accounts/new' }}>{pageWords.addAccount}</AddButton>
  return (
    <EntryPage actions={add}>
      <DataTable
        name={pageWords.accounts}
        plural={adminWords.plural}
        rowsAre="accounts"
        list={list}
        csv={{ endpoint: downloadAccounts, atHead: true }}
        columns={columns}
        nameOf={accountName}
        filters={[statusFilter('status', fieldWords.status, 'account', accountStatuses)]}
        empty={{ icon: <AccountIcon />, hint: adminWords.noneYet, action: add }}
        actions={(account) => [
          accountActs.assign,
          account.ownerInvitation && { label: adminWords.resend, run: () => resend(account) },
          accountActs.enable,
          accountActs.disable,
        ]}
      />
    </EntryPage>
  )
}

const columns: ColumnOf<typeof listAccounts>[] = [
  column.first(['displayName'], fieldWords.account, { sort: 'name' }, (account) => (
    <Link to="/admin/accounts/$accountId" params={{ accountId: account.id }}>
      {accountName(account)}
    </Link>
  )),
  column.of('owner', fieldWords.owner, { csv: ['ownerEmail'], card: 'under' }, (account) =>
    account.owner ? (
      <span className="lines">
        <Email>{account.owner.email}</Email>
      </span>
    ) : (
      <span className="row gap-3 muted">
        {adminWords.noOwner}
        <ActButton small act={accountActs.assign} of={account} />
      </span>
    ),
  ),
  column.of('status', fieldWords.status, { csv: ['disabledAt'], card: 'beside' }, (account) => (
    <StatusBadge of="account" status={toAccountStatus(account)} />
  )),
  column.count('numberOfPartners', fieldWords.partners),
  column.count('numberOfSales', fieldWords.sales),
  column.day('createdAt', fieldWords.created, timeZoneHere(), { card: 'figure', numeric: true, sort: true }),
]
