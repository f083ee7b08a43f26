import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { PartnerFilter } from '../../shared/PartnerPicker.tsx'
import { partnerQuery } from '../../shared/queries.ts'
import type { TermsValue } from '../../shared/terms.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { linkWords } from '../../words/links.ts'
import { buildAddresses, type Marked } from './addresses.ts'
import { samplePartnerQuery } from './queries.ts'

export type LinkValues = {
  name: string
  destinationUrl: string
  parameterName: string
  cookieDays: number | string
  attributionModel: 'last-touch' | 'first-touch'
  enabled: boolean
  passthroughQuery: boolean
  moreDomains: string[]
  partnerLinks: boolean
  utm: { source: string; medium: string; campaign: string; term: string; content: string }
  terms: TermsValue | null
}

type Props = { account: Account; values: LinkValues; linkKey: string | null; commission: string }

/** Previews the link that a partner of the account would get from the values entered. */
export function LinkPreview({ account, values, linkKey, commission }: Props) {
  const [chosen, setChosen] = useState<string>()
  const sample = useQuery(samplePartnerQuery(account.id))
  const first = sample.data?.items[0]
  const other = useQuery({ ...partnerQuery(chosen ?? ''), enabled: chosen !== undefined })
  const partner = chosen === undefined ? first : other.data
  const name = partner?.displayName ?? linkWords.sampleName
  const addresses = buildAddresses({ ...values, key: linkKey }, partner?.referralCode ?? 'jane', location.origin)
  const days = typeof values.cookieDays === 'number' ? values.cookieDays : null
  return (
    <Panel
      heading={linkWords.preview}
      aside={
        (first || sample.isPending) && (
          <PartnerFilter
            keeps
            label={linkWords.samplePartner}
            value={chosen ?? first?.id ?? ''}
            name={partner?.displayName}
            onChange={setChosen}
            accountId={account.id}
          />
        )
      }
    >
      <div className="stack gap-3 inset">
        {addresses ? (
          <>
            <CodeBlock label={linkWords.linkOf({ name })}>{marked(addresses.link)}</CodeBlock>
            <CodeBlock label={linkKey ? linkWords.shortForm : linkWords.shortFormNew}>{addresses.short}</CodeBlock>
            <CodeBlock label={linkWords.leadsTo}>{marked(addresses.leadsTo)}</CodeBlock>
          </>
        ) : (
          <p className="muted">{linkWords.noAddress}</p>
        )}
      </div>
      <Facts
        label={linkWords.preview}
        facts={[
          {
            label: linkWords.clickCounts,
            value: days === null ? basicWords.absent : linkWords.days({ count: days }),
          },
          {
            label: linkWords.twoPartners,
            value: values.attributionModel === 'last-touch' ? linkWords.lastWins : linkWords.firstWins,
          },
          { label: fieldWords.commission, value: commission },
        ]}
      />
    </Panel>
  )
}

const marked = ({ before, code, after }: Marked): ReactNode => (
  <>
    {before}
    <b>{code}</b>
    {after}
  </>
)
