import type { AccountFacts } from '../access/account-facts.ts'

/** A fraud rule's finding, with its consequence by the account's policy. */
export type Hold = {
  rule: 'self-referral'
  policy: 'flag' | 'hold' | 'refuse'
  /** The finding, in words for the owner. */
  reason: string
  /** End of the hold on the commission; null without one. */
  until: string | null
}

/** Days after which a hold without a decision ends. */
const HELD_DAYS = 30

/** The referrer's and the customer's e-mails of a sale. */
export type Suspect = { referrerEmails: string[]; leadEmail: string | null; payerEmail: string | null }

/**
 * Detects a self-referral, the first rule: the customer's e-mail is the referring partner's own (product.md, sections
 * 12 and 16). Null if there is none, or the account allows it.
 */
export function findSelfReferral(policy: AccountFacts['selfReferralPolicy'], suspect: Suspect, now: Date): Hold | null {
  if (policy === 'allow') return null
  const { referrerEmails, leadEmail } = suspect
  const payerEmail = suspect.payerEmail?.toLowerCase() ?? null
  const seen = [
    leadEmail && referrerEmails.includes(leadEmail) && 'The lead’s email is the referring partner’s own.',
    payerEmail && referrerEmails.includes(payerEmail) && 'The payer’s email is the referring partner’s own.',
  ].find(Boolean)
  if (!seen) return null
  const until = policy === 'hold' ? new Date(now.getTime() + HELD_DAYS * 86_400_000).toISOString() : null
  return { rule: 'self-referral', policy, reason: seen, until }
}
