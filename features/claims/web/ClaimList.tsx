import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatAge } from '#web/format.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '#web/lists/list-types.ts'
import { useList } from '#web/lists/useList.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { partnerFilter } from '#web/shared/filters.tsx'
import { StatusBadge, statusFilter } from '#web/shared/StatusBadge.tsx'
import { useLeadCounts } from '#web/shared/tab-counts.ts'
import { useAccount } from '#web/shell/current.ts'
import { EntryPage } from '#web/shell/EntryPage.tsx'
import { LeadsIcon } from '#web/ui/icons.tsx'
import { lateAct } from '#web/ui/late-acts.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { basicWords } from '#web/words/basic.ts'
import { fieldWords } from '#web/words/fields.ts'
import { acceptClaim, type Claim, claimStates, downloadClaims, type listClaims } from '../contract.ts'
import { claimWords as words } from '../text.ts'
import { claimName, shownState } from './names.ts'
import { claims } from './queries.ts'

const findSale = lateAct(async () => (await import('./FindSale.tsx')).FindSale, {
  label: words.find,
  when: ({ state }: Claim) => state === 'open',
  needs: acceptClaim,
})

/** The claims of all partners; an open one is accepted from its row. */
export function ClaimList() {
  const { id: accountId, timeZone } = useAccount()
  const list = useList(claims({ id: accountId }))
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  return (
    <EntryPage counts={useLeadCounts(accountId)}>
      <DataTable
        name={words.claims}
        plural={words.plural}
        rowsAre={words.counted}
        list={list}
        csv={{ endpoint: downloadClaims, atHead: true }}
        columns={columns}
        nameOf={claimName}
        filters={filters(accountId)}
        empty={{ icon: <LeadsIcon />, hint: words.none }}
      />
    </EntryPage>
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
  column.of('age', words.age, { short: true, wideOnly: true, card: false }, ({ state, createdAt }) => (
    <span className="muted">{state === 'open' ? formatAge(createdAt) : basicWords.absent}</span>
  )),
  column.of('state', fieldWords.status, { card: 'beside' }, (row) => (
    <StatusBadge of="claim" status={shownState(row)} />
  )),
  {
    head: words.find,
    headHidden: true,
    numeric: true,
    card: 'figure',
    cell: (row) => <ActButton small act={findSale} of={row} />,
  },
]
