import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { CodeBlock } from '#web/ui/CodeBlock.tsx'
import { copyText } from '#web/ui/copy.ts'
import { SelectField } from '#web/ui/fields.tsx'
import { CopyIcon } from '#web/ui/icons.tsx'
import { lazyComponent } from '#web/ui/lazy-part.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import type { EmbedCode } from '../contract.ts'
import { siteWords } from '../recipes-text.ts'
import { embedCodeWords } from '../text.ts'
import styles from './CodePanel.module.css'
import { CONSENT_CALLS, codeFor, recipePage, type SiteKind, siteKinds } from './recipes.ts'

const MoreCode = lazyComponent(async () => (await import('./MoreCode.tsx')).MoreCode, { late: true })

/** The tag with one line per attribute; its path is never broken across lines. */
function Tag({ tag }: { tag: string }) {
  const lines = tag.replace(' src=', '\nsrc=').replace('></', '>\n</')
  const path = /(?<=:\/\/[^/]+)\/[^\n]+/.exec(lines)
  if (!path) return lines
  return (
    <>
      {lines.slice(0, path.index)}
      <wbr />
      <span className="whole">{path[0]}</span>
      {lines.slice(path.index + path[0].length)}
    </>
  )
}

/** The code for the owner's kind of site, from the saved settings, and where to put it. */
export function CodePanel({ code }: { code: EmbedCode | null }) {
  const [site, setSite] = useState<SiteKind>('html')
  const text = code && codeFor(site, code)
  return (
    <Panel heading={embedCodeWords.codeHeading}>
      <div className={`inset ${styles.columns}`}>
        <div className="stack gap-3">
          <SelectField
            id="site-kind"
            name="site-kind"
            label={embedCodeWords.whichSite}
            value={site}
            choices={siteKinds.map((value) => ({ value, label: siteWords[value].name }))}
            onChange={(chosen) => chosen && setSite(chosen)}
            onBlur={() => undefined}
          />
          <ol className={styles.steps}>
            {siteWords[site].steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <a className="small" href={recipePage(site)}>
            {embedCodeWords.recipe}
          </a>
        </div>
        <div className="stack gap-3">
          {text ? (
            <CodeBlock>{text === code.snippet ? <Tag tag={text} /> : text}</CodeBlock>
          ) : (
            <p className="muted small">{embedCodeWords.codeNone}</p>
          )}
          <div>
            <Button icon={<CopyIcon size={16} />} disabled={!text} onClick={() => text && copyText(text)}>
              {embedCodeWords.copyCode}
            </Button>
          </div>
          {code?.consentMode === 'required' && (
            <CodeBlock label={embedCodeWords.consentCall}>{CONSENT_CALLS}</CodeBlock>
          )}
          <MoreCode code={code} />
        </div>
      </div>
    </Panel>
  )
}
