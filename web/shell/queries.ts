import { getAccount } from '#contract/accounts.ts'
import { listConnections } from '#contract/payment-providers.ts'
import { getAccountStats } from '#contract/stats.ts'
import { type Opened, type Reads, read } from '../calls.ts'
import { isAtPartner } from '../shared/roles.ts'

export const account = (id: string) => read(getAccount, { params: { id } })

/** Statistics of all time. */
export const accountStats = (id: string) => read(getAccountStats, { params: { id } })

export const paymentProviders = (id: string) => read(listConnections, { params: { id } })

/** The reads of the gate and the owner's notice. */
export function readsOfGate({ role }: Opened): Reads {
  if (role.type === 'admin') return []
  if (isAtPartner(role)) return [account(role.accountId)]
  return [account(role.accountId), accountStats(role.accountId), paymentProviders(role.accountId)]
}
