import { useInfiniteQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { LeadDetail } from '../features/leads/LeadDetail.tsx'
import { EditLead, NewLeadForm } from '../features/leads/LeadForm.tsx'
import { SubmitLead } from '../features/leads/SubmitLead.tsx'
import { LeadSales } from '../features/sales/LeadSales.tsx'
import { NewSale } from '../features/sales/NewSale.tsx'
import { leadSales, salesIn } from '../features/sales/queries.ts'
import { useAccount, useAccountRole, useRole } from '../shell/current.ts'

/** Owners enter leads; partners submit them if the account allows it. */
export function NewLead() {
  const role = useAccountRole()
  const { partnerLeadSubmission } = useAccount()
  if (role.type !== 'partner') return <NewLeadForm />
  return partnerLeadSubmission ? <SubmitLead partnerId={role.partnerId} /> : <Navigate to="/" replace />
}

/** One lead with its sales. */
export function Lead({ leadId }: { leadId: string }) {
  const readOnly = useRole()?.type === 'partner'
  const { data, hasNextPage } = useInfiniteQuery(leadSales(leadId))
  const all = salesIn(data?.pages)
  return (
    <LeadDetail leadId={leadId} readOnly={readOnly} sales={all && { all, complete: !hasNextPage }}>
      <LeadSales leadId={leadId} readOnly={readOnly} />
    </LeadDetail>
  )
}

export { EditLead, NewSale }
