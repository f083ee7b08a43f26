import { listLinkBlueprints } from '#contract/links.ts'
import { listAssets, listPartnerAssets } from '#features/assets/contract.ts'
import { apiQuery } from '../calls.ts'

/** The material of an account for its partners; there are at most 100. */
export const assetsQuery = (accountId: string) => apiQuery(listAssets, { params: { id: accountId } })

/** The material that a partner may copy, with their own link in it. */
export const partnerAssetsQuery = (partnerId: string) => apiQuery(listPartnerAssets, { params: { id: partnerId } })

/** The templates that an asset may lead to. */
export const allLinksQuery = (accountId: string) =>
  apiQuery(listLinkBlueprints, { params: { id: accountId }, query: { limit: 100, sort: 'name' } })
