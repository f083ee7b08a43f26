import { listAvailableProviders } from '#contract/payment-providers.ts'
import { read } from '../../calls.ts'
import type { Opened, Reads } from '../../reads.ts'

/** What can be connected here, and what each asks for. */
export const available = (accountId: string) => read(listAvailableProviders, { params: { id: accountId } })

export const readsOfProviders = ({ role }: Opened): Reads =>
  role.type === 'account-owner' ? [available(role.accountId)] : []
