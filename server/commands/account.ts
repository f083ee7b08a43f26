import { allAccounts } from '../program/accounts/list-accounts.ts'
import { type Define, reports } from './command.ts'
import { withInstall } from './install.ts'

export const define: Define = (program) => {
  const account = program.command('account').description('List the accounts of this server.')
  reports(
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
  return account
}
