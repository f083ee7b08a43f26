import { useQuery } from '@tanstack/react-query'
import {
  changeIncomingWebhook,
  deleteIncomingWebhook,
  type IncomingWebhook,
  replayFailedDeliveries,
  rotateIncomingUrl,
} from '#contract/incoming-webhooks.ts'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { defineAction, defineDelete } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.ts'
import { GoButton } from '../../ui/GoButton.tsx'
import { CopyIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { IncomingDeliveries } from './IncomingDeliveries.tsx'
import { OneIncomingWebhook, toIncomingWebhooks } from './OneIncomingWebhook.tsx'
import { incomingSendersQuery } from './queries.ts'
import { State, senderName } from './state.tsx'

export const IncomingWebhookDetail = ({ hookId }: { hookId: string }) => (
  <OneIncomingWebhook id={hookId} shape="detail" heading={pageWords.incomingWebhook}>
    {(webhook) => <Detail webhook={webhook} />}
  </OneIncomingWebhook>
)

function Detail({ webhook }: { webhook: IncomingWebhook }) {
  const { id, accountId, name, url, rules, sender, state, attention } = webhook
  const { data: senders } = useQuery(incomingSendersQuery(accountId))
  const { timeZone } = useAccount()
  return (
    <Page
      heading={name}
      parent={toIncomingWebhooks}
      badge={<State of={webhook} />}
      about={
        <>
          {url && (
            <code title={url} className="ellipsis small">
              {url}
            </code>
          )}
          <span>{[senderName(senders?.items, sender), ...rules.map((rule) => rule.name)].join(' · ')}</span>
        </>
      }
      actions={
        <>
          <ActButton act={Rotation} of={webhook} />
          <GoButton
            needs={changeIncomingWebhook}
            go={{ to: '/integrations/incoming-webhooks/$hookId/update', params: { hookId: id } }}
          >
            {incomingWebhookWords.edit}
          </GoButton>
          {url && (
            <Button look="primary" icon={<CopyIcon size={16} />} onClick={() => copyText(url)}>
              {incomingWebhookWords.copyUrl}
            </Button>
          )}
          <ActionMenu bordered name={name} of={webhook} actions={[ReplayFailed, Deletion]} />
        </>
      }
    >
      {state !== 'active' && (
        <Message kind={state === 'capturing' ? 'warning' : 'info'}>{incomingWebhookWords.about[state]}</Message>
      )}
      {attention && <Message kind="warning">{incomingWebhookWords.sameId({ value: attention.value })}</Message>}
      <IncomingDeliveries webhook={webhook} timeZone={timeZone} />
    </Page>
  )
}

const Rotation = exposeAction(
  defineAction(rotateIncomingUrl, (_: IncomingWebhook) => ({
    heading: incomingWebhookWords.rotate.heading,
    submit: incomingWebhookWords.rotate.button,
    done: incomingWebhookWords.rotate.done,
    why: incomingWebhookWords.rotate.text,
  })),
  { label: incomingWebhookWords.rotate.button },
)

const ReplayFailed = exposeAction(
  defineAction(replayFailedDeliveries, (_: IncomingWebhook) => ({
    heading: incomingWebhookWords.replayFailed.heading,
    submit: incomingWebhookWords.replayFailed.button,
    done: ({ count }) => incomingWebhookWords.replayFailed.done({ count }),
    why: incomingWebhookWords.replayFailed.text,
  })),
  { label: incomingWebhookWords.replayFailed.button },
)

const Deletion = defineDelete(deleteIncomingWebhook, ({ name }: IncomingWebhook) => ({
  name,
  resource: pageWords.incomingWebhook,
  thing: incomingWebhookWords.thing,
  list: { to: '/integrations/incoming-webhooks' },
}))
