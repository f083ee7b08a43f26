import { queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/accounts.ts'
import { listPartnerLinks } from '#contract/links.ts'
import { getBalance } from '#contract/partners.ts'
import { call } from '../../api.ts'

/** What the owner's dashboard shows for the days from `from` to `to`, YYYY-MM-DD, inclusive. */
export const dashboard = (accountId: string, { from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['accounts', { id: accountId }, 'dashboard', { from, to }],
    queryFn: ({ signal }) => call(getDashboard, { params: { id: accountId, range: `${from}..${to}` }, signal }),
  })

export const balance = (partnerId: string) =>
  queryOptions({
    queryKey: ['partners', { id: partnerId }, 'balance'],
    queryFn: ({ signal }) => call(getBalance, { params: { id: partnerId }, signal }),
  })

export const partnerLinks = (partnerId: string) =>
  queryOptions({
    queryKey: ['links', { partnerId }],
    queryFn: ({ signal }) => call(listPartnerLinks, { params: { id: partnerId }, query: { limit: 100 }, signal }),
  })
