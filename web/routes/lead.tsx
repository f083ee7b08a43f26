import { useInfiniteQuery } from '@tanstack/react-query'
import { LeadDetail } from '../features/leads/LeadDetail.tsx'
import { LeadSales } from '../features/sales/LeadSales.tsx'
import { leadSalesQuery, salesIn } from '../features/sales/queries.ts'
import { isAtPartner } from '../shared/roles.ts'
import { useRole } from '../shell/current.ts'

/** One lead with its sales. */
export function Lead({ leadId }: { leadId: string }) {
  const readOnly = isAtPartner(useRole())
  const { data, hasNextPage } = useInfiniteQuery(leadSalesQuery(leadId))
  const all = salesIn(data?.pages)
  return (
    <LeadDetail leadId={leadId} readOnly={readOnly} sales={all && { all, complete: !hasNextPage }}>
      <LeadSales leadId={leadId} readOnly={readOnly} />
    </LeadDetail>
  )
}
