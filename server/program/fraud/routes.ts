import * as contract from '#contract/fraud.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route } from '../access/route.ts'
import { getFraudRules, saveFraudRules } from './rules.ts'

export function fraudRoutes(app: App) {
  route(app, contract.getFraudRules, ({ db, access }) => getFraudRules(db, access.account.id))

  route(app, contract.saveFraudRules, ({ db, actor, access, body }) =>
    saveFraudRules(db, userAuthor(actor), access.account.id, body),
  )
}
