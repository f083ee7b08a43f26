import { listAssets, listPartnerAssets } from '#contract/assets.ts'
import { listLinkBlueprints } from '#contract/links.ts'
import { read } from '../calls.ts'

/** The material of an account for its partners; there are at most 100. */
export const assets = (accountId: string) => read(listAssets, { params: { id: accountId } })

/** The material that a partner may copy, with their own link in it. */
export const partnerAssets = (partnerId: string) => read(listPartnerAssets, { params: { id: partnerId } })

/** The templates that an asset may lead to. */
export const allLinks = (accountId: string) =>
  read(listLinkBlueprints, { params: { id: accountId }, query: { limit: 100, sort: 'name' } })
