import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { claimStates, downloadClaims, type listClaims } from '#contract/claims.ts'
import { formatAge } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { partnerFilter } from '../../shared/filters.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { LeadsIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { basicWords } from '../../words/basic.ts'
import { claimWords as words } from '../../words/claims.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import { claimName } from './names.ts'
import { claims } from './queries.ts'

/** The claims of all partners. */
export function ClaimList() {
  const { id: accountId, timeZone } = useAccount()
  const list = useList(claims({ id: accountId }))
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  return (
    <Page heading={pageWords.claims} parent={<Link to="/leads">{pageWords.leads}</Link>}>
      <DataTable
        name={pageWords.claims}
        plural={words.plural}
        rowsAre="claims"
        list={list}
        csv={{ endpoint: downloadClaims, atHead: true }}
        columns={columns}
        nameOf={claimName}
        filters={filters(accountId)}
        empty={{ icon: <LeadsIcon />, hint: words.none }}
      />
    </Page>
  )
}

const filters = (accountId: string): FilterOf<typeof claims>[] => [
  statusFilter('state', fieldWords.status, 'claim', claimStates),
  partnerFilter('partnerId', fieldWords.partner, accountId),
]

const column = defineColumns<typeof listClaims>()

const columnsIn = (timeZone: string): ColumnOf<typeof listClaims>[] => [
  column.first(['orderId', 'email'], words.named, {}, (row) => (
    <>
      <Link to="/claims/$claimId" params={{ claimId: row.id }}>
        {row.email ?? claimName(row)}
      </Link>
      {row.credited && <p className="small strong warning">{words.credited}</p>}
    </>
  )),
  column.partner(fieldWords.partner, { field: 'partnerName', card: 'under' }),
  column.date('day', words.listDay, { card: 'figure' }),
  column.day('createdAt', words.made, timeZone, { sort: true, card: 'figure' }),
  column.of('age', words.age, { short: true, card: 'figure' }, ({ state, createdAt }) => (
    <span className="muted">{state === 'open' ? formatAge(createdAt) : basicWords.absent}</span>
  )),
  column.badge('state', fieldWords.status, 'claim'),
]
