import type { LeadMatchRule } from '#contract/leads.ts'
import type { MatchRule } from '#contract/sales.ts'
import { resolveClick } from '../clicks/attribution.ts'
import { asUuid, NIL } from '../database/ids.ts'
import type { Queryable, Transaction } from '../database/pool.ts'
import type { AccountFacts } from '../http/access.ts'
import { findPartner, findPartnerByCode } from '../partners/find-partner.ts'
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
  /** The partner a promotion code is bound to. */
  couponPartnerId?: string | null | undefined
}

/** The payment's lead; or whom to make one for, by `captureLead` with this attribution. */
export type PaymentMatch =
  | { leadId: string; matchedBy: MatchRule }
  | { makeLead: Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule } }

type Known = { leadId: string; matchedBy: MatchRule; partnerId: string | null; hasSales: boolean }
type Named = Omit<Attribution, 'matchedBy'> & { matchedBy: LeadMatchRule & MatchRule }

/**
 * The lead of a payment, in the order of api.md section 8: click, lead id or code it carries; the provider's customer; a
 * lead whose external id is that customer; a promotion code's partner; the e-mail. A click or code names a partner: his
 * lead of this person, else one to make. A customer who has bought stays with the partner of the first sale.
 * Null: nothing matches, so the sale is kept without a lead.
 */
export async function findLeadForPayment(
  db: Queryable,
  account: AccountFacts,
  refs: PaymentReferences,
  at: Date,
): Promise<PaymentMatch | null> {
  const values = [refs.clickId, refs.leadId, refs.referralCode, ...refs.references]
  const given = [...new Set(values.filter((value): value is string => Boolean(value?.trim())).map((v) => v.trim()))]

  const click = await clickAmong(db, account, given, at)
  const byClick = click && (await leadOfClick(db, account.id, click.clickId!))
  if (byClick) return { leadId: byClick.leadId, matchedBy: 'click' }
  if (click) return settle(account, click, await known(db, account, refs, at))

  for (const id of given.map(asUuid).filter((id) => id !== NIL)) {
    const lead = await originalLead(db, account.id, id)
    if (lead) return { leadId: lead.leadId, matchedBy: 'lead-id' }
  }
  const coded = await codeAmong(db, account, given)
  if (coded) return settle(account, coded, await known(db, account, refs, at))

  const byCustomer = await knownCustomer(db, account, refs)
  if (byCustomer) return matched(byCustomer)
  const byEmail = await knownEmail(db, account, refs, at)
  const coupon = await couponPartner(db, account, refs)
  if (coupon) return settle(account, coupon, byEmail)
  return byEmail && matched(byEmail)
}

/** Keeps a provider's customer with a lead: the first lead it is seen with. */
export async function rememberCustomer(
  tx: Transaction,
  accountId: string,
  provider: string,
  customerId: string,
  leadId: string,
): Promise<void> {
  await insertCustomer(tx, accountId, provider, customerId, leadId)
}

const matched = ({ leadId, matchedBy }: Known): PaymentMatch => ({ leadId, matchedBy })

/** Between the partner a payment names and a lead known of its payer. */
function settle(account: AccountFacts, named: Named, known: Known | null): PaymentMatch {
  if (!known) return { makeLead: named }
  if (known.partnerId === named.partnerId) return { leadId: known.leadId, matchedBy: named.matchedBy }
  if (known.hasSales) return matched(known)
  // without a partner it gets one: capturing finds it again by its e-mail
  if (!known.partnerId) return known.matchedBy === 'email' ? { makeLead: named } : matched(known)
  return (named.model ?? account.attributionModel) === 'first-touch' ? matched(known) : { makeLead: named }
}

async function clickAmong(db: Queryable, account: AccountFacts, given: string[], at: Date): Promise<Named | null> {
  for (const id of given.map(asUuid).filter((id) => id !== NIL)) {
    const click = await resolveClick(db, account.id, id, at)
    if (!click?.withinWindow) continue
    const { partnerId, blueprintId, model } = click
    return { partnerId, blueprintId, clickId: id, model, matchedBy: 'click' }
  }
  return null
}

async function codeAmong(db: Queryable, account: AccountFacts, given: string[]): Promise<Named | null> {
  for (const code of given.filter((value) => value.length <= 100)) {
    const partner = await findPartnerByCode(db, account.id, code)
    if (partner?.earns) return naming(account, partner.id, 'code')
  }
  return null
}

async function couponPartner(db: Queryable, account: AccountFacts, { couponPartnerId }: PaymentReferences) {
  const partner = couponPartnerId ? await findPartner(db, account.id, couponPartnerId) : undefined
  return partner?.earns ? naming(account, partner.id, 'coupon') : null
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
