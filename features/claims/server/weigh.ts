import type { MatchRule } from '#contract/sales.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { decideStated, getRuleOrder, type MissedBecause } from '#server/program/leads/match-rules.ts'
import { describeMissedRule } from '#server/program/sales/match-evidence.ts'
import type { CandidateState, ClaimCandidate } from '../contract.ts'
import type { CandidateLead, SaleFacts } from './find-candidates.ts'

export type Fit = ClaimCandidate['fits'][number]
/** A lead's click, if it is the partner's: whether the sale or lead came within its attribution window. */
export type ClickFit = 'in-time' | 'expired' | null
type Claimant = { partnerId: string; partnerName: string }

/** Reasons for which a rule that names the partner did not credit them, but which a person may overrule. */
const OVERRULED: MissedBecause[] = ['outranked', 'bought-before', 'first-touch', 'customer-without-partner']

/** Returns the rules of attribution that lead from a sale to the partner, the strongest first. */
export function fitsOfSale(
  account: AccountFacts,
  { partnerId, partnerName }: Claimant,
  sale: SaleFacts,
  click: ClickFit,
): Fit[] {
  const tried = (sale.evidence ?? []).filter((one) => one.partnerId === partnerId)
  return inOrder(account, [
    ...clicked(click),
    sale.leadPartnerId === partnerId && fit('lead-id', 'Its lead is the partner’s'),
    sale.customersPartnerId === partnerId &&
      fit('customer', 'The payment provider’s customer is a lead of the partner'),
    sale.externalPartnerId === partnerId &&
      fit('external-id', 'The customer ID is the external ID of a lead of the partner'),
    used(sale.codes),
    sale.hasEmail && fit('email', 'The partner has a lead with this email'),
    ...tried.map(({ rule, outcome, code = null }) => ({
      rule,
      why: describeMissedRule({ rule, outcome, partner: partnerName, code, matchedBy: sale.matchedBy }),
      counts: OVERRULED.includes(outcome),
    })),
  ])
}

/** Returns the rules of attribution that lead from a lead to the partner, the strongest first. */
export const fitsOfLead = (
  account: AccountFacts,
  { partnerId }: Claimant,
  lead: CandidateLead,
  click: ClickFit,
): Fit[] =>
  inOrder(account, [
    ...clicked(click),
    lead.partnerId === partnerId && fit('lead-id', 'It is the partner’s'),
    used(lead.codes),
    lead.isRegistered && fit('email', 'The partner registered the same customer later'),
  ])

const fit = (rule: MatchRule, why: string): Fit => ({ rule, why, counts: true })

const clicked = (click: ClickFit): (Fit | false)[] => [
  click === 'in-time' && fit('click', 'The customer came by the partner’s link, within its attribution window'),
  click === 'expired' && {
    ...fit('click', 'The customer came by the partner’s link, outside its attribution window'),
    counts: false,
  },
]

const used = (codes: string[]) =>
  codes.length > 0 && fit('coupon', `The partner’s promotion code ${codes.join(', ')} was used`)

/** Sorts by the account's order of rules; a rule that counts appears once, before the reasons against it. */
function inOrder(account: AccountFacts, fits: (Fit | false)[]): Fit[] {
  const rules: readonly MatchRule[] = getRuleOrder(account)
  const known = fits.filter((one): one is Fit => Boolean(one) && rules.includes((one as Fit).rule))
  const seen = new Set<string>()
  return known
    .sort((a, b) => rules.indexOf(a.rule) - rules.indexOf(b.rule) || Number(b.counts) - Number(a.counts))
    .filter(({ rule }) => !seen.has(rule) && seen.add(rule))
}

/** Adds up rules so that a stronger one outweighs all weaker ones together. */
export function computeScore(account: AccountFacts, fits: Fit[]): number {
  const rules: readonly MatchRule[] = getRuleOrder(account)
  return fits
    .filter(({ counts }) => counts)
    .reduce((sum, { rule }) => sum + 2 ** (rules.length - 1 - rules.indexOf(rule)), 0)
}

/** Returns whether a sale can be credited to the partner, by the rules of crediting it by hand. */
export function stateOfSale(account: AccountFacts, claimant: string, sale: SaleFacts): CandidateState {
  if (sale.isTest) return 'test'
  if (sale.status === 'void') return 'void'
  if (sale.partnerId) return sale.partnerId === claimant ? 'credited' : 'of-other-partner'
  if (sale.isErased) return 'erased'
  const [partnerId, status, hasSales] = sale.leadId
    ? [sale.leadPartnerId, sale.leadStatus, true]
    : [sale.payersPartnerId, sale.payersStatus, sale.payerBought]
  if (status === 'rejected') return 'rejected'
  return decideStated(account, { partnerId, hasSales }, claimant) === 'of-another' ? 'of-other-partner' : 'ready'
}

/** Returns whether a lead can be given to the partner. */
export function stateOfLead(claimant: string, { partnerId, status, isErased }: CandidateLead): CandidateState {
  if (isErased) return 'erased'
  if (status === 'duplicate' || status === 'rejected') return status
  if (!partnerId) return 'ready'
  return partnerId === claimant ? 'credited' : 'of-other-partner'
}
