import { useState } from 'react'
import type { EmbedCode } from '#contract/embed.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { embedCodeWords } from '../../words/embed-code.ts'
import { ownTag, recipe, type Site, sites } from './own-domain.ts'
import { addressIn } from './recipes.ts'

/** Instructions for serving the script from the owner's own domain, and the tag to paste then. */
export function OwnDomain({ code }: { code: EmbedCode }) {
  const [site, setSite] = useState<Site>('nginx')
  const address = addressIn(code.snippet)
  return (
    <details>
      <summary className="strong">{embedCodeWords.ownDomain}</summary>
      <div className="stack gap-3">
        <p className="muted small">{embedCodeWords.ownDomainWhy}</p>
        <SelectField
          id="own-domain-site"
          name="site"
          label={embedCodeWords.site}
          value={site}
          choices={sites.map((value) => ({ value, label: embedCodeWords.sites[value] }))}
          onChange={(chosen) => chosen && setSite(chosen)}
          onBlur={() => undefined}
        />
        <CodeBlock>{recipe(site, address)}</CodeBlock>
        <div>
          <CopyButton small value={recipe(site, address)} label={embedCodeWords.copySettings}>
            {embedCodeWords.copySettings}
          </CopyButton>
        </div>
        <CodeBlock label={embedCodeWords.ownDomainTag}>{ownTag(address)}</CodeBlock>
        <div>
          <CopyButton small value={ownTag(address).replaceAll('\n', ' ')} label={embedCodeWords.copyOwnTag}>
            {embedCodeWords.copyOwnTag}
          </CopyButton>
        </div>
        <p className="muted small">{embedCodeWords.ownDomainProxy}</p>
      </div>
    </details>
  )
}
