import { useQuery } from '@tanstack/react-query'
import { leadPayTitle } from '#contract/entry-title.ts'
import { MoneyLink } from '../../shared/MoneyLink.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { leadWords } from '../../words/leads.ts'
import { leadPayQuery } from './queries.ts'

/** The entries that pay for the lead itself, besides its sales; nothing without any. */
export function LeadPay({ leadId, readOnly }: { leadId: string; readOnly: boolean }) {
  const { data } = useQuery(leadPayQuery(leadId))
  const facts = (data?.items ?? []).flatMap((entry) => {
    const { id, paidFor, partnerName, status } = entry
    if (!paidFor) return []
    const title = leadPayTitle(entry, paidFor)
    const value = (
      <>
        <MoneyLink of={entry} /> <StatusBadge of="commission" status={status} />
      </>
    )
    return [{ id, label: readOnly ? title : leadWords.paidTo({ title, partner: partnerName }), value }]
  })
  if (facts.length === 0) return null
  return (
    <Panel heading={leadWords.pay}>
      <Facts label={leadWords.pay} facts={facts} />
    </Panel>
  )
}
