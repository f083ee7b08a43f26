import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadSubPartners, type Partner, partnerStates } from '#contract/partners.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { t } from '../../words.ts'
import { columnsFor } from './columns.tsx'
import { subPartners, subPartnerTable } from './queries.ts'

/** The partner's direct sub-partners; `whole` is the owner's view. */
export function SubPartners({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const table = useTable(subPartnerTable(whole))
  const answer = useQuery(subPartners(partner.id, table.query))
  const columns = useMemo(() => columnsFor(whole), [whole])
  return (
    <DataTable
      name={t('partners.subPartners')}
      plural={t('partners.plural')}
      rowsAre="partners"
      table={table}
      csv={{ endpoint: downloadSubPartners, params: { id: partner.id }, onlyShown: !whole }}
      answer={answer}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => displayName}
      filters={[statusFilter('state', t('partners.status'), 'partner', partnerStates)]}
      empty={{
        icon: <PartnersIcon />,
        hint: t('partners.detail.subPartnersHint'),
        action: whole && (
          <GoButton go={{ to: '/partners/new', search: { parent: partner.id } }}>
            {t('partners.addSubPartner')}
          </GoButton>
        ),
      }}
    />
  )
}
