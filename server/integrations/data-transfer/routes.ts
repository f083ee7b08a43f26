import * as contract from '#contract/data-transfer.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { type App, route } from '../../program/access/route.ts'
import { emptyBegun } from '../../program/privacy/run-erasure.ts'
import { streamExport } from './export-account.ts'

export function dataTransferRoutes(app: App) {
  route(app, contract.exportAccount, async ({ services, by, access }) => {
    const { config, db, secrets } = services
    // the install that imports the zip can't find these copies
    await emptyBegun({ config, db, secrets: () => secrets }, access.account.id)
    const { zip, estimatedBytes } = await streamExport(db, by, access.account.id)
    const name = `tributary-export-${db.now.toISOString().slice(0, 10)}.zip`
    return new HttpReply(200, zip, {
      'content-type': contract.exportAccount.produces!,
      'content-disposition': `attachment; filename="${name}"`,
      [contract.ESTIMATED_BYTES]: String(estimatedBytes),
    })
  })
}
