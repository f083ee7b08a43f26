import { useMemo } from 'react'
import { createPartner, downloadSubPartners, type Partner, partnerStates } from '#contract/partners.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import { useList } from '../../lists/useList.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { columnsFor } from './columns.tsx'
import { subPartners } from './queries.ts'

/** The partner's direct sub-partners; `whole` is the owner's view. */
export function SubPartners({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const list = useList(subPartners(partner.id, whole))
  const columns = useMemo(() => columnsFor(whole), [whole])
  return (
    <DataTable
      name={fieldWords.subPartners}
      plural={partnerWords.plural}
      rowsAre="partners"
      list={list}
      csv={{ endpoint: downloadSubPartners, onlyShown: !whole }}
      columns={columns}
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
