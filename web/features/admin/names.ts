import type { Account } from '#contract/accounts.ts'
import { rememberRole } from '../../shared/roles.ts'
import { shellWords } from '../../words/shell.ts'

/** Returns the account's name, else its owner's email, else '(Anonymous account)'. */
export const accountName = ({ displayName }: Pick<Account, 'displayName'>) =>
  displayName || shellWords.header.anonymousAccount

export const toAccountStatus = ({ disabledAt }: Pick<Account, 'disabledAt'>) => (disabledAt ? 'disabled' : 'enabled')

/** Keeps an administrator who becomes an owner here in the admin role until they switch. */
export const rememberAdministrator = () => rememberRole({ type: 'admin' })
