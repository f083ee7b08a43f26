import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { confirmReward } from './acknowledge-reward.ts'
import { listCustomers } from './list-customers.ts'
import { listFriends } from './list-friends.ts'
import { listRewards } from './list-rewards.ts'
import { changeOwnOffer, presentOffer, presentOwnOffer } from './offers.ts'
import { presentRewardReport } from './report-rewards.ts'

export function rewardRoutes(app: App) {
  route(app, contract.listRewards, ({ db, access, query }) => listRewards(db, access.account, query))

  routeCsv(app, contract.downloadRewards, ({ db, access }, query) => listRewards(db, access.account, query))

  route(app, contract.listReferringCustomers, ({ db, access, query }) => listCustomers(db, access.account, query))

  routeCsv(app, contract.downloadReferringCustomers, ({ db, access }, query) =>
    listCustomers(db, access.account, query),
  )

  route(app, contract.confirmReward, ({ db, by, access, body }) =>
    confirmReward(db, by, access.account, access.subjectId, body),
  )

  route(app, contract.getRewardReport, ({ db, access, params }) =>
    presentRewardReport(db, access.account, params.range),
  )

  route(app, contract.getOffer, ({ db, params, query }) => presentOffer(db, params.code, query.account))

  route(app, contract.listFriends, ({ db, access, query }) => listFriends(db, access, query))

  routeCsv(app, contract.downloadFriends, ({ db, access }, query) => listFriends(db, access, query))

  route(app, contract.getOwnOffer, ({ db, access }) => presentOwnOffer(db, access.account.id, access.subjectId))

  route(app, contract.changeOwnOffer, ({ db, access, body }) =>
    changeOwnOffer(db, access.account.id, access.subjectId, body),
  )
}
