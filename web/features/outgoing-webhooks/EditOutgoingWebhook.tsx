import { Link } from '@tanstack/react-router'
import { changeOutgoingWebhook, type OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { useCall } from '../../calls.ts'
import { useLeaveForm } from '../../ui/contract-form.tsx'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formWords } from '../../words/forms.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { OneOutgoingWebhook, toOutgoingWebhooks } from './OneOutgoingWebhook.tsx'
import { OutgoingWebhookForm } from './OutgoingWebhookForm.tsx'

export const EditOutgoingWebhook = ({ hookId }: { hookId: string }) => (
  <OneOutgoingWebhook id={hookId} shape="form" heading={pageWords.editOutgoingWebhook}>
    {(webhook) => <Edit webhook={webhook} />}
  </OneOutgoingWebhook>
)

function Edit({ webhook: { id, name, url, format, events, enabled, headers } }: { webhook: OutgoingWebhook }) {
  const leave = useLeaveForm()
  const detail = { to: '/integrations/outgoing-webhooks/$hookId', params: { hookId: id } } as const
  const save = useCall(changeOutgoingWebhook, {
    onSuccess: () => {
      showToast(toastWords.saved({ resource: pageWords.outgoingWebhook }))
      return leave(detail)
    },
  })
  const heading = pageWords.editOutgoingWebhook
  return (
    <Page
      heading={heading}
      parent={[
        toOutgoingWebhooks,
        <Link key="webhook" {...detail}>
          {name}
        </Link>,
      ]}
    >
      <OutgoingWebhookForm
        heading={heading}
        submit={formWords.saveChanges}
        initial={{ name, url, format, events, enabled }}
        known={Object.keys(headers)}
        save={save}
        cancel={detail}
        onSubmit={(_, changes) => save.mutate({ params: { id }, body: changes })}
      />
    </Page>
  )
}
