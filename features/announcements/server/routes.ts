import { userAuthor } from '#server/platform/author.ts'
import { HttpReply } from '#server/platform/http/reply.ts'
import { subjectKey } from '#server/program/access/access.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import {
  deleteAnnouncement,
  listAnnouncements,
  listNotes,
  previewAnnouncement,
  readNotes,
  sendAnnouncement,
} from './announcements.ts'

export function announcementRoutes(app: App) {
  route(app, contract.listAnnouncements, ({ db, access, query }) => listAnnouncements(db, access.account.id, query))

  routeCsv(app, contract.downloadAnnouncements, ({ db, access }, query) =>
    listAnnouncements(db, access.account.id, query),
  )

  route(app, contract.sendAnnouncement, async ({ db, actor, access, body }) =>
    body.preview
      ? new HttpReply(200, await previewAnnouncement(db, access.account, body))
      : sendAnnouncement(db, userAuthor(actor), access.account, body),
  )

  route(app, contract.deleteAnnouncement, ({ db, actor, access }) =>
    deleteAnnouncement(db, userAuthor(actor), subjectKey(access)).then(() => undefined),
  )

  route(app, contract.listPartnerAnnouncements, ({ db, access, query, request }) =>
    listNotes(db, { accountId: access.account.id, partnerId: access.subjectId, wanted: request.prefers }, query),
  )

  route(app, contract.readAnnouncements, ({ db, access, body }) =>
    readNotes(db, access.account.id, access.subjectId, body.upTo).then(() => undefined),
  )
}
