import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getAutoPayoutSettings } from '#contract/accounts.ts'
import { getBalance, getPartner, getPayoutSettings } from '#contract/partners.ts'
import { type ApprovalPreview, approvePayouts, getPayoutTotals, listPayouts } from '#contract/payouts.ts'
import { listSales } from '#contract/sales.ts'
import type { Role } from '#contract/users.ts'
import { call } from '../../api.ts'
import { read } from '../../calls.ts'

export const tabs = ['general', 'commission', 'attribution', 'partners', 'payouts'] as const

export const autoPayouts = (id: string) => read(getAutoPayoutSettings, { params: { id } })

export const totals = (id: string) => read(getPayoutTotals, { params: { id } })

/** Whether the account has any sale: then its currency is fixed. */
export const hasSales = (id: string) => read(listSales, { params: { id }, query: { limit: 1 } })

/** What Wise would take for all that is due; null where that is not known. */
export const feesOfDue = (id: string) =>
  queryOptions({
    queryKey: ['/accounts/:id/payouts', id, 'fees-of-due'],
    staleTime: 30_000,
    async queryFn({ signal }) {
      const due = await call(listPayouts, { params: { id }, query: { status: 'due', limit: 100 }, signal })
      if (due.items.length === 0) return null
      const ids = due.items.map((payout) => payout.id)
      const preview = await call(approvePayouts, { params: { id }, body: { ids, preview: true }, signal })
      return (preview as ApprovalPreview).feeEstimate
    },
  })

export const payoutSettings = (partnerId: string) => read(getPayoutSettings, { params: { id: partnerId } })
export const balance = (partnerId: string) => read(getBalance, { params: { id: partnerId } })
export const partner = (partnerId: string) => read(getPartner, { params: { id: partnerId } })

type At = { client: QueryClient; role: Role; search: Record<string, unknown> }

/** Begins what the owner's settings show beside the account itself. */
export function startAccountSettings({ client, role, search }: At) {
  if (role.type !== 'account-owner') return
  const tab = tabs.find((key) => key === search.tab) ?? tabs[0]
  if (tab === 'general') client.prefetchQuery(hasSales(role.accountId))
  if (tab !== 'payouts') return
  client.prefetchQuery(autoPayouts(role.accountId))
  client.prefetchQuery(totals(role.accountId))
  client.prefetchQuery(feesOfDue(role.accountId))
}

/** Begins what a partner's settings show. */
export function startPartnerSettings({ client, role }: At) {
  if (role.type !== 'partner') return
  client.prefetchQuery(payoutSettings(role.partnerId))
  client.prefetchQuery(balance(role.partnerId))
  client.prefetchQuery(partner(role.partnerId))
}
