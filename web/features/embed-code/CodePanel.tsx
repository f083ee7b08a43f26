import type { EmbedCode } from '#contract/embed.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { copyText } from '../../ui/copy.ts'
import { CopyIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import styles from './EmbedCode.module.css'
import { OwnDomain } from './OwnDomain.tsx'

/** What the owner's page calls once its visitor has agreed. */
const CONSENT_CALL = 'window.tributary?.consent?.()'

/** The tag with a line for each of its parts, as it reads best. */
const inLines = (tag: string) => tag.replace(' src=', '\nsrc=').replace('></', '>\n</')

/** The script tag to paste, as it is saved. */
export function CodePanel({ code }: { code: EmbedCode | null }) {
  return (
    <Panel heading={t('embedCode.codeHeading')}>
      <div className={styles.stack}>
        {code ? (
          <>
            <CodeBlock>{inLines(code.snippet)}</CodeBlock>
            <p className={styles.help}>{t('embedCode.codeHelp')}</p>
          </>
        ) : (
          <p className={styles.help}>{t('embedCode.codeNone')}</p>
        )}
        <Button icon={<CopyIcon size={16} />} disabled={code === null} onClick={() => code && copyText(code.snippet)}>
          {t('embedCode.copyCode')}
        </Button>
        {code && <OwnDomain code={code} />}
        {code?.consentMode === 'required' && <CodeBlock label={t('embedCode.consentCall')}>{CONSENT_CALL}</CodeBlock>}
      </div>
    </Panel>
  )
}
