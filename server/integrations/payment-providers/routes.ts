import * as contract from '#contract/payment-providers.ts'
import { byUser } from '../../platform/by.ts'
import { type App, route, routeOwn } from '../../program/access/route.ts'
import {
  availableProviders,
  changeConnection,
  checkConnection,
  connectProvider,
  connectUrl,
  disconnectProvider,
} from './connections.ts'
import { pageOfConnections } from './present-connections.ts'
import { receiveRoute } from './receive.ts'

export function paymentProviderRoutes(app: App) {
  receiveRoute(app)

  route(app, contract.listConnections, ({ db, access, query }) => pageOfConnections(db, access.account.id, query))

  route(app, contract.listAvailableProviders, async () => availableProviders())

  route(app, contract.getConnectUrl, async ({ params }) => connectUrl(params.provider))

  routeOwn(app, contract.connectProvider, ({ services, actor, access, body }) =>
    connectProvider(services, byUser(actor), access.account.id, body),
  )

  routeOwn(app, contract.changeConnection, ({ services, actor, access, params, body }) =>
    changeConnection(services, byUser(actor), access.account.id, params.connectionId, body),
  )

  routeOwn(app, contract.disconnectProvider, async ({ services, actor, access, body }) => {
    await disconnectProvider(services, byUser(actor), access.account.id, body.connectionId)
    return undefined
  })

  routeOwn(app, contract.checkConnection, ({ services, access, params }) =>
    checkConnection(services, access.account.id, params.connectionId),
  )
}
