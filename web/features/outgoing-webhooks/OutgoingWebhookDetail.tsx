import { useState } from 'react'
import { deleteOutgoingWebhook, type OutgoingWebhook, testOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { useCall } from '../../calls.ts'
import { formatDateAt } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDeletion } from '../../ui/dialog-call.ts'
import { GoButton } from '../../ui/GoButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { toast } from '../../ui/toasts.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { fieldWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { tableWords } from '../../words/lists.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { dialogWords } from '../../words/pieces.ts'
import { pageWords } from '../../words/shell.ts'
import { countedEvents } from './events.ts'
import { OneOutgoingWebhook, toOutgoingWebhooks } from './OneOutgoingWebhook.tsx'
import { OutgoingDeliveries } from './OutgoingDeliveries.tsx'
import { PausedDeliveries } from './PausedDeliveries.tsx'
import { ReceiverSamples } from './ReceiverSamples.tsx'
import { ResendFailed } from './ResendFailed.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { WebhookTrouble } from './WebhookTrouble.tsx'

export const OutgoingWebhookDetail = ({ hookId }: { hookId: string }) => (
  <OneOutgoingWebhook id={hookId} shape="detail" heading={pageWords.outgoingWebhook}>
    {(webhook) => <Detail webhook={webhook} />}
  </OneOutgoingWebhook>
)

type Action = 'rotate' | 'resend' | 'delete'

function Detail({ webhook }: { webhook: OutgoingWebhook }) {
  const { id, name, url, enabled, events, createdAt } = webhook
  const { id: accountId, timeZone } = useAccount()
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  return (
    <Page
      heading={name}
      parent={toOutgoingWebhooks}
      badge={<Badge tone={enabled ? 'done' : 'waits'}>{enabled ? fieldWords.enabled : formWords.disabled}</Badge>}
      about={
        <>
          <code title={url} className="ellipsis small">
            {url}
          </code>
          <span>{countedEvents(events)}</span>
          <span>{outgoingWebhookWords.created({ date: formatDateAt(createdAt, timeZone) })}</span>
        </>
      }
      actions={
        <>
          <Button onClick={() => setAction('rotate')}>{outgoingWebhookWords.rotate.button}</Button>
          <GoButton go={{ to: '/integrations/outgoing-webhooks/$hookId/update', params: { hookId: id } }}>
            {outgoingWebhookWords.edit}
          </GoButton>
          <SendTest id={id} />
          <ActionMenu
            bordered
            label={tableWords.actionsFor({ name })}
            actions={[
              { label: outgoingWebhookWords.resendFailed.button, run: () => setAction('resend') },
              { label: dialogWords.delete, run: () => setAction('delete') },
            ]}
          />
        </>
      }
    >
      <PausedDeliveries accountId={accountId} />
      <WebhookTrouble webhook={webhook} />
      <OutgoingDeliveries webhook={webhook} />
      <ReceiverSamples />
      {action === 'rotate' && <RotateSecret id={id} onClose={close} />}
      {action === 'resend' && <ResendFailed id={id} onClose={close} />}
      {action === 'delete' && <Deletion of={webhook} onClose={close} />}
    </Page>
  )
}

/** Sends a test delivery and opens it in the list. */
function SendTest({ id }: { id: string }) {
  const { change } = useAddress()
  const test = useCall(testOutgoingWebhook, {
    onSuccess(delivery) {
      toast(outgoingWebhookWords.testSent)
      return change({ delivery: delivery.id, event: undefined, state: undefined, sort: undefined, cursor: undefined })
    },
    onError: toastRefusal,
  })
  return (
    <Button look="primary" busy={test.busy} onClick={() => test.mutate({ params: { id } })}>
      {outgoingWebhookWords.sendTest}
    </Button>
  )
}

function Deletion({ of: { id, name }, onClose }: { of: OutgoingWebhook; onClose: () => void }) {
  const list = { to: '/integrations/outgoing-webhooks' } as const
  const deletion = useDeletion(deleteOutgoingWebhook, { id, resource: pageWords.outgoingWebhook, list })
  return <ConfirmDelete {...deletion} resource={outgoingWebhookWords.thing} name={name} onClose={onClose} />
}
