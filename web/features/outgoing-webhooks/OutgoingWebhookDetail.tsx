import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
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
import { defineAction, defineDelete, useActCall } from '../../ui/act.tsx'
import { type ActProps, exposeAction } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { RadioField } from '../../ui/fields.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel, TextPlaceholder } from '../../ui/Panel.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { fieldWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { NOT_DELIVERED } from './deliveries.ts'
import { countedEvents } from './events.ts'
import { toHealth } from './health.tsx'
import { OneOutgoingWebhook, toOutgoingWebhooks } from './OneOutgoingWebhook.tsx'
import { OutgoingDeliveries } from './OutgoingDeliveries.tsx'
import { PausedDeliveries } from './PausedDeliveries.tsx'
import { failedSinceQuery } from './queries.ts'
import { sampleLanguages, samples } from './samples.ts'

const daysOf = { day: 1, week: 7, month: 30, quarter: 90 } as const
type Period = keyof typeof daysOf
const periods = Object.keys(daysOf) as Period[]
const DAY_MS = 86_400_000

/**
 * Shows how many deliveries failed in a period and resends them: those of every event, regardless of the list's
 * filters.
 */
function ResendFailed({ of: { id }, onClose }: ActProps<OutgoingWebhook>) {
  const field = useId()
  const [period, setPeriod] = useState<Period>('week')
  const done = ({ count }: { count: number }) => outgoingWebhookWords.resendFailed.done({ count })
  const { call: resend } = useActCall(resendFailedDeliveries, { done }, onClose)
  // Constant while the dialog is open: a second press repeats the same request, which takes effect once.
  const [opened] = useState(Date.now)
  const since = new Date(opened - daysOf[period] * DAY_MS).toISOString()
  const { data, isPlaceholderData, isError } = useQuery(failedSinceQuery(id, since))
  const total = isPlaceholderData ? undefined : data?.total
  return (
    <Confirm
      heading={outgoingWebhookWords.resendFailed.heading}
      confirm={outgoingWebhookWords.resendFailed.button}
      call={resend}
      onConfirm={() => resend.mutate({ params: { id }, body: { since } })}
      onClose={onClose}
    >
      <RadioField<Period>
        id={field}
        name="period"
        label={outgoingWebhookWords.resendFailed.since}
        value={period}
        choices={periods.map((value) => ({ value, label: outgoingWebhookWords.resendFailed.periods[value] }))}
        help={outgoingWebhookWords.resendFailed.help}
        onChange={setPeriod}
        onBlur={() => undefined}
      />
      {!isError && <p role="status">{total === undefined ? <TextPlaceholder /> : failedOf(total)}</p>}
    </Confirm>
  )
}

/** Lists count up to a thousand matching rows, so a higher total means 'more'. */
const failedOf = (total: number) =>
  total > 1000 ? outgoingWebhookWords.resendFailed.many : outgoingWebhookWords.resendFailed.count({ count: total })

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

/** Warns that deliveries fail or have stopped, with the remedy. */
function WebhookTrouble({ webhook }: { webhook: OutgoingWebhook }) {
  const { id, consecutiveFailures, disabledReason } = webhook
  const health = toHealth(webhook)
  if (health === 'failing') {
    return (
      <Message
        kind="warning"
        action={
          <Link
            to="/integrations/outgoing-webhooks/$hookId"
            params={{ hookId: id }}
            search={{ state: NOT_DELIVERED }}
            resetScroll={false}
          >
            {outgoingWebhookWords.showFailed}
          </Link>
        }
      >
        <strong>{outgoingWebhookWords.failed({ count: consecutiveFailures })}</strong> {outgoingWebhookWords.failedHelp}
      </Message>
    )
  }
  if (health === 'stopped' || health === 'off') {
    return (
      <Message kind={health === 'stopped' ? 'error' : 'info'} action={<TurnOn webhook={webhook} />}>
        <strong>{outgoingWebhookWords.isOff}</strong> {disabledReason}{' '}
        {health === 'stopped' ? outgoingWebhookWords.isStoppedHelp : outgoingWebhookWords.isOffHelp}
      </Message>
    )
  }
  return null
}

const TurnOn = ({ webhook: { id, name } }: { webhook: OutgoingWebhook }) => (
  <CallButton
    small
    call={changeOutgoingWebhook}
    input={{ params: { id }, body: { enabled: true } }}
    done={formWords.switchedOn({ name })}
  >
    {outgoingWebhookWords.turnOn}
  </CallButton>
)
