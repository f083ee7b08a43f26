import { apiPagesQuery, apiQuery, type Opened, type Reads } from '#web/calls.ts'
import { defineList } from '#web/lists/list-of.ts'
import { readsOfList } from '#web/shared/roles.ts'
import { getClaim, listClaims, listPartnerClaims } from '../contract.ts'

export const claims = defineList(listClaims, 'claims', { filters: ['state', 'partnerId'] })

export const claimQuery = (id: string) => apiQuery(getClaim, { params: { id } })

const SHOWN = 10

/** A partner's own claims, the newest first, paged. */
export const ownClaimsQuery = (partnerId: string) =>
  apiPagesQuery(listPartnerClaims, { params: { id: partnerId }, query: { limit: SHOWN } })

export const readsOfClaims = readsOfList(claims)

export const readsOfClaim = ({ params }: Opened<{ claimId: string }>): Reads => [claimQuery(params.claimId)]
