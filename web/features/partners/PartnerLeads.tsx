import { useMemo } from 'react'
import { downloadPartnerLeads, leadStatuses, type listPartnerLeads } from '#contract/leads.ts'
import type { Partner } from '#contract/partners.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { useDuplicates } from '../../shared/duplicates.ts'
import { ToLead } from '../../shared/links.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { LeadsIcon } from '../../ui/icons.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { partnerLeads } from './queries.ts'

const column = defineColumns<typeof listPartnerLeads>()

/** The leads this partner referred; `whole` is the owner's view. */
export function PartnerLeads({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const { timeZone } = useAccount()
  const list = useList(partnerLeads({ id: partner.id }))
  const columns = useMemo(() => columnsFor(timeZone), [timeZone])
  const duplicates = useDuplicates(list, partnerLeads({ id: partner.id }).page)
  return (
    <DataTable
      name={fieldWords.leads}
      plural={partnerWords.detail.leadsPlural}
      rowsAre="leads"
      amongThem={duplicates}
      list={list}
      csv={{ endpoint: downloadPartnerLeads, onlyShown: !whole }}
      columns={columns}
      nameOf={({ displayName }) => displayName}
      filters={[statusFilter('status', fieldWords.status, 'lead', leadStatuses)]}
      empty={{ icon: <LeadsIcon />, hint: partnerWords.detail.leadsHint }}
    />
  )
}

const columnsFor = (timeZone: string): ColumnOf<typeof listPartnerLeads>[] => [
  column.first(['displayName'], fieldWords.lead, { sort: 'name' }, ({ id, displayName }) => (
    <ToLead id={id}>{displayName}</ToLead>
  )),
  column.badge('status', fieldWords.status, 'lead'),
  column.count('numberOfSales', fieldWords.sales),
  column.money('salesRevenue', fieldWords.revenue, { sort: true }),
  column.money('salesRevenueShare', fieldWords.commission),
  column.day('createdAt', fieldWords.created, timeZone, { sort: true }),
]
