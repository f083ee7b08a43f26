import * as contract from '#contract/accounts.ts'
import { byUser } from '../../platform/by.ts'
import { type App, route } from '../access/route.ts'
import { assignOwner, getOwner, retryOwnerInvitation } from '../auth/owners.ts'
import {
  changeAccount,
  createAccount,
  presentAccount,
  presentAccountToPartner,
  renewApiKey,
  switchAccount,
} from './accounts.ts'
import { listAccounts } from './list-accounts.ts'
import { listAudit } from './list-audit.ts'

export function accountRoutes(app: App) {
  route(app, contract.createAccount, ({ db, services, actor, body }) =>
    createAccount(db, services, byUser(actor), body),
  )

  route(app, contract.listAccounts, ({ db, services, query }) => listAccounts(db, services, query))

  route(app, contract.getAccount, ({ db, services, access }) =>
    access.as === 'admin' || access.as === 'owner'
      ? presentAccount(db, services, access.account.id, access.as)
      : presentAccountToPartner(db, services.config, access.account.id),
  )

  route(app, contract.changeAccount, ({ db, services, actor, access, body }) =>
    changeAccount(db, services, byUser(actor), access, body),
  )

  route(app, contract.enableAccount, ({ db, services, actor, access, body }) =>
    switchAccount(db, services, byUser(actor), access.account.id, { to: 'enabled', reason: body?.reason ?? null }),
  )

  route(app, contract.disableAccount, ({ db, services, actor, access, body }) =>
    switchAccount(db, services, byUser(actor), access.account.id, { to: 'disabled', reason: body?.reason ?? null }),
  )

  route(app, contract.getAccountOwner, ({ db, access }) => getOwner(db, access.account.id))

  route(app, contract.assignAccountOwner, async ({ db, services, actor, access, body }) => {
    await assignOwner(db, services, byUser(actor), access.account.id, body)
    return presentAccount(db, services, access.account.id, 'admin')
  })

  route(app, contract.retryOwnerInvitation, ({ db, services, access }) =>
    retryOwnerInvitation(db, services, access.account.id),
  )

  route(app, contract.renewApiKey, ({ db, services, actor, access }) =>
    renewApiKey(db, services, byUser(actor), access.account.id),
  )

  route(app, contract.listAudit, ({ db, access, query }) => listAudit(db, access.account.id, query))
}
