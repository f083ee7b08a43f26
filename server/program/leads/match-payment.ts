import type { LeadMatchRule } from '#contract/leads.ts'
import type { MatchRule } from '#contract/sales.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { resolveClick } from '../clicks/attribution.ts'
import { readReferral } from '../clicks/read-referral.ts'
import {
  type CodesPartner,
  findPartnerByCode,
  findPartnersByPromotionCodes,
} from '../partner-directory/find-partner.ts'
import type { Attribution } from './find-credited-partner.ts'
import { type PaidAt, paidAt } from './payment-time.ts'
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

/**
 * The partner whom a returning customer's payment names, with what names them: the sale is theirs, the customer stays.
 * `isStated`: a person or a file says whose the sale is, so that neither what its subscription's first sale named nor the
 * setting by then counts.
 */
export type CreditTo = Pick<Attribution, 'partnerId' | 'blueprintId' | 'clickId' | 'linkId'> & {
  code?: string | undefined
  isStated?: true
}

export const statedAs = (partnerId: string): CreditTo => ({
  partnerId,
  blueprintId: null,
  clickId: null,
  isStated: true,
})

/**
 * The payment's lead, which `moveTo` is to get as its partner if set; or the attribution with which `captureLead` is to
 * create one. `isFirst`: the lead has no sale yet and is found by the payer's email or external ID alone. `creditTo`: the
 * partner whose sale it is instead of the lead's; `knownBy`: the rule that knows a customer found by who is named.
 */
export type PaymentMatch =
  | {
      leadId: string
      matchedBy: MatchRule
      moveTo?: string
      isFirst?: true
      creditTo?: CreditTo | undefined
      knownBy?: MatchRule
    }
  | { makeLead: Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule } }

type Lead = Pick<PayersLead, 'leadId' | 'partnerId'>
type Known = PayersLead & { matchedBy: 'customer' | 'external-id' | 'email' }
type Named = Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule }

/**
 * Why a rule did not find the lead. `absent`: the payment has no value for it. `unknown`: the value matches nothing.
 * `expired`: the click was outside its window. `inactive`: its partner gets no new credit, or got none at that moment.
 * `referred-later`, `given-later`: the lead was referred, or the partner got the code, after the payment. `rejected`:
 * it found a lead that the account rejected. `test-mode`: a live payment would have been its partner's. `outranked`:
 * another rule came first. `paid-before`: the customer had paid before the referral. `renewal`: the first sale of its
 * subscription had named its partner, too. The others name why its partner was passed over for a lead already known.
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
  | 'paid-before'
  | 'first-touch'
  | 'customer-without-partner'
  | 'renewal'
/** `partnerId`: the partner the rule would have credited. `code`: the partner's, if one named them. */
export type TriedRule = { rule: MatchRule; outcome: MissedBecause; partnerId?: string | null; code?: string }

/**
 * The match of a payment; null if no rule matches, so the sale is stored without a lead. `tried`: the rules before it,
 * in order, and those after it that name another partner. `partnerCode`: one of its promotion codes is some partner's.
 */
export type PaymentLookup = { match: PaymentMatch | null; tried: TriedRule[]; partnerCode: boolean }

/** The rules by which a payment names a partner; the others identify its payer. */
export const NAMING: readonly MatchRule[] = ['click', 'code', 'coupon']

/**
 * The rules in their order; `code-first` puts the promotion code before all others. For a returning customer whose orders
 * go to their latest click, those that name a partner come before those that identify the payer.
 */
const RULES = ['click', 'lead-id', 'code', 'customer', 'external-id', 'coupon', 'email'] as const
export function getRuleOrder({ attributionOrder }: AccountFacts, { isReturning = false } = {}) {
  const rules = isReturning ? RULES.toSorted((a, b) => Number(NAMING.includes(b)) - Number(NAMING.includes(a))) : RULES
  return attributionOrder === 'code-first' ? (['coupon', ...rules.filter((rule) => rule !== 'coupon')] as const) : rules
}

/**
 * Finds the lead of a payment, in the order of api.md section 8: its click, lead id or code; the provider's customer; a
 * lead whose external id is that customer; a promotion code's partner; the e-mail. Click, code and promotion code name
 * a partner: their lead for this person is used, or created. They are passed over if the payer already has a lead that
 * stays with another partner, which the later rules then find. Rules that only identify the payer, and promotion codes,
 * never match anything newer than the payment; a referral code, nothing newer than the payment's first record. If the
 * account's order is `code-first`, a promotion code is first, and only a customer who has bought before stays with
 * another partner. If orders of returning customers go to their latest click, who is named is asked before who pays, and a
 * customer who has bought stays: the sale alone is the named partner's.
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
  const missed = (rule: MatchRule, outcome: MissedBecause, partnerId: string | null = null, code?: string) => {
    if (!match || partnerId) tried.push({ rule, outcome, ...(partnerId && { partnerId }), ...(code && { code }) })
  }
  const found = (rule: MatchRule, of: PaymentMatch, partnerId: string | null, code?: string) => {
    if (match) return missed(rule, 'outranked', partnerId, code)
    match = of
    credited = partnerId
  }
  const foundLead = (rule: MatchRule, { leadId, partnerId }: Lead, code?: string) =>
    found(rule, { leadId, matchedBy: rule }, partnerId, code)
  /** Gives the payment to a lead that is found by who the payer is. */
  const foundPayer = (rule: 'customer' | 'external-id' | 'email', { leadId, partnerId, hasSales }: Known) =>
    found(rule, { leadId, matchedBy: rule, ...(rule !== 'customer' && !hasSales && { isFirst: true }) }, partnerId)

  const carried = await read(db, account, refs, { paid, recordedAt })
  const { payer, late } = await payersLead(db, account, refs, paid)
  const [click, ...otherClicks] = carried.clicks
  const own = click && (await leadMadeBy(db, account.id, click, paid))
  const coupons = await couponsAmong(db, account, refs.promotionCodes ?? [], { ...paid, recordedAt })
  const people = [own, carried.lead, payer].filter((lead): lead is PayersLead => Boolean(lead && !lead.rejected))
  const bought = people.find(({ hasSales }) => hasSales)
  const returning = account.returningCustomers === 'latest-click' ? bought : undefined
  const knownBy: MatchRule | undefined =
    bought === payer ? payer?.matchedBy : bought === carried.lead ? 'lead-id' : 'click'

  /** Gives the payment to the named partner unless the payer's lead stays with another. */
  const claim = (named: Named, code?: string) => {
    const { matchedBy, partnerId } = named
    if (returning) {
      const { leadId } = returning
      const { blueprintId, clickId, linkId } = named
      const creditTo = returning.partnerId === partnerId ? undefined : { partnerId, blueprintId, clickId, linkId, code }
      const match = { leadId, matchedBy, ...(creditTo && { creditTo }), ...(knownBy && { knownBy }) }
      return found(matchedBy, match, partnerId, code)
    }
    if (payer?.partnerId === partnerId) return foundLead(matchedBy, payer, code)
    const kept = payer && whyKept(account, named, payer)
    if (kept && !match) return missed(matchedBy, kept, partnerId, code)
    return found(matchedBy, { makeLead: named }, partnerId, code)
  }
  /** Gives the payment, with its lead, to the promotion code's partner unless the person has bought before. */
  const claimFirst = (named: Named, code?: string) => {
    const { matchedBy, partnerId } = named
    const person = bought ?? people[0]
    if (!person) return found(matchedBy, { makeLead: named }, partnerId, code)
    if (person.partnerId === partnerId) return foundLead(matchedBy, person, code)
    if (!person.hasSales)
      return found(matchedBy, { leadId: person.leadId, matchedBy, moveTo: partnerId }, partnerId, code)
    return missed(matchedBy, person.partnerId ? 'bought-before' : 'customer-without-partner', partnerId, code)
  }
  const byCodes = (rule: 'code' | 'coupon', { earning, missing }: Coded, claimIt = claim) => {
    const [first, ...rest] = earning
    if (first) claimIt(naming(account, first.id, rule), first.code)
    else missed(rule, missing.outcome, missing.partner?.id, missing.partner?.code)
    for (const { id, code } of rest) missed(rule, 'outranked', id, code)
  }
  const byCustomer = (rule: 'customer' | 'external-id') => {
    if (payer?.matchedBy === rule) foundPayer(rule, payer)
    else if (late[rule]) missed(rule, 'referred-later', late[rule].partnerId)
    else missed(rule, refs.customer ? 'unknown' : 'absent')
  }

  const ask: Record<(typeof RULES)[number], () => void> = {
    click() {
      const earning = returning ? carried.clicks.find(({ partnerId }) => !carried.gone.has(partnerId)) : click
      if (own) foundLead('click', own)
      else if (earning) claim(earning)
      else if (click) missed('click', 'inactive', click.partnerId)
      else missed('click', carried.stale ? 'expired' : carried.unknownId ? 'unknown' : 'absent')
      for (const other of otherClicks) if (other !== earning) missed('click', 'outranked', other.partnerId)
    },
    'lead-id'() {
      if (carried.lead) foundLead('lead-id', carried.lead)
      else missed('lead-id', carried.unknownId ? 'unknown' : 'absent')
    },
    code: () => byCodes('code', carried.codes),
    customer: () => byCustomer('customer'),
    'external-id': () => byCustomer('external-id'),
    coupon: () =>
      byCodes('coupon', coupons, account.attributionOrder === 'code-first' && !returning ? claimFirst : claim),
    email() {
      if (payer?.matchedBy === 'email') foundPayer('email', payer)
      else if (late.email) missed('email', 'referred-later', late.email.partnerId)
      else if (!payer) missed('email', refs.email?.trim() ? 'unknown' : 'absent')
    },
  }
  for (const rule of getRuleOrder(account, { isReturning: returning !== undefined })) ask[rule]()
  const partnerCode = coupons.earning.length > 0 || coupons.missing.partner !== undefined
  const others = tried.filter(({ outcome, partnerId }) => outcome !== 'outranked' || partnerId !== credited)
  return { match, tried: others, partnerCode }
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
type Coded = { earning: CodesPartner[]; missing: { outcome: MissedBecause; partner: CodesPartner | undefined } }

/** `until`: the latest assignment of a code to its partner that still counts. */
function codedBy(partners: CodesPartner[], { until, given }: { until: Date | null; given: boolean }): Coded {
  const inTime = partners.filter(({ since }) => !until || Date.parse(since) <= until.getTime())
  const outcome = inTime[0] ? 'inactive' : partners[0] ? 'given-later' : given ? 'unknown' : 'absent'
  return { earning: inTime.filter(({ earns }) => earns), missing: { outcome, partner: inTime[0] ?? partners[0] } }
}

/** The resolved references of a payment, from all its fields. */
type Carried = {
  /** The clicks inside their windows. */
  clicks: Named[]
  /** The partners of clicks who earn nothing more. */
  gone: Set<string>
  /** A click was outside its window. */
  stale: boolean
  lead: PayersLead | undefined
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
  const gone = new Set<string>()
  const partners: CodesPartner[] = []
  let lead: Carried['lead']
  let [stale, unknownId, texts] = [false, false, false]
  for (const value of given) {
    const { codes, click: id } = await readReferral(db, account.id, value, value === refs.referralCode?.trim())
    const click = id ? await resolveClick(db, account.id, id, paid.at) : undefined
    if (!click && (!id || codes.length > 0)) {
      const partner =
        codes.length > 0 ? await findPartnerByCode(db, account.id, codes, { ...paid, recordedAt }) : undefined
      if (partner) partners.push(partner)
      texts = true
      continue
    }
    if (click?.gone) gone.add(click.partnerId)
    if (click?.withinWindow) {
      const { partnerId, blueprintId, linkId, subId, model, country } = click
      clicks.push({ partnerId, blueprintId, linkId, subId, clickId: id, model, matchedBy: 'click', country })
    } else if (click) stale = true
    const named = click ? undefined : await originalLead(db, account.id, id, paid)
    lead ??= named
    unknownId ||= !click && !named
  }
  const until = recordedAt && paidAt(recordedAt > paid.at ? recordedAt : paid.at).referredBy
  return { clicks, gone, stale, lead, unknownId, codes: codedBy(partners, { until, given: texts }) }
}

type Recorded = PaidAt & { recordedAt: Date | null }

async function couponsAmong(db: Queryable, account: AccountFacts, entered: string[], paid: Recorded) {
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

/** Finds the lead that a click made, unless another partner's referral of it came after the payment. */
async function leadMadeBy(db: Queryable, accountId: string, { clickId, partnerId }: Named, paid: PaidAt) {
  const lead = await leadOfClick(db, accountId, clickId!, paid)
  return lead && (lead.inTime || lead.partnerId === partnerId) ? lead : undefined
}

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
