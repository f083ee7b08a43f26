import type { ReactNode } from 'react'
import { type Account, type AccountChange, changeAccount } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, type FormProps } from '../../ui/contract-form.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { toast } from '../../ui/toasts.ts'
import { formWords } from '../../words/forms.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords, toastWords } from '../../words/shell.ts'

export const saySaved = () => toast(toastWords.saved({ resource: settingsWords.name }))

type Props<B, V> = {
  account: Account
  form: FormProps<B>['form'] & { restart: (values: V) => void; saved: (values: V) => void }
  /** Returns an account's form values, initially and for a restart. */
  valuesOf: (account: Account) => V
  aside: ReactNode
  /** Content below the form and its effect. */
  below?: ReactNode
  /** Takes what changed before it is saved, if a question has to be answered first; it calls `save`. */
  ask?: (changes: AccountChange, save: (changes: AccountChange) => void) => void
  children: ReactNode
}

/**
 * A form of account settings: saves what changed, shows a toast, and restarts with the reply; values edited meanwhile
 * are kept.
 */
export function AccountForm<B extends AccountChange, V>({
  account,
  form,
  valuesOf,
  aside,
  below,
  ask = (changes, save) => save(changes),
  children,
}: Props<B, V>) {
  const save = useCall(changeAccount, {
    onSuccess(reply) {
      form.saved(valuesOf(reply))
      saySaved()
    },
  })
  return (
    <>
      <TwoColumns form aside={aside}>
        <Form
          form={form}
          save={save}
          label={pageWords.settings}
          onSubmit={(_, changes) =>
            ask(changes as AccountChange, (body) => save.mutate({ params: { id: account.id }, body }))
          }
        >
          {children}
          <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(account))} />
        </Form>
      </TwoColumns>
      {below}
    </>
  )
}

/** The settings' effect, shown next to them: figures and a note. */
export function Effect({
  heading = settingsWords.means,
  facts,
  note,
}: {
  heading?: string
  facts: Fact[]
  note: string
}) {
  return (
    <Panel heading={heading}>
      <Facts label={heading} facts={facts} />
      <div className="inset">
        <Message kind="info">{note}</Message>
      </div>
    </Panel>
  )
}
