import { getAccount } from '#contract/accounts.ts'
import { getMe } from '#contract/auth.ts'
import { listConnections } from '#contract/payment-providers.ts'
import { getAccountStats } from '#contract/stats.ts'
import { read } from '../calls.ts'
import type { Opened, Reads } from '../reads.ts'

export const me = read(getMe)

export const account = (id: string) => read(getAccount, { params: { id } })

/** Statistics of all time. */
export const accountStats = (id: string) => read(getAccountStats, { params: { id } })

export const paymentProviders = (id: string) => read(listConnections, { params: { id } })

/** The reads of the gate and the owner's notice. */
export function readsOfGate({ role }: Opened): Reads {
  if (role.type === 'admin') return []
  if (role.type === 'partner') return [account(role.accountId)]
  return [account(role.accountId), accountStats(role.accountId), paymentProviders(role.accountId)]
}
