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
  /** Of a shop, a provider's account. */
  customer?: { shopId: string; id: string } | null | undefined
  email?: string | null | undefined
  /** The promotion codes the buyer entered. */
  promotionCodes?: string[] | undefined
}

/** The payment's lead; or whom to make one for, by `captureLead` with this attribution. */
export type PaymentMatch =
  | { leadId: string; matchedBy: MatchRule }
  | { makeLead: Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule } }

type Known = {
  leadId: string
  matchedBy: 'customer' | 'external-id' | 'email'
  partnerId: string | null
  hasSales: boolean
}
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
 * lead whose external id is that customer; a promotion code's partner; the e-mail. Click, code and promotion code name a
 * partner: their lead of this person, else one to make. They give way to a lead of the payer that stays with another,
 * which the rules after them then find.
 */
export async function findLeadForPayment(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  at: Date,
): Promise<PaymentLookup> {
  const tried: Tried[] = []
  const missed = (rule: MatchRule, outcome: MissedBecause) => void tried.push({ rule, outcome })
  const found = (match: PaymentMatch): PaymentLookup => ({ match, tried })
  const carried = await read(db, account, refs, at)
  const payer = await payersLead(db, account, refs, at)
  /** The match by a partner that is named; nothing where the payer's lead is not theirs to have. */
  const claim = (named: Named): PaymentMatch | null => {
    if (payer?.partnerId === named.partnerId) return { leadId: payer.leadId, matchedBy: named.matchedBy }
    const kept = payer && whyKept(account, named, payer)
    if (!kept) return { makeLead: named }
    missed(named.matchedBy, kept)
    return null
  }

  const { click } = carried
  if (click) {
    const own = await leadOfClick(db, account.id, click.clickId!)
    const match = own ? { leadId: own.leadId, matchedBy: click.matchedBy } : claim(click)
    if (match) return found(match)
  } else missed('click', carried.stale ? 'expired' : carried.unknownId ? 'unknown' : 'absent')

  if (carried.leadId) return found({ leadId: carried.leadId, matchedBy: 'lead-id' })
  missed('lead-id', carried.unknownId ? 'unknown' : 'absent')

  const code = carried.partnerId && claim(naming(account, carried.partnerId, 'code'))
  if (code) return found(code)
  if (!carried.partnerId) missed('code', carried.inactive ? 'inactive' : carried.unknownText ? 'unknown' : 'absent')

  for (const rule of ['customer', 'external-id'] as const) {
    if (payer?.matchedBy === rule) return found({ leadId: payer.leadId, matchedBy: rule })
    missed(rule, refs.customer ? 'unknown' : 'absent')
  }

  const coupon = await couponAmong(db, account, refs.promotionCodes ?? [])
  const byCoupon = coupon.named && claim(coupon.named)
  if (byCoupon) return found(byCoupon)
  if (!coupon.named) missed('coupon', coupon.outcome)

  if (payer) return found({ leadId: payer.leadId, matchedBy: 'email' })
  missed('email', refs.email?.trim() ? 'unknown' : 'absent')
  return { match: null, tried }
}

/** Keeps a shop's customer with a lead: the first lead it is seen with. */
export async function rememberCustomer(
  tx: Transaction,
  accountId: string,
  { shopId, customerId, leadId }: { shopId: string; customerId: string; leadId: string },
): Promise<void> {
  await insertCustomer(tx, accountId, { shopId, customerId, leadId })
}

/** Why a lead that is known of the payer stays as it is, whoever the payment names; null where it does not. */
function whyKept(account: AccountFacts, named: Named, payer: Known): MissedBecause | null {
  // without a partner or sales it gets one: capturing finds it again by its e-mail
  if (!payer.partnerId) return payer.matchedBy === 'email' && !payer.hasSales ? null : 'customer-without-partner'
  if (payer.hasSales) return 'bought-before'
  return (named.model ?? account.attributionModel) === 'first-touch' ? 'first-touch' : null
}

/** What the values a payment carries turn out to be, whichever place each stands in. */
type Carried = {
  /** The first click inside its window. */
  click: Named | null
  /** A click was outside its window. */
  stale: boolean
  leadId: string | null
  /** Whose code it is, where they get new credit. */
  partnerId: string | null
  inactive: boolean
  /** An id that is neither a click's nor a lead's. */
  unknownId: boolean
  /** A text that is no partner's code. */
  unknownText: boolean
}

async function read(db: Queryable, account: AccountFacts, refs: PaymentReferences, at: Date): Promise<Carried> {
  const values = [refs.clickId, refs.leadId, refs.referralCode, ...refs.references]
  const given = new Set(values.map((value) => value?.trim()).filter((value): value is string => Boolean(value)))
  const carried: Carried = {
    ...{ click: null, stale: false, leadId: null, partnerId: null },
    ...{ inactive: false, unknownId: false, unknownText: false },
  }
  for (const value of given) {
    const id = asUuid(value)
    if (id === NIL) {
      const partner = value.length <= 100 ? await findPartnerByCode(db, account.id, value) : undefined
      if (partner?.earns) carried.partnerId ??= partner.id
      carried.inactive ||= partner?.earns === false
      carried.unknownText ||= !partner
      continue
    }
    const click = await resolveClick(db, account.id, id, at)
    if (click?.withinWindow) {
      const { partnerId, blueprintId, model } = click
      carried.click ??= { partnerId, blueprintId, clickId: id, model, matchedBy: 'click' }
    } else if (click) carried.stale = true
    const lead = click ? undefined : await originalLead(db, account.id, id)
    if (lead) carried.leadId ??= lead.leadId
    carried.unknownId ||= !click && !lead
  }
  return carried
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

/** The lead that is known of whoever pays: by the provider's customer, else by their e-mail. */
async function payersLead(
  db: Queryable,
  { id }: AccountFacts,
  { customer, email }: PaymentReferences,
  at: Date,
): Promise<Known | null> {
  const byCustomer = customer && (await leadOfCustomer(db, id, customer.shopId, customer.id))
  if (byCustomer) return { ...byCustomer, matchedBy: 'customer' }
  const byExternalId = customer && (await leadOfExternalId(db, id, customer.id))
  if (byExternalId) return { ...byExternalId, matchedBy: 'external-id' }
  const address = email?.trim().toLowerCase()
  const byEmail = address ? await leadOfEmail(db, id, address, at) : undefined
  return byEmail ? { ...byEmail, matchedBy: 'email' } : null
}
