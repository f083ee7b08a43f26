import { getAccount } from '#contract/accounts.ts'
import { listConnections } from '#contract/payment-providers.ts'
import { getAccountStats } from '#contract/stats.ts'
import { type Opened, type Reads, read } from '../calls.ts'
import { agreementVersions } from '../shared/agreement.ts'
import { isAtPartner } from '../shared/roles.ts'

export const account = (id: string) => read(getAccount, { params: { id } })

/** Statistics of all time. */
export const accountStats = (id: string) => read(getAccountStats, { params: { id } })

export const paymentProviders = (id: string) => read(listConnections, { params: { id } })

/** The reads of the notice above each screen that asks a partner to accept the agreement. */
export const readsOfNotice = ({ role }: Pick<Opened, 'role'>): Reads =>
  role.type === 'partner' ? [agreementVersions(role.accountId, role.partnerId)] : []

/** The reads of the portal's gate, and of the notice above each of its screens. */
export const readsOfPortalGate = ({ role }: Opened): Reads =>
  isAtPartner(role) ? [account(role.accountId), agreementVersions(role.accountId, role.partnerId)] : []

/** The reads of the gate and of the notices above each screen: those of the team, and a partner's to accept the agreement. */
export function readsOfGate({ role }: Opened): Reads {
  if (role.type === 'admin') return []
  if (isAtPartner(role)) return [account(role.accountId), ...readsOfNotice({ role })]
  return [account(role.accountId), accountStats(role.accountId), paymentProviders(role.accountId)]
}
