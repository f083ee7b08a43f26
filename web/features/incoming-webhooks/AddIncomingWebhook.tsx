import { createIncomingWebhook, NewIncomingWebhook } from '#contract/incoming-webhooks.ts'
import { useCall } from '../../calls.ts'
import { searchText } from '../../lists/table-state.ts'
import { useAccount } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { pageWords } from '../../words/shell.ts'
import { authMistakes, authOf, NO_AUTH } from './auth.ts'
import { FirstFields, type FirstValues } from './FirstFields.tsx'
import { MappingForm } from './late-mapping-form.ts'
import { OneIncomingWebhook, toIncomingWebhooks } from './OneIncomingWebhook.tsx'

const list = { to: '/integrations/incoming-webhooks' } as const

/** Collects what a URL needs first; once the address names the webhook, shows its mapping. */
export function AddIncomingWebhook() {
  const hook = searchText(useAddress().params.hook)
  const heading = pageWords.addIncomingWebhook
  if (!hook) return <Begin heading={heading} />
  return (
    <OneIncomingWebhook id={hook} shape="form" heading={heading}>
      {(webhook) => (
        <Page heading={heading} parent={toIncomingWebhooks}>
          <MappingForm webhook={webhook} heading={heading} submit={heading} cancel={list} />
        </Page>
      )}
    </OneIncomingWebhook>
  )
}

const FIRST: FirstValues = { name: '', target: 'lead', auth: NO_AUTH }

function Begin({ heading }: { heading: string }) {
  const { id } = useAccount()
  const { change } = useAddress()
  const form = useContractForm(NewIncomingWebhook, {
    initial: FIRST,
    omit: ['auth'],
    check: ({ auth }) => authMistakes(auth),
  })
  const save = useCall(createIncomingWebhook, { onSuccess: (made) => change({ hook: made.id }) })
  return (
    <Page heading={heading} parent={toIncomingWebhooks}>
      <Form
        form={form}
        save={save}
        label={heading}
        onSubmit={(body) => save.mutate({ params: { id }, body: { ...body, auth: authOf(form.values.auth) } })}
      >
        <FormPanel>
          <FirstFields form={form} />
        </FormPanel>
        <FormActions submit={heading} cancel={list} />
      </Form>
    </Page>
  )
}
