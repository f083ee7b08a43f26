import { Navigate } from '@tanstack/react-router'
import { EditLead, NewLeadForm } from '../features/leads/LeadForm.tsx'
import { SubmitLead } from '../features/leads/SubmitLead.tsx'
import { isAtPartner } from '../shared/roles.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'

/** Owners enter leads; partners submit them if the account allows it. */
export function NewLead() {
  const role = useAccountRole()
  const { partnerLeadSubmission } = useAccount()
  if (!isAtPartner(role)) return <NewLeadForm />
  return partnerLeadSubmission ? <SubmitLead partnerId={role.partnerId} /> : <Navigate to="/" replace />
}

export { EditLead }
