import { getClaim, listClaims, listPartnerClaims } from '#contract/claims.ts'
import { listQuery, type Opened, pagesOf, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'

type Claims = SearchOf<typeof listClaims>

export const claimTable = tableOf<Claims>()({ list: 'claims', filters: ['state', 'partnerId'] })

export const claims = (accountId: string, search: Claims) =>
  listQuery(listClaims, { params: { id: accountId }, search })

export const claim = (id: string) => read(getClaim, { params: { id } })

const SHOWN = 10

/** A partner's own claims, the newest first, paged. */
export const ownClaims = (partnerId: string) =>
  pagesOf(listPartnerClaims, { params: { id: partnerId }, query: { limit: SHOWN } })

export const readsOfClaims = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [claims(role.accountId, tableQuery(search, claimTable))] : []

export const readsOfClaim = ({ params }: Opened<{ claimId: string }>): Reads => [claim(params.claimId)]
