import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { accentColors } from '#contract/accent.ts'
import { brandQuery } from '#web/shared/brand.ts'
import { Facts } from '#web/ui/Facts.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { Pending } from '#web/ui/Pending.tsx'
import type { EmailBlock, EmailTemplatePreview } from '../contract.ts'
import { emailWords as words } from '../text.ts'
import styles from './Emails.module.css'

type Props = { accountId: string; answer: UseQueryResult<EmailTemplatePreview>; isCurrent: boolean }

/** An email as its reader will see it. Its button and links are not for pressing here. */
export function EmailPreview({ accountId, answer, isCurrent }: Props) {
  const { data: brand } = useQuery(brandQuery(accountId))
  const preview = answer.data
  return (
    <Panel heading={words.preview} aside={words.previewWith}>
      {preview ? (
        <div data-dimmed={isCurrent ? undefined : true}>
          <div className="inset">
            <Facts
              label={words.preview}
              beside
              facts={[
                { label: words.from, value: preview.from },
                preview.replyTo && { label: words.replyTo, value: preview.replyTo },
              ]}
            />
          </div>
          <div className={styles.mail} style={accentOf(brand?.accent)}>
            {brand?.logoUrl && <img src={brand.logoUrl} alt="" className={styles.logo} />}
            <div className={`stack ${styles.letter}`}>
              <h3 className={`wrap ${styles.subject}`}>{preview.subject}</h3>
              {preview.blocks.map((block, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no name but their place
                <Block key={at} {...block} />
              ))}
            </div>
            <p className="small muted wrap">{preview.because}</p>
            {preview.unsubscribe && (
              <p className="small muted">
                <u>{preview.unsubscribe}</u>
              </p>
            )}
          </div>
        </div>
      ) : answer.fetchStatus === 'idle' && !answer.isError ? (
        <p className="muted inset">{words.waits}</p>
      ) : (
        <Pending answer={answer} rows={8} />
      )}
    </Panel>
  )
}

function Block({ kind, lines, facts }: EmailBlock) {
  if (kind === 'heading') return <h4 className="wrap">{lines[0]}</h4>
  if (kind === 'button') return <span className={styles.button}>{lines[0]}</span>
  if (kind === 'list')
    return (
      <ul className={`wrap ${styles.list}`}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat
          <li key={at}>{line}</li>
        ))}
      </ul>
    )
  if (kind === 'facts')
    return (
      <dl className={styles.facts}>
        {facts.map(({ label, value, note }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat
          <div key={at}>
            <dt className="muted wrap">{label}</dt>
            <dd className="wrap">
              {value}
              {note && <span className="small muted">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    )
  return <p className={`wrap ${styles.lines}`}>{lines.join('\n')}</p>
}

/** The account's own color on the button. */
function accentOf(accent: string | null | undefined): CSSProperties | undefined {
  if (!accent) return undefined
  const { primary, onPrimary } = accentColors(accent)
  return { '--primary': primary, '--on-primary': onPrimary } as CSSProperties
}
