import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { accountStatuses, downloadAccounts, type listAccounts } from '#contract/accounts.ts'
import { timeZoneHere } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useTable } from '../../lists/useTable.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { StatusBadge, statusFilter } from '../../shared/StatusBadge.tsx'
import { Email } from '../../ui/Address.tsx'
import { AddButton, GoButton } from '../../ui/GoButton.tsx'
import { AccountIcon, MailIcon, SystemIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../words.ts'
import styles from './Admin.module.css'
import { type AccountActions, useAccountActions } from './account-actions.tsx'
import { accountName, statusOf } from './names.ts'
import { accounts, accountTable } from './queries.ts'

const column = columnsOf<typeof listAccounts>()

/** Lists all accounts of the installation with owner and size; never API keys, bank details or leads. */
export function AccountList() {
  const table = useTable(accountTable)
  const answer = useQuery(accounts(table.query))
  const actions = useAccountActions()
  const { start } = actions
  const columns = useMemo(() => columnsFor(start), [start])
  const add = <AddButton go={{ to: '/admin/accounts/new' }}>{t('pages.addAccount')}</AddButton>
  return (
    <Page
      heading={t('pages.accounts')}
      actions={
        <>
          <GoButton go={{ to: '/admin/mail' }} icon={<MailIcon size={16} />}>
            {t('pages.mail')}
          </GoButton>
          <GoButton go={{ to: '/admin/system' }} icon={<SystemIcon size={16} />}>
            {t('pages.system')}
          </GoButton>
          {add}
        </>
      }
    >
      <DataTable
        name={t('pages.accounts')}
        plural={t('admin.plural')}
        rowsAre="accounts"
        table={table}
        csv={{ endpoint: downloadAccounts, atHead: true }}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={accountName}
        filters={[statusFilter('status', t('admin.status'), 'account', accountStatuses)]}
        empty={{ icon: <AccountIcon />, hint: t('admin.noneYet'), action: add }}
        actions={actions.of}
      />
      {actions.dialog}
    </Page>
  )
}

const columnsFor = (start: AccountActions['start']): ColumnOf<typeof listAccounts>[] => [
  {
    head: t('admin.account'),
    csv: ['displayName'],
    sort: 'name',
    cell: (account) => (
      <Link to="/admin/accounts/$accountId" params={{ accountId: account.id }}>
        {accountName(account)}
      </Link>
    ),
  },
  {
    head: t('admin.owner'),
    field: 'owner',
    csv: ['ownerEmail'],
    card: 'under',
    cell: (account) =>
      account.owner ? (
        <span className={styles.email}>
          <Email>{account.owner.email}</Email>
        </span>
      ) : (
        <span className={styles.noOwner}>
          {t('admin.noOwner')}
          <button type="button" className={styles.link} onClick={() => start('assign', account)}>
            {t('admin.assignOwner')}
          </button>
        </span>
      ),
  },
  {
    head: t('admin.status'),
    field: 'status',
    csv: ['disabledAt'],
    card: 'beside',
    cell: (account) => <StatusBadge of="account" status={statusOf(account)} />,
  },
  column.count('numberOfPartners', t('admin.partners')),
  column.count('numberOfSales', t('admin.sales')),
  column.day('createdAt', t('admin.created'), timeZoneHere(), { card: 'figure', numeric: true, sort: true }),
]
