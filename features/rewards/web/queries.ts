import { apiPagesQuery, apiQuery, type Opened, type Reads } from '#web/calls.ts'
import { defineList } from '#web/lists/list-of.ts'
import { partnerGoalsQuery } from '#web/shared/goals.ts'
import { partnerLinksQuery } from '#web/shared/queries.ts'
import { isAtPartner, readsOfList } from '#web/shared/roles.ts'
import { termsStateQuery } from '#web/shared/terms.ts'
import { getOwnOffer, listFriends, listReferringCustomers } from '../contract.ts'

export const customers = defineList(listReferringCustomers, 'customers', {
  sort: '-referred',
  filters: ['state', 'groupId'],
})

export const readsOfCustomers = (opened: Opened): Reads => readsOfList(customers)(opened)

const SHOWN = 20

/** The friends of a customer, the newest first, paged, with the customer's rewards. */
export const friendsQuery = (partnerId: string) =>
  apiPagesQuery(listFriends, { params: { id: partnerId }, query: { limit: SHOWN } })

export const ownOfferQuery = (partnerId: string) => apiQuery(getOwnOffer, { params: { id: partnerId } })

export const readsOfInvite = ({ role }: Opened): Reads =>
  isAtPartner(role)
    ? [
        ownOfferQuery(role.partnerId),
        termsStateQuery({ of: 'partner', id: role.partnerId }),
        partnerLinksQuery(role.partnerId, { own: false }),
        friendsQuery(role.partnerId),
        partnerGoalsQuery(role.partnerId),
      ]
    : []
