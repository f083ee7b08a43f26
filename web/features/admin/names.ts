import type { Account } from '#contract/accounts.ts'
import { rememberRole } from '../../roles.ts'
import { t } from '../../words.ts'

/** Its name, else its owner's e-mail, else '(Anonymous account)'. */
export const accountName = ({ displayName }: Pick<Account, 'displayName'>) =>
  displayName || t('header.anonymousAccount')

export const statusOf = ({ disabledAt }: Pick<Account, 'disabledAt'>) => (disabledAt ? 'disabled' : 'enabled')

/** An administrator who becomes an owner here stays in their role until they switch. */
export const stayAdministrator = () => rememberRole({ type: 'admin' })
