import { useState } from 'react'
import { CodeBlock } from '#web/ui/CodeBlock.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { SelectField } from '#web/ui/fields.tsx'
import type { EmbedCode } from '../contract.ts'
import { embedMoreWords } from '../more-text.ts'
import { buildRecipe, ownTag, type Site, sites } from './own-domain.ts'
import { addressIn } from './recipes.ts'

/** Instructions for serving the script from the owner's own domain, and the tag to paste then. */
export function OwnDomain({ code }: { code: EmbedCode }) {
  const [site, setSite] = useState<Site>('nginx')
  const address = addressIn(code.snippet)
  return (
    <details>
      <summary className="strong">{embedMoreWords.ownDomain}</summary>
      <div className="stack gap-3">
        <p className="muted small">{embedMoreWords.ownDomainWhy}</p>
        <SelectField
          id="own-domain-site"
          name="site"
          label={embedMoreWords.site}
          value={site}
          choices={sites.map((value) => ({ value, label: embedMoreWords.sites[value] }))}
          onChange={(chosen) => chosen && setSite(chosen)}
          onBlur={() => undefined}
        />
        <CodeBlock>{buildRecipe(site, address)}</CodeBlock>
        <div>
          <CopyButton small value={buildRecipe(site, address)} label={embedMoreWords.copySettings}>
            {embedMoreWords.copySettings}
          </CopyButton>
        </div>
        <CodeBlock label={embedMoreWords.ownDomainTag}>{ownTag(address)}</CodeBlock>
        <div>
          <CopyButton small value={ownTag(address).replaceAll('\n', ' ')} label={embedMoreWords.copyOwnTag}>
            {embedMoreWords.copyOwnTag}
          </CopyButton>
        </div>
        <p className="muted small">{embedMoreWords.ownDomainProxy}</p>
      </div>
    </details>
  )
}
