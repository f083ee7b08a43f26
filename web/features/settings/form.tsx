import type { ReactNode } from 'react'
import { type Account, type AccountChange, changeAccount } from '#contract/accounts.ts'
import { changeAccountTerms, type TermsState } from '#contract/terms.ts'
import { useCall } from '../../calls.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { useSaveTerms } from '../../shared/SaveTerms.tsx'
import type { GivenTerms } from '../../shared/terms.ts'
import { Form, FormActions, type FormProps } from '../../ui/contract-form.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Needed, usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formWords } from '../../words/forms.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords, toastWords } from '../../words/shell.ts'

export const showSaved = () => showToast(toastWords.saved({ resource: settingsWords.name }))

type Props<B, V> = {
  account: Account
  form: FormProps<B>['form'] & { values: V; initial: V; restart: (values: V) => void; saved: (values: V) => void }
  /** Returns an account's form values, initially and for a restart; all but its terms. */
  valuesOf: (account: Account) => Omit<V, 'terms'>
  aside: ReactNode
  /** Content below the form and its effect. */
  below?: ReactNode
  /** The account's saved terms, in a form with terms. */
  state?: TermsState
  /** The call that decides who may change these settings: the other roles read them. */
  needs?: Needed
  /** Whether a change of terms may spare customers. */
  hasCustomers?: boolean
  children: ReactNode
}

/**
 * A form of account settings: saves what changed, shows a toast, and restarts with the reply; values edited meanwhile
 * are kept.
 */
export function AccountForm<B extends AccountChange & { terms?: GivenTerms }, V>({
  account,
  form,
  valuesOf,
  aside,
  below,
  state,
  needs = changeAccountTerms,
  hasCustomers = false,
  children,
}: Props<B, V>) {
  const may = usePermission()
  const { id } = account
  const rest = useCall(changeAccount, { onSuccess: saved })
  const terms = useSaveTerms({ accountId: id, subject: { of: 'account', id }, state, hasCustomers, rest })
  function saved(account: Account) {
    form.saved({ ...form.values, ...valuesOf(account) })
    showSaved()
  }
  return (
    <>
      <TwoColumns form aside={aside}>
        <Form
          form={form}
          save={terms.save}
          label={pageWords.settings}
          onSubmit={(_, changes) =>
            terms.submit(
              changes,
              (body) => rest.mutate({ params: { id }, body }),
              () => saved(account),
            )
          }
        >
          <OnlyRead needs={needs}>{children}</OnlyRead>
          {may(needs) && (
            <FormActions
              submit={formWords.saveChanges}
              cancel={() => form.restart({ ...form.initial, ...valuesOf(account) })}
            />
          )}
        </Form>
      </TwoColumns>
      {below}
      {terms.dialog}
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
