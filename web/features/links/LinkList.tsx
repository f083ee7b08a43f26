import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { changeLinkBlueprint, downloadLinkBlueprints, type listLinkBlueprints } from '#contract/links.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useTable } from '../../lists/useTable.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { EnabledSwitch } from '../../shared/EnabledSwitch.tsx'
import { useAccount } from '../../shell/current.ts'
import { AddButton } from '../../ui/GoButton.tsx'
import { LinksIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../words.ts'
import styles from './Links.module.css'
import { blueprints, linkTable } from './queries.ts'

const column = columnsOf<typeof listLinkBlueprints>()

export function LinkList() {
  const account = useAccount()
  const table = useTable(linkTable)
  const answer = useQuery(blueprints(account.id, table.query))
  const columns = useMemo(listColumns, [])
  const add = <AddButton go={{ to: '/links/new' }}>{t('pages.addLink')}</AddButton>
  return (
    <Page heading={t('pages.links')} actions={add}>
      <DataTable
        name={t('pages.links')}
        plural={t('links.plural')}
        rowsAre="links"
        table={table}
        csv={{ endpoint: downloadLinkBlueprints, params: { id: account.id }, atHead: true }}
        answer={answer}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ icon: <LinksIcon />, hint: t('links.noneYet'), action: add }}
      />
    </Page>
  )
}

const listColumns = (): ColumnOf<typeof listLinkBlueprints>[] => [
  {
    head: t('links.name'),
    csv: ['name'],
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/links/$blueprintId" params={{ blueprintId: id }}>
        {name}
      </Link>
    ),
  },
  {
    head: t('links.destination'),
    field: 'destinationUrl',
    card: 'under',
    cell: ({ destinationUrl }) => (
      <span className={styles.destination} title={destinationUrl}>
        {destinationUrl.replace(/^https?:\/\//, '')}
      </span>
    ),
  },
  {
    head: t('links.window'),
    field: 'cookieDays',
    numeric: true,
    cell: ({ cookieDays }) => t('links.days', { count: cookieDays }),
  },
  column.count('clicks', t('links.clicks'), { sort: true }),
  column.count('leads', t('links.leads'), { sort: true }),
  column.count('sales', t('links.sales'), { sort: true }),
  {
    head: t('links.enabled'),
    field: 'enabled',
    card: 'beside',
    cell: (blueprint) => <EnabledSwitch of={blueprint} change={changeLinkBlueprint} />,
  },
]
