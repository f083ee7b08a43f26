import { StartRefusal } from '../platform/config/start-refusal.ts'
import { transaction } from '../platform/database/pool.ts'
import { allAccounts } from '../program/accounts/list-accounts.ts'
import { freeSlug } from '../program/applications/program.ts'
import { type Define, defineReport } from './command.ts'
import { withInstall } from './install.ts'

export const define: Define = (program) => {
  const account = program
    .command('account')
    .description('List the accounts of this server, or take an address from one.')
  defineReport(
    account.command('list').description('List every account with its owner and its ID, which export needs.'),
    () =>
      withInstall(async ({ db }) => {
        const accounts = await allAccounts(db)
        return {
          lines: accounts.map(({ id, name, ownerEmail, disabledAt }) =>
            [id, name ?? 'without a name', ownerEmail ?? 'without an owner', ...(disabledAt ? ['disabled'] : [])].join(
              '  ',
            ),
          ),
          json: { accounts },
        }
      }),
  )
  defineReport(
    account
      .command('free-address')
      .description('Take the address of a program page from its account, so that another account can have it.')
      .argument('<address>', 'the last part of the address: acme for /join/acme'),
    ([given = '']) =>
      withInstall(async ({ db }) => {
        const freed = await transaction(db, (tx) => freeSlug(tx, given))
        if (!freed) throw new StartRefusal(`No account has the address ${given}.`)
        const { accountId, wasShown } = freed
        return {
          lines: [
            `The account ${accountId} no longer has the address ${given}.`,
            ...(wasShown ? ['Its program page is off until its owner chooses another one.'] : []),
          ],
          json: { accountId, address: given, wasShown },
        }
      }),
  )
  return account
}
