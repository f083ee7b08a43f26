import { getClaim, listClaims, listPartnerClaims } from '#contract/claims.ts'
import { type Opened, pagesOf, type Reads, read } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { readsOfList } from '../../shared/roles.ts'

export const claims = defineList(listClaims, 'claims', { filters: ['state', 'partnerId'] })

export const claim = (id: string) => read(getClaim, { params: { id } })

const SHOWN = 10

/** A partner's own claims, the newest first, paged. */
export const ownClaims = (partnerId: string) =>
  pagesOf(listPartnerClaims, { params: { id: partnerId }, query: { limit: SHOWN } })

export const readsOfClaims = readsOfList(claims)

export const readsOfClaim = ({ params }: Opened<{ claimId: string }>): Reads => [claim(params.claimId)]
