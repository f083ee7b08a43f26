import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { createPartner, downloadSubPartners, type Partner, partnerStates } from '#contract/partners.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { columnsFor } from './columns.tsx'
import { subPartners, subPartnerTable } from './queries.ts'

/** The partner's direct sub-partners; `whole` is the owner's view. */
export function SubPartners({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const table = useTable(subPartnerTable(whole))
  const answer = useQuery(subPartners(partner.id, table.query))
  const columns = useMemo(() => columnsFor(whole), [whole])
  return (
    <DataTable
      name={fieldWords.subPartners}
      plural={partnerWords.plural}
      rowsAre="partners"
      table={table}
      csv={{ endpoint: downloadSubPartners, params: { id: partner.id }, onlyShown: !whole }}
      answer={answer}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => displayName}
      filters={[statusFilter('state', fieldWords.status, 'partner', partnerStates)]}
      empty={{
        icon: <PartnersIcon />,
        hint: partnerWords.detail.subPartnersHint,
        action: whole && (
          <GoButton needs={createPartner} go={{ to: '/partners/new', search: { parent: partner.id } }}>
            {partnerWords.addSubPartner}
          </GoButton>
        ),
      }}
    />
  )
}
