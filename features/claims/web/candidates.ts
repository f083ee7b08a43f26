import { formatMoney } from '#web/format.ts'
import type { Claim, ClaimCandidate } from '../contract.ts'
import { claimWords as words } from '../text.ts'

/** Whether a claim can be accepted with this candidate. */
export const isAcceptable = ({ state }: Pick<ClaimCandidate, 'state'>) => state === 'ready' || state === 'credited'

/** Returns the effect of accepting a claim with a candidate. */
export function explainConsequence({ claim, candidate }: { claim: Claim; candidate: ClaimCandidate }) {
  const { kind, state, name, amount, currency } = candidate
  const who = { name, partner: claim.partnerName }
  if (state === 'credited') return words.acceptCredited(who)
  if (kind === 'lead') return words.acceptLead(who)
  return words.acceptSale({ ...who, amount: formatMoney(amount ?? 0, currency ?? '') })
}
