import * as contract from '#contract/imports.ts'
import { userAuthor } from '../../platform/author.ts'
import { type Queryable, transaction } from '../../platform/database/pool.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { refusal } from '../../platform/refusal.ts'
import { type Access, subjectKey } from '../../program/access/access.ts'
import { type App, route, routeOwn } from '../../program/access/route.ts'
import { routeCsv } from '../../program/access/route-csv.ts'
import { errorsFile } from './errors-file.ts'
import { openFile } from './open-file.ts'
import { importResult, listImports } from './present-imports.ts'
import { previewImport, startImport } from './start-import.ts'
import { cancelImport, undoImport } from './undo-import.ts'

export function importRoutes(app: App) {
  routeOwn(app, contract.createImport, async ({ db, services, actor, access, body }) => {
    const file = await openFile(body)
    return transaction(db, (tx) => startImport(tx, services.jobs, userAuthor(actor), access.account, file, body))
  })

  route(app, contract.previewImport, ({ db, access, body }) => previewImport(db, access.account.id, body))

  route(app, contract.listImports, ({ db, access, query }) => listImports(db, access.account.id, query))

  routeCsv(app, contract.downloadImports, ({ db, access }, query) => listImports(db, access.account.id, query))

  route(app, contract.getImport, ({ db, services, access }) => importResult(db, services, subjectKey(access)))

  route(app, contract.downloadImportErrors, async ({ db, access }) => {
    return new HttpReply(200, await errorsFile(db, subjectKey(access)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="import-errors.csv"',
    })
  })

  route(app, contract.cancelImport, async ({ db, by, access }) => {
    await requireRightToChange(db, access)
    return cancelImport(db, by, subjectKey(access))
  })

  route(app, contract.undoImport, async ({ db, services, by, access }) => {
    await requireRightToChange(db, access)
    return undoImport(db, services.jobs, by, subjectKey(access))
  })
}

/** Only owners change imports of payouts, which say what was paid. Refuses: `forbidden`. */
async function requireRightToChange(db: Queryable, { account, subjectId, teamRole }: Access) {
  if (teamRole === 'owner') return
  const ofPayouts = await db.maybe`
    select from imports where account_id = ${account.id} and id = ${subjectId} and kind = 'payouts'`
  if (ofPayouts) throw refusal('role_not_allowed')
}
