import * as contract from '#contract/accounts.ts'
import { userAuthor } from '../../platform/author.ts'
import { type App, route } from '../access/route.ts'
import { routeCsv } from '../access/route-csv.ts'
import { renewFirstKey } from '../api-keys/api-keys.ts'
import { assignOwner, getOwner, invitationOfOwner, retryOwnerInvitation } from '../auth/owners.ts'
import {
  changeAccount,
  createAccount,
  presentAccount,
  presentAccountToPartner,
  presentPublicBrand,
  refuseRequiring,
  switchAccount,
} from './accounts.ts'
import { listAccounts } from './list-accounts.ts'

export function accountRoutes(app: App) {
  route(app, contract.createAccount, async ({ db, services, actor, body }) => {
    const id = await createAccount(db, services, userAuthor(actor), body)
    return presentAccount(db, services, id, 'admin')
  })

  route(app, contract.listAccounts, ({ db, services, query }) => listAccounts(db, services, query))

  routeCsv(app, contract.downloadAccounts, ({ db, services }, query) => listAccounts(db, services, query))

  route(app, contract.getPublicBrand, ({ db, services, query, request }) =>
    presentPublicBrand(db, services.config, query.account, request.ownHost),
  )

  route(app, contract.getAccount, ({ db, services, access }) =>
    access.as === 'admin' || access.as === 'owner'
      ? presentAccount(db, services, access.account.id, access.as)
      : presentAccountToPartner(db, services.config, access),
  )

  route(app, contract.changeAccount, async ({ db, services, actor, access, body }) => {
    refuseRequiring(actor, db.now, access, body)
    await changeAccount(db, userAuthor(actor), access, body)
    return presentAccount(db, services, access.account.id, access.as === 'admin' ? 'admin' : 'owner')
  })

  route(app, contract.enableAccount, async ({ db, services, actor, access, body }) => {
    await switchAccount(db, userAuthor(actor), access.account.id, { to: 'enabled', reason: body?.reason ?? null })
    return presentAccount(db, services, access.account.id, 'admin')
  })

  route(app, contract.disableAccount, async ({ db, services, actor, access, body }) => {
    await switchAccount(db, userAuthor(actor), access.account.id, { to: 'disabled', reason: body?.reason ?? null })
    return presentAccount(db, services, access.account.id, 'admin')
  })

  route(app, contract.getAccountOwner, ({ db, access }) => getOwner(db, access.account.id))

  route(app, contract.assignAccountOwner, async ({ db, services, actor, access, body }) => {
    await assignOwner(db, services, userAuthor(actor), access.account.id, body)
    return presentAccount(db, services, access.account.id, 'admin')
  })

  route(app, contract.retryOwnerInvitation, async ({ db, services, access }) => {
    await retryOwnerInvitation(db, services, access.account.id)
    return (await invitationOfOwner(db, services, access.account.id))!
  })

  route(app, contract.renewApiKey, async ({ db, services, actor, access }) => {
    await renewFirstKey(db, services.secrets, userAuthor(actor), access.account.id)
    return presentAccount(db, services, access.account.id, 'owner')
  })
}
