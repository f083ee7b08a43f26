import { listProviderEvents } from '#contract/payment-providers.ts'
import type { Opened, Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { importsQuery } from '../../shared/imports.ts'
import { availableProvidersQuery } from '../../shared/queries.ts'
import { isTeam } from '../../shared/roles.ts'
import { paymentProvidersQuery } from '../../shell/queries.ts'

/** Imports of providers' past sales, latest first. */
export const pastSales = (accountId: string) => importsQuery(accountId, { kind: 'past-sales', limit: 25 })

export const readsOfProviders = ({ role }: Opened): Reads =>
  isTeam(role) ? [availableProvidersQuery(role.accountId), pastSales(role.accountId)] : []

/** Poll interval for an event's result. */
const AGAIN_MS = 2000

/** Polls while any event is being processed and the page is visible. */
export const events = defineList(listProviderEvents, 'provider-events', {
  filters: ['state'],
  again: (page) => page?.items.some(({ state }) => state === 'received') && AGAIN_MS,
})

export const readsOfProviderEvents = ({
  role,
  search,
  params: { connectionId },
}: Opened<{ connectionId: string }>): Reads =>
  isTeam(role)
    ? [
        paymentProvidersQuery(role.accountId),
        availableProvidersQuery(role.accountId),
        events({ id: role.accountId, connectionId }).at(search),
      ]
    : []
