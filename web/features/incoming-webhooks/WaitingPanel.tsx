import type { IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { curlOf } from './curl.ts'

/** Instructions for sending the first payload. */
export function WaitingPanel({ webhook }: { webhook: IncomingWebhook }) {
  const curl = curlOf(webhook)
  const isTested = webhook.lastPingAt !== null
  return (
    <Panel heading={incomingWebhookWords.sample} rule>
      <div className="stack gap-3 inset-all">
        <p role="status">
          <strong>{isTested ? incomingWebhookWords.tested : incomingWebhookWords.waiting}</strong>
        </p>
        <p className="muted">{isTested ? incomingWebhookWords.testedHelp : incomingWebhookWords.waitingHelp}</p>
        <CodeBlock label={incomingWebhookWords.curl}>{curl}</CodeBlock>
        <div>
          <CopyButton small value={curl} label={incomingWebhookWords.copyCurl} />
        </div>
      </div>
    </Panel>
  )
}
