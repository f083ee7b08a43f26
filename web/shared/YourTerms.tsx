import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { Panel } from '../ui/Panel.tsx'
import { Pending } from '../ui/Pending.tsx'
import { termsWords } from '../words/terms.ts'
import { GoalBars } from './GoalBars.tsx'
import { TermsSentences } from './TermsSentences.tsx'
import { termsStateQuery } from './terms.ts'
import { yourRates } from './your-rates.ts'

/** The terms in force for a partner who reads them: a sentence for percentages alone, else a line per rule; and their goals. */
export function YourTerms({ partner }: { partner: Partner }) {
  const answer = useQuery(termsStateQuery({ of: 'partner', id: partner.id }))
  const { data, error } = answer
  if (!data) {
    return (
      error && (
        <Panel heading={termsWords.whatYouEarn}>
          <Pending answer={answer} rows={2} />
        </Panel>
      )
    )
  }
  const { inForce, olderCustomersDiffer } = data
  const { rules, otherwise } = inForce.terms
  const [first, ...others] = yourRates(partner)
  const isSimple = rules.length === 0 && otherwise.layerRates !== undefined
  return (
    <Panel heading={termsWords.whatYouEarn}>
      <div className="stack inset">
        <div className="stack gap-2">
          {isSimple ? (
            <p>{first}</p>
          ) : (
            <TermsSentences terms={inForce.terms} currency={partner.stats.currency} reader="partner" />
          )}
          {[
            ...(!isSimple && inForce.source === 'account' ? [termsWords.linksMayDiffer] : []),
            ...others,
            ...(olderCustomersDiffer ? [termsWords.earlierKeep] : []),
          ].map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <GoalBars partnerId={partner.id} currency={partner.stats.currency} reader="partner" />
      </div>
    </Panel>
  )
}
