import { type Account, assignAccountOwner, NewOwner } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, useContractForm } from '../../ui/contract-form.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import styles from './Admin.module.css'
import { changed } from './queries.ts'

type Props = { account: Account; onClose: () => void }

/** Names the account's owner and invites him; a former one loses the role at once. */
export function AssignOwner({ account, onClose }: Props) {
  const form = useContractForm(NewOwner, { initial: { email: '', firstName: '', lastName: '' } })
  const save = useCall(assignAccountOwner, {
    refresh: changed,
    onSuccess() {
      onClose()
      toast(t('admin.assigned'))
    },
  })
  const heading = t('admin.assignOwner')
  const { owner } = account
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p className={styles.why}>{owner ? t('admin.replaceWhy', { email: owner.email }) : t('admin.assignWhy')}</p>
      <Form
        form={form}
        save={save}
        label={heading}
        inDialog
        onSubmit={(body) => save.mutate({ params: { id: account.id }, body })}
      >
        <TextField {...form.field('email', t('admin.ownerEmail'))} type="email" autoComplete="off" />
        <TextField {...form.field('firstName', t('admin.ownerFirstName'))} autoComplete="off" optional />
        <TextField {...form.field('lastName', t('admin.ownerLastName'))} autoComplete="off" optional />
        <FormActions submit={heading} cancel={onClose} />
      </Form>
    </Dialog>
  )
}
