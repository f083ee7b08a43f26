import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { pushDataWords } from '../../words/push-data.ts'
import { baseUrl } from './base-url.ts'
import styles from './PushData.module.css'
import { languages, sample } from './samples.ts'

/** Sample programs, in the language that the address names. */
export function PushSamples() {
  const language = useTab(languages)
  const tabs = languages.map((key) => ({ key, label: pushDataWords[key] }))
  return (
    <Panel>
      <details className={styles.fold}>
        <summary>
          <h2>{pushDataWords.samples}</h2>
        </summary>
        <div className={styles.stack}>
          <p className={styles.help}>{pushDataWords.samplesHelp}</p>
          <Tabs label={pushDataWords.languages} tabs={tabs} current={language}>
            <div className={styles.samples}>
              <Sample what={pushDataWords.sendLead} text={sample(language, 'leads', baseUrl())} />
              <Sample what={pushDataWords.sendSale} text={sample(language, 'sales', baseUrl())} />
            </div>
          </Tabs>
        </div>
      </details>
    </Panel>
  )
}

function Sample({ what, text }: { what: string; text: string }) {
  return (
    <div className={styles.sample}>
      <div className={styles.sampleHead}>
        <h3>{what}</h3>
        <CopyButton small value={text} label={pushDataWords.copySample({ what })} />
      </div>
      <CodeBlock>{text}</CodeBlock>
    </div>
  )
}
