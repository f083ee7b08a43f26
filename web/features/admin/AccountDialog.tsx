import { type Account, disableAccount, enableAccount } from '#contract/accounts.ts'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { t } from '../../words.ts'
import { AssignOwner } from './AssignOwner.tsx'
import { accountName } from './names.ts'

export type AccountAction = 'assign' | 'disable' | 'enable'

type Props = { account: Account; onClose: () => void }

/** The dialog for an administrator's action on an account. */
export function AccountDialog({ action, ...props }: Props & { action: AccountAction }) {
  if (action === 'assign') return <AssignOwner {...props} />
  return action === 'disable' ? <Disable {...props} /> : <Enable {...props} />
}

function Disable({ account, onClose }: Props) {
  const name = accountName(account)
  const disable = useDialogCall(disableAccount, { done: t('admin.disabled', { name }), onClose })
  return (
    <ReasonDialog
      heading={t('admin.disable')}
      about={account.id}
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
  const enable = useDialogCall(enableAccount, { done: t('admin.enabled', { name }), onClose })
  return (
    <ReasonDialog
      heading={t('admin.enable')}
      about={account.id}
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
