import { allAccounts } from '../program/accounts/list-accounts.ts'
import { type Define, reporting } from './command.ts'
import { withInstall } from './install.ts'

export const define: Define = (program) => {
  const account = program.command('account').description('Find the accounts of this install.')
  account
    .command('list')
    .description('Name every account with its id, which export asks for, and its owner.')
    .option('--json', 'print one object')
    .action(
      reporting(() =>
        withInstall(async ({ db }) => {
          const accounts = await allAccounts(db)
          return {
            lines: accounts.map(({ id, name, ownerEmail, disabledAt }) =>
              [
                id,
                name ?? 'without a name',
                ownerEmail ?? 'without an owner',
                ...(disabledAt ? ['disabled'] : []),
              ].join('  '),
            ),
            json: { accounts },
          }
        }),
      ),
    )
  return account
}
