import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { sampleLanguages, samples } from './samples.ts'

/** Sample receivers, in the language that the address names. */
export function ReceiverSamples() {
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
