import type { LeadMatchRule } from '#contract/leads.ts'
import type { MatchRule } from '#contract/sales.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { resolveClick } from '../clicks/attribution.ts'
import { type CodesPartner, findPartnerByCode, findPartnersByPromotionCodes } from '../partner-lookup/find-partner.ts'
import type { Attribution } from './attribution.ts'
import { type PaidAt, paidAt } from './paid-at.ts'
import {
  insertCustomer,
  leadOfClick,
  leadOfCustomer,
  leadOfEmail,
  leadOfExternalId,
  originalLead,
  type PayersLead,
} from './queries.ts'

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

/** The payment's lead; or the attribution with which `captureLead` is to create one. */
export type PaymentMatch =
  | { leadId: string; matchedBy: MatchRule }
  | { makeLead: Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule } }

type Known = PayersLead & { matchedBy: 'customer' | 'external-id' | 'email' }
type Named = Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule }

/**
 * Why a rule did not find the lead. `absent`: the payment has no value for it. `unknown`: the value matches nothing.
 * `expired`: the click was outside its window. `inactive`: its partner gets no new credit, or got none at that moment.
 * `referred-later`, `given-later`: the lead was referred, or the partner got the code, after the payment. `rejected`:
 * it found a lead that the account rejected. `test-mode`: a live payment would have been its partner's. `outranked`:
 * another rule came first. The others name why its partner was passed over for a lead already known.
 */
export type MissedBecause =
  | 'absent'
  | 'unknown'
  | 'expired'
  | 'inactive'
  | 'referred-later'
  | 'given-later'
  | 'rejected'
  | 'test-mode'
  | 'outranked'
  | 'bought-before'
  | 'first-touch'
  | 'customer-without-partner'
/** `partnerId`: the partner the rule would have credited. */
export type TriedRule = { rule: MatchRule; outcome: MissedBecause; partnerId?: string | null }

/**
 * The match of a payment; null if no rule matches, so the sale is stored without a lead. `tried`: the rules before it,
 * in order, and those after it that name another partner.
 */
export type PaymentLookup = { match: PaymentMatch | null; tried: TriedRule[] }

/**
 * Finds the lead of a payment, in the order of api.md section 8: its click, lead id or code; the provider's customer; a
 * lead whose external id is that customer; a promotion code's partner; the e-mail. Click, code and promotion code name
 * a partner: their lead for this person is used, or created. They are passed over if the payer already has a lead that
 * stays with another partner, which the later rules then find. Rules that only identify the payer, and promotion codes,
 * never match anything newer than the payment; a referral code, nothing newer than the payment's first record.
 */
export async function findLeadForPayment(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  at: Date,
  { paid = paidAt(at), recordedAt = null }: { paid?: PaidAt; recordedAt?: Date | null } = {},
): Promise<PaymentLookup> {
  const tried: TriedRule[] = []
  let match: PaymentMatch | null = null
  let credited: string | null = null
  /** After a match, records another rule only for the partner it names. */
  const missed = (rule: MatchRule, outcome: MissedBecause, partnerId: string | null = null) => {
    if (!match || partnerId) tried.push({ rule, outcome, ...(partnerId && { partnerId }) })
  }
  const found = (rule: MatchRule, of: PaymentMatch, partnerId: string | null) => {
    if (match) return missed(rule, 'outranked', partnerId)
    match = of
    credited = partnerId
  }
  const foundLead = (matchedBy: MatchRule, { leadId, partnerId }: Pick<PayersLead, 'leadId' | 'partnerId'>) =>
    found(matchedBy, { leadId, matchedBy }, partnerId)

  const carried = await read(db, account, refs, { paid, recordedAt })
  const { payer, late } = await payersLead(db, account, refs, paid)
  /** Gives the payment to the named partner unless the payer's lead stays with another. */
  const claim = (named: Named) => {
    const { matchedBy, partnerId } = named
    if (payer?.partnerId === partnerId) return foundLead(matchedBy, payer)
    const kept = payer && whyKept(account, named, payer)
    if (kept && !match) return missed(matchedBy, kept, partnerId)
    return found(matchedBy, { makeLead: named }, partnerId)
  }
  const others = (of: Named[]) => {
    for (const { matchedBy, partnerId } of of) missed(matchedBy, 'outranked', partnerId)
  }

  const [click, ...otherClicks] = carried.clicks
  if (click) {
    const own = await leadOfClick(db, account.id, click.clickId!, paid)
    if (own && (own.inTime || own.partnerId === click.partnerId)) foundLead('click', own)
    else claim(click)
  } else missed('click', carried.stale ? 'expired' : carried.unknownId ? 'unknown' : 'absent')
  others(otherClicks)

  if (carried.lead) foundLead('lead-id', carried.lead)
  else missed('lead-id', carried.unknownId ? 'unknown' : 'absent')

  const byCodes = (rule: 'code' | 'coupon', { earning, missing }: Coded) => {
    const [first, ...rest] = earning.map(({ id }) => naming(account, id, rule))
    if (first) claim(first)
    else missed(rule, missing.outcome, missing.partnerId)
    others(rest)
  }
  byCodes('code', carried.codes)

  for (const rule of ['customer', 'external-id'] as const) {
    if (payer?.matchedBy === rule) foundLead(rule, payer)
    else if (late[rule]) missed(rule, 'referred-later', late[rule].partnerId)
    else missed(rule, refs.customer ? 'unknown' : 'absent')
  }

  byCodes('coupon', await couponsAmong(db, account, refs.promotionCodes ?? [], paid))

  if (payer?.matchedBy === 'email') foundLead('email', payer)
  else if (late.email) missed('email', 'referred-later', late.email.partnerId)
  else if (!payer) missed('email', refs.email?.trim() ? 'unknown' : 'absent')
  return { match, tried: tried.filter(({ outcome, partnerId }) => outcome !== 'outranked' || partnerId !== credited) }
}

/** Links a shop's customer to a lead: the first lead it is seen with. */
export async function rememberCustomer(
  tx: Transaction,
  accountId: string,
  { shopId, customerId, leadId }: { shopId: string; customerId: string; leadId: string },
): Promise<void> {
  await insertCustomer(tx, accountId, { shopId, customerId, leadId })
}

/** Returns why the payer's known lead keeps its partner whatever the payment names; null if it does not. */
function whyKept(account: AccountFacts, named: Named, payer: Known): MissedBecause | null {
  if (payer.rejected) return null
  // without a partner or sales it gets one: `captureLead` finds it again by its e-mail
  if (!payer.partnerId) return payer.matchedBy === 'email' && !payer.hasSales ? null : 'customer-without-partner'
  if (payer.hasSales) return 'bought-before'
  return (named.model ?? account.attributionModel) === 'first-touch' ? 'first-touch' : null
}

/** The partners credited for a payment by their codes; if none, the reason. */
type Coded = { earning: CodesPartner[]; missing: { outcome: MissedBecause; partnerId: string | null } }

/** `until`: the latest assignment of a code to its partner that still counts. */
function codedBy(partners: CodesPartner[], { until, given }: { until: Date | null; given: boolean }): Coded {
  const inTime = partners.filter(({ since }) => !until || Date.parse(since) <= until.getTime())
  const outcome = inTime[0] ? 'inactive' : partners[0] ? 'given-later' : given ? 'unknown' : 'absent'
  const partnerId = (inTime[0] ?? partners[0])?.id ?? null
  return { earning: inTime.filter(({ earns }) => earns), missing: { outcome, partnerId } }
}

/** The resolved references of a payment, from all its fields. */
type Carried = {
  /** The clicks inside their windows. */
  clicks: Named[]
  /** A click was outside its window. */
  stale: boolean
  lead: { leadId: string; partnerId: string | null } | undefined
  codes: Coded
  /** There is an id that is neither a click's nor a lead's. */
  unknownId: boolean
}

async function read(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  { paid, recordedAt }: { paid: PaidAt; recordedAt: Date | null },
): Promise<Carried> {
  const values = [refs.clickId, refs.leadId, refs.referralCode, ...refs.references]
  const given = new Set(values.map((value) => value?.trim()).filter((value): value is string => Boolean(value)))
  const clicks: Named[] = []
  const partners: CodesPartner[] = []
  let lead: Carried['lead']
  let [stale, unknownId, texts] = [false, false, false]
  for (const value of given) {
    const id = asUuid(value)
    if (id === NIL) {
      const partner = value.length <= 100 ? await findPartnerByCode(db, account.id, value, paid) : undefined
      if (partner) partners.push(partner)
      texts = true
      continue
    }
    const click = await resolveClick(db, account.id, id, paid.at)
    if (click?.withinWindow) {
      const { partnerId, blueprintId, model, country } = click
      clicks.push({ partnerId, blueprintId, clickId: id, model, matchedBy: 'click', country })
    } else if (click) stale = true
    const named = click ? undefined : await originalLead(db, account.id, id)
    lead ??= named
    unknownId ||= !click && !named
  }
  const until = recordedAt && paidAt(recordedAt > paid.at ? recordedAt : paid.at).referredBy
  return { clicks, stale, lead, unknownId, codes: codedBy(partners, { until, given: texts }) }
}

async function couponsAmong(db: Queryable, account: AccountFacts, entered: string[], paid: PaidAt) {
  const codes = entered.map((code) => code.trim()).filter((code) => code !== '' && code.length <= 100)
  const partners = codes.length > 0 ? await findPartnersByPromotionCodes(db, account.id, codes, paid) : []
  return codedBy(partners, { until: paid.referredBy, given: codes.length > 0 })
}

const naming = (account: AccountFacts, partnerId: string, matchedBy: 'code' | 'coupon'): Named => ({
  partnerId,
  blueprintId: null,
  clickId: null,
  model: account.attributionModel,
  matchedBy,
})

/**
 * Finds the payer's known lead: by the provider's customer, else by their e-mail. `late`: those referred after the
 * payment.
 */
async function payersLead(
  db: Queryable,
  { id }: AccountFacts,
  { customer, email }: PaymentReferences,
  paid: PaidAt,
): Promise<{ payer: Known | null; late: Partial<Record<Known['matchedBy'], Known>> }> {
  const late: Partial<Record<Known['matchedBy'], Known>> = {}
  const address = email?.trim().toLowerCase()
  const ways = {
    customer: async () => customer && leadOfCustomer(db, id, customer, paid),
    'external-id': async () => customer && leadOfExternalId(db, id, customer.id, paid),
    email: async () => address && leadOfEmail(db, id, address, paid),
  }
  for (const matchedBy of ['customer', 'external-id', 'email'] as const) {
    const lead = await ways[matchedBy]()
    if (!lead) continue
    if (lead.inTime) return { payer: { ...lead, matchedBy }, late }
    late[matchedBy] = { ...lead, matchedBy }
  }
  return { payer: null, late }
}
