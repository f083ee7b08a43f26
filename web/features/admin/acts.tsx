import { type ReactNode, useState } from 'react'
import { type Account, disableAccount, enableAccount, retryOwnerInvitation } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { explainRefusal } from '../../ui/form.tsx'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { AssignOwner } from './AssignOwner.tsx'
import { accountName } from './names.ts'
import { changed } from './queries.ts'

type Act = 'assign' | 'disable' | 'enable'

export type Acts = ReturnType<typeof useActs>

/** What an administrator can do with an account: `start` opens the dialog of an act, `dialog` stands in the screen. */
export function useActs() {
  const [open, setOpen] = useState<{ act: Act; account: Account } | null>(null)
  const resend = useCall(retryOwnerInvitation, {
    refresh: changed,
    onSuccess: ({ url }) => toast(t(url ? 'admin.newLink' : 'admin.resent')),
    onError: (error) => toast(explainRefusal(error), { failed: true }),
  })
  const start = (act: Act, account: Account) => setOpen({ act, account })
  return {
    start,
    resend: ({ id }: Account) => resend.mutate({ params: { id } }),
    resending: resend.busy,
    /** The menu of a row. */
    of(account: Account): Action[] {
      return [
        { label: t('admin.assignOwner'), run: () => start('assign', account) },
        ...(account.ownerInvitation
          ? [{ label: t('admin.resend'), run: () => resend.mutate({ params: { id: account.id } }) }]
          : []),
        account.disabledAt
          ? { label: t('admin.enable'), run: () => start('enable', account) }
          : { label: t('admin.disable'), danger: true, run: () => start('disable', account) },
      ]
    },
    dialog: open && dialogOf(open.act, { account: open.account, onClose: () => setOpen(null) }),
  }
}

type Props = { account: Account; onClose: () => void }

function dialogOf(act: Act, props: Props): ReactNode {
  if (act === 'assign') return <AssignOwner {...props} />
  return act === 'disable' ? <Disable {...props} /> : <Enable {...props} />
}

function Disable({ account, onClose }: Props) {
  const name = accountName(account)
  const disable = useDialogCall(disableAccount, { refresh: changed, done: t('admin.disabled', { name }), onClose })
  return (
    <ReasonDialog
      heading={t('admin.disable')}
      confirm={t('admin.disable')}
      danger
      call={disable}
      onClose={onClose}
      onConfirm={(reason) => disable.mutate({ params: { id: account.id }, body: { reason } })}
    >
      {t('admin.disableWhy', { name })}
    </ReasonDialog>
  )
}

function Enable({ account, onClose }: Props) {
  const name = accountName(account)
  const enable = useDialogCall(enableAccount, { refresh: changed, done: t('admin.enabled', { name }), onClose })
  return (
    <ReasonDialog
      heading={t('admin.enable')}
      confirm={t('admin.enable')}
      optional
      call={enable}
      onClose={onClose}
      onConfirm={(reason) => enable.mutate({ params: { id: account.id }, body: { reason: reason || null } })}
    >
      {t('admin.enableWhy', { name })}
    </ReasonDialog>
  )
}
