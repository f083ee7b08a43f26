import { type Account, disableAccount, enableAccount } from '#contract/accounts.ts'
import type { ActProps } from '../../ui/act.ts'
import { reasonedAct } from '../../ui/reasoned-act.tsx'
import { adminWords } from '../../words/admin.ts'
import { AssignOwner } from './AssignOwner.tsx'
import { accountName } from './names.ts'

export type AccountAction = 'assign' | 'disable' | 'enable'

/** The dialog for an administrator's action on an account. */
export function AccountDialog({ action, ...props }: ActProps<Account> & { action: AccountAction }) {
  const Of = { assign: AssignOwner, disable: Disable, enable: Enable }[action]
  return <Of {...props} />
}

const Disable = reasonedAct(disableAccount, (account: Account) => ({
  heading: adminWords.disable,
  danger: true,
  done: adminWords.disabled({ name: accountName(account) }),
  why: adminWords.disableWhy({ name: accountName(account) }),
}))

const Enable = reasonedAct(enableAccount, (account: Account) => ({
  heading: adminWords.enable,
  optional: true,
  done: adminWords.enabled({ name: accountName(account) }),
  why: adminWords.enableWhy({ name: accountName(account) }),
}))
