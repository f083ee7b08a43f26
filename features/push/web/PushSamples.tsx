import { useOwnAccount } from '#web/shell/current.ts'
import { CodeBlock } from '#web/ui/CodeBlock.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { Tabs, useTab } from '#web/ui/Tabs.tsx'
import { pushDataWords } from '../text.ts'
import { baseUrl } from './base-url.ts'
import styles from './PushData.module.css'
import { buildSample, languages, portalSamples } from './samples.ts'

const shown = [...languages, 'portal'] as const

/** Sample programs, in the language that the address names, and what shows the portal in the owner's application. */
export function PushSamples({ accountId }: { accountId: string }) {
  const language = useTab(shown)
  const tabs = shown.map((key) => ({ key, label: pushDataWords[key] }))
  return (
    <Panel>
      <details>
        <summary className={styles.samples}>
          <h2>{pushDataWords.samples}</h2>
        </summary>
        <div className="stack inset">
          <p className="muted small">{language === 'portal' ? pushDataWords.portalHelp : pushDataWords.samplesHelp}</p>
          <Tabs label={pushDataWords.languages} tabs={tabs} current={language}>
            {language === 'portal' ? (
              <Portal accountId={accountId} />
            ) : (
              <div className={`grid top ${styles.both}`}>
                <Sample what={pushDataWords.sendLead} text={buildSample(language, 'leads', baseUrl())} />
                <Sample what={pushDataWords.sendSale} text={buildSample(language, 'sales', baseUrl())} />
              </div>
            )}
          </Tabs>
        </div>
      </details>
    </Panel>
  )
}

function Portal({ accountId }: { accountId: string }) {
  const { partner, session, frame, invite, inviteFrame } = portalSamples(baseUrl(), accountId)
  const { hasCustomerGroups } = useOwnAccount()
  return (
    <div className={`grid top ${styles.both}`}>
      <Sample what={pushDataWords.addUser} text={partner} />
      <Sample what={pushDataWords.openPortal} text={session} />
      <Sample what={pushDataWords.showPortal} text={frame} />
      {hasCustomerGroups && (
        <>
          <Sample what={pushDataWords.openInvite} text={invite} />
          <Sample what={pushDataWords.showInvite} text={inviteFrame} />
        </>
      )}
    </div>
  )
}

function Sample({ what, text }: { what: string; text: string }) {
  return (
    <div className="stack gap-2">
      <div className="row between">
        <h3>{what}</h3>
        <CopyButton small value={text} label={pushDataWords.copySample({ what })} />
      </div>
      <CodeBlock>{text}</CodeBlock>
    </div>
  )
}
