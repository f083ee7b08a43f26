import type { MatchRule, PaymentProvider } from '#contract/sales.ts'
import { Email } from '#contract/values.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { captureLead } from '../../program/leads/capture-lead.ts'
import { findLeadForPayment, rememberCustomer, type Tried } from '../../program/leads/match-payment.ts'
import type { Counts } from '../../program/stats/count.ts'
import type { Payer } from './provider.ts'

export type PayerMatch = { leadId: string; matchedBy: MatchRule }
/** `tried`: the rules that did not find it, for who asks why. */
export type PayerLookup = { match: PayerMatch | null; tried: Tried[] }

/**
 * The lead of who pays, by the order of api.md section 8, made where a click or a code is named but no lead known; its
 * customer is remembered for later payments. `paymentId` names a lead that has neither e-mail nor customer.
 */
export async function matchPayer(
  tx: Transaction,
  account: AccountFacts,
  payer: Payer,
  { provider, at, paymentId }: { provider: PaymentProvider; at: Date; paymentId: string },
  counts?: Counts,
): Promise<PayerLookup> {
  const { references, promotionCodes, customerId } = payer
  const email = Email.safeParse(payer.email).data ?? null
  const customer = customerId ? { provider, id: customerId } : null
  const refs = { references, promotionCodes, customer, email }
  const { match: found, tried } = await findLeadForPayment(tx, account, refs, at)
  if (!found) return { match: null, tried }
  let match: PayerMatch
  if ('leadId' in found) match = found
  else {
    const submission = {
      source: 'provider' as const,
      email,
      externalId: email ? null : (customerId ?? paymentId),
      ...namesOf(payer.name),
      attribution: found.makeLead,
      at,
    }
    const { leadId } = await captureLead(tx, account, submission, counts)
    match = { leadId, matchedBy: found.makeLead.matchedBy }
  }
  if (customerId) await rememberCustomer(tx, account.id, { provider, customerId, leadId: match.leadId })
  return { match, tried }
}

/** A name as a card or a form has it: the last word is the last name. */
function namesOf(name: string | null) {
  const words = name?.trim().split(/\s+/) ?? []
  const lastName = words.length > 1 ? words.pop()! : null
  return { firstName: words.join(' ').slice(0, 100) || null, lastName: lastName?.slice(0, 100) ?? null }
}
