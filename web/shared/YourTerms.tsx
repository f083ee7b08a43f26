import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { Panel } from '../ui/Panel.tsx'
import { Pending } from '../ui/Pending.tsx'
import { termsWords } from '../words/terms.ts'
import { GoalBars } from './GoalBars.tsx'
import { TermsSentences } from './TermsSentences.tsx'
import { termsStateQuery } from './terms.ts'
import { partnerSentence, subPartnerRates } from './your-rates.ts'

/** The terms in force for a partner who reads them: in one sentence, with a line per rule if there are any; and their goals. */
export function YourTerms({ partner, heading = termsWords.whatYouEarn }: { partner: Partner; heading?: string }) {
  const answer = useQuery(termsStateQuery({ of: 'partner', id: partner.id }))
  const { data, error } = answer
  if (!data) {
    return (
      error && (
        <Panel heading={heading}>
          <Pending answer={answer} rows={2} />
        </Panel>
      )
    )
  }
  const { inForce, olderCustomersDiffer } = data
  const { currency } = partner.stats
  return (
    <Panel heading={heading}>
      <div className="stack inset">
        <div className="stack gap-2">
          <p>{partnerSentence(data, currency)}</p>
          {inForce.terms.rules.length > 0 && (
            <TermsSentences terms={inForce.terms} currency={currency} reader="partner" />
          )}
          {[
            ...(inForce.source === 'account' ? [termsWords.linksMayDiffer] : []),
            ...subPartnerRates(partner),
            ...(olderCustomersDiffer ? [termsWords.earlierKeep] : []),
          ].map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <GoalBars partnerId={partner.id} currency={currency} reader="partner" />
      </div>
    </Panel>
  )
}
