import type { MatchRule } from '#contract/sales.ts'
import { Email } from '#contract/values.ts'
import { system } from '../../platform/author.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { rewardsOfPartners } from '../../program/access/customer-groups.ts'
import { captureLead } from '../../program/leads/capture-lead.ts'
import { lockLeads } from '../../program/leads/lead-facts.ts'
import { changeLeadStatus } from '../../program/leads/lead-status.ts'
import { findLeadForPayment, type PaymentLookup, rememberCustomer } from '../../program/leads/match-payment.ts'
import type { PaymentMatch } from '../../program/leads/match-rules.ts'
import { moveByPromotion } from '../../program/leads/move-lead.ts'
import { hasSales } from '../../program/leads/payment-time.ts'
import { parseText } from './parse-values.ts'
import type { PaidBefore, Payer } from './provider.ts'

const refsOf = ({ references, promotionCodes, customerId, email }: Payer, shopId: string) => ({
  references,
  promotionCodes,
  customer: customerId ? { shopId, id: customerId } : null,
  email: Email.safeParse(email).data ?? null,
})

export type PayerMatch = Pick<
  Extract<PaymentMatch, { leadId: string }>,
  'leadId' | 'matchedBy' | 'creditTo' | 'knownBy'
>
/** `tried`: the rules that did not find it, as an explanation. `partnerCode`: as in `PaymentLookup`. */
type Explained = Pick<PaymentLookup, 'tried' | 'partnerCode'>
export type PayerLookup = Explained & { match: PayerMatch | null }
export type TestMatch = Explained & { leadId: string | null; matchedBy: MatchRule | null }

/** `recordedAt`: set for the repeated look-up of a sale. `paidBefore`: omitted if the provider can't be asked. */
type About = {
  shopId: string
  at: Date
  hasPaid: boolean
  recordedAt?: Date | null
  paidBefore?: PaidBefore | undefined
}

/**
 * Finds the payer's lead, in the order of api.md section 8; creates one if a click or a code is named but no lead
 * known. Stores its customer id for later payments of the shop.
 */
export async function matchPayer(
  tx: Transaction,
  account: AccountFacts,
  payer: Payer,
  { shopId, at, hasPaid, recordedAt = null, paidBefore }: About,
): Promise<PayerLookup> {
  const { customerId } = payer
  if (customerId) await lockKeys(tx, [{ accountId: account.id, name: `customer ${shopId} ${customerId}` }])
  const refs = refsOf(payer, shopId)
  const { email } = refs
  const { match: found, ...explained } = await findLeadForPayment(tx, account, refs, at, { recordedAt })
  if (!found) return { match: null, ...explained }
  let match: PayerMatch
  if (customerId && paidBefore) {
    const credited = await paidBeforeReferral(tx, account, found, { customerId, at, paidBefore })
    if (credited) {
      const { matchedBy: rule } = 'leadId' in found ? found : found.makeLead
      const outcome = { rule, outcome: 'paid-before', partnerId: credited } as const
      return { ...explained, match: null, tried: [...explained.tried, outcome] }
    }
  }
  if ('leadId' in found) {
    const { isFirst: _, moveTo, ...known } = found
    if (moveTo) await moveByPromotion(tx, system, account, known.leadId, { partnerId: moveTo, at })
    match = known
  }
  // a person who cannot be found again becomes a lead only by paying
  else if (!hasPaid && !email && !customerId) return { match: null, ...explained }
  else {
    const submission = {
      source: 'provider' as const,
      email,
      hasPaid: true,
      ...namesOf(payer.name),
      attribution: found.makeLead,
      at,
    }
    const { leadId } = await captureLead(tx, account, submission)
    match = { leadId, matchedBy: found.makeLead.matchedBy }
  }
  if (customerId) await rememberCustomer(tx, account.id, { shopId, customerId, leadId: match.leadId })
  return { match, ...explained }
}

const GRACE_MS = 5 * 60_000

type Payment = { customerId: string; at: Date; paidBefore: PaidBefore }

/**
 * Returns the partner who would be credited for a customer who had paid before they were referred, and rejects the lead;
 * null if there is none. Only a lead's first sale is judged, and only one found by its email or external ID alone: a
 * click or a code names the partner. Of a partner who is a customer themselves it is judged whatever named them.
 */
async function paidBeforeReferral(
  tx: Transaction,
  account: AccountFacts,
  found: PaymentMatch,
  payment: Payment,
): Promise<string | null> {
  if ('makeLead' in found) {
    const { partnerId } = found.makeLead
    const isByCustomer = (await rewardsOfPartners(tx, account.id, [partnerId])).has(partnerId)
    return isByCustomer && hasPaidBefore(payment, await clickedAt(tx, account.id, found.makeLead)) ? partnerId : null
  }
  const { leadId, isFirst, moveTo } = found
  if (!isFirst && !(await isFirstOfCustomers(tx, account.id, found))) return null
  const [lead] = await lockLeads(tx, [account.id], [leadId])
  if (!lead?.partnerId || !hasPaidBefore(payment, lead.attributedAt)) return null
  if (lead.status === 'new' || lead.status === 'qualified')
    await changeLeadStatus(tx, system, account, leadId, { status: 'rejected', reason: 'existing-customer' })
  return moveTo ?? lead.partnerId
}

/** The payment itself may be a little older than its referral: clocks differ. */
const hasPaidBefore = ({ customerId, at, paidBefore }: Payment, referredAt: string | null) =>
  paidBefore(customerId, new Date(Math.min(Date.parse(referredAt ?? at.toISOString()), at.getTime()) - GRACE_MS))

/** Returns the time of the click that names a partner, null if a code does. */
async function clickedAt(tx: Transaction, accountId: string, { clickId }: { clickId: string | null }) {
  const click = await tx.maybe<{
    at: string
  }>`select at from clicks where account_id = ${accountId} and id = ${clickId}`
  return click?.at ?? null
}

/** Returns whether a lead without a sale is credited to a customer. */
async function isFirstOfCustomers(
  tx: Transaction,
  accountId: string,
  { leadId, moveTo }: Extract<PaymentMatch, { leadId: string }>,
): Promise<boolean> {
  const first = await tx.maybe`
    select from leads t
      join partners p on p.account_id = ${accountId} and p.id = coalesce(${moveTo ?? null}::uuid, t.partner_id)
      join groups g on g.account_id = ${accountId} and g.id = p.group_id and g.kind = 'customers'
    where t.account_id = ${accountId} and t.id = ${leadId} and not ${hasSales(sql`${accountId}`)}`
  return first !== undefined
}

/**
 * Returns the lead of a test-mode payment, and the matching rule; null if it would create a lead. Stores nothing about
 * the payer. `tried` includes the partner who would earn.
 */
export async function matchInTest(
  tx: Transaction,
  account: AccountFacts,
  payer: Payer,
  { shopId, at }: Pick<About, 'shopId' | 'at'>,
): Promise<TestMatch> {
  const { match: found, tried, partnerCode } = await findLeadForPayment(tx, account, refsOf(payer, shopId), at)
  if (!found) return { leadId: null, matchedBy: null, tried, partnerCode }
  const { matchedBy } = 'leadId' in found ? found : found.makeLead
  const leadId = 'leadId' in found ? found.leadId : null
  const [lead] = leadId ? await lockLeads(tx, [account.id], [leadId]) : []
  const partnerId =
    'leadId' in found
      ? (found.creditTo?.partnerId ?? found.moveTo ?? lead?.partnerId ?? null)
      : found.makeLead.partnerId
  const outcome = lead?.status === 'rejected' ? ('rejected' as const) : ('test-mode' as const)
  return { leadId, matchedBy, tried: [...tried, { rule: matchedBy, outcome, partnerId }], partnerCode }
}

/** Splits a name from a card or a form: the last word is the last name. */
function namesOf(name: string | null) {
  const words = name?.trim().split(/\s+/) ?? []
  const lastName = words.length > 1 ? words.pop()! : null
  return { firstName: parseText(words.join(' '), 100), lastName: parseText(lastName, 100) }
}
