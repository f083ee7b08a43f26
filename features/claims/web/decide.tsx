import { NewQuestion } from '#contract/questions.ts'
import { exposeAction } from '#web/ui/actions.tsx'
import { TextAreaField } from '#web/ui/fields.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { fieldWords } from '#web/words/fields.ts'
import { questionWords } from '#web/words/questions.ts'
import {
  AcceptedClaim,
  acceptClaim,
  askPartnerAboutClaim,
  type ClaimCandidate,
  type ClaimWithCandidates,
  RefusedClaim,
  refuseClaim,
} from '../contract.ts'
import { claimWords as words } from '../text.ts'
import { explainConsequence } from './candidates.ts'

type Chosen = { claim: ClaimWithCandidates; candidate: ClaimCandidate }

/** Credits the partner with a candidate of their claim. */
export const Accept = exposeAction(
  defineFormAction(acceptClaim, AcceptedClaim, (chosen: Chosen) => {
    const { claim, candidate } = chosen
    const named = candidate.kind === 'sale' ? { saleId: candidate.id } : { leadId: candidate.id }
    return {
      heading: words.acceptHeading,
      why: explainConsequence(chosen),
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

/** Asks the partner for what the claim doesn’t say. */
export const Ask = exposeAction(
  defineFormAction(askPartnerAboutClaim, NewQuestion, ({ partnerName, orderId }: ClaimWithCandidates) => ({
    heading: words.ask,
    submit: questionWords.send,
    why: words.askWhy({ partner: partnerName }),
    done: questionWords.sent,
    initial: { text: orderId ? words.suggestEmail : words.suggestOrder },
    fields: ({ field }) => <TextAreaField {...field('text', questionWords.question)} rows={3} />,
  })),
  { label: words.ask, when: ({ state, askedAt }) => state === 'open' && askedAt === null },
)
