import { listAvailableProviders, listProviderEvents, type ProviderEvent } from '#contract/payment-providers.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { importsOf } from '../../shared/imports.ts'
import { isTeam } from '../../shared/roles.ts'
import { paymentProviders } from '../../shell/queries.ts'

/** Providers that can be connected here, with the fields each needs. */
export const available = (accountId: string) => read(listAvailableProviders, { params: { id: accountId } })

/** Imports of providers' past sales, latest first. */
export const pastSales = (accountId: string) => importsOf(accountId, { kind: 'past-sales', limit: 25 })

export const readsOfProviders = ({ role }: Opened): Reads =>
  isTeam(role) ? [available(role.accountId), pastSales(role.accountId)] : []

type Events = SearchOf<typeof listProviderEvents>
export const eventTable = tableOf<Events>()({ list: 'provider-events', filters: ['state'] })

/** Poll interval for an event's result. */
const AGAIN_MS = 2000

/** Polls while any event is being processed and the page is visible. */
export const events = (accountId: string, connectionId: string, search: Events) => ({
  ...listQuery(listProviderEvents, { params: { id: accountId, connectionId }, search }),
  refetchInterval: ({ state: { data } }: { state: { data?: { items: ProviderEvent[] } } }) =>
    data?.items.some(({ state }) => state === 'received') ? AGAIN_MS : (false as const),
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
        events(role.accountId, connectionId, tableQuery(search, eventTable)),
      ]
    : []
