import type { GroupReward } from '#contract/groups.ts'
import * as contract from '#contract/groups.ts'
import { userAuthor } from '../../platform/author.ts'
import { getProviderCredits } from '../access/provider-credits.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { changeGoal, createGoal, deleteGoal, listGoals, listPartnerGoals } from './goals.ts'
import { changeGroup, createGroup, deleteGroup, getGroup, listGroups } from './groups.ts'

export function groupRoutes(app: App) {
  /** Refuses: credit by a connection that can't add any. Called before locks, as it asks the provider. */
  const checkCredit = async (accountId: string, { reward }: { reward?: GroupReward | undefined }) => {
    if (reward?.as === 'credit')
      await getProviderCredits().checkRight(app.services, { accountId, connectionId: reward.connectionId })
  }

  route(app, contract.listGroups, ({ db, access, query }) => listGroups(db, access.account.id, query))

  routeCsv(app, contract.downloadGroups, ({ db, access }, query) => listGroups(db, access.account.id, query))

  route(app, contract.createGroup, async ({ db, actor, access, body }) => {
    await checkCredit(access.account.id, body)
    return createGroup(db, userAuthor(actor), access.account.id, body)
  })

  route(app, contract.getGroup, ({ db, access }) => getGroup(db, access.account.id, access.subjectId))

  route(app, contract.changeGroup, async ({ db, actor, access, body }) => {
    await checkCredit(access.account.id, body)
    return changeGroup(db, actor, access.account.id, access.subjectId, body)
  })

  route(app, contract.listGoals, ({ db, access }) => listGoals(db, access.account.id, access.subjectId))

  route(app, contract.createGoal, ({ db, actor, access, body }) =>
    createGoal(db, userAuthor(actor), access.account, access.subjectId, body),
  )

  route(app, contract.changeGoal, ({ db, actor, access, body }) =>
    changeGoal(db, userAuthor(actor), access.account, access.subjectId, body),
  )

  route(app, contract.deleteGoal, ({ db, actor, access }) =>
    deleteGoal(db, userAuthor(actor), access.account.id, access.subjectId).then(() => undefined),
  )

  route(app, contract.listPartnerGoals, ({ db, access, request }) => listPartnerGoals(db, access, request.prefers))

  route(app, contract.deleteGroup, ({ db, actor, access }) =>
    deleteGroup(db, userAuthor(actor), access.account.id, access.subjectId).then(() => undefined),
  )
}
