import type { LeadMatchRule } from '#contract/leads.ts'
import type { MatchRule } from '#contract/sales.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { resolveClick } from '../clicks/attribution.ts'
import { findPartnerByCode, findPartnersByPromotionCodes } from '../names/find-partner.ts'
import type { Attribution } from './attribution.ts'
import { insertCustomer, leadOfClick, leadOfCustomer, leadOfEmail, leadOfExternalId, originalLead } from './queries.ts'

/** What a payment carries that may tell whose it is. */
export type PaymentReferences = {
  clickId?: string | null | undefined
  leadId?: string | null | undefined
  referralCode?: string | null | undefined
  /** Values that may be a click id, a lead id or a referral code. */
  references: string[]
  customer?: { provider: string; id: string } | null | undefined
  email?: string | null | undefined
  /** The promotion codes the buyer entered. */
  promotionCodes?: string[] | undefined
}

/** The payment's lead; or whom to make one for, by `captureLead` with this attribution. */
export type PaymentMatch =
  | { leadId: string; matchedBy: MatchRule }
  | { makeLead: Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule } }

type Known = { leadId: string; matchedBy: MatchRule; partnerId: string | null; hasSales: boolean }
type Named = Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule }

/**
 * Why a rule did not find the lead. `absent`: the payment carried nothing for it. `unknown`: nobody has what it carried.
 * `expired`: the click was outside its window. `inactive`: its partner gets no new credit. The others name why a partner
 * it did find gave way to a lead that was known already.
 */
export type MissedBecause =
  | 'absent'
  | 'unknown'
  | 'expired'
  | 'inactive'
  | 'bought-before'
  | 'first-touch'
  | 'customer-without-partner'
export type Tried = { rule: MatchRule; outcome: MissedBecause }

/** Whose a payment is; null where nothing matches, so the sale is kept without a lead. `tried`: the rules before, in order. */
export type PaymentLookup = { match: PaymentMatch | null; tried: Tried[] }

/**
 * The lead of a payment, in the order of api.md section 8: click, lead id or code it carries; the provider's customer; a
 * lead whose external id is that customer; a promotion code's partner; the e-mail. A click or code names a partner: their
 * lead of this person, else one to make. A customer who has bought stays with the partner of the first sale.
 */
export async function findLeadForPayment(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  at: Date,
): Promise<PaymentLookup> {
  const values = [refs.clickId, refs.leadId, refs.referralCode, ...refs.references]
  const given = [...new Set(values.filter((value): value is string => Boolean(value?.trim())).map((v) => v.trim()))]
  const tried: Tried[] = []
  const missed = (rule: MatchRule, outcome: MissedBecause) => tried.push({ rule, outcome })
  const found = (match: PaymentMatch): PaymentLookup => ({ match, tried })
  const chosen = (named: Named, known: Known | null) => {
    const kept = known && whyKept(account, named, known)
    if (kept) missed(named.matchedBy, kept)
    return found(choose(named, known, kept))
  }

  const { click, stale } = await clickAmong(db, account, given, at)
  const byClick = click && (await leadOfClick(db, account.id, click.clickId!))
  if (byClick) return found({ leadId: byClick.leadId, matchedBy: 'click' })
  if (click) return chosen(click, await known(db, account, refs, at))
  const ids = given.map(asUuid).filter((id) => id !== NIL)
  missed('click', stale.length > 0 ? 'expired' : ids.length > 0 ? 'unknown' : 'absent')

  for (const id of ids) {
    const lead = await originalLead(db, account.id, id)
    if (lead) return found({ leadId: lead.leadId, matchedBy: 'lead-id' })
  }
  missed('lead-id', ids.some((id) => !stale.includes(id)) ? 'unknown' : 'absent')
  const { coded, outcome } = await codeAmong(db, account, given)
  if (coded) return chosen(coded, await known(db, account, refs, at))
  missed('code', outcome)

  const byCustomer = await knownCustomer(db, account, refs)
  if (byCustomer?.matchedBy !== 'customer') missed('customer', refs.customer ? 'unknown' : 'absent')
  if (byCustomer) return found(matched(byCustomer))
  missed('external-id', refs.customer ? 'unknown' : 'absent')
  const byEmail = await knownEmail(db, account, refs, at)
  const coupon = await couponAmong(db, account, refs.promotionCodes ?? [])
  if (coupon.named) return chosen(coupon.named, byEmail)
  missed('coupon', coupon.outcome)
  if (byEmail) return found(matched(byEmail))
  missed('email', refs.email?.trim() ? 'unknown' : 'absent')
  return { match: null, tried }
}

/** Keeps a provider's customer with a lead: the first lead it is seen with. */
export async function rememberCustomer(
  tx: Transaction,
  accountId: string,
  { provider, customerId, leadId }: { provider: string; customerId: string; leadId: string },
): Promise<void> {
  await insertCustomer(tx, accountId, { provider, customerId, leadId })
}

const matched = ({ leadId, matchedBy }: Known): PaymentMatch => ({ leadId, matchedBy })

/** Why a lead that is known of the payer stays as it is, whoever the payment names; null where it does not. */
function whyKept(account: AccountFacts, named: Named, known: Known): MissedBecause | null {
  if (known.partnerId === named.partnerId) return null
  if (known.hasSales) return 'bought-before'
  // without a partner it gets one: capturing finds it again by its e-mail
  if (!known.partnerId) return known.matchedBy === 'email' ? null : 'customer-without-partner'
  return (named.model ?? account.attributionModel) === 'first-touch' ? 'first-touch' : null
}

/** Between the partner a payment names and a lead known of its payer. */
function choose(named: Named, known: Known | null, kept: MissedBecause | null): PaymentMatch {
  if (known && kept) return matched(known)
  if (known?.partnerId === named.partnerId) return { leadId: known.leadId, matchedBy: named.matchedBy }
  return { makeLead: named }
}

/** The first of these that is a click inside its window; and those outside. */
async function clickAmong(db: Queryable, account: AccountFacts, given: string[], at: Date) {
  const stale: string[] = []
  for (const id of given.map(asUuid).filter((id) => id !== NIL)) {
    const found = await resolveClick(db, account.id, id, at)
    if (found?.withinWindow) {
      const { partnerId, blueprintId, model } = found
      const click: Named = { partnerId, blueprintId, clickId: id, model, matchedBy: 'click' }
      return { click, stale }
    }
    if (found) stale.push(id)
  }
  return { click: null, stale }
}

async function codeAmong(db: Queryable, account: AccountFacts, given: string[]) {
  const codes = given.filter((value) => value.length <= 100)
  const own = codes.filter((value) => asUuid(value) === NIL)
  let outcome: MissedBecause = own.length > 0 ? 'unknown' : 'absent'
  for (const code of codes) {
    const partner = await findPartnerByCode(db, account.id, code)
    if (partner?.earns) return { coded: naming(account, partner.id, 'code'), outcome }
    if (partner) outcome = 'inactive'
  }
  return { coded: null, outcome }
}

async function couponAmong(db: Queryable, account: AccountFacts, entered: string[]) {
  const codes = entered.map((code) => code.trim()).filter((code) => code !== '' && code.length <= 100)
  const partners = codes.length > 0 ? await findPartnersByPromotionCodes(db, account.id, codes) : []
  const earning = partners.find(({ earns }) => earns)
  const outcome: MissedBecause = partners.length > 0 ? 'inactive' : codes.length > 0 ? 'unknown' : 'absent'
  return { named: earning ? naming(account, earning.id, 'coupon') : null, outcome }
}

const naming = (account: AccountFacts, partnerId: string, matchedBy: 'code' | 'coupon'): Named => ({
  partnerId,
  blueprintId: null,
  clickId: null,
  model: account.attributionModel,
  matchedBy,
})

const known = async (db: Queryable, account: AccountFacts, refs: PaymentReferences, at: Date) =>
  (await knownCustomer(db, account, refs)) ?? (await knownEmail(db, account, refs, at))

async function knownCustomer(
  db: Queryable,
  { id }: AccountFacts,
  { customer }: PaymentReferences,
): Promise<Known | null> {
  if (!customer) return null
  const lead = await leadOfCustomer(db, id, customer.provider, customer.id)
  if (lead) return { ...lead, matchedBy: 'customer' }
  const named = await leadOfExternalId(db, id, customer.id)
  return named ? { ...named, matchedBy: 'external-id' } : null
}

async function knownEmail(
  db: Queryable,
  { id }: AccountFacts,
  refs: PaymentReferences,
  at: Date,
): Promise<Known | null> {
  const email = refs.email?.trim().toLowerCase()
  const lead = email ? await leadOfEmail(db, id, email, at) : undefined
  return lead ? { ...lead, matchedBy: 'email' } : null
}
