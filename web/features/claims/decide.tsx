import {
  AcceptedClaim,
  acceptClaim,
  type ClaimCandidate,
  type ClaimWithCandidates,
  RefusedClaim,
  refuseClaim,
} from '#contract/claims.ts'
import { formatMoney } from '../../format.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { claimWords as words } from '../../words/claims.ts'
import { fieldWords } from '../../words/fields.ts'

type Chosen = { claim: ClaimWithCandidates; candidate: ClaimCandidate }

const consequenceOf = ({ claim, candidate: { kind, state, name, amount, currency } }: Chosen) => {
  const who = { name, partner: claim.partnerName }
  if (state === 'credited') return words.acceptCredited(who)
  if (kind === 'lead') return words.acceptLead(who)
  return words.acceptSale({ ...who, amount: formatMoney(amount ?? 0, currency ?? '') })
}

/** Credits the partner with a candidate of their claim. */
export const Accept = exposeAction(
  defineFormAction(acceptClaim, AcceptedClaim, (chosen: Chosen) => {
    const { claim, candidate } = chosen
    const named = candidate.kind === 'sale' ? { saleId: candidate.id } : { leadId: candidate.id }
    return {
      heading: words.acceptHeading,
      why: consequenceOf(chosen),
      done: words.accepted,
      initial: { ...named, reason: '' },
      send: ({ reason }) => ({ params: { id: claim.id }, body: { ...named, ...(reason ? { reason } : {}) } }),
      fields: ({ field }) => (
        <TextAreaField {...field('reason', fieldWords.reason)} rows={2} optional help={words.reasonHelp} />
      ),
    }
  }),
  { label: words.credit, when: ({ claim }) => claim.state === 'open' },
)

/** Refuses a claim; its partner reads the reason. */
export const Refuse = exposeAction(
  defineFormAction(refuseClaim, RefusedClaim, (_: ClaimWithCandidates) => ({
    heading: words.refuseHeading,
    submit: words.refuse,
    why: words.refuseWhy,
    done: words.refused,
    initial: { reason: '' },
    fields: ({ field }) => <TextAreaField {...field('reason', fieldWords.reason)} rows={3} />,
  })),
  { label: words.refuse, when: ({ state }) => state === 'open' },
)
