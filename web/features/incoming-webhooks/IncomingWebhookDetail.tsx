import { useState } from 'react'
import {
  deleteIncomingWebhook,
  type IncomingWebhook,
  replayFailed,
  rotateIncomingUrl,
} from '#contract/incoming-webhooks.ts'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import type { ActProps } from '../../ui/act.ts'
import { Button } from '../../ui/Button.tsx'
import { confirmedAct } from '../../ui/confirmed-act.tsx'
import { copyText } from '../../ui/copy.ts'
import { Confirm, ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDeletion, useDialogCall } from '../../ui/dialog-call.ts'
import { GoButton } from '../../ui/GoButton.tsx'
import { CopyIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { tableWords } from '../../words/lists.ts'
import { dialogWords } from '../../words/pieces.ts'
import { pageWords } from '../../words/shell.ts'
import { IncomingDeliveries } from './IncomingDeliveries.tsx'
import { OneIncomingWebhook, toIncomingWebhooks } from './OneIncomingWebhook.tsx'
import { State } from './state.tsx'

export const IncomingWebhookDetail = ({ hookId }: { hookId: string }) => (
  <OneIncomingWebhook id={hookId} shape="detail" heading={pageWords.incomingWebhook}>
    {(webhook) => <Detail webhook={webhook} />}
  </OneIncomingWebhook>
)

type Action = 'rotate' | 'replay' | 'delete'

function Detail({ webhook }: { webhook: IncomingWebhook }) {
  const { id, name, url, target, state } = webhook
  const { timeZone } = useAccount()
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  return (
    <Page
      heading={name}
      parent={toIncomingWebhooks}
      badge={<State of={webhook} />}
      about={
        <>
          <code title={url ?? ''} className="ellipsis small">
            {url}
          </code>
          <span>{incomingWebhookWords.targets[target]}</span>
        </>
      }
      actions={
        <>
          <Button onClick={() => setAction('rotate')}>{incomingWebhookWords.rotate.button}</Button>
          <GoButton go={{ to: '/integrations/incoming-webhooks/$hookId/update', params: { hookId: id } }}>
            {incomingWebhookWords.edit}
          </GoButton>
          <Button look="primary" icon={<CopyIcon size={16} />} onClick={() => copyText(url ?? '')}>
            {incomingWebhookWords.copyUrl}
          </Button>
          <ActionMenu
            bordered
            label={tableWords.actionsFor({ name })}
            actions={[
              { label: incomingWebhookWords.replayFailed.button, run: () => setAction('replay') },
              { label: dialogWords.delete, run: () => setAction('delete') },
            ]}
          />
        </>
      }
    >
      {state !== 'active' && (
        <Message kind={state === 'capturing' ? 'warning' : 'info'}>{incomingWebhookWords.about[state]}</Message>
      )}
      <IncomingDeliveries webhook={webhook} timeZone={timeZone} />
      {action === 'rotate' && <Rotation of={webhook} onClose={close} />}
      {action === 'replay' && <ReplayFailed of={webhook} onClose={close} />}
      {action === 'delete' && <Deletion of={webhook} onClose={close} />}
    </Page>
  )
}

const Rotation = confirmedAct(rotateIncomingUrl, (_: IncomingWebhook) => ({
  heading: incomingWebhookWords.rotate.heading,
  submit: incomingWebhookWords.rotate.button,
  done: incomingWebhookWords.rotate.done,
  why: incomingWebhookWords.rotate.text,
}))

function ReplayFailed({ of: { id }, onClose }: ActProps<IncomingWebhook>) {
  const replay = useDialogCall(replayFailed, {
    done: ({ count }) => incomingWebhookWords.replayFailed.done({ count }),
    onClose,
  })
  return (
    <Confirm
      heading={incomingWebhookWords.replayFailed.heading}
      confirm={incomingWebhookWords.replayFailed.button}
      call={replay}
      onConfirm={() => replay.mutate({ params: { id } })}
      onClose={onClose}
    >
      {incomingWebhookWords.replayFailed.text}
    </Confirm>
  )
}

function Deletion({ of: { id, name }, onClose }: ActProps<IncomingWebhook>) {
  const list = { to: '/integrations/incoming-webhooks' } as const
  const deletion = useDeletion(deleteIncomingWebhook, { id, resource: pageWords.incomingWebhook, list })
  return <ConfirmDelete {...deletion} resource={incomingWebhookWords.thing} name={name} onClose={onClose} />
}
