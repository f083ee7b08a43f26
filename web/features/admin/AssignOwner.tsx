import { type Account, assignAccountOwner, NewOwner } from '#contract/accounts.ts'
import type { ActProps } from '../../ui/act.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { stayAdministrator } from './names.ts'

/** Assigns the account's owner and invites them; the previous owner keeps the role until the invitation is accepted. */
export function AssignOwner({ of: account, onClose }: ActProps<Account>) {
  const form = useContractForm(NewOwner, { initial: { email: '', firstName: '', lastName: '' } })
  const save = useDialogCall(assignAccountOwner, { done: t('admin.assigned'), onClose })
  const { owner, ownerInvitation } = account
  const present = ownerInvitation ? ownerInvitation.presentOwner : owner?.email
  return (
    <FormDialog
      heading={t('admin.assignOwner')}
      why={present ? t('admin.replaceWhy', { email: present }) : t('admin.assignWhy')}
      form={form}
      save={save}
      onSubmit={(body) => {
        stayAdministrator()
        save.mutate({ params: { id: account.id }, body })
      }}
      onClose={onClose}
    >
      <TextField {...form.field('email', t('admin.ownerEmail'))} type="email" autoComplete="off" />
      <TextField {...form.field('firstName', t('admin.ownerFirstName'))} autoComplete="off" optional />
      <TextField {...form.field('lastName', t('admin.ownerLastName'))} autoComplete="off" optional />
    </FormDialog>
  )
}
