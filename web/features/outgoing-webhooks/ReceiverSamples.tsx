import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { t } from '../../words.ts'
import styles from './OutgoingWebhooks.module.css'
import { sampleLanguages, samples } from './samples.ts'

/** Sample receivers, in the language that the address names. */
export function ReceiverSamples() {
  const language = useTab(sampleLanguages)
  const tabs = sampleLanguages.map((key) => ({ key, label: t(`outgoingWebhooks.samples.${key}`) }))
  return (
    <Panel heading={t('outgoingWebhooks.samples.heading')}>
      <div className={styles.samples}>
        <p>{t('outgoingWebhooks.samples.help')}</p>
        <Tabs
          ofPart
          label={t('outgoingWebhooks.samples.languages')}
          tabs={tabs}
          current={language}
          aside={<CopyButton small value={samples[language]} label={t('outgoingWebhooks.samples.copy')} />}
        >
          <CodeBlock>{samples[language]}</CodeBlock>
        </Tabs>
      </div>
    </Panel>
  )
}
