import type { IncomingSender, IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { buildCurl } from './curl.ts'

type Props = { webhook: IncomingWebhook; sender: IncomingSender | undefined }

/** Instructions for sending the first payload. */
export function WaitingPanel({ webhook, sender }: Props) {
  const curl = buildCurl(webhook)
  const isTested = webhook.lastPingAt !== null
  return (
    <Panel heading={incomingWebhookWords.sample} rule>
      <div className="stack gap-3 inset-all">
        <p role="status">
          <strong>{isTested ? incomingWebhookWords.tested : incomingWebhookWords.waiting}</strong>
        </p>
        <p className="muted">
          {sender
            ? incomingWebhookWords.waitingForSender({ sender: sender.name })
            : isTested
              ? incomingWebhookWords.testedHelp
              : incomingWebhookWords.waitingHelp}
        </p>
        {!sender && (
          <>
            <CodeBlock label={incomingWebhookWords.curl}>{curl}</CodeBlock>
            <div>
              <CopyButton small value={curl} label={incomingWebhookWords.copyCurl} />
            </div>
          </>
        )}
      </div>
    </Panel>
  )
}
