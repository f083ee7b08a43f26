import type { QueryClient } from '@tanstack/react-query'
import {
  getLinkBlueprint,
  getLinkBlueprintHistoricalStats,
  listBlueprintLinks,
  listLinkBlueprints,
} from '#contract/links.ts'
import { listPartners } from '#contract/partners.ts'
import type { Role } from '#contract/users.ts'
import { type ListSearch, listQuery, read } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { rangeIn } from '../../ranges.ts'
import { type SearchParams, type TableDefinition, tableQuery } from '../../ui/table-state.ts'

export const linkTable: TableDefinition = {}
export const byPartnerTable: TableDefinition = { sort: '-clicks' }

export const blueprints = (accountId: string, search: ListSearch) =>
  listQuery(listLinkBlueprints, { params: { id: accountId }, search })

export const blueprint = (id: string) => read(getLinkBlueprint, { params: { id } })

/** Each partner's link from one blueprint. */
export const partnerLinks = (id: string, search: ListSearch) =>
  listQuery(listBlueprintLinks, { params: { id }, search })

/** Figures of the days from `from` to `to`, YYYY-MM-DD, inclusive. */
export const history = (id: string, { from, to }: { from: string; to: string }) =>
  read(getLinkBlueprintHistoricalStats, { params: { id, range: `${from}..${to}` } })

/** The one partner whose link is shown as a sample: who sells most. */
export const samplePartner = (accountId: string) =>
  listQuery(listPartners, { params: { id: accountId }, search: { limit: 1, sort: '-salesRevenue' } })

/** What a change of a blueprint makes stale. */
export const changed = ['link-blueprints', 'links', 'dashboard'] as const

type At = { client: QueryClient; role: Role; params: Record<string, string>; search: SearchParams }

export function startLinks({ client, role, search }: At) {
  if (role.type === 'account-owner') client.prefetchQuery(blueprints(role.accountId, tableQuery(search, linkTable)))
}

export function startLink({ client, params, search }: At) {
  const { blueprintId = '' } = params
  client.prefetchQuery(blueprint(blueprintId))
  client.prefetchQuery(partnerLinks(blueprintId, tableQuery(search, byPartnerTable)))
  client.prefetchQuery(history(blueprintId, rangeIn(search, todayIn(timeZoneHere()))))
}

export function startNewLink({ client, role }: Pick<At, 'client' | 'role'>) {
  if (role.type === 'account-owner') client.prefetchQuery(samplePartner(role.accountId))
}

export function startEditLink(at: At) {
  at.client.prefetchQuery(blueprint(at.params.blueprintId ?? ''))
  startNewLink(at)
}
