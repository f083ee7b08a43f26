import { useState } from 'react'
import { CodeBlock } from '#web/ui/CodeBlock.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { SelectField } from '#web/ui/fields.tsx'
import type { EmbedCode } from '../contract.ts'
import { embedMoreWords } from '../more-text.ts'
import { buildRecipe, ownTag, type Site, sites } from './own-domain.ts'
import { addressIn, CONSENT_CALLS } from './recipes.ts'

/** Examples for the owner's own code. */
const examples = {
  ready: `tributary('ready', (referral) => {
  if (referral) checkout.metadata.click_id = referral.referral
})`,
  cookie: `await stripe.checkout.sessions.create({
  ...order,
  client_reference_id: request.cookies.tributary_ref,
})`,
  field: `<input type="hidden" name="tributary_ref">
<script>
tributary('ready', function (referral) {
  var field = document.querySelector('[name=tributary_ref]')
  if (referral) field.value = referral.referral
})
</script>`,
  consent: CONSENT_CALLS,
} as const

/** The parts of the code panel that an owner needs later, folded. */
export const MoreCode = ({ code }: { code: EmbedCode | null }) => (
  <>
    {code && <OwnDomain code={code} />}
    <InYourCode />
  </>
)

/** Examples that hand the referral to the owner's own code. */
function InYourCode() {
  return (
    <details>
      <summary className="strong">{embedMoreWords.inYourCode}</summary>
      <div className="stack gap-3">
        {(Object.keys(examples) as (keyof typeof examples)[]).map((key) => (
          <div key={key} className="stack gap-1">
            <CodeBlock label={embedMoreWords.inYourCodeHelp[key]}>{examples[key]}</CodeBlock>
            <div>
              <CopyButton
                small
                value={examples[key]}
                label={embedMoreWords.copyExample({ name: embedMoreWords.inYourCodeNames[key] })}
              >
                {embedMoreWords.copyExample({ name: embedMoreWords.inYourCodeNames[key] })}
              </CopyButton>
            </div>
          </div>
        ))}
      </div>
    </details>
  )
}

/** Instructions for serving the script from the owner's own domain, and the tag to paste then. */
function OwnDomain({ code }: { code: EmbedCode }) {
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
