import { isAtPartner } from '../../shared/roles.ts'
import { useRole } from '../../shell/current.ts'
import { OwnerDashboard } from './OwnerDashboard.tsx'
import { PartnerDashboard } from './PartnerDashboard.tsx'

export function Dashboard() {
  const role = useRole()
  if (isAtPartner(role)) return <PartnerDashboard key={role.partnerId} />
  return <OwnerDashboard />
}
