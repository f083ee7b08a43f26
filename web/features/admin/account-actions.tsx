import { useCallback } from 'react'
import { type Account, assignAccountOwner, retryOwnerInvitation } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { toast } from '../../ui/toasts.ts'
import { useActs } from '../../ui/useActs.tsx'
import { adminWords } from '../../words/admin.ts'
import type { AccountAction } from './AccountDialog.tsx'
import { accountName, stayAdministrator } from './names.ts'

const AccountDialog = lazyPart(async () => (await import('./AccountDialog.tsx')).AccountDialog)

export type AccountActions = ReturnType<typeof useAccountActions>

/** An administrator's actions on an account: `start` opens an action's dialog, `dialog` must be rendered by the screen. */
export function useAccountActions() {
  const { start: open, dialog } = useActs()
  const resend = useCall(retryOwnerInvitation, {
    onSuccess: ({ url, mailed }) => toast(url ? adminWords.newLink : mailed ? adminWords.resent : adminWords.kept),
    onError: toastRefusal,
  })
  const accept = useCall(assignAccountOwner, {
    onSuccess: (account) => toast(adminWords.accepted({ name: accountName(account) })),
    onError: toastRefusal,
  })
  AccountDialog.usePrefetch()
  const start = useCallback(
    (action: AccountAction, account: Account) => open(AccountDialog, { action, account }),
    [open],
  )
  return {
    start,
    resend: ({ id }: Account) => resend.mutate({ params: { id } }),
    resending: resend.busy,
    /** Administrators accept by assigning themselves as owner. */
    accept({ id }: Account, email: string) {
      stayAdministrator()
      accept.mutate({ params: { id }, body: { email } })
    },
    accepting: accept.busy,
    /** Returns the menu of a table row. */
    of(account: Account): Action[] {
      return [
        { label: adminWords.assignOwner, run: () => start('assign', account) },
        ...(account.ownerInvitation
          ? [{ label: adminWords.resend, run: () => resend.mutate({ params: { id: account.id } }) }]
          : []),
        account.disabledAt
          ? { label: adminWords.enable, run: () => start('enable', account) }
          : { label: adminWords.disable, danger: true, run: () => start('disable', account) },
      ]
    },
    dialog,
  }
}
