import * as contract from '#contract/links.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route, routeOwn } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import {
  changeLinkBlueprint,
  createLinkBlueprint,
  deleteLinkBlueprint,
  getLinkBlueprint,
  listLinkBlueprints,
} from './link-blueprints.ts'
import { listBlueprintLinks, listPartnerLinks } from './links.ts'
import { changePartnerLink, createPartnerLink, deletePartnerLink } from './own-links.ts'
import { testLink } from './test-link.ts'

export function linkRoutes(app: App) {
  route(app, contract.listLinkBlueprints, ({ db, access, query }) => listLinkBlueprints(db, access.account, query))

  routeCsv(app, contract.downloadLinkBlueprints, ({ db, access }, query) =>
    listLinkBlueprints(db, access.account, query),
  )

  route(app, contract.createLinkBlueprint, ({ db, services, actor, access, body }) =>
    createLinkBlueprint(db, services.config, userAuthor(actor), access.account, body),
  )

  route(app, contract.getLinkBlueprint, ({ db, access }) => getLinkBlueprint(db, access.account, access.subjectId))

  route(app, contract.changeLinkBlueprint, ({ db, services, actor, access, body }) =>
    changeLinkBlueprint(db, services.config, userAuthor(actor), access, body),
  )

  route(app, contract.deleteLinkBlueprint, ({ db, actor, access }) =>
    deleteLinkBlueprint(db, userAuthor(actor), access.account, access.subjectId).then(() => undefined),
  )

  routeOwn(app, contract.testLink, ({ services, body }) => testLink(services, body))

  route(app, contract.listBlueprintLinks, ({ db, services, access, query }) =>
    listBlueprintLinks(db, services.config, access, access.subjectId, query),
  )

  routeCsv(app, contract.downloadBlueprintLinks, ({ db, services, access }, query) =>
    listBlueprintLinks(db, services.config, access, access.subjectId, query),
  )

  route(app, contract.listPartnerLinks, ({ db, services, access, query }) =>
    listPartnerLinks(db, services.config, access, access.subjectId, query),
  )

  route(app, contract.createPartnerLink, ({ db, services, by, access, body }) =>
    createPartnerLink(db, services.config, by, access, body),
  )

  route(app, contract.changePartnerLink, ({ db, services, by, access, body }) =>
    changePartnerLink(db, services.config, by, access, body),
  )

  route(app, contract.deletePartnerLink, ({ db, by, access }) =>
    deletePartnerLink(db, by, access.account, access.subjectId).then(() => undefined),
  )

  routeCsv(app, contract.downloadPartnerLinks, ({ db, services, access }, query) =>
    listPartnerLinks(db, services.config, access, access.subjectId, query),
  )
}
