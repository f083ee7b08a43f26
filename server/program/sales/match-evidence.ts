import type { MatchRule, SaleMatch } from '#contract/sales.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Access, wordFor } from '../access/access.ts'
import type { MissedBecause, TriedRule } from '../leads/match-rules.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import type { LatestClick } from './latest-click.ts'
import { salePhrases } from './text.ts'

const phrases = salePhrases.match

/** Stores with a sale the rules that did not find its lead. */
export const saveEvidence = (tx: Transaction, accountId: string, saleId: string, tried: TriedRule[]) => tx.run`
  update sales set match_evidence = ${JSON.stringify(tried)}::jsonb
  where account_id = ${accountId} and id = ${saleId}`

/** Stores the match that a test mode sale would have as a live one. */
export const saveTestMatch = (
  tx: Transaction,
  accountId: string,
  saleId: string,
  { leadId, matchedBy, tried }: { leadId: string | null; matchedBy: MatchRule | null; tried: TriedRule[] },
) => tx.run`
  update sales set test_lead_id = ${leadId}, matched_by = ${matchedBy}, match_evidence = ${JSON.stringify(tried)}::jsonb
  where account_id = ${accountId} and id = ${saleId} and is_test`

/** Returns the rule that gave a sale its lead, in words, and why earlier ones did not; those only for the owner. */
export async function describeMatch(
  db: Queryable,
  reader: Pick<Access, 'as' | 'account' | 'language'>,
  saleId: string,
): Promise<SaleMatch> {
  const { as, account } = reader
  const { matchedBy, evidence, model, latestClick, customersPartnerId } = await db.one<Kept>`
    select s.matched_by, s.match_evidence as evidence, l.attribution_model as model, s.latest_click,
      l.partner_id as customers_partner_id
    from sales s left join leads l on l.account_id = s.account_id and l.id = s.lead_id
    where s.account_id = ${account.id} and s.id = ${saleId}`
  const others =
    as === 'partner' ? [] : (evidence ?? []).filter(({ rule, partnerId }) => rule !== matchedBy || partnerId)
  const names = await partnerNames(
    db,
    [account.id],
    [...others.map(({ partnerId }) => partnerId ?? null), latestClick && customersPartnerId],
  )
  const of = (partnerId: string | null | undefined) => (partnerId && names.get(partnerId)) || null
  const customers = () => (as === 'partner' ? phrases.theirPartner : of(customersPartnerId))
  return {
    rule: matchedBy,
    why: wordFor(reader, () =>
      !matchedBy
        ? phrases.none
        : latestClick
          ? staying(latestClick === 'order' ? itsOwn(matchedBy) : phrases.renewed, customers())
          : foundBy(matchedBy, model),
    ),
    others: others.map(({ rule, outcome, partnerId = null, code = null }) => {
      const partnerName = of(partnerId)
      const why = describeMissedRule({ rule, outcome, partner: partnerName, code, matchedBy })
      return { rule, why, partnerId: partnerName && partnerId, partnerName, code: partnerName && code }
    }),
  }
}

type Kept = Pick<LatestClick, 'latestClick'> & {
  matchedBy: MatchRule | null
  evidence: TriedRule[] | null
  model: 'last-touch' | 'first-touch' | null
  customersPartnerId: string | null
}

const staying = (why: string, partner: string | null) =>
  partner ? phrases.staysWith({ why, partner }) : phrases.staysAlone({ why })

const itsOwn = (rule: MatchRule) => (rule === 'manual' ? phrases[rule] : `${phrases[rule]}. ${phrases.ownClick}`)

/** Describes the rule. A named partner may yield to another, depending on the attribution model. */
const foundBy = (rule: MatchRule, model: Kept['model']) =>
  model && (rule === 'click' || rule === 'code' || rule === 'coupon')
    ? `${phrases[rule]}. ${phrases[model]}`
    : phrases[rule]

const absent: Record<MatchRule, string> = {
  click: 'The sale came without a click',
  code: 'The sale came without a referral code',
  'lead-id': 'The sale came without a lead ID',
  customer: 'The sale came without a customer ID',
  'external-id': 'The sale came without a customer ID',
  coupon: 'The sale didn’t use a partner’s promotion code',
  email: 'The sale came without an email',
  manual: 'No one credited it manually',
}

const unknown: Record<MatchRule, string> = {
  click: 'The click wasn’t found',
  code: 'No partner has the referral code',
  'lead-id': 'The lead ID wasn’t found',
  customer: 'The customer wasn’t found',
  'external-id': 'The customer ID isn’t any lead’s external ID',
  coupon: 'The promotion code isn’t any partner’s',
  email: 'The payer’s email doesn’t match an open lead or a customer',
  manual: 'No one credited it manually',
}

const naming: Record<MatchRule, string> = {
  click: 'The click names',
  code: 'The referral code names',
  'lead-id': 'The lead ID’s partner is',
  customer: 'The customer’s partner is',
  'external-id': 'The external ID’s partner is',
  coupon: 'The promotion code names',
  email: 'The email’s partner is',
  manual: 'Someone named',
}

const otherwise: Record<Exclude<MissedBecause, 'absent' | 'unknown'>, string> = {
  expired: 'The click was outside its attribution window',
  inactive: 'The partner is suspended or archived, or was when it was paid, and can’t get credit for it',
  'referred-later': 'The customer was referred after this sale',
  'given-later': 'The code wasn’t the partner’s yet when it was paid',
  rejected: 'The lead was rejected, so its sales earn nothing',
  'test-mode': 'It was paid in test mode, so nobody earns',
  outranked: 'Another rule comes first',
  'bought-before': 'The customer had bought before and stays with the first partner',
  'paid-before': 'Paid before they were referred',
  'first-touch': 'The customer was already referred by another partner, and the first touch counts',
  'customer-without-partner': 'The customer was already a lead without a partner',
  renewal: 'Renewals follow their subscription’s first sale, which named them too',
}

const goesFirst: Record<MatchRule, string> = {
  click: 'a click goes first',
  code: 'a referral code goes first',
  'lead-id': 'the lead ID goes first',
  customer: 'a known customer goes first',
  'external-id': 'the customer ID goes first',
  coupon: 'a promotion code goes first',
  email: 'the email’s lead goes first',
  manual: 'someone credited it manually',
}

type Missed = {
  rule: MatchRule
  outcome: MissedBecause
  partner: string | null
  code: string | null
  matchedBy: MatchRule | null
}

/** Describes a failed rule, with the partner it would have credited, and their code if another rule came first. */
export function describeMissedRule({ rule, outcome, partner, code, matchedBy }: Missed): string {
  if (outcome === 'absent') return absent[rule]
  if (outcome === 'unknown') return unknown[rule]
  if (!partner) return otherwise[outcome]
  if (outcome !== 'outranked' || !matchedBy || matchedBy === rule)
    return `${naming[rule]} ${partner}. ${otherwise[outcome]}`
  return `${code ? `${code} of ${partner} was used too` : `${naming[rule]} ${partner}`}; ${goesFirst[matchedBy]}`
}
