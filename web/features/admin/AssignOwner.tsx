import { type Account, assignAccountOwner, NewOwner } from '#contract/accounts.ts'
import type { ActProps } from '../../ui/act.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { adminWords } from '../../words/admin.ts'
import { stayAdministrator } from './names.ts'

/** Assigns the account's owner and invites them; the previous owner keeps the role until the invitation is accepted. */
export function AssignOwner({ of: account, onClose }: ActProps<Account>) {
  const form = useContractForm(NewOwner, { initial: { email: '', firstName: '', lastName: '' } })
  const save = useDialogCall(assignAccountOwner, { done: adminWords.assigned, onClose })
  const { owner, ownerInvitation } = account
  const present = ownerInvitation ? ownerInvitation.presentOwner : owner?.email
  return (
    <FormDialog
      heading={adminWords.assignOwner}
      why={present ? adminWords.replaceWhy({ email: present }) : adminWords.assignWhy}
      form={form}
      save={save}
      onSubmit={(body) => {
        stayAdministrator()
        save.mutate({ params: { id: account.id }, body })
      }}
      onClose={onClose}
    >
      <TextField {...form.field('email', adminWords.ownerEmail)} type="email" autoComplete="off" />
      <TextField {...form.field('firstName', adminWords.ownerFirstName)} autoComplete="off" optional />
      <TextField {...form.field('lastName', adminWords.ownerLastName)} autoComplete="off" optional />
    </FormDialog>
  )
}
