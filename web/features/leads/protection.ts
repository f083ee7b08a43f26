import type { Lead } from '#contract/leads.ts'
import { formatDate, formatDateAt } from '../../format.ts'
import { leadWords } from '../../words/leads.ts'

/**
 * Returns the lead's protection against other registrations: 'Protected until Feb 16, 2027.' Null for a duplicate, as
 * the first registration is the protected one, and for a rejected lead.
 */
export function formatProtection(
  { status, protectedUntil }: Pick<Lead, 'status' | 'protectedUntil'>,
  timeZone: string,
) {
  if (status === 'duplicate' || status === 'rejected') return null
  if (!protectedUntil) return leadWords.protection.endless
  const date = formatDateAt(protectedUntil, timeZone)
  return (Date.parse(protectedUntil) > Date.now() ? leadWords.protection.protected : leadWords.protection.ended)({
    date,
  })
}

/**
 * Returns the protection or, for a won lead whose protection ended, since when it is a customer: 'Customer of Jane
 * Whitfield since Sep 10, 2026'. An ended protection would read as a lost customer, so it is omitted even if the first
 * sale is unknown. Null for an erased lead, which has no identity to protect.
 */
export function formatStanding(
  lead: Pick<Lead, 'status' | 'protectedUntil' | 'partnerName' | 'erasedAt'>,
  firstSale: string | undefined,
  timeZone: string,
) {
  const { status, protectedUntil, partnerName: partner } = lead
  if (lead.erasedAt) return null
  const isOver = protectedUntil !== null && Date.parse(protectedUntil) <= Date.now()
  if (status !== 'won' || !isOver) return formatProtection(lead, timeZone)
  if (!firstSale) return null
  const date = formatDate(firstSale)
  return partner ? leadWords.protection.customerOf({ partner, date }) : leadWords.protection.customer({ date })
}
