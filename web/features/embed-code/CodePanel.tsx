import type { EmbedCode } from '#contract/embed.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { copyText } from '../../ui/copy.ts'
import { CopyIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { embedCodeWords } from '../../words/embed-code.ts'
import { OwnDomain } from './OwnDomain.tsx'

/** The call that the owner's page makes once its visitor has consented. */
const CONSENT_CALL = 'window.tributary?.consent?.()'

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

/** The script tag to paste, from the saved settings. */
export function CodePanel({ code }: { code: EmbedCode | null }) {
  return (
    <Panel heading={embedCodeWords.codeHeading}>
      <div className="stack gap-3 inset">
        {code ? (
          <>
            <CodeBlock>
              <Tag tag={code.snippet} />
            </CodeBlock>
            <p className="muted small">{embedCodeWords.codeHelp}</p>
          </>
        ) : (
          <p className="muted small">{embedCodeWords.codeNone}</p>
        )}
        <div>
          <Button icon={<CopyIcon size={16} />} disabled={code === null} onClick={() => code && copyText(code.snippet)}>
            {embedCodeWords.copyCode}
          </Button>
        </div>
        {code && <OwnDomain code={code} />}
        {code?.consentMode === 'required' && <CodeBlock label={embedCodeWords.consentCall}>{CONSENT_CALL}</CodeBlock>}
      </div>
    </Panel>
  )
}
