import type { ReactNode } from 'react'
import type { z } from 'zod'
import { type Account, type AccountChange, changeAccount } from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import { Columns } from '../../ui/Columns.tsx'
import { Form, FormActions, type useContractForm } from '../../ui/contract-form.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'

export const saySaved = () => toast(t('toast.saved', { resource: t('settings.name') }))

type SettingsForm<B> = Pick<
  ReturnType<typeof useContractForm<z.ZodType, object>>,
  'dirty' | 'refuse' | 'failure' | 'attempt' | 'marked' | 'typed' | 'retype'
> & {
  editedSince: () => boolean
  check: () => { body: B; changes: Partial<B> } | null
}

type Props<B, V> = {
  account: Account
  form: SettingsForm<B> & { restart: (values: V) => void; saved: (values: V) => void }
  /** The form's values of an account: what it begins with, and begins with again. */
  valuesOf: (account: Account) => V
  aside: ReactNode
  /** What stands under the form and its effect, and is no part of them. */
  below?: ReactNode
  children: ReactNode
}

/** A form of the account's settings: saves what differs, says so, and begins again with what the server answers; what was typed meanwhile stays. */
export function AccountForm<B extends AccountChange, V>({
  account,
  form,
  valuesOf,
  aside,
  below,
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
      <Columns form aside={aside}>
        <Form
          form={form}
          save={save}
          label={t('pages.settings')}
          onSubmit={(_, changes) => save.mutate({ params: { id: account.id }, body: changes as AccountChange })}
        >
          {children}
          <FormActions submit={t('form.saveChanges')} cancel={() => form.restart(valuesOf(account))} />
        </Form>
      </Columns>
      {below}
    </>
  )
}

/** The effect of the settings beside them: figures, and what stays as it was. */
export function Effect({
  heading = t('settings.means'),
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
      <div style={{ padding: '0 16px 16px' }}>
        <Message kind="info">{note}</Message>
      </div>
    </Panel>
  )
}
