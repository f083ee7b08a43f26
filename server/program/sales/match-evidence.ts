import type { MatchRule, SaleMatch } from '#contract/sales.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import type { MissedBecause, Tried } from '../leads/match-payment.ts'

/** Keeps with a sale which rules looked for its lead in vain. */
export const keepEvidence = (tx: Transaction, saleId: string, tried: Tried[]) => tx.run`
  update sales set match_evidence = ${JSON.stringify(tried)}::jsonb where id = ${saleId}`

/** Which rule gave a sale its lead, in words, and why those before it did not; these are for the owner alone. */
export async function matchOf(db: Queryable, { as }: Pick<Access, 'as'>, saleId: string): Promise<SaleMatch> {
  const { matchedBy, evidence } = await db.one<{ matchedBy: MatchRule | null; evidence: Tried[] | null }>`
    select matched_by, match_evidence as evidence from sales where id = ${saleId}`
  const others = as === 'partner' ? [] : (evidence ?? []).filter(({ rule }) => rule !== matchedBy)
  return {
    rule: matchedBy,
    why: matchedBy ? found[matchedBy] : 'No rule found a lead for this sale',
    others: others.map(({ rule, outcome }) => ({ rule, why: missed(rule, outcome) })),
  }
}

const found: Record<MatchRule, string> = {
  click: "It carried a click on the partner's link, inside its window",
  code: "It named the partner's referral code",
  'lead-id': 'It named the lead',
  customer: 'The customer is known from before',
  'external-id': "The customer is the lead's external ID",
  coupon: "It used the partner's promotion code",
  email: "The payer's email is the lead's",
  manual: 'Somebody recorded or attributed it by hand',
}

const absent: Record<MatchRule, string> = {
  click: 'It carried no click',
  code: 'It named no referral code',
  'lead-id': 'It named no lead',
  customer: 'It named no customer',
  'external-id': 'It named no customer',
  coupon: "It used no partner's promotion code",
  email: 'It told no email',
  manual: 'Nobody credited it by hand',
}

const unknown: Record<MatchRule, string> = {
  click: 'What it carried is no known click',
  code: 'What it named is not the code of any partner',
  'lead-id': 'What it named is no known lead',
  customer: 'No customer known',
  'external-id': "The customer is no lead's external ID",
  coupon: "The promotion code is no partner's",
  email: "The payer's email is not that of a lead that is open or has bought",
  manual: 'Nobody credited it by hand',
}

const otherwise: Record<Exclude<MissedBecause, 'absent' | 'unknown'>, string> = {
  expired: 'The click was outside its window',
  inactive: 'The partner is suspended or archived and gets no new credit',
  'bought-before': 'The customer had bought before and stays with the first partner',
  'first-touch': 'The customer was registered before, and the first touch counts',
  'customer-without-partner': 'The customer was known already, as a lead without a partner',
}

function missed(rule: MatchRule, outcome: MissedBecause): string {
  if (outcome === 'absent') return absent[rule]
  return outcome === 'unknown' ? unknown[rule] : otherwise[outcome]
}
