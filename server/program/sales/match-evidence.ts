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
    why: matchedBy ? found[matchedBy] : 'No rule matched a lead for this sale',
    others: others.map(({ rule, outcome }) => ({ rule, why: missed(rule, outcome) })),
  }
}

const found: Record<MatchRule, string> = {
  click: "The sale came with a click on the partner's link, within its attribution window",
  code: "The sale came with the partner's referral code",
  'lead-id': "The sale came with the lead's ID",
  customer: 'The customer has bought before',
  'external-id': "The customer ID matches the lead's external ID",
  coupon: "The sale used the partner's promotion code",
  email: "The payer's email matches the lead's",
  manual: 'Someone recorded or attributed it manually',
}

const absent: Record<MatchRule, string> = {
  click: 'The sale came without a click',
  code: 'The sale came without a referral code',
  'lead-id': 'The sale came without a lead ID',
  customer: 'The sale came without a customer ID',
  'external-id': 'The sale came without a customer ID',
  coupon: "The sale didn't use a partner's promotion code",
  email: 'The sale came without an email',
  manual: 'No one credited it manually',
}

const unknown: Record<MatchRule, string> = {
  click: "The click wasn't found",
  code: 'No partner has the referral code',
  'lead-id': "The lead ID wasn't found",
  customer: "The customer wasn't found",
  'external-id': "The customer ID isn't any lead's external ID",
  coupon: "The promotion code isn't any partner's",
  email: "The payer's email doesn't match an open lead or a customer",
  manual: 'No one credited it manually',
}

const otherwise: Record<Exclude<MissedBecause, 'absent' | 'unknown'>, string> = {
  expired: 'The click was outside its attribution window',
  inactive: "The partner is suspended or archived and can't get new credit",
  'bought-before': 'The customer had bought before and stays with the first partner',
  'first-touch': 'The customer was registered before, and the first touch counts',
  'customer-without-partner': 'The customer was already a lead without a partner',
}

function missed(rule: MatchRule, outcome: MissedBecause): string {
  if (outcome === 'absent') return absent[rule]
  return outcome === 'unknown' ? unknown[rule] : otherwise[outcome]
}
