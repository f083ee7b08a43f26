import {
  changeOutgoingWebhook,
  deleteOutgoingWebhook,
  type OutgoingDelivery,
  type OutgoingWebhook,
  resendFailedDeliveries,
  rotateOutgoingSecret,
  testOutgoingWebhook,
} from '#contract/outgoing-webhooks.ts'
import { formatDateAt } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { defineAction, defineDelete } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { fieldWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { countedEvents } from './events.ts'
import { OneOutgoingWebhook, toOutgoingWebhooks } from './OneOutgoingWebhook.tsx'
import { OutgoingDeliveries } from './OutgoingDeliveries.tsx'
import { PausedDeliveries } from './PausedDeliveries.tsx'
import { ResendFailed } from './ResendFailed.tsx'
import { sampleLanguages, samples } from './samples.ts'
import { WebhookTrouble } from './WebhookTrouble.tsx'

export const OutgoingWebhookDetail = ({ hookId }: { hookId: string }) => (
  <OneOutgoingWebhook id={hookId} shape="detail" heading={pageWords.outgoingWebhook}>
    {(webhook) => <Detail webhook={webhook} />}
  </OneOutgoingWebhook>
)

function Detail({ webhook }: { webhook: OutgoingWebhook }) {
  const { id, name, url, format, enabled, events, createdAt } = webhook
  const { id: accountId, timeZone } = useAccount()
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
          <span>{outgoingWebhookWords.formats[format]}</span>
          <span>{countedEvents(events)}</span>
          <span>{outgoingWebhookWords.created({ date: formatDateAt(createdAt, timeZone) })}</span>
        </>
      }
      actions={
        <>
          <ActButton act={RotateSecret} of={webhook} />
          <GoButton
            needs={changeOutgoingWebhook}
            go={{ to: '/integrations/outgoing-webhooks/$hookId/update', params: { hookId: id } }}
          >
            {outgoingWebhookWords.edit}
          </GoButton>
          <SendTest id={id} />
          <ActionMenu bordered name={name} of={webhook} actions={[resend, Deletion]} />
        </>
      }
    >
      <PausedDeliveries accountId={accountId} />
      <WebhookTrouble webhook={webhook} />
      <OutgoingDeliveries webhook={webhook} />
      {format === 'json' && <ReceiverSamples />}
    </Page>
  )
}

/** Sends a test delivery and opens it in the list. */
function SendTest({ id }: { id: string }) {
  const { change } = useAddress()
  function open({ id: delivery }: OutgoingDelivery) {
    showToast(outgoingWebhookWords.testSent)
    return change({ delivery, event: undefined, state: undefined, sort: undefined, cursor: undefined })
  }
  return (
    <CallButton look="primary" call={testOutgoingWebhook} input={{ params: { id } }} done={open}>
      {outgoingWebhookWords.sendTest}
    </CallButton>
  )
}

const resend = exposeAction(ResendFailed, {
  label: outgoingWebhookWords.resendFailed.button,
  needs: resendFailedDeliveries,
})

const Deletion = defineDelete(deleteOutgoingWebhook, ({ name }: OutgoingWebhook) => ({
  name,
  resource: pageWords.outgoingWebhook,
  thing: outgoingWebhookWords.thing,
  list: { to: '/integrations/outgoing-webhooks' },
}))

/** Sample receivers, in the language that the address names. */
function ReceiverSamples() {
  const language = useTab(sampleLanguages)
  const tabs = sampleLanguages.map((key) => ({ key, label: outgoingWebhookWords.samples[key] }))
  return (
    <Panel heading={outgoingWebhookWords.samples.heading}>
      <div className="stack inset">
        <p className="muted">{outgoingWebhookWords.samples.help}</p>
        <Tabs
          ofPart
          label={outgoingWebhookWords.samples.languages}
          tabs={tabs}
          current={language}
          aside={<CopyButton small value={samples[language]} label={outgoingWebhookWords.samples.copy} />}
        >
          <CodeBlock>{samples[language]}</CodeBlock>
        </Tabs>
      </div>
    </Panel>
  )
}

/** Replaces the secret after a confirmation, and shows the new one. */
const RotateSecret = exposeAction(
  defineAction(rotateOutgoingSecret, (_: OutgoingWebhook) => ({
    heading: outgoingWebhookWords.rotate.heading,
    submit: outgoingWebhookWords.rotate.button,
    why: outgoingWebhookWords.rotate.text,
    shows: ({ secret }, { onClose }) => (
      <SecretDialog
        heading={outgoingWebhookWords.secret.heading}
        label={outgoingWebhookWords.secret.label}
        secret={secret}
        why={outgoingWebhookWords.secret.both}
        onClose={onClose}
      />
    ),
  })),
  { label: outgoingWebhookWords.rotate.button },
)
