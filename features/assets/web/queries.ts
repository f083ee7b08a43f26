import { listLinkBlueprints } from '#contract/links.ts'
import { apiQuery, type Opened, type Reads } from '#web/calls.ts'
import { allGroupsQuery } from '#web/shared/groups.ts'
import { isTeam } from '#web/shared/roles.ts'
import { listAssets } from '../contract.ts'

/** The assets of an account for its partners; there are at most 100. */
export const assetsQuery = (accountId: string) => apiQuery(listAssets, { params: { id: accountId } })

/** The templates that an asset may lead to. */
export const allLinksQuery = (accountId: string) =>
  apiQuery(listLinkBlueprints, { params: { id: accountId }, query: { limit: 100, sort: 'name' } })

export const readsOfMaterial = ({ role }: Opened): Reads =>
  isTeam(role) ? [assetsQuery(role.accountId), allGroupsQuery(role.accountId), allLinksQuery(role.accountId)] : []
