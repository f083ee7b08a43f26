import { plainCode } from '#contract/values.ts'
import { LANDING } from '../../../embed/address.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { resolveClicks } from '../clicks/attribution.ts'
import { readReferrals } from '../clicks/read-referral.ts'
import { type CodesPartner, findPartnersByCodes } from '../partner-directory/find-partner.ts'
import { namedByClick } from './find-credited-partner.ts'
import { type Decision, decideMatch, type MatchFacts, type NamedByCodes } from './match-rules.ts'
import { type PaidAt, paidAt } from './payment-time.ts'
import { insertCustomer, leadsOfPayment } from './queries.ts'

/** A payment's references, by which its lead may be found. */
export type PaymentReferences = {
  clickId?: string | null | undefined
  leadId?: string | null | undefined
  referralCode?: string | null | undefined
  /** Values that may be a click id, a lead id or a referral code. */
  references: string[]
  /** The customer's id at a shop, i.e. a provider's account. */
  customer?: { shopId: string; id: string } | null | undefined
  email?: string | null | undefined
  /** The promotion codes the buyer entered. */
  promotionCodes?: string[] | undefined
}

/**
 * The match of a payment; null if no rule matches, so the sale is stored without a lead. `tried`: the rules before it,
 * in order, and those after it that name another partner. `partnerCode`: one of its promotion codes is some partner's.
 */
export type PaymentLookup = Pick<Decision, 'match' | 'tried' | 'partnerCode'>

/**
 * Finds the lead of a provider's payment, in the order of api.md section 8. Rules that only identify the payer, and
 * promotion codes, never match anything newer than the payment; a referral code, nothing newer than the payment's first
 * record.
 */
export async function findLeadForPayment(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  at: Date,
  { paid = paidAt(at), recordedAt = null }: { paid?: PaidAt; recordedAt?: Date | null } = {},
): Promise<PaymentLookup> {
  const facts = await readFacts(db, account, refs, { ...paid, recordedAt })
  const { match, tried, partnerCode } = decideMatch(account, 'provider', facts)
  return { match, tried, partnerCode }
}

/** Links a shop's customer to a lead: the first lead it is seen with. */
export async function rememberCustomer(
  tx: Transaction,
  accountId: string,
  { shopId, customerId, leadId }: { shopId: string; customerId: string; leadId: string },
): Promise<void> {
  await insertCustomer(tx, accountId, { shopId, customerId, leadId })
}

/** When a payment was made, and when it was first told here, if it was. */
type Recorded = PaidAt & { recordedAt: Date | null }

/** Reads what is known of a payment, from all its fields. */
async function readFacts(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  paid: Recorded,
): Promise<MatchFacts> {
  const values = [refs.clickId, refs.leadId, refs.referralCode, ...refs.references]
  const given = [...new Set(values.map((value) => value?.trim()).filter((value): value is string => Boolean(value)))]
  const asksCode = (value: string) => value === refs.referralCode?.trim()
  const referrals = await readReferrals(
    db,
    account.id,
    given.map((value) => ({ given: value, asksCode: asksCode(value) })),
  )
  const read = referrals.filter(({ click, codes }, at) => click || codes.length > 0 || !given[at]!.startsWith(LANDING))
  const ids = [...new Set(read.flatMap(({ click }) => (click ? asUuid(click) : [])))]
  const { customer, promotionCodes = [] } = refs
  const email = refs.email?.trim().toLowerCase()
  const entered = promotionCodes.map((code) => code.trim()).filter((code) => code !== '' && code.length <= 100)
  // sent together
  const [clicks, found, partners] = await Promise.all([
    ids.length > 0 ? resolveClicks(db, account.id, ids, paid.at) : [],
    leadsOfPayment(db, account.id, { ids, customer, email }, paid),
    findPartnersByCodes(
      db,
      account.id,
      { referralCodes: read.flatMap(({ codes }) => codes), promotionCodes: entered },
      paid,
    ),
  ])
  const clickOf = new Map(clicks.map((click) => [click.id, click]))
  // a value with an unknown click names its codes
  const coded = read.filter(({ click, codes }) => !clickOf.has(click) && (!click || codes.length > 0))
  const owners = coded.flatMap(({ codes }) => {
    const known = codes.flatMap((code) => partners.byReferralCode.get(plainCode(code)) ?? [])
    return known.find(({ earns }) => earns) ?? known[0] ?? []
  })
  const named = ids.flatMap((id) => clickOf.get(id) ?? [])
  const counted = named.filter(({ withinWindow }) => withinWindow)
  const leadOf = (rule: (typeof found)[number]['rule'], id: string | null = null) =>
    found.find((lead) => lead.rule === rule && lead.given === id)
  const others = read.filter((value) => !coded.includes(value) && !clickOf.has(value.click)).map(({ click }) => click)
  const isUnknownId = others.some((id) => !leadOf('lead-id', asUuid(id)))
  const made = counted[0] && leadOf('click', counted[0].id)
  const { recordedAt, at } = paid
  const until = recordedAt && paidAt(recordedAt > at ? recordedAt : at).referredBy
  return {
    clicks: counted.map(({ gone, ...click }) => ({ named: namedByClick(click), isGone: gone })),
    // another partner's referral of the lead may have come after the payment
    clicksLead: made && (made.inTime || made.partnerId === counted[0]!.partnerId) ? made : undefined,
    clickMissing: named.length > 0 ? 'expired' : isUnknownId ? 'unknown' : 'absent',
    codes: credited(owners, { until, isGiven: coded.length > 0 }),
    coupons: credited(partners.byPromotionCode, { until: paid.referredBy, isGiven: entered.length > 0 }),
    leads: {
      'lead-id': others.flatMap((id) => leadOf('lead-id', asUuid(id)) ?? [])[0],
      customer: leadOf('customer'),
      'external-id': leadOf('external-id'),
      email: leadOf('email'),
    },
    unknown: [
      ...(isUnknownId ? (['lead-id'] as const) : []),
      ...(customer ? (['customer', 'external-id'] as const) : []),
      ...(email ? (['email'] as const) : []),
    ],
  }
}

/** `until`: the latest assignment of a code to its partner that still counts. */
function credited(
  partners: CodesPartner[],
  { until, isGiven }: { until: Date | null; isGiven: boolean },
): NamedByCodes {
  const inTime = partners.filter(({ since }) => !until || Date.parse(since) <= until.getTime())
  const outcome = inTime[0] ? 'inactive' : partners[0] ? 'given-later' : isGiven ? 'unknown' : 'absent'
  return { earning: inTime.filter(({ earns }) => earns), missing: { outcome, partner: inTime[0] ?? partners[0] } }
}
