import { listBlueprintLinks, listLinkBlueprints } from '#contract/links.ts'
import { listPartners } from '#contract/partners.ts'
import { getLinkBlueprintHistoricalStats } from '#contract/stats.ts'
import { apiPagesQuery, apiQuery, listQuery, type Opened, type Reads } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { defineList } from '../../lists/list-of.ts'
import { linkBlueprintQuery } from '../../shared/queries.ts'
import { isTeam, readsOfList } from '../../shared/roles.ts'
import { termsStateQuery } from '../../shared/terms.ts'
import { rangeIn } from '../../ui/date-ranges.ts'

export const blueprints = defineList(listLinkBlueprints, 'links')

/** Each partner's link of one blueprint. */
export const blueprintLinks = defineList(listBlueprintLinks, 'links-by-partner', { sort: '-clicks' })

/** The links that partners added to one blueprint, most clicked first, paged. */
export const ownLinksQuery = (id: string) =>
  apiPagesQuery(listBlueprintLinks, { params: { id }, query: { limit: 20, sort: '-clicks', own: 'true' } })

/** Figures for the days from `from` to `to`, YYYY-MM-DD, inclusive. */
export const historyQuery = (id: string, { from, to }: { from: string; to: string }) =>
  apiQuery(getLinkBlueprintHistoricalStats, { params: { id, range: `${from}..${to}` } })

/** The partner whose link is the sample in the preview: the one with the most sales revenue. */
export const samplePartnerQuery = (accountId: string) =>
  listQuery(listPartners, { params: { id: accountId }, search: { limit: 1, sort: '-salesRevenue' } })

export const readsOfLinks = readsOfList(blueprints)

type OfLink = Opened<{ blueprintId: string }>

export const readsOfLink = ({ params: { blueprintId }, search }: OfLink): Reads => [
  linkBlueprintQuery(blueprintId),
  blueprintLinks({ id: blueprintId }).at(search),
  ownLinksQuery(blueprintId),
  historyQuery(blueprintId, rangeIn(search, todayIn(timeZoneHere()))),
]

export const readsOfNewLink = ({ role }: Pick<Opened, 'role'>): Reads =>
  isTeam(role) ? [samplePartnerQuery(role.accountId), termsStateQuery({ of: 'account', id: role.accountId })] : []

export const readsOfEditLink = (opened: OfLink): Reads => [
  linkBlueprintQuery(opened.params.blueprintId),
  termsStateQuery({ of: 'link', id: opened.params.blueprintId }),
  ...readsOfNewLink(opened),
]
