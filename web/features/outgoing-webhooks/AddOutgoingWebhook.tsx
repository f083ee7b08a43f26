import { useState } from 'react'
import { ALL_EVENTS, createOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { useCall } from '../../calls.ts'
import { useAccount } from '../../shell/current.ts'
import { useLeaveForm } from '../../ui/contract-form.tsx'
import { Page } from '../../ui/Page.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { showToast } from '../../ui/toasts.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { toOutgoingWebhooks } from './OneOutgoingWebhook.tsx'
import { OutgoingWebhookForm } from './OutgoingWebhookForm.tsx'

export function AddOutgoingWebhook() {
  const { id: accountId } = useAccount()
  const leaveForm = useLeaveForm()
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const save = useCall(createOutgoingWebhook, { onSuccess: setMade })
  const heading = pageWords.addOutgoingWebhook
  function leave(id: string) {
    showToast(toastWords.added({ resource: pageWords.outgoingWebhook }))
    return leaveForm({ to: '/integrations/outgoing-webhooks/$hookId', params: { hookId: id } })
  }
  return (
    <Page heading={heading} parent={toOutgoingWebhooks}>
      <OutgoingWebhookForm
        heading={heading}
        submit={heading}
        initial={{ name: '', url: '', format: 'json', events: [ALL_EVENTS], enabled: true }}
        save={save}
        cancel={{ to: '/integrations/outgoing-webhooks' }}
        onSubmit={(body) => save.mutate({ params: { id: accountId }, body })}
      />
      {made && (
        <SecretDialog
          heading={outgoingWebhookWords.secret.heading}
          label={outgoingWebhookWords.secret.label}
          secret={made.secret}
          why={outgoingWebhookWords.secret.why}
          onClose={() => leave(made.id)}
        />
      )}
    </Page>
  )
}
