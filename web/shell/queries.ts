import { getAccount } from '#contract/accounts.ts'
import { listConnections } from '#contract/payment-providers.ts'
import { getAccountStats } from '#contract/stats.ts'
import { apiQuery, type Opened, type Reads } from '../calls.ts'
import { agreementVersionsQuery } from '../shared/agreement.ts'
import { isAtPartner } from '../shared/roles.ts'

export const accountQuery = (id: string) => apiQuery(getAccount, { params: { id } })

/** Statistics of all time. */
export const accountStatsQuery = (id: string) => apiQuery(getAccountStats, { params: { id } })

export const paymentProvidersQuery = (id: string) => apiQuery(listConnections, { params: { id } })

/** The reads of the notice above each screen that asks a partner to accept the agreement. */
export const readsOfNotice = ({ role }: Pick<Opened, 'role'>): Reads =>
  role.type === 'partner' ? [agreementVersionsQuery(role.accountId, role.partnerId)] : []

/** The reads of the portal's gate, and of the notice above each of its screens. */
export const readsOfPortalGate = ({ role }: Opened): Reads =>
  isAtPartner(role) ? [accountQuery(role.accountId), agreementVersionsQuery(role.accountId, role.partnerId)] : []

/** The reads of the gate and of the notices above each screen: those of the team, and a partner's to accept the agreement. */
export function readsOfGate({ role }: Opened): Reads {
  if (role.type === 'admin') return []
  if (isAtPartner(role)) return [accountQuery(role.accountId), ...readsOfNotice({ role })]
  return [accountQuery(role.accountId), accountStatsQuery(role.accountId), paymentProvidersQuery(role.accountId)]
}
