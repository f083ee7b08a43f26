import { listAvailableProviders, listProviderEvents } from '#contract/payment-providers.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { importsOf } from '../../shared/imports.ts'
import { isTeam } from '../../shared/roles.ts'
import { paymentProviders } from '../../shell/queries.ts'

/** Providers that can be connected here, with the fields each needs. */
export const available = (accountId: string) => read(listAvailableProviders, { params: { id: accountId } })

/** Imports of providers' past sales, latest first. */
export const pastSales = (accountId: string) => importsOf(accountId, { kind: 'past-sales', limit: 25 })

export const readsOfProviders = ({ role }: Opened): Reads =>
  isTeam(role) ? [available(role.accountId), pastSales(role.accountId)] : []

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
        paymentProviders(role.accountId),
        available(role.accountId),
        events({ id: role.accountId, connectionId }).at(search),
      ]
    : []
