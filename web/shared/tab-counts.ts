import { useQuery } from '@tanstack/react-query'
import { listApplications } from '#contract/applications.ts'
import { listSales } from '#contract/sales.ts'
import * as features from '#features/index.tabs.ts'
import type { Opened, Reads } from '../calls.ts'
import { type FeatureTab, totalQuery } from './feature-tab.ts'
import { allGroupsQuery } from './groups.ts'
import { isTeam } from './roles.ts'

/** The applications that wait, as their tab opens them. */
const applications = totalQuery(listApplications, { status: 'waiting' })

/** The lists of work under Leads, as their tabs open them. */
const ofLeads = [
  ['unattributed', totalQuery(listSales, { unattributed: 'true' })],
  ['testSales', totalQuery(listSales, { test: 'true' })],
  ...Object.entries<FeatureTab>(features).flatMap(([page, { under, waiting }]) =>
    under === 'leads' && waiting ? [[page, waiting] as const] : [],
  ),
] as const

type Of = Pick<Opened, 'role'>
export const readsOfPartnerCounts = ({ role }: Of): Reads =>
  isTeam(role) ? [applications(role.accountId), allGroupsQuery(role.accountId)] : []
export const readsOfLeadCounts = ({ role }: Of): Reads =>
  isTeam(role) ? ofLeads.map(([, query]) => query(role.accountId)) : []

/** Returns the counts of the tabs under Partners. */
export function usePartnerCounts(id: string, enabled = true) {
  const { data } = useQuery({ ...applications(id), enabled })
  const ofCustomers = useQuery({ ...allGroupsQuery(id), enabled }).data?.items.filter(
    ({ kind }) => kind === 'customers',
  )
  return {
    applications: { count: data?.total, warns: true },
    customers: {
      count: ofCustomers?.reduce((sum, { partners }) => sum + partners, 0),
      mayHaveRows: ofCustomers !== undefined && ofCustomers.length > 0,
    },
  }
}

/** Returns the counts of the tabs under Leads. */
export const useLeadCounts = (id: string, enabled = true) =>
  Object.fromEntries(
    ofLeads.map(([page, query]) => {
      // biome-ignore lint/correctness/useHookAtTopLevel: the lists are always the same
      const count = useQuery({ ...query(id), enabled }).data?.total
      return [page, { narrowed: true, warns: page !== 'testSales', count }]
    }),
  )
