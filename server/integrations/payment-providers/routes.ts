import * as contract from '#contract/payment-providers.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route, routeOwn } from '../../program/access/route.ts'
import { routeCsv } from '../../program/access/route-csv.ts'
import { listCoupons, saveCodeRules } from './code-rules.ts'
import {
  availableProviders,
  changeConnection,
  checkConnection,
  connectProvider,
  disconnectProvider,
} from './connections.ts'
import { listProviderEvents, retryEvent } from './events.ts'
import { connectByConsent, connectUrl } from './oauth.ts'
import { startPastImport } from './past-sales.ts'
import { pageOfConnections } from './present-connections.ts'
import { providerEventRoute } from './receive.ts'

export function paymentProviderRoutes(app: App) {
  providerEventRoute(app)

  route(app, contract.listConnections, ({ db, access, query }) => pageOfConnections(db, access.account.id, query))

  routeCsv(app, contract.downloadConnections, ({ db, access }, query) =>
    pageOfConnections(db, access.account.id, query),
  )

  route(app, contract.listAvailableProviders, async ({ services }) => availableProviders(services.config))

  route(app, contract.getConnectUrl, ({ services, actor, access, params }) =>
    connectUrl(services, actor, access.account.id, params.provider),
  )

  routeOwn(app, contract.connectProvider, ({ services, actor, access: { account }, body }) => {
    const { provider, credentials, code = '', state = '' } = body
    return credentials
      ? connectProvider(services, userAuthor(actor), account.id, { provider, credentials })
      : connectByConsent(services, actor, account.id, { provider, code, state })
  })

  routeOwn(app, contract.changeConnection, ({ services, actor, access, params, body }) =>
    changeConnection(services, userAuthor(actor), access.account.id, params.connectionId, body),
  )

  routeOwn(app, contract.disconnectProvider, async ({ services, actor, access, body }) => {
    await disconnectProvider(services, userAuthor(actor), access.account.id, body.connectionId)
    return undefined
  })

  route(app, contract.listProviderEvents, ({ db, access, params, query }) =>
    listProviderEvents(db, access.account.id, params.connectionId, query),
  )

  routeCsv(app, contract.downloadProviderEvents, ({ db, access, params }, query) =>
    listProviderEvents(db, access.account.id, params.connectionId, query),
  )

  route(app, contract.retryProviderEvent, ({ db, services, access, params }) =>
    retryEvent(db, services.jobs, access.account.id, params),
  )

  route(app, contract.importPastSales, ({ db, services, by, access, params, body }) =>
    startPastImport(db, services.jobs, by, access.account.id, { connectionId: params.connectionId, body }),
  )

  routeOwn(app, contract.checkConnection, ({ services, access, params }) =>
    checkConnection(services, access.account.id, params.connectionId),
  )

  routeOwn(app, contract.listCoupons, ({ services, access, params }) =>
    listCoupons(services, access.account.id, params.connectionId),
  )

  routeOwn(app, contract.saveCodeRule, ({ services, actor, access, params, body }) =>
    saveCodeRules(services, userAuthor(actor), access.account.id, params.connectionId, body),
  )
}
