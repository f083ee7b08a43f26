import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createImport } from '#contract/imports.ts'
import {
  changeLinkBlueprint,
  createLinkBlueprint,
  downloadLinkBlueprints,
  type listLinkBlueprints,
} from '#contract/links.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { EnabledSwitch } from '../../shared/EnabledSwitch.tsx'
import { useAccount } from '../../shell/current.ts'
import { AddButton } from '../../ui/GoButton.tsx'
import { LinksIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { fieldWords } from '../../words/fields.ts'
import { linkWords } from '../../words/links.ts'
import { pageWords } from '../../words/shell.ts'
import styles from './Links.module.css'
import { blueprints } from './queries.ts'

const column = defineColumns<typeof listLinkBlueprints>()

export function LinkList() {
  const account = useAccount()
  const list = useList(blueprints({ id: account.id }))
  const columns = useMemo(listColumns, [])
  const add = (
    <AddButton needs={createLinkBlueprint} go={{ to: '/links/new' }}>
      {pageWords.addLink}
    </AddButton>
  )
  return (
    <Page
      heading={pageWords.links}
      actions={
        <>
          {/* links of another program come with their partners */}
          <LinkButton needs={createImport} to="/account/import" search={{ kind: 'partners' }}>
            {pageWords.import}
          </LinkButton>
          {add}
        </>
      }
    >
      <DataTable
        name={pageWords.links}
        plural={linkWords.plural}
        rowsAre="links"
        list={list}
        csv={{ endpoint: downloadLinkBlueprints, atHead: true }}
        columns={columns}
        nameOf={({ name }) => name}
        empty={{ icon: <LinksIcon />, hint: linkWords.noneYet, action: add }}
      />
    </Page>
  )
}

const listColumns = (): ColumnOf<typeof listLinkBlueprints>[] => [
  column.first(['name'], fieldWords.name, { sort: true }, ({ id, name }) => (
    <Link to="/links/$blueprintId" params={{ blueprintId: id }}>
      {name}
    </Link>
  )),
  column.of('destinationUrl', linkWords.destination, { card: 'under' }, ({ destinationUrl }) => (
    <div className={`ellipsis muted ${styles.destination}`} title={destinationUrl}>
      {destinationUrl.replace(/^https?:\/\//, '')}
    </div>
  )),
  column.of('cookieDays', linkWords.window, { numeric: true }, ({ cookieDays }) =>
    linkWords.days({ count: cookieDays }),
  ),
  column.count('clicks', fieldWords.clicks, { sort: true }),
  column.count('leads', fieldWords.leads, { sort: true }),
  column.count('sales', fieldWords.sales, { sort: true }),
  column.of('enabled', fieldWords.enabled, { card: 'beside' }, (blueprint) => (
    <EnabledSwitch of={blueprint} change={changeLinkBlueprint} />
  )),
]
